#!/usr/bin/perl
# gpuimg keeps the contract of all tools: a full disk, closed descriptors, a limit of file size, a closed pipe, signals,
# a terminal's progress line, --stats by phase.
use strict;
use warnings;
use Test::More;
use Config;
use Time::HiRes qw(sleep);
require "$ENV{srcdir}/t/gpuimg/image.pl";

local @SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;
my ($width, $height) = (700, 500);
my $pixels = random_bytes($width * $height);
my $in = put('in.npy', array('u8', $width, $height, 1, $pixels));
my $level = get('in.npy');
my %commands = (
    sat => 'gpuimg sat -d cpu "$1" --to=npy',
    blur => 'gpuimg blur -d cpu --radius=3 "$1" --to=npy',
    dof => 'gpuimg dof -d cpu --depth="$1" --focus=9 --aperture=2 "$1" --to=npy',
    mipmap => 'gpuimg mipmap -d cpu --level=1 "$1" --to=npy',
);

sub fails
{
    my ($line, $message, $name) = @_;
    my $run = shell($line, $in, path('out'));
    ok($run->{status} == 2 && $run->{err} =~ /^gpuimg: .*$message/m, $name)
        or diag("status $run->{status}: $run->{err}");
}

# ---- outputs that cannot be written ----

for my $name (sort keys %commands) {
    my $line = $commands{$name};
    SKIP: {
        skip('there is no /dev/full', 4) unless -c '/dev/full';
        fails("$line >/dev/full", 'standard output: cannot write: No space left', "$name: a full disk");
        fails("$line -o /dev/full", '/dev/full: cannot write: No space left', "$name: the same with -o");
        fails("$line -z >/dev/full", 'No space left', "$name: the same with -z");
        fails("$line --stats=/dev/full >/dev/null", 'No space left', "$name: the same with --stats");
    }
    fails("$line >&-", 'standard output: cannot write: Bad file descriptor', "$name: a closed output");
    put('out', 'old');
    fails("ulimit -f 20; trap '' XFSZ; $line -o \"\$2\"", 'out: cannot write: File too large',
        "$name: a limit of file size");
    is(get('out'), 'old', 'the output is as it was');
    is(join(' ', leftovers()), '', 'no temporary is left');
    is(shell("$line -o \"\$2\" >&- 2>&- <&-", $in, path('closed'))->{status}, 0, "$name: all closed that is not needed");
    is(get('closed'), shell($line, $in)->{out}, 'does no harm');
    my $run = shell("{ $line; echo \"\$?\" >\"\$2\"; } | head -c 4 >/dev/null", $in, path('pipe'));
    is(get('pipe'), 128 + 13 . "\n", "$name: a closed pipe ends it by SIGPIPE");
    is($run->{err}, '', 'without a message');
}
fails('gpuimg sat --to=npy - <&-', 'standard input: cannot read: Bad file descriptor', 'a closed input');
fails('ulimit -f 20; trap "" XFSZ; gpuimg sat "$1" --subtract-mean="$2" "$2.npy"', 'cannot write: File too large',
    'of two outputs');
ok(!-e path('out.npy'), 'none is made');
is(get('out'), 'old', 'or replaced');

# ---- signals ----

# Half of the picture has come, and the rest does not.
sub ended_by
{
    my ($signal) = @_;
    pipe(my $reader, my $writer) or die "pipe: $!";
    my $child = fork() // die "fork: $!";
    if ($child == 0) {
        open(STDIN, '<&', $reader) or die "dup: $!";
        close($_) for $reader, $writer;
        exec('gpuimg', 'sat', '--to=npy', '-', '-o', path('out')) or die "exec: $!";
    }
    close($reader);
    syswrite($writer, substr($level, 0, 50_000));
    sleep(0.5);
    kill($signal, $child);
    waitpid($child, 0);
    close($writer);
    return (split ' ', $Config{sig_name})[$? & 127];
}

for my $signal (qw(INT TERM HUP)) {
    put('out', 'old');
    is(ended_by($signal), $signal, "SIG$signal ends it");
    is(get('out'), 'old', 'the output is as it was');
    is(join(' ', leftovers()), '', 'no temporary is left');
}

# ---- progress ----

# The reader of the output, and the writer of the input, wait for longer than an update takes.
my $slow = shell('{ head -c 90000 "$1"; sleep 0.5; tail -c +90001 "$1"; } | gpuimg sat --progress --to=npy - | '
        . '{ sleep 1.5; cat >"$2"; }', $in, path('slow'));
like($slow->{err}, qr/reading: \d+\.\d\d GB/, '--progress says how much of a pipe is read');
like($slow->{err}, qr/writing: \d+\.\d\d of \d+\.\d\d GB, (?:100|\d?\d)%/, 'and how much of the table is written');
unlike($slow->{err}, qr/(?:1\d[1-9]|[2-9]\d\d)%/, 'never more than all');
like($slow->{err}, qr/\r\e\[K$/, 'and takes the line away');
is(get('slow'), shell($commands{sat}, $in)->{out}, 'the table is the same');
for my $format (qw(npy pgm pam), has_png() ? 'png' : ()) {
    # It waits in the middle of the output, however long a GPU takes to start.
    $slow = shell("gpuimg mipmap --progress --level=0 --to=$format \"\$1\" | "
            . '{ head -c 1 >"$2"; sleep 0.5; cat >>"$2"; }', $in, path('slow'));
    like($slow->{err}, qr/writing: \d+\.\d\d of \d+\.\d\d GB, \d+%/, "--progress while $format is written");
}
is(shell('gpuimg sat "$1" --to=npy >/dev/null', $in)->{err}, '', 'without a terminal there is no progress line');

# ---- statistics ----

my $number = qr/\d+(?:\.\d+)?/;
for ([sat => 'scan'], [blur => 'filter'], [dof => 'filter'], [mipmap => 'filter']) {
    my ($name, $phase) = @$_;
    shell("$commands{$name} --stats=\"\$2\" >/dev/null", $in, path('stats'));
    like(get('stats'), qr/"device": "cpu[^"]*", .*"read": $number, "$phase": $number, "write": $number, "total"/,
        "$name: --stats has the device and the phases");
    like(get('stats'), qr/^\{"elements": @{[$width * $height]}, /, 'and the elements');
}
fails('gpuimg sat --device=cuda:99 "$1" --to=npy', '(?:no|not|CUDA|GPU)', 'a device that there is not');
done_testing();
