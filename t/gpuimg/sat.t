#!/usr/bin/perl
# gpuimg sat: tables against direct sums, the types of sums, means, and --check.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/gpuimg/image.pl";

seed_random();

# The table of values, interleaved channels, by Crow's recurrence.
sub table
{
    my ($w, $h, $channels, @values) = @_;
    my @sums;
    for my $y (0 .. $h - 1) {
        my @row = (0) x $channels;
        for my $i (0 .. $w * $channels - 1) {
            my $at = $y * $w * $channels + $i;
            $row[$i % $channels] += $values[$at];
            $sums[$at] = $row[$i % $channels] + ($y > 0 ? $sums[$at - $w * $channels] : 0);
        }
    }
    return @sums;
}

for my $channels (1 .. 4) {
    for my $type ('u8', 'u16', 'f32') {
        my ($w, $h) = (1 + int(rand(30)), 1 + int(rand(30)));
        my $most = $type eq 'u16' ? 65536 : 256;
        my @values = map { int(rand($most)) } 1 .. $w * $h * $channels;
        my $file = array($type, $w, $h, $channels, bytes_of($type, @values));
        my @sums = table($w, $h, $channels, @values);
        my $sum_type = $type eq 'f32' ? 'f64' : 'u32';
        gives(['sat', '--check', '-'], $file, array($sum_type, $w, $h, $channels, bytes_of($sum_type, @sums)),
            "$w x $h, $channels of $type");
        for my $method ('single-pass', 'transposes') {
            gives(['sat', '-', "--method=$method", '--type=f64'], $file,
                array('f64', $w, $h, $channels, bytes_of('f64', @sums)), "... as f64, $method");
        }
        gives(['sat', '--type=u64', '-'], $file, array('u64', $w, $h, $channels, bytes_of('u64', @sums)), '... as u64')
            if $type ne 'f32';
    }
}

# 257 x 257 pixels of u16 may have sums past 2^32.
my $wide = pgm(257, 257, "\xff" x (2 * 257 * 257), 65535);
my $run = tool(['sat', '-', path('wide.npy'), '--check'], $wide);
is($run->{status}, 0, 'sums past 2^32');
my @sums = values_of('u64', get('wide.npy'));
is($sums[-1], 65535 * 257 * 257, 'are u64 by default');
refuses(['sat', '--type=u32', '-'], $wide, 'may have larger sums', '--type=u32 for them');
refuses(['sat', '--type=u64', '-'], pfm(1, 1, 1), 'the picture holds floats', '--type=u64 for floats');
refuses(['sat', '--type=u8', '-'], $wide, 'sums are u32, u64, f32 or f64', '--type=u8');
refuses(['sat', '--type=u32', '--subtract-mean=' . path('means'), '-'], $wide, 'f32 or f64', 'means with integers');

my $picture = pgm(2, 2, "\1\2\3\6");
gives(['sat', '--subtract-mean=' . path('means'), '--check', '-'], $picture,
    array('f64', 2, 2, 1, pack('d<*', -2, -3, -2, 0)), '--subtract-mean');
is(get('means'), "3\n", 'the means');
put('kept', 'old');
refuses(['sat', '--subtract-mean=' . path('kept'), path('none.pgm')], '', 'cannot open', 'without an input');
is(get('kept'), 'old', 'the means are as they were');
refuses(['sat', '--subtract-mean=' . path('m'), '-', path('m'), '--to=npy'], $picture, 'the same file', 'one file for both');

refuses(['sat', '-', '--to=png'], $picture, 'cannot hold', 'a table as PNG');
gives(['sat', '-', '--to=pfm', '--type=f32'], $picture, pfm(2, 2, 1, 3, 4, 12), 'a table as PFM');
$run = shell('printf "P5 2 2 255 \1\2\3\6" | gpuimg sat - "$1" && gpuimg info "$1"', path('t.npy'));
like($run->{out}, qr/: npy, 2 x 2, 1 channel of u32$/, 'info reads tables');
refuses(['sat', path('t.npy')], '', 'holds u32; u8, u16, f16 or f32 are needed', 'but sat does not');
done_testing();
