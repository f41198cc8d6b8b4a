#!/usr/bin/perl
# Files as instruments write them: contactfit init of each file in t/raw drafts what the lists beside
# them say, or puts the question that they say, and check accepts a draft once it is filled in.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Encode qw(decode);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Program;
use Test::More;

# What stands in the place of a FILL-IN, by its key; others are of the rig and have their own.
my %fill = (
    diameter => '20 mm', mass => '30 g', contact_height => '0 mm', load => '5 N', speed => '0.1 m/s',
    half_width => '50 mm', inertia => '7e-4 kg m^2', stiffness => '50 N/m', plate_speed => '20 mm/s',
);

# Lists of answers: file, what it is, and what must come of it.
sub answers_in
{
    my ($list) = @_;
    my @answers;
    for (split /\n/, decode('UTF-8', slurp($list))) {
        next if /^#|^\s*$/;
        push @answers, {file => $1, column => {}, key => [], show => [], note => []} and next if /^== (.*)/;
        my $at = $answers[-1];
        if (/^(of|draft|ask|check): (.*)/) {
            $at->{$1} = $2;
        } elsif (/^(key|show|note): (.*)/) {
            push @{$at->{$1}}, $2;
        } elsif (/^(\w+): #(\d+) (.*?) \| ?(.*?)(?: \| (\d+ values, .*))?$/) {
            $at->{column}{$1} = {number => $2, name => $3, unit => $4, values => $5};
        } else {
            die "$list: $_\n";
        }
    }
    return @answers;
}

# One spelling of a unit.
sub spelled
{
    my ($unit) = @_;
    $unit =~ s/^\s+|\s+$//g;
    $unit =~ s/[\x{b5}\x{3bc}]/u/g;
    my %same = ('' => '', '-' => '1', 'sec' => 's', 'Seconds' => 's', "\x{b0}" => 'deg', 'N m' => 'Nm', 'mN m' => 'mNm');
    return $same{$unit} // $unit;
}

# The unit that a header names, where a draft does not.
sub unit_in
{
    my ($name) = @_;
    return $1 if $name =~ /[\[(]([^\])]*)[\])][^\])]*$/ || $name =~ m{/ ?(\S.*)$};
    return {m_s => 'm/s', rad_s => 'rad/s', Nm => 'N m'}->{$1} // $1 if $name =~ /_(m_s|rad_s|Nm|[mN]|[numck]?m|[mun]?s|[mun]N|deg)$/;
    return '';
}

