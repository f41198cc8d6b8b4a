package Browser;

# A page in Chromium, driven by mouse and keys over the DevTools protocol, through a pipe: no port,
# no network. browser() is undef where there is no Chromium.

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use JSON::PP;
use MIME::Base64;
use POSIX ();

our @EXPORT = qw(browser);
my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# Starts one; it ends with the object.
sub browser
{
    my ($program) = grep { -x } map { ("$_/chromium", "$_/chromium-browser", "$_/google-chrome") }
        split /:/, $ENV{PATH};
    return if !$program;
    my $profile = tempdir(CLEANUP => 1);
    pipe(my $from_us, my $to) or die "pipe: $!\n";
    pipe(my $from, my $to_us) or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDERR, '>', "$profile/err";
        # out of the way of 3 and 4 first
        POSIX::dup2(fileno $from_us, 20);
        POSIX::dup2(fileno $to_us, 21);
        POSIX::dup2(20, 3);
        POSIX::dup2(21, 4);
        my @how = map { "--$_" } qw(headless no-sandbox disable-gpu disable-quic no-first-run
            disable-background-networking disable-component-update disable-sync hide-scrollbars
            remote-debugging-pipe);
        push @how, '--window-size=1200,900';
        exec 'timeout', 240, $program, @how, "--user-data-dir=$profile", 'about:blank' or POSIX::_exit(127);
    }
    close $from_us;
    close $to_us;
    $to->autoflush(1);
    my $self = bless {pid => $pid, to => $to, from => $from, id => 0, buffer => '', profile => $profile, seen => []};
    my ($page) = grep { $_->{type} eq 'page' } @{$self->ask('Target.getTargets')->{targetInfos}};
    $self->{session} = $self->ask('Target.attachToTarget', targetId => $page->{targetId}, flatten => JSON::PP::true)->{sessionId};
    $self->ask($_) for qw(Page.enable Runtime.enable Log.enable);
    return $self;
}

sub next_message
{
    my ($self) = @_;
    while ($self->{buffer} !~ /\0/) {
        sysread $self->{from}, $self->{buffer}, 65536, length $self->{buffer} or die "Chromium went away\n";
    }
    $self->{buffer} =~ s/^(.*?)\0//s;
    return $json->decode($1);
}

# A command and its result; what is told between them is kept in {seen}.
sub ask
{
    my ($self, $method, %params) = @_;
    my $id = ++$self->{id};
    my %message = (id => $id, method => $method, params => \%params);
    $message{sessionId} = $self->{session} if $self->{session};
    print {$self->{to}} $json->encode(\%message), "\0";
    for (;;) {
        my $message = $self->next_message;
        push @{$self->{seen}}, $message if $message->{method};
        next if ($message->{id} // 0) != $id;
        die "$method: $message->{error}{message}\n" if $message->{error};
        return $message->{result};
    }
}

# Opens a file and waits until it is loaded.
sub open_page
{
    my ($self, $path) = @_;
    $self->{seen} = [];
    $self->ask('Page.navigate', url => "file://$path");
    until (grep { $_->{method} eq 'Page.loadEventFired' } @{$self->{seen}}) {
        my $message = $self->next_message;
        push @{$self->{seen}}, $message if $message->{method};
    }
    $self->value('new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))');
    return;
}

# What the console was told, as texts: errors of scripts and what the policy blocked.
sub complaints
{
    my ($self) = @_;
    return map { $_->{params}{entry}{text} // $_->{params}{exceptionDetails}{text} }
        grep { $_->{method} =~ /^(?:Log\.entryAdded|Runtime\.exceptionThrown)$/ } @{$self->{seen}};
}

# The value of an expression in the page.
sub value
{
    my ($self, $expression) = @_;
    my $result = $self->ask('Runtime.evaluate', expression => $expression,
        returnByValue => JSON::PP::true, awaitPromise => JSON::PP::true);
    die $result->{exceptionDetails}{exception}{description} // $result->{exceptionDetails}{text}, "\n"
        if $result->{exceptionDetails};
    return $result->{result}{value};
}

# How many pages it has on paper.
sub printed_pages
{
    my ($self) = @_;
    my $pdf = decode_base64($self->ask('Page.printToPDF', preferCSSPageSize => JSON::PP::true)->{data});
    return scalar(() = $pdf =~ m{/Type\s*/Page\b}g);
}

# A picture of what is in the window, as PNG.
sub picture
{
    my ($self) = @_;
    return decode_base64($self->ask('Page.captureScreenshot')->{data});
}

# The window as wide as this [px].
sub set_width
{
    my ($self, $width) = @_;
    $self->ask('Emulation.setDeviceMetricsOverride', width => $width, height => 900, deviceScaleFactor => 1, mobile => JSON::PP::false);
    return;
}

sub mouse
{
    my ($self, $type, $x, $y, $down) = @_;
    $self->ask('Input.dispatchMouseEvent', type => "mouse$type", x => 0 + $x, y => 0 + $y,
        button => $type eq 'Moved' && !$down ? 'none' : 'left', buttons => $down ? 1 : 0, clickCount => 1);
    return;
}

sub click
{
    my ($self, $x, $y) = @_;
    $self->mouse('Pressed', $x, $y, 1);
    $self->mouse('Released', $x, $y);
    return;
}

# A key by its name: "Tab", "ArrowRight", "+".
sub key
{
    my ($self, $key) = @_;
    my %code = (Tab => 9, Escape => 27, End => 35, Home => 36, ArrowLeft => 37, ArrowUp => 38, ArrowRight => 39, ArrowDown => 40);
    my %what = (key => $key, code => $key, windowsVirtualKeyCode => $code{$key} // ord $key);
    $self->ask('Input.dispatchKeyEvent', type => 'rawKeyDown', %what);
    $self->ask('Input.dispatchKeyEvent', type => 'keyUp', %what);
    return;
}

sub DESTROY
{
    my ($self) = @_;
    local ($?, $@);
    kill 'TERM', $self->{pid};
    waitpid $self->{pid}, 0;
    return;
}

1;
