#!/usr/bin/perl
# Injected faults, in each tool: a full disk, a closed pipe, closed descriptors, too little memory, a terminal.
use strict;
use warnings;
use Test::More;
our $tool;
require "$ENV{srcdir}/t/tools/lib.pl";

my $file = put('file', pack('V*', reverse 1 .. 100000));
my %command = (gpusort => 'gpusort', gpucompact => "gpucompact -w 'x > 50000'", gpurle => 'gpurle',
    gpuscan => 'gpuscan --op=min');

# Runs a shell line. TOOL stands for the tool with the options that it needs.
sub line
{
    my ($line, @arguments) = @_;
    return shell($line =~ s/TOOL/$command{$tool}/gr, @arguments);
}

sub fails
{
    my ($line, $message, $name) = @_;
    my $run = line($line, $file, path('out'));
    ok($run->{status} == 2 && $run->{err} =~ /^$tool: .*$message/m, "$tool: $name")
        or diag("status $run->{status}: $run->{err}");
}

sub check_files
{
    my ($expected) = @_;
    SKIP: {
        skip('there is no /dev/full', 6) unless -c '/dev/full';
        fails('TOOL -t u32 "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk');
        fails('TOOL -t u32 "$1" -o /dev/full', '/dev/full: cannot write: No space left', 'the same with -o');
        fails('TOOL -t u32 -z "$1" >/dev/full', 'No space left', 'the same with -z');
        fails('TOOL --help >/dev/full', 'standard output: .*No space left', 'the same with --help');
        fails('TOOL --version >/dev/full', 'No space left', 'the same with --version');
        fails('TOOL -t u32 "$1" --stats=/dev/full >/dev/null', 'No space left', 'the same with --stats');
    }
    fails('TOOL -t u32 "$1" >&-', 'standard output: cannot write: Bad file descriptor', 'a closed output');
    fails('TOOL -t u32 <&-', 'standard input: cannot read: Bad file descriptor', 'a closed input');
    is(line('TOOL -t u32 "$1" -o "$2" >&- 2>&- <&-', $file, path('closed'))->{status}, 0,
        'all closed that is not needed');
    is(get('closed'), $expected, 'does no harm');
    fails('ulimit -f 100; trap "" XFSZ; TOOL -t u32 "$1" -o "$2"', 'out: cannot write: File too large',
        'a limit of file size');
    ok(!-e path('out'), 'makes no file');
    is(join(' ', leftovers()), '', 'and leaves no temporary');

    # The reader of the pipe ends: so does the tool, by SIGPIPE, as cat does.
    my $run = line('{ TOOL -t u32 "$1"; echo "$?" >"$2"; } | head -c 4 >/dev/null', $file, path('pipe'));
    is(get('pipe'), 128 + 13 . "\n", 'a closed pipe ends it by SIGPIPE');
    is($run->{err}, '', 'without a message');
    $run = line('trap "" PIPE; { TOOL -t u32 "$1"; echo "$?" >"$2"; } | head -c 4 >/dev/null', $file, path('pipe'));
    is(get('pipe'), "2\n", 'where SIGPIPE is ignored, it is an error');
    like($run->{err}, qr/standard output: cannot write: Broken pipe/, 'with a message');
    unlink(path('closed'));
}

for ([gpusort => pack('V*', 1 .. 100000)], [gpucompact => pack('V*', reverse 50001 .. 100000)],
    [gpurle => shell('gpurle -t u32 "$1"', $file)->{out}], [gpuscan => get('file')]) {
    ($tool, my $expected) = @$_;
    check_files($expected);
}

# A second output.
$tool = 'gpucompact';
put('out', 'old');
fails('TOOL -t u32 "$1" --rejects=/dev/full -o "$2"', '/dev/full: cannot write: No space left',
    'a full disk for the rejects');
fails('TOOL -t u32 "$1" --rejects="$2" >/dev/full', 'standard output: cannot write: No space left',
    'a full disk beside the rejects');
fails('TOOL -c -t u32 "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk for a number');
$file = put('few', 'abcdefgh'); # the compressor hands them on at its end
fails('TOOL -z -t u32 "$1" --rejects=/dev/full -o "$2"', '/dev/full: cannot write: No space left',
    'a full disk at the end');
$file = path('file');
is(get('out'), 'old', 'the other output is as it was');
is(join(' ', leftovers()), '', 'no temporary is left');
unlink(path('out'));

