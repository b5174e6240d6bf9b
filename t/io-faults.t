#!/usr/bin/perl
# Injected faults: a full disk, a closed pipe, closed descriptors, too little memory, a terminal.
use strict;
use warnings;
require "$ENV{srcdir}/t/lib.pl";

my $file = put('file', pack('V*', reverse 1 .. 100000));

sub fails
{
    my ($line, $message, $name) = @_;
    my $run = shell($line, $file, path('out'));
    ok($run->{status} == 2 && $run->{err} =~ /^gpusort: .*$message/m,
        $name) or diag("status $run->{status}: $run->{err}");
}

SKIP: {
    skip('there is no /dev/full', 6) unless -c '/dev/full';
    fails('gpusort -t u32 "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk');
    fails('gpusort -t u32 "$1" -o /dev/full', '/dev/full: cannot write: No space left', 'the same with -o');
    fails('gpusort -t u32 -z "$1" >/dev/full', 'No space left', 'the same with -z');
    fails('gpusort --help >/dev/full', 'standard output: .*No space left', 'the same with --help');
    fails('gpusort --version >/dev/full', 'No space left', 'the same with --version');
    fails('gpusort -t u32 "$1" --stats=/dev/full >/dev/null', 'No space left', 'the same with --stats');
}
fails('gpusort -t u32 "$1" >&-', 'standard output: cannot write: Bad file descriptor', 'a closed output');
fails('gpusort -t u32 <&-', 'standard input: cannot read: Bad file descriptor', 'a closed input');
is(shell('gpusort -t u32 "$1" -o "$2" >&- 2>&- <&-', $file, path('closed'))->{status}, 0,
    'all closed that is not needed');
is(get('closed'), pack('V*', 1 .. 100000), 'does no harm');
fails('ulimit -f 100; trap "" XFSZ; gpusort -t u32 "$1" -o "$2"', 'out: cannot write: File too large',
    'a limit of file size');
ok(!-e path('out'), 'makes no file');
is(join(' ', leftovers()), '', 'and leaves no temporary');

# A reader that goes away: cat's way of ending.
my $run = shell('{ gpusort -t u32 "$1"; echo "$?" >"$2"; } | head -c 4 >/dev/null', $file, path('pipe'));
is(get('pipe'), 128 + 13 . "\n", 'a closed pipe ends it by SIGPIPE');
is($run->{err}, '', 'without a message');
$run = shell('trap "" PIPE; { gpusort -t u32 "$1"; echo "$?" >"$2"; } | head -c 4 >/dev/null', $file, path('pipe'));
is(get('pipe'), "2\n", 'where SIGPIPE is ignored, it is an error');
like($run->{err}, qr/standard output: cannot write: Broken pipe/, 'with a message');

# Too little memory. A build with a sanitizer needs more than any limit of address space.
SKIP: {
    my $small = shell('ulimit -v 400000; gpusort -t u32 -d cpu "$1" | cmp - "$2"', $file, path('closed'));
    skip("it does not start within 400 MB of address space", 4) unless $small->{status} == 0;
    truncate(put('huge', ''), 1 << 30);
    $file = path('huge');
    put('out', 'old');
    fails('ulimit -v 400000; gpusort -t u32 -d cpu "$1" -o "$2"', 'out of memory: cannot allocate 1\.0 GiB',
        'too little memory');
    fails('ulimit -v 400000; cat "$1" | gpusort -t u32 -d cpu -o "$2"', 'out of memory', 'the same through a pipe');
    is(get('out'), 'old', 'the output is as it was');
    is(join(' ', leftovers()), '', 'no temporary is left');
    $file = path('file');
}

# A terminal, which script(1) gives.
SKIP: {
    my $script = shell('command -v script');
    skip('there is no script(1)', 4) unless $script->{status} == 0;
    my $typed = sub { my ($line) = @_; return shell('script -qec "$1" /dev/null </dev/null', $line) };
    my $refused = $typed->("gpusort -t u32 $file");
    like($refused->{out}, qr/standard output is a terminal/, 'binary output to a terminal is refused');
    is($refused->{status}, 2, 'with exit status 2');
    put('letters', 'hello');
    like($typed->('gpusort -t u8 -o - ' . path('letters'))->{out}, qr/ehllo/, 'unless -o - says so');
    unlike($typed->('gpusort -t u32 -c ' . path('closed'))->{out}, qr/terminal/, 'a check needs no other output');
}
done_testing();
