#!/usr/bin/perl
# Sums and products of halves are computed in f32, and each result is rounded to a half once: also from block to block,
# in fields of records, in both byte orders, in segments and in reductions.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";

# The data: 1001/1024, then 1/1024 again and again. So the total at the end of a block of 2^k elements is no half, and a
# running total in halves would stay at 2.
my $before = 1000;
sub steps { my ($n) = @_; return bytes_of('f16', ($before + 1) / 1024) . bytes_of('f16', 1 / 1024) x ($n - 1) }

# The sums of these, each rounded once. All sums between two midpoints of halves round to the same half.
sub steady_sums
{
    my ($n) = @_;
    my ($sums, $i, $end) = ('', $before + 1, $before + $n);
    while ($i <= $end) {
        my $bits = half_bits($i / 1024);
        my $midpoint = 512 * (half_value($bits) + half_value($bits + 1));
        my $last = int($midpoint);
        $last-- if $last == $midpoint && half_bits($midpoint / 1024) != $bits;
        $last = $end if $last > $end;
        $sums .= pack('v', $bits) x ($last - $i + 1);
        $i = $last + 1;
    }
    return $sums;
}

sub swapped { return pack('n*', unpack('v*', $_[0])) }

# The total passes 2048, from where the unit of halves is 2.
my $n = 3_000_000;
my $data = steps($n);
my $file = put('steps', $data);
my $sums = steady_sums($n);
my $total = ($before + $n) / 1024;
is(length($sums) . ' ' . half_value(unpack('v', substr($sums, -2))), 2 * $n . ' 2930', 'the model');
my $half = ['-t', 'f16'];
gives([@$half, $file], '', $sums, 'inclusive');
gives([@$half, '--exclusive', $file], '', "\0\0" . substr($sums, 0, -2), 'exclusive');
gives([@$half, '-S', $_, $file], '', $sums, "-S $_") for '100K', '1M', '5M', '64M';
gives([@$half, '--deterministic', $file], '', $sums, 'deterministic');
gives([@$half, '-d', 'cpu', '-a', 'sequential', $file], '', $sums, 'by an algorithm of the gallery');
my $rest = put('rest', substr($data, 2 * 777_777));
gives([@$half, put('begin', substr($data, 0, 2 * 777_777)), $rest], '', $sums, 'over two files');
is(shell('cat "$1" | gpuscan -t f16 | cat', $file)->{out}, $sums, 'through a pipe');
gives([@$half, '--endian=big'], swapped($data), swapped($sums), 'big endian');
gives([], npy("'<f2'", $n, $data), npy("'<f2'", $n, $sums), '.npy');
gives([@$half, '--reduce', $file], '', "2930\n", 'reduced');
gives([@$half, '--reduce', '-S', '1M', $file], '', "2930\n", 'reduced in small blocks');
gives([@$half, '--reduce', '--endian=big'], swapped($data), "2930\n", 'reduced, big endian');

# Two segments with the same data, of which the second begins within a block.
my $flags = put('flags', pack('C', 1) . "\0" x ($n - 1) . pack('C', 1) . "\0" x ($n - 1));
for my $memory ('1M', '64M') {
    my @options = (@$half, "--segments=$flags", '-S', $memory);
    gives([@options, $file, $file], '', $sums x 2, "segments, -S $memory");
    gives([@options, '--reduce', $file, $file], '', bytes_of('f16', $total, $total), 'reduced');
}

# Fields of records. A record is its half, 3 bytes before it and 1 behind it.
my $records = 1_000_000;
for my $big (0, 1) {
    my $order = sub { return $big ? swapped($_[0]) : $_[0] };
    my $all = sub { return join '', map { "abc${_}d" } slice($order->($_[0]), 2) };
    my @options = ('-f', 'a:bytes3,v:f16,b:u8', '--value=v', $big ? '--endian=big' : ());
    my $name = 'records' . ($big ? ', big endian' : '');
    my $file = put('records', $all->(steps($records)));
    gives([@options, $file], '', $all->(substr($sums, 0, 2 * $records)), $name);
    gives([@options, '--segments=a', '--reduce', $file], '', $all->(bytes_of('f16', ($before + $records) / 1024)),
        'reduced by segments');
    gives([@options, '--reduce', $file], '', "977.5\n", 'reduced');
}

# Partial results may be past the range of halves, on both sides.
sub exactly { my ($options, $in, $out, $name) = @_; gives([@$half, @$options], bytes_of('f16', @$in), $out, $name) }
my $infinity = 9**9**9;
exactly([], [65504, 65504, -65504], bytes_of('f16', 65504, $infinity, 65504), 'a sum comes back from infinity');
exactly(['--op=prod'], [256, 256, 2**-8], bytes_of('f16', 256, $infinity, 256), 'a product');
exactly(['--op=prod'], [2**-20, 2**-10, 1024], bytes_of('f16', 2**-20, 0, 2**-20), 'and from below the least half');
exactly(['--reduce'], [65504, 65504, -65504], "65504\n", 'a reduction');
exactly(['--reduce'], [65504, 65504], "inf\n", 'that does not come back');
exactly([], [2048, 1, 1], bytes_of('f16', 2048, 2048, 2050), 'ties to even, and nothing is lost');

# Minimum and maximum are elements, bit for bit.
my $nan = pack('v', 0x7d23);
gives([@$half, '--op=max'], bytes_of('f16', -0.0, 0, 1) . $nan . bytes_of('f16', 2), bytes_of('f16', -0.0, 0, 1) . $nan x 2,
    'a NaN is the maximum from there on, with its payload');
gives([@$half, '--op=min'], $nan . bytes_of('f16', 0, -0.0, 2**-24), $nan . bytes_of('f16', 0, -0.0, -0.0),
    'the minimum is -0.0');
gives([@$half, '--op=max', '--reduce'], '', "-inf\n", 'the greatest of nothing');
gives([@$half, '--op=min', '--reduce'], '', "-nan\n", 'the least of nothing');
gives([@$half, '--reduce'], '', "0\n", 'the sum of nothing');
refuses([@$half, '--op=xor'], '', '--op=xor does not apply to f16', 'no bitwise operators');
done_testing();