# The columns of a draft: quantity, name or number, unit and numbers.
sub columns_of
{
    my ($draft) = @_;
    my %column;
    while ($draft =~ /^      ((?:# )?)(\w+): \{from: ('(?:[^']|'')*'|"[^"]*"|[^,}\n]+)(.*?)\}([^\n{}]*(?:\{[^\n]*)?)$/mg) {
        my ($beside, $quantity, $name, $rest, $remark) = ($1, $2, $3, $4, $5);
        $name = $1 =~ s/''/'/gr if $name =~ /^'(.*)'$/;
        $name = $1 if $name =~ /^"(.*)"$/;
        my ($unit) = "$rest" =~ /unit: ('[^']*'|[^,}]+)/ ? $1 =~ s/'//gr : undef;
        my ($values, $in) = $remark =~ /# (\d+ values, \S+ to [-\d.e+]+)(?: ([^;,\n]*))?/;
        my ($proposed) = $remark =~ /: is it ([^?\n]*)\?/;
        $column{$quantity} //= {name => $name, beside => $beside, unit => $unit, values => $values, in => $in, proposed => $proposed};
    }
    return \%column;
}

# What is wrong with a draft; '' where it is right.
sub wrong_with
{
    my ($answer, $protocol, $draft) = @_;
    my ($is) = $draft =~ /^    protocol: (\S+)/m;
    return 'protocol ' . ($is // 'none') if ($is // '') ne $protocol;
    my $columns = columns_of($draft);
    for my $quantity (sort keys %{$answer->{column}}) {
        my ($want, $have) = ($answer->{column}{$quantity}, $columns->{$quantity});
        return "no $quantity" if !$have;
        return "$quantity from $have->{name}" if $have->{name} ne $want->{name} && $have->{name} ne $want->{number};
        my ($unit, $asked) = $want->{unit} =~ /^ask (.*)/ ? ($1, 1) : ($want->{unit}, 0);
        next if $unit eq '';
        my $is = spelled($have->{unit} // $have->{in} // unit_in($want->{name}));
        $is = spelled($unit) if $is eq '' && $draft =~ /^    unit_row: true$/m; # it is the table's
        $is = spelled($have->{proposed} // 'none') if $asked && ($have->{unit} // '') =~ /^(FILL-IN)?$/;
        $is = '1' if $is eq '' && $unit eq '1';
        return "$quantity in $is" if $is ne spelled($unit);
        return "the unit of $quantity is not asked" if $asked && !defined $have->{proposed};
        return "$quantity: " . ($have->{values} // 'no numbers') . ", not $want->{values}"
            if $want->{values} && !$have->{beside} && ($have->{values} // '') ne $want->{values};
    }
    for (@{$answer->{key}}) {
        return "no $_" if index($draft, $_) < 0;
    }
    for (@{$answer->{show}}) {
        return "$_ is not shown" if index($draft, $_) < 0;
    }
    return '';
}

# What check says of a draft that is filled in; '': it accepts it.
sub refused_by_check
{
    my ($draft) = @_;
    $draft =~ s/^(      \w+: \{from: [^\n]*unit: )FILL-IN(.*is it ([^?\n]*)\?)/$1$3$2/mg;
    $draft =~ s/(\w+): FILL-IN/"$1: " . ($fill{$1} \/\/ 'FILL-IN')/ge;
    spew('my.yaml', Encode::encode('UTF-8', $draft));
    my ($status, undef, $said) = contactfit('check', 'my.yaml');
    return $status ? $said : '';
}

# right; asked, where that is right; silent, where the question is another one or none is due;
# refused; unfinished: the right draft, or the right question, with less in it than is due; wrong:
# something else.
sub verdict_on
{
    my ($answer) = @_;
    my ($status, $draft, $said) = map { decode('UTF-8', $_) } contactfit('init', $answer->{file});
    return ('wrong', 'a draft where a question is due') if !$status && $answer->{ask};
    if (!$status) {
        my $wrong = wrong_with($answer, $answer->{draft}, $draft);
        return ('wrong', $wrong) if $wrong;
        my $refused = $answer->{check} ? '' : refused_by_check($draft);
        return $refused ? ('unfinished', $refused) : ('right', '');
    }
    my @asked = $said =~ /init (?:[^ ]* )*?(\w+) \Q$answer->{file}\E/g;
    return ('refused', $said) if !@asked;
    return ('asked too much', $said) if !$answer->{ask};
    my @due = split ' ', $answer->{ask};
    return ('refused', $said) if "@asked " !~ /^\Q@due\E /;
    return ('asked', '') if !keys %{$answer->{column}};
    ($status, $draft, $said) = map { decode('UTF-8', $_) } contactfit('init', $due[0], $answer->{file});
    my $wrong = $status ? $said : wrong_with($answer, $due[0], $draft);
    return $wrong ? ('unfinished', "$due[0]: $wrong") : ('asked', '');
}

chdir tempdir(CLEANUP => 1) or die;
binmode STDOUT, ':utf8';
binmode(Test::More->builder->$_, ':utf8') for qw(output failure_output todo_output);

# What a list comes to.
my %reached = (
    first => '25 right, 2 asked, 3 asked too much, 9 unfinished, 6 refused',
    second => '13 right, 2 asked, 2 asked too much, 1 unfinished, 2 refused',
);
for my $list (sort keys %reached) {
    my %count;
    for my $answer (answers_in("$srcdir/t/raw/$list.txt")) {
        copy("$srcdir/t/raw/$answer->{file}", $answer->{file}) or die "$answer->{file}: $!\n";
        my ($verdict, $why) = verdict_on($answer);
        $count{$verdict}++;
        note("$answer->{file}: $verdict", $why ? ": $why" : '');
    }
    is(join(', ', map { "$count{$_} $_" } grep { $count{$_} } 'right', 'asked', 'asked too much', 'unfinished', 'refused', 'wrong'),
        $reached{$list}, "files of the $list list");
}

# No string of bytes ends the program otherwise than it ends itself: pieces of these files, with bytes
# changed, doubled and left out, the same ones each time.
{
    my @files = sort glob "$srcdir/t/raw/*synthetic*";
    my ($state, $bad, $number) = (20, 0, $full ? 2000 : 200);
    my $random = sub { return ($state = $state * 48271 % 2147483647) % $_[0] };
    for my $i (1 .. $number) {
        my $bytes = slurp($files[$random->(scalar @files)]);
        $bytes = substr $bytes, $random->(length $bytes), 1 + $random->(2000) if $random->(2);
        for (1 .. $random->(20)) {
            my $at = $random->(length($bytes) || 1);
            my $piece = (chr $random->(256), '', "\"", "\n", "\0", "\r", substr $bytes, $at, 50)[$random->(7)];
            substr $bytes, $at, $random->(3), $piece if length $bytes > 2 + $at;
        }
        spew('bytes.csv', $bytes);
        local $SIG{ALRM} = sub { die "t/raw.t: init hangs\n" };
        alarm 20;
        my ($status, $out, $said) = contactfit('init', 'bytes.csv');
        alarm 0;
        my $sound = $status == 0 ? $out ne '' : $status == 1 && $said =~ /^contactfit init: /m;
        $bad++, diag("$i: $status: $said"), spew("$srcdir/bytes_$i.csv", $bytes) if !$sound;
    }
    is($bad, 0, "$number files of spoiled bytes: a draft or a sentence");
}

done_testing();
