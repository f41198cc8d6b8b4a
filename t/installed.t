#!/usr/bin/perl
# What `make install` installs works for users: every public header compiles alone, the
# programs of doc/examples and t/installed build through pkg-config, with the shared library and
# without, run and say what is right, and contactfit itself fits a study out of the examples.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path remove_tree);
use Test::More;

my $srcdir = $ENV{srcdir} // '.';
my $builddir = $ENV{builddir} // '.';
my $cc = $ENV{CC} // 'cc';
my $flags = '-std=c11 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror';
# A library with a sanitizer needs programs with it.
$flags .= " $_" for grep { /^-fsanitize/ } split ' ', $ENV{CFLAGS} // '';

sub output
{
    my ($command) = @_;
    my $text = qx{$command 2>&1};
    return ($text, $? >> 8);
}

for my $tool ('make', 'pkg-config', (split ' ', $cc)[0]) {
    plan skip_all => "no $tool" if system("command -v $tool >/dev/null 2>&1") != 0;
}

make_path("$builddir/tmp");
my $prefix = abs_path("$builddir/tmp") . "/installed.$$";
END { remove_tree($prefix) if defined $prefix }

# The flags of the make that runs this test are not for the one that it runs.
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL DESTDIR)};
my %to = (prefix => $prefix, exec_prefix => $prefix, bindir => "$prefix/bin",
    libdir => "$prefix/lib", includedir => "$prefix/include", datarootdir => "$prefix/share",
    mandir => "$prefix/share/man", docdir => "$prefix/share/doc/contactfit",
    pkgconfigdir => "$prefix/lib/pkgconfig",
    LDCONFIG => ':');    # the machine's own cache is none of a test's business
my ($said, $status) =
    output("make -C '$builddir' -s install " . join ' ', map { "$_='$to{$_}'" } sort keys %to);
is($status, 0, 'make install') or diag($said);

$ENV{PKG_CONFIG_PATH} = join ':', "$prefix/lib/pkgconfig", grep { defined } $ENV{PKG_CONFIG_PATH};
$ENV{LD_LIBRARY_PATH} = join ':', "$prefix/lib", grep { defined } $ENV{LD_LIBRARY_PATH};
my $pkg = join ' ', 'pkg-config',
    (map { "--define-variable=$_='$to{$_}'" } qw(prefix libdir includedir)), 'contactfit';
my ($cflags) = output("$pkg --cflags");
# A build without a shared library is linked as pkg-config says of static ones.
my $shared = -e "$prefix/lib/libcontactfit.so";
my ($libs) = output($shared ? "$pkg --libs" : "$pkg --static --libs");
my ($static_libs) = output("$pkg --static --libs");
chomp($cflags, $libs, $static_libs);
like($cflags, qr{-I\Q$prefix\E/include}, 'pkg-config --cflags');
like($libs, qr{-lcontactfit}, 'pkg-config --libs');

my @headers;
find(sub { push @headers, $File::Find::name =~ s{^\Q$prefix\E/include/}{}r if /\.h\z/ },
     "$prefix/include");
cmp_ok(scalar @headers, '>=', 14, 'public headers are installed');
for my $header (sort @headers) {
    my ($complaint, $code) =
        output("echo '#include <$header>' | $cc $flags $cflags -fsyntax-only -x c -");
    is("$complaint$code", '0', "<$header> compiles alone");
}

# The shared library, if any, that a program of ours is loaded with.
sub loads
{
    my ($program) = @_;
    my ($text) = output("ldd '$program'");
    return $text =~ m{libcontactfit\.so\S* => (\S+)} ? $1 : 'none';
}

