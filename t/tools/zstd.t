#!/usr/bin/perl
# Reading and writing zstd, compared with zstd(1): frames one behind the other, skippable frames, every kind of damage, a
# .npy header that is rewritten, in place.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my $empty = gpusort(['-t', 'u8', '--zstd'], '');
if ($empty->{err} =~ /this build cannot write zstd/) {
    is($empty->{status}, 2, '--zstd is refused');
    refuses(['-t', 'u8'], "\x28\xb5\x2f\xfd\0", 'is compressed with zstd, which this build cannot read', 'zstd in');
    done_testing();
    exit 0;
}
plan(skip_all => 'there is no zstd') unless shell('command -v zstd')->{status} == 0;

sub zst { my ($data, @options) = @_; put('raw', $data); return run(['zstd', '-qc', @options, path('raw')])->{out} }
sub unzst { return run([qw(zstd -qdc)], $_[0])->{out} }

my @u32 = ('-t', 'u32');
my @values = map { ($_ * 2654435761) & 0xffff } 1 .. 200000;
my $data = pack('V*', @values);
my $sorted = pack('V*', sort { $a <=> $b } @values);
my $skippable = pack('VV', 0x184d2a53, 5) . 'hello';
sorts_to(\@u32, zst($data), $sorted, 'one frame');
sorts_to([@u32, put('a.zst', zst($data))], '', $sorted, 'from a file');
sorts_to(\@u32, zst($data, $_), $sorted, "of zstd $_") for '-1', '-19', '--no-check', '--no-content-size', '--fast=5';
sorts_to(\@u32, zst(substr($data, 0, 1001)) . zst(substr($data, 1001)), $sorted, 'two frames that split an element');
sorts_to(\@u32, zst('') . zst($data) . zst(''), $sorted, 'empty frames');
sorts_to(\@u32, $skippable . zst($data) . $skippable x 2, $sorted, 'skippable frames');
sorts_to(\@u32, zst(''), '', 'nothing in zstd');
sorts_to(\@u32, $skippable, '', 'nothing but a skippable frame');
sorts_to(\@u32, join('', map { zst($_) } slice(pack('V*', reverse 1 .. 100), 7)), pack('V*', 1 .. 100), 'many frames');
sorts_to([@u32, '--skip=5'], zst("hello$data"), $sorted, '--skip counts decompressed bytes');
sorts_to([@u32, put('raw', pack('V', 0)), path('a.zst')], '', pack('V', 0) . $sorted, 'zstd and not');
sorts_to(['-t', 'u8'], "\x28\xb5\x2f", "\x28\x2f\xb5", 'half a magic');
is(shell('cat "$1" | gpusort -t u32 | gpusort -t u32 -c && echo sorted', path('a.zst'))->{out}, "sorted\n", 'in a pipe');

for my $option ('--zstd', '--zstd=1', '--zstd=5', '--zstd=19') {
    my $run = gpusort([@u32, $option], $data);
    is(unzst($run->{out}), $sorted, "$option reads back with zstd");
    sorts_to(['-t', 'u32', '-c'], $run->{out}, '', 'and with gpusort');
    is(unpack('C', substr($run->{out}, 4, 1)) & 4, 4, 'frames carry checksums');
}
is(unzst($empty->{out}), '', 'nothing is an empty frame');
cmp_ok(length $empty->{out}, '>', 0, 'and not an empty file');

# The .npy header is written anew when the count is known.
my $npy = put('n.npy', npy("'<u4'", 200000, $data));
my $kept = pack('V*', grep { $_ & 8 } @values);
my $expected = npy("'<u4'", length($kept) / 4, $kept);
my $run = gpucompact(['-w', 'x & 8', '--zstd', $npy, '-o', path('kept.zst')]);
is($run->{status}, 0, 'a filter of a .npy file') or diag($run->{err});
my $written = unzst(get('kept.zst'));
ok(substr($written, -length $kept) eq $kept && $written =~ /^\x93NUMPY.*'shape': \((\d+),\)/s && $1 == length($kept) / 4,
    'counts right');
$run = gpucompact(['-w', 0, '--zstd', $npy, '-o', path('kept.zst')]);
like(unzst(get('kept.zst')), qr/'shape': \(0,\)/, 'of nothing too');

# In place.
put('p.zst', zst('hello'));
sorts_to(['-t', 'u8', '-i', path('p.zst')], '', '', 'a zstd file in place');
is(unzst(get('p.zst')), 'ehllo', 'stays a zstd file');
sorts_to(['-t', 'u8', '-i', '-z', path('p.zst')], '', '', 'with -z');
is(shell('gzip -dc <"$1"', path('p.zst'))->{out}, 'ehllo', 'it becomes a gzip file');
put('p.zst', zst('abcdef'));
is(gpucompact(['-t', 'u8', '-w', 'x % 2 == 0', '-i', path('p.zst')])->{status}, 0, 'gpucompact in place');
is(unzst(get('p.zst')), 'bdf', 'stays one too');
is(shell('gpurle -t u8 --zstd "$1" | zstd -qdc | gpurle -d', path('a.zst'))->{out}, $data, 'gpurle');
is(shell('gpuscan -t u32 --op=max --zstd "$1" | zstd -qdc | gpusort -t u32 -c && echo sorted', path('a.zst'))->{out},
    "sorted\n", 'gpuscan');

refuses([@u32, '--zstd', '-z'], '', '--gzip and --zstd|--gzip.*--zstd', 'both formats');
refuses([@u32, "--zstd=$_"], '', 'zstd', "level $_") for '0', '20', 'x';
refuses([@u32, '-c', '--zstd'], '', '--check.*--zstd', 'a check writes nothing');

my $zst = zst($data);
sub damaged { my ($file, $message, $name) = @_; refuses([@u32, '-o', put('keep', 'old')], $file, $message,
    $name); is(get('keep'), 'old', 'the output is as it was') }
damaged(substr($zst, 0, $_), "the zstd data ends too early, at byte $_", "cut at byte $_") for 5, 10, 1000,
    length($zst) - 4, length($zst) - 1;
my $wrong = $zst;
substr($wrong, -1, 1) ^= "\1";
damaged($wrong, 'damaged zstd data before byte \d+: .*checksum', 'a wrong checksum');
$wrong = $zst;
substr($wrong, 20000, 200) = "\xff" x 200;
damaged($wrong, 'damaged zstd data before byte \d+', 'overwritten in the middle');
damaged($zst . 'garbage', 'garbage behind the zstd data, at byte ' . length $zst, 'garbage behind it');
damaged($zst . "\0", 'garbage behind the zstd data, at byte ' . length $zst, 'a zero behind it');
damaged($zst . substr($zst, 0, 3), 'garbage behind', 'half a magic behind it');
damaged($zst . substr($zst, 0, 100), 'ends too early, at byte ' . (100 + length $zst), 'half a frame behind it');
damaged($zst . substr($skippable, 0, 10), 'ends too early, at byte ' . (10 + length $zst), 'half a skippable frame');
damaged(zst($data . 'abc'), '800003 bytes are not a whole number', 'a length that does not fit');
my $full = shell('gpusort -t u32 --zstd "$1" >/dev/full', put('raw', $data));
ok($full->{status} == 2 && $full->{err} =~ /standard output: cannot write: No space left/, 'a full disk') if -c '/dev/full';
done_testing();