# gpuscan --reduce, --segments, and a file of flags.
$tool = 'gpuscan';
put('out', 'old');
my $flags = put('flags', "\1" x 100000);
{
    local $command{gpuscan} = "gpuscan --reduce --segments=$flags";
    fails('TOOL -t u32 "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk for segments');
    fails('TOOL -t u32 "$1" -o /dev/full', '/dev/full: cannot write: No space left', 'the same with -o');
    fails('ulimit -f 100; trap "" XFSZ; TOOL -t u32 "$1" -o "$2"', 'out: cannot write: File too large',
        'a limit of file size');
    fails('head -c 399996 "$1" | TOOL -t u32 -o "$2"', 'flags: holds more flags than', 'a short read');
    fails('head -c 399999 "$1" | TOOL -t u32 -o "$2"', 'standard input: 399999 bytes are not', 'within an element');
    fails('gpuscan -t u8 --segments=- "$1" <&-', 'standard input: cannot read: Bad file descriptor',
        'flags from a closed input');
}
fails('gpuscan -t u32 --reduce "$1" >/dev/full', 'standard output: cannot write: No space left',
    'a full disk for a number');
fails('gpuscan -t u32 --reduce "$1" -o /dev/full', '/dev/full: cannot write: No space left', 'the same with -o');
fails('gpuscan --list-algorithms >/dev/full', 'standard output: cannot write: No space left', 'the same for the table');
is(get('out') . join(' ', leftovers()), 'old', 'the output is as it was, and no temporary is left');

# gpurle --decode, --count, and two columns.
$tool = 'gpurle';
my $encoded = put('encoded', shell('gpurle -t u32 "$1"', $file)->{out});
my $elements = get('file');
{
    local $command{gpurle} = 'gpurle -d';
    $file = $encoded;
    fails('TOOL "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk for what is decoded');
    fails('TOOL "$1" -o /dev/full', '/dev/full: cannot write: No space left', 'the same with -o');
    fails('TOOL -z "$1" >/dev/full', 'No space left', 'the same with -z');
    fails('TOOL "$1" >&-', 'standard output: cannot write: Bad file descriptor', 'a closed output of -d');
    fails('TOOL <&-', 'standard input: cannot read: Bad file descriptor', 'a closed input of -d');
    fails('gpurle -l <&-', 'standard input: cannot read: Bad file descriptor', 'of -l');
    fails('gpurle -l "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk for a table');
    put('out', 'old');
    fails('ulimit -f 100; trap "" XFSZ; TOOL "$1" -o "$2"', 'out: cannot write: File too large',
        'a limit of file size for -d');
    is(get('out'), 'old', 'the output is as it was');
    my $run = line('{ TOOL "$1"; echo "$?" >"$2"; } | head -c 4 >/dev/null', $file, path('pipe'));
    is(get('pipe') . $run->{err}, 128 + 13 . "\n", 'a closed pipe ends -d by SIGPIPE');
    is(line('head -c 300000 "$1" | TOOL -o "$2"', $file, path('out'))->{status}, 2, 'a short read');
    is(line('TOOL "$1" -o "$2" >&- 2>&- <&-', $file, path('out'))->{status}, 0, 'all closed that is not needed');
    ok(get('out') eq $elements, 'does no harm');
    $file = path('file');
}
put('out', 'old');
fails('TOOL -t u32 -c "$1" >/dev/full', 'standard output: cannot write: No space left', 'a full disk for text');
fails('TOOL -t u32 -u "$1" >/dev/full', 'standard output: cannot write: No space left', 'for first elements');
fails('TOOL -t u32 --counts=/dev/full --values="$2" "$1"', '/dev/full: cannot write: No space left',
    'for counts');
fails('TOOL -t u32 --counts="$2" --values=/dev/full "$1"', '/dev/full: cannot write: No space left',
    'for values');
is(get('out'), 'old', 'the other output is as it was');
is(line('{ TOOL -t u32 -c "$1"; echo "$?" >"$2"; } | head -n 1', $file, path('pipe'))->{out}, "      1 100000\n",
    'a closed pipe behind -c');
is(get('pipe'), 128 + 13 . "\n", 'ends it by SIGPIPE');
local @SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;
for (map { my $signal = $_; map { [$signal, $_] } 'gpurle', 'gpuscan' } 'INT', 'TERM', 'HUP') {
    my ($signal, $name) = @$_;
    my $child = open(my $pipe, '|-', $name, '-t', 'u32', '-o', path('out')) or die;
    binmode $pipe;
    syswrite($pipe, $elements, 200_000); # nothing is left for close() to write to a process that is gone
    select(undef, undef, undef, 0.3);
    kill($signal, $child);
    close($pipe);
    is($? & 127, { INT => 2, TERM => 15, HUP => 1 }->{$signal}, "SIG$signal ends $name");
    is(get('out') . join(' ', leftovers()), 'old', 'the old output stays, and no temporary');
}
unlink(path('out'));

