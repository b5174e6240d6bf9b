#!/usr/bin/perl
# gpuimg blur, dof and mipmap against direct computations, with and without alpha.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/gpuimg/image.pl";

seed_random();

# Passes if the tool writes values of this type near the expected ones.
sub near
{
    my ($arguments, $input, $type, $tolerance, $expected, $name) = @_;
    my $run = tool([@$arguments, '--to=npy'], $input);
    my @found = $run->{status} == 0 ? values_of($type, $run->{out}) : ();
    my @wrong = grep { abs($found[$_] - $expected->[$_]) > $tolerance } 0 .. $#found;
    ok(@found == @$expected && !@wrong, $name)
        or diag("status $run->{status}: $run->{err}", map { "$_: $found[$_], not $expected->[$_]\n" } @wrong[0 .. least(4, $#wrong)]);
}

sub clamp { my ($i, $n) = @_; return $i < 0 ? 0 : $i >= $n ? $n - 1 : $i }
sub mirror { my ($i, $n) = @_; return $i < 0 ? -1 - $i : $i >= $n ? 2 * $n - 1 - $i : $i }
sub omit { my ($i, $n) = @_; return $i < 0 || $i >= $n ? undef : $i }

# The part of pixel i that lies within r of the pixel 0.
sub weight { my ($i, $r) = @_; my $part = $r + 1 - abs($i); return $part > 1 ? 1 : $part < 0 ? 0 : $part }

# The mean around each pixel; radius: a function of the pixel's index.
sub box
{
    my ($w, $h, $channels, $values, $edge, $radius) = @_;
    my @means;
    for my $at (0 .. $w * $h * $channels - 1) {
        my ($c, $x, $y) = ($at % $channels, int($at / $channels) % $w, int($at / $channels / $w));
        my $r = $radius->($y * $w + $x);
        my $reach = POSIX::ceil($r);
        my ($sum, $weights) = (0, 0);
        for my $j (-$reach .. $reach) {
            for my $i (-$reach .. $reach) {
                my ($px, $py) = ($edge->($x + $i, $w), $edge->($y + $j, $h));
                next unless defined $px && defined $py;
                my $part = weight($i, $r) * weight($j, $r);
                $sum += $part * $values->[($py * $w + $px) * $channels + $c];
                $weights += $part;
            }
        }
        push @means, $sum / $weights;
    }
    return @means;
}

my ($w, $h) = (7, 5);
my %edges = (clamp => \&clamp, mirror => \&mirror, omit => \&omit);
for my $edge (sort keys %edges) {
    for my $r (0, 1, 2.5) {
        my @values = map { int(rand(256)) } 1 .. 3 * $w * $h;
        near(['blur', "--radius=$r", "--edge=$edge", '-'], ppm($w, $h, pack('C*', @values)), 'u8', 0.5001,
            [box($w, $h, 3, \@values, $edges{$edge}, sub { $r })], "u8, radius $r, $edge");
        @values = map { rand() } 1 .. $w * $h;
        near(['blur', "--radius=$r", "--edge=$edge", '-'], pfm($w, $h, @values), 'f32', 1e-5,
            [box($w, $h, 1, \@values, $edges{$edge}, sub { $r })], "f32, radius $r, $edge");
    }
}
my @values = map { int(rand(65536)) } 1 .. $w * $h;
my @once = box($w, $h, 1, \@values, \&clamp, sub { 1 });
near(['blur', '--radius=1', '--passes=2', '-'], pgm($w, $h, pack('n*', @values), 65535), 'u16', 1.01,
    [box($w, $h, 1, \@once, \&clamp, sub { 1 })], 'two passes');

# ---- maps of radii ----

my @radii = map { int(rand(4)) } 1 .. $w * $h;
my @bytes = map { int(rand(256)) } 1 .. $w * $h;
my @expected = box($w, $h, 1, \@bytes, \&clamp, sub { $radii[$_[0]] });
my $gray = pgm($w, $h, pack('C*', @bytes));
near(['blur', '--radius-map=' . put('r.pfm', pfm($w, $h, @radii)), '-'], $gray, 'u8', 0.5001, \@expected, 'radii in PFM');
near(['blur', '--radius-map=' . put('r.pgm', pgm($w, $h, pack('C*', @radii))), '-'], $gray, 'u8', 0.5001, \@expected,
    '... in PGM');
near(['blur', '--radius-map=' . put('r.pgm', pgm($w, $h, pack('C*', @radii), 3)), '-'], $gray, 'u8', 0.5001, \@expected,
    '... in PGM with a small maxval');
refuses(['blur', '--radius-map=' . put('r.pgm', pgm(1, 1, 'a')), '-'], $gray, 'is 1 x 1, but the picture is 7 x 5',
    'a map of another size');
refuses(['blur', '--radius-map=' . put('r.ppm', ppm(1, 1, 'abc')), '-'], $gray, 'one channel', 'a map of three channels');

# ---- depth of field ----

my @depths = map { 0.5 + rand(8) } 1 .. $w * $h;
my $depth = put('d.pfm', pfm($w, $h, @depths));
sub lens { my ($z) = @_; return int(256 * least(3, 4 * abs($z - 2) / $z) + 0.5) / 256 }
my @floats = map { rand() } 1 .. $w * $h;
near(['dof', "--depth=$depth", '--focus=2', '--aperture=4', '--radius-max=3', '-'], pfm($w, $h, @floats), 'f32', 0.01,
    [box($w, $h, 1, \@floats, \&clamp, sub { lens($depths[$_[0]]) })], 'dof');

# ---- alpha ----

sub premultiply { my @p = @_; return map { my $i = $_; $i % 2 ? $p[$i] : $p[$i] * $p[$i + 1] / 255 } 0 .. $#p }
my @pairs = map { (int(rand(256)), pick(0, 128, 255)) } 1 .. $w * $h;
my @means = box($w, $h, 2, [premultiply(@pairs)], \&clamp, sub { 1 });
my @straight = map { $_ % 2 ? $means[$_] : $means[$_ + 1] > 0 ? 255 * $means[$_] / $means[$_ + 1] : 0 } 0 .. $#means;
near(['blur', '--radius=1', '-'], pam($w, $h, 2, pack('C*', @pairs)), 'u8', 0.51, \@straight, 'blur with alpha');
gives(['blur', '--radius=1', '-'], pam(2, 1, 4, "\xff\0\0\xff\0\xff\0\0"), pam(2, 1, 4, "\xff\0\0\xaa\xff\0\0\x55"),
    'colors of transparent pixels do not bleed');
gives(['mipmap', '-'], pam(2, 1, 4, "\xff\0\0\xff\0\xff\0\0"), pam(1, 1, 4, "\xff\0\0\x80"), '... in mip-maps');
for my $max (255, 65535) {
    my $letter = $max == 255 ? 'C*' : 'n*';
    my @pixels = map { (int(rand($max + 1)), 1 + int(rand($max))) } 1 .. 20;
    gives(['blur', '--radius=0', '-'], pam(5, 4, 2, pack($letter, @pixels), $max),
        pam(5, 4, 2, pack($letter, @pixels), $max), "a radius of 0 changes nothing, up to $max");
}

# ---- mip-maps ----

sub light { my $v = $_[0] / 255; return $v <= 0.04045 ? $v / 12.92 : (($v + 0.055) / 1.055) ** 2.4 }
sub srgb { my $v = $_[0]; return 255 * ($v <= 0.0031308 ? 12.92 * $v : 1.055 * $v ** (1 / 2.4) - 0.055) }

# A level of one channel with even sides, by means of four.
sub halve
{
    my ($w, $h, @p) = @_;
    my @half;
    for my $y (0 .. $h / 2 - 1) {
        for my $x (0 .. $w / 2 - 1) {
            my $i = 2 * $y * $w + 2 * $x;
            push @half, ($p[$i] + $p[$i + 1] + $p[$i + $w] + $p[$i + $w + 1]) / 4;
        }
    }
    return @half;
}
@values = map { int(rand(256)) } 1 .. 64;
my $square = pgm(8, 8, pack('C*', @values));
near(['mipmap', '-', '--linear'], $square, 'u8', 0.51, [halve(8, 8, @values)], 'level 1, linear');
near(['mipmap', '-'], $square, 'u8', 0.51, [map { srgb($_) } halve(8, 8, map { light($_) } @values)], 'level 1, sRGB');
@values = map { rand() } 1 .. 64;
my @level2 = halve(4, 4, halve(8, 8, @values));
near(['mipmap', '-', '--level=2'], pfm(8, 8, @values), 'f32', 1e-6, \@level2, 'level 2 of floats');
gives(['mipmap', '--level=3', '-', '--linear'], pgm(8, 8, "\7" x 64), pgm(1, 1, "\7"), 'the last level');
refuses(['mipmap', '--level=4', '-'], $square, 'the last level of 8 x 8 pixels is 3', 'a level too far');

my $flat = pgm(4, 2, "\7" x 8);
gives(['mipmap', '--atlas', '-'], $flat, pgm(6, 2, "\7" x 6 . "\7" x 4 . "\7\0"), '--atlas');
put('flat.pgm', $flat);
gives(['mipmap', '--all', path('flat.pgm'), path('out.pam')], '', '', '--all');
is(get("out.$_.pam"), pam(@{[[4, 2], [2, 1], [1, 1]]->[$_]}, 1, "\7" x (8, 2, 1)[$_]), "level $_") for 0 .. 2;
ok(!-e path('out.3.pam') && !-e path('out.pam'), 'no other files');
gives(['mipmap', '--all', path('flat.pgm'), path('l%d-x.pgm')], '', '', '--all with a pattern');
is(get('l1-x.pgm'), pgm(2, 1, "\7\7"), 'level 1');
done_testing();