# Programs, and what they say. (k z + lambda z') sqrt(z) at 0.1 mm and 0.5 m/s is 10500 N; the
# restitution is that of the ODE in scaled form by SciPy's DOP853 at 1e-13. They are linked as
# pkg-config says, then with the archive, in a folder where the linker finds nothing else.
my $docs = "$prefix/share/doc/contactfit/examples";
my $study = "$docs/fits/croquet_ball_on_wood.yaml";
my %says = (
    "$docs/identify.c $study" => qr/\Amisfit: .*^k\s+fitted\s+1\.818e\+08 \[1\.796e\+08, 1\.839e\+08\] N\/m\^1\.5 \(fine\)$/ms,
    "$docs/bounce.c" => "force 10500 N\nrestitution 0.648317717\n",
    "$srcdir/t/installed/user.c" => "e = 0.393930603230\n",
);
my $archive = "$prefix/archive";
make_path($archive);
copy("$prefix/lib/libcontactfit.a", $archive) if -e "$prefix/lib/libcontactfit.a";
for my $what (sort keys %says) {
    my ($source, $argument) = split / /, $what;
    my $name = $source =~ s{.*/}{}r;
    for my $way (['as pkg-config says', $libs, $shared],
                 ['with the archive', "-L'$archive' $static_libs", 0]) {
        my ($how, $with, $wants_shared) = @$way;
      SKIP: {
            skip 'no static library here', 4
                if !$wants_shared && !-e "$archive/libcontactfit.a";
            my ($complaint, $code) =
                output("$cc $flags $cflags '$source' -o '$prefix/program' $with");
            is("$complaint$code", '0', "$name builds $how") or skip 'nothing to run', 3;
            my ($text, $end) = output("'$prefix/program' " . ($argument // ''));
            ref $says{$what} ? like($text, $says{$what}, "$name built $how says what is right")
                : is($text, $says{$what}, "$name built $how says what is right");
            is($end, 0, "$name built $how ends well");
            like(loads("$prefix/program"), $wants_shared ? qr{^\Q$prefix\E/lib/} : qr{^none$},
                "$name built $how: the library that it loads");
        }
    }
}

# What the shared library exports is what the public headers declare.
SKIP: {
    skip 'no shared library here', 1 if !$shared;
    my ($exported) = output("nm -D --defined-only '$prefix/lib/libcontactfit.so'");
    my ($declared) = output("perl '$srcdir/src/exported-symbols.pl' "
        . join ' ', map { "'$prefix/include/$_'" } @headers);
    is(join("\n", sort map { /\s(\S+)$/ } grep { !/ A / } split /\n/, $exported) . "\n", $declared,
        'exported is what is declared');
}

# The program, which holds the library, on a study out of the examples.
is(loads("$prefix/bin/contactfit"), 'none', 'contactfit holds its library');
{
    my ($text, $end) =
        output("cd / && '$prefix/bin/contactfit' fit '$docs/fits/croquet_ball_on_wood.yaml' "
            . "-o '$prefix'");
    is($end, 3, 'contactfit fits the croquet study of the examples: a misfit') or diag($text);
    like($text, qr/misfit/, 'and says so');
    ok(-s "$prefix/croquet_ball_on_wood.$_", "and writes its .$_") for qw(json html);
    ($text, $end) = output("cd / && '$prefix/bin/contactfit' simulate "
        . "'$docs/scenes/presliding_recorded.yaml' --events '$prefix/events.csv'");
    is($end, 0, 'contactfit runs a scene of the examples, with its data') or diag($text);
}

open my $in, '<', "$srcdir/doc/examples/identify.c" or die "identify.c: $!\n";
my $example = do { local $/; <$in> };
close $in;
open $in, '<', "$srcdir/doc/library.md" or die "library.md: $!\n";
my $page = do { local $/; <$in> };
my $shown = $example =~ s/^(?=.)/    /mgr;
ok(index($page, $shown) >= 0, 'doc/library.md shows the example as it is');

# Its examples, and a copy of one.
{
    my ($text) = output("cd / && '$prefix/bin/contactfit' examples");
    like($text, qr/^  croquet_ball_on_wood  +Croquet ball on wood$/m, 'examples: the list');
    ($text, my $end) = output("cd / && '$prefix/bin/contactfit' examples af10_fig2 -o '$prefix/copied'");
    is($end, 0, 'examples: a copy') or diag($text);
    ($text) = output("cmp '$srcdir/figures/af10_fig2.yaml' '$prefix/copied/figures/af10_fig2.yaml'");
    is($text, '', 'which is the same');
}

# The completion of both shells, as the installed program prints it.
for (['bash', 'bash-completion/completions/contactfit'], ['zsh', 'zsh/site-functions/_contactfit']) {
    my ($shell, $file) = @$_;
    my ($printed) = output("$prefix/bin/contactfit completion $shell");
    my ($installed) = output("cat '$prefix/share/$file'");
    is($installed, $printed, "completion of $shell");
}

done_testing();