# Too little memory. A build with a sanitizer does not start within such a limit of address space.
SKIP: {
    my $small = shell('ulimit -v 400000; gpusort -t u32 -d cpu --parallel=2 "$1"', $file);
    skip("it does not start within 400 MB of address space", 9) unless $small->{status} == 0;
    $tool = 'gpusort';
    truncate(put('huge', ''), 1 << 30);
    $file = path('huge');
    my $zeros = shell('ulimit -v 400000; gpusort -u -t u32 -d cpu --parallel=2 "$1"', $file);
    is($zeros->{out}, "\0" x 4, 'gpusort needs less memory than the input') or diag($zeros->{err});
    put('out', 'old');
    $file = put('wide.npy', npy("'|V400000000'", 0, ''));
    fails('ulimit -v 400000; cat "$1" | gpusort -d cpu --parallel=2 -o "$2"', 'out of memory: cannot allocate',
        'records too large');
    is(get('out'), 'old', 'the output is as it was');
    is(join(' ', leftovers()), '', 'no temporary is left');

    $tool = 'gpucompact';
    $file = path('huge');
    my $last = shell('ulimit -v 400000; gpucompact -t u32 -d cpu --parallel=2 -w "x == 0" "$1" | tail -c 1 | od -An -tu1',
        $file);
    is($last->{out}, "   0\n", 'gpucompact does not need it');
    put('huge.npy', npy("'<u4'", 1 << 28, ''));
    truncate(path('huge.npy'), 128 + (1 << 30));
    $file = path('huge.npy');
    my $piped = shell('ulimit -v 400000; gpucompact -d cpu --parallel=2 -w 1 "$1" | wc -c', $file);
    is($piped->{out} . $piped->{err}, 128 + (1 << 30) . "\n", 'a .npy file into a pipe waits in a temporary file');
    $piped = shell('ulimit -f 1000; trap "" XFSZ; gpucompact -S 1M -w 1 "$1" | cat', $file);
    like($piped->{err}, qr/cannot write a temporary file.*File too large; --raw needs none/, 'which may be too small');
    is($piped->{out}, '', 'then nothing is written');
    $file = put('wide.npy', npy("'|V400000000'", 0, ''));
    fails('ulimit -v 400000; gpucompact -d cpu --parallel=2 -w 1 "$1" -o "$2"',
        'out of memory: cannot allocate', 'records too large');
    $file = path('file');
}

# A terminal, from script(1).
SKIP: {
    skip('there is no script(1)', 15) unless shell('command -v script')->{status} == 0;
    my $probe = shell('script -qec "test -t 1 && echo works" /dev/null </dev/null');
    skip('script(1) opens no terminal: ' . ($probe->{err} =~ s/\n.*//sr || 'it says nothing'), 15)
        unless $probe->{status} == 0 && $probe->{out} =~ /works/;
    my $typed = sub { my ($line) = @_; return shell('script -qec "$1" /dev/null </dev/null', $line) };
    my $refused = $typed->("gpusort -t u32 $file");
    like($refused->{out}, qr/standard output is a terminal/, 'binary output to a terminal is refused');
    is($refused->{status}, 2, 'with exit status 2');
    put('letters', 'hello');
    like($typed->('gpusort -t u8 -o - ' . path('letters'))->{out}, qr/ehllo/, 'unless -o - says so');
    unlike($typed->('gpusort -t u8 -c ' . put('sorted', 'abc'))->{out}, qr/terminal/, 'a check needs no other output');
    like($typed->("gpucompact -t u32 -w x $file")->{out}, qr/standard output is a terminal/, 'the same of gpucompact');
    like($typed->("gpucompact --no-progress -t u32 -w x -c $file")->{out}, qr/^100000\r?\n/,
        'a number may be printed there');
    like($typed->('gpucompact --no-progress -t u8 -w "x == 0x65" -o - ' . path('letters'))->{out}, qr/^e/,
        'and with -o - all');
    my $list = path('encoded');
    like($typed->("gpuscan -t u32 $file")->{out}, qr/standard output is a terminal/, 'the same of gpuscan');
    like($typed->("gpuscan --no-progress -t u32 --reduce --op=max $file")->{out}, qr/^100000\r?\n/, 'but a number');
    like($typed->("gpurle -t u32 $file")->{out}, qr/standard output is a terminal/, 'the same of gpurle');
    like($typed->("gpurle -d $list")->{out}, qr/standard output is a terminal/, 'and of -d');
    like($typed->("gpurle -t u32 -u $file")->{out}, qr/standard output is a terminal/, 'and of -u');
    like($typed->("gpurle --no-progress -l $list")->{out}, qr/ 100000 /, 'a table may be printed there');
    like($typed->('gpurle --no-progress -t u8 -c ' . path('letters'))->{out}, qr/^ +1 104\r?\n/, 'and text');
    like($typed->('gpurle --no-progress -t u8 -o - -u ' . path('letters'))->{out}, qr/^helo/, 'and with -o - all');
}
done_testing();
