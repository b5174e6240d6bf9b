#!/usr/bin/perl
# Every way out has the right exit status and leaves no temporary: too few threads, a library's exit(), abort(),
# SIGKILL; on a file system that has files without a name, and on one that does not.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/tools/inject.pl";

my $why = no_injection();
plan(skip_all => $why) if defined $why;
local @SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;

my $file = put('file', pack('V*', reverse 1 .. 1_000_000));
my %expected = (
    'gpusort -t u32' => pack('V*', 1 .. 1_000_000),
    "gpucompact -t u32 -w 'x > 500000'" => pack('V*', reverse 500_001 .. 1_000_000),
    'gpuscan -t u32 --op=min' => get('file'),
    'gpurle -t u32 -u' => get('file'),
);

sub temporaries { return join ' ', grep { !/\.log$/ } leftovers() }

sub ended
{
    my ($command, %faults) = @_;
    put('out', 'old');
    return injected(sub { shell("$command \"\$1\" -o \"\$2\"", $file, path('out')) }, %faults);
}

# With too few threads the device gets fewer, or the exit status is 2.
for my $command (fewer(sort keys %expected)) {
    my $cpu = "$command --device=cpu --parallel=4";
    for my $threads (0 .. 6, 10, 20) {
        my $run = ended("$cpu --verbose", THREADS => $threads);
        my $done = $run->{status} == 0 && get('out') eq $expected{$command};
        my $refused = $run->{status} == 2 && get('out') eq 'old' && $run->{err} =~ /^\w+: cannot start a thread$/m;
        ok($threads > 2 ? $done : $done || $refused, "$command with $threads threads besides the first")
            or diag("status $run->{status}: $run->{err}");
        my $least = $threads == 20 ? 4 : 1;
        like($run->{err}, qr/ on cpu:[$least-4]/, 'works on the processors that it can have') if $done;
        is(temporaries(), '', 'and leaves no temporary');
    }

    # A thread fails that could be started when it was tried, so OpenMP ends the process.
    my $tried = () = do { ended($cpu); logged('thread') };
    for my $named (0, $command =~ /gpusort/ ? 1 : ()) {
        my $gone = 0;
        for my $last (0 .. $tried - 1) {
            my $run = ended($cpu, LATE_THREADS => $last, NAMED => $named);
            my $done = $run->{status} == 0 && get('out') eq $expected{$command};
            my $good = $done || ($run->{status} == 2 && get('out') eq 'old');
            $gone++ if $good && $run->{err} =~ /a library could not go on/;
            fail("$command: thread $last is refused: status $run->{status}: $run->{err}") if !$good;
        }
        cmp_ok($gone, '>', 0, "$command: OpenMP ended some of $tried runs, with status 2");
        is(temporaries(), '', 'and they left no temporary');
    }
}

# Descriptors are closed: with 16 of them a tool replaces 40 files. A GPU's driver needs more.
for my $command ('gpusort -i', 'gpuscan -i', 'gpucompact -w 1 -i', 'gpucompact -w 1 --in-place=overwrite') {
    my @files = map { put("many$_", "\0\1\2\3") } 1 .. 40;
    my $run = shell("ulimit -n 16; exec $command -d cpu -t u8 \"\$@\"", @files);
    is($run->{status}, 0, "$command closes what it opens") or diag($run->{err});
    unlink(@files);
}

# abort() and SIGKILL.
for my $named (0, 1) {
    my $run = ended('gpusort -t u32', ABORT => 1, NAMED => $named);
    ok($run->{status} == 2 && get('out') eq 'old', 'abort() by a library ' . ($named ? 'with names' : 'without'));
    is(temporaries(), '', 'leaves no temporary');
    $run = ended('gpusort -t u32', NAMED => $named);
    ok($run->{status} == 0 && get('out') eq $expected{'gpusort -t u32'}, 'without a fault all goes well');
    unlink(path('out'));
    $run = injected(sub { shell('gpusort -t u32 "$1" -o "$2"', $file, path('out')) }, NAMED => $named);
    ok($run->{status} == 0 && get('out') eq $expected{'gpusort -t u32'}, 'also to a new file');
    is(temporaries(), '', 'and no temporary is left');
}
my $child = open(my $pipe, '|-', 'gpuscan', '-t', 'u32', '-o', path('out')) or die;
binmode $pipe;
syswrite($pipe, get('file'), 200_000);
for (1 .. 400) {
    last if glob("/proc/$child/fd/*") && writes($child);
    select(undef, undef, undef, 0.01);
}
my $nameless = temporaries() eq '';
kill('KILL', $child);
close($pipe);
SKIP: {
    skip('the file system has no files without a name', 1) unless $nameless;
    is(temporaries(), '', 'SIGKILL leaves no temporary');
}
done_testing();
