#!/usr/bin/perl
# Every format that gpuimg reads and writes, at every depth, in bytes that this test makes itself.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/gpuimg/image.pl";

seed_random();
my ($w, $h) = (5, 3);
my $npixels = $w * $h;

# ---- netpbm ----

for my $size (1, 2) {
    my ($type, $max) = $size == 1 ? ('u8', 255) : ('u16', 65535);
    for my $channels (1 .. 4) {
        my $data = random_bytes($npixels * $channels * $size);
        my $little = $size == 1 ? $data : pack('v*', unpack('n*', $data));
        my $array = array($type, $w, $h, $channels, $little);
        my $pam = pam($w, $h, $channels, $data, $max);
        converts('npy', $pam, $array, "$type PAM with $channels channels to .npy");
        converts('pam', $array, $pam, '... and back');
        converts('npy', $array, $array, '... .npy to .npy');
        converts('npy', array($type, $w, $h, $channels, $data, big => 1), $array, '... big-endian .npy');
        next if $channels % 2 == 0;
        my $name = $channels == 1 ? 'pgm' : 'ppm';
        my $file = $channels == 1 ? pgm($w, $h, $data, $max) : ppm($w, $h, $data, $max);
        converts('npy', $file, $array, "$type $name to .npy");
        converts($name, $array, $file, '... and back');
        my @numbers = $size == 1 ? unpack('C*', $data) : unpack('n*', $data);
        my $plain = ($channels == 1 ? 'P2' : 'P3') . " # comment\n$w\t$h\n# more\n$max\n" . join("\n", @numbers) . "\n";
        converts($name, $plain, $file, "plain $name");
        converts($name, $plain =~ s/\n\z//r, $file, '... without a last line feed');
    }
}

converts('pgm', pgm(4, 1, "\0\1\2\3", 3), pgm(4, 1, "\0\x55\xaa\xff"), 'a small maxval is scaled');
converts('pgm', "P2 2 1 1 0 1", pgm(2, 1, "\0\xff"), '... in text too');
converts('pgm', pgm(3, 1, pack('n*', 0, 500, 1000), 1000), pgm(3, 1, pack('n*', 0, 32768, 65535), 65535),
    '... of 16 bits');
converts('pgm', "P5 # a comment\n2 1\n255\nab", pgm(2, 1, 'ab'), 'comments in a binary header');
converts('pam', "P7\n# comment\nHEIGHT 1\nWIDTH 2\nMAXVAL 255\nDEPTH 1\nENDHDR\nab", pam(2, 1, 1, 'ab'),
    'lines of PAM in any order, without a type');

# ---- floats ----

for my $channels (1, 3) {
    my @numbers = map { rand(100) - 50 } 1 .. $npixels * $channels;
    my $file = pfm($w, $h, @numbers);
    my $array = array('f32', $w, $h, $channels, pack('f<*', @numbers));
    converts('npy', $file, $array, "PFM with $channels channels to .npy");
    converts('pfm', $array, $file, '... and back');
    my ($head, $data) = $file =~ /^(.*?\n-1.0\n)(.*)/s;
    my $big = ($head =~ s/-1\.0/1.0/r) . pack('f>*', unpack('f<*', $data));
    converts('pfm', $big, $file, '... big endian');
}
my $halves = array('f16', $w, $h, 3, bytes_of('f16', map { $_ / 4 } 1 .. 3 * $npixels));
converts('npy', $halves, $halves, 'f16');
converts('npy', array('f16', $w, $h, 3, pack('n*', map { half_bits($_ / 4) } 1 .. 3 * $npixels), big => 1), $halves,
    '... big endian');
converts('npy', npy("'|u1'", 0, 'abcd', shape => '(2, 2, 1)'), array('u8', 2, 2, 1, 'abcd'), 'one channel in 3 dimensions');
converts('npy', npy("'|u1'", 0, 'abcd', shape => '(2, 2)', version => 2), array('u8', 2, 2, 1, 'abcd'), '.npy 2.0');

# ---- files, suffixes and codecs ----

my $gray = pgm(2, 2, 'abcd');
put('a.pgm', $gray);
for my $out (path('b.npy'), path('B.NPY')) {
    gives(['mipmap', '--level=0', path('a.pgm'), $out], '', '', "$out is .npy by its suffix");
    is(get($out), array('u8', 2, 2, 1, 'abcd'), 'its bytes');
}
gives(['mipmap', '--level=0', '-o', path('c.pam'), path('a.pgm')], '', '', '--output');
is(get('c.pam'), pam(2, 2, 1, 'abcd'), 'its bytes');
gives(['mipmap', '--level=0', '-'], $gray, $gray, 'standard output has the format of the input');
gives(['mipmap', '--level=0', '-', '-'], $gray, $gray, '- twice');
shell('gzip -c "$1" >"$2"', path('a.pgm'), path('a.pgm.gz'));
gives(['mipmap', '--level=0', path('a.pgm.gz')], '', $gray, 'gzip is decompressed');
my $run = tool(['mipmap', '--level=0', '-z', path('a.pgm')]);
is(run(['gzip', '-dc'], $run->{out})->{out}, $gray, '--gzip compresses');
gives(['info', path('a.pgm'), path('c.pam'), '-'], $halves,
    path('a.pgm') . ": pgm, 2 x 2, 1 channel of u8\n" . path('c.pam') . ": pam, 2 x 2, 1 channel of u8\n"
        . "-: npy, 5 x 3, 3 channels of f16\n", 'info');

# ---- what a format cannot hold ----

sub cannot
{
    my ($to, $file, $why) = @_;
    my $out = put("old.$to", 'old');
    refuses(['mipmap', '--level=0', '-', $out], $file, "$to cannot hold .*$why", "$to cannot: $why");
    is(get($out), 'old', 'the output is as it was');
}
cannot('pgm', ppm(1, 1, 'abc'), 'it holds one channel');
cannot('ppm', pgm(1, 1, 'a'), 'it holds three channels');
cannot('ppm', pam(1, 1, 4, 'abcd'), 'it holds three channels');
cannot('pgm', pfm(1, 1, 1), 'it holds u8 and u16');
cannot('pam', pfm(1, 1, 1), 'it holds u8 and u16');
cannot('pfm', pgm(1, 1, 'a'), 'it holds f32');
cannot('pfm', array('f32', 1, 1, 4, "\0" x 16), 'one or three channels');

# ---- PNG ----

SKIP: {
    skip('this build has no libpng', 1) unless has_png();
    cannot('png', pfm(1, 1, 1), 'it holds u8 and u16');
    for my $color (0, 2, 4, 6) {
        for my $depth (8, 16) {
            my ($channels, $type) = ({0 => 1, 2 => 3, 4 => 2, 6 => 4}->{$color}, "u$depth");
            my $data = random_bytes($npixels * $channels * $depth / 8);
            my $array = array($type, $w, $h, $channels, $depth == 8 ? $data : pack('v*', unpack('n*', $data)));
            converts('npy', png($w, $h, $depth, $color, $data), $array, "PNG of color $color and $depth bits");
            my $made = tool(['mipmap', '--level=0', '--to=png', '-'], $array)->{out};
            is(substr($made, 0, 33), substr(png($w, $h, $depth, $color, $data), 0, 33), '... its header when written');
            converts('npy', $made, $array, '... and back');
        }
    }
    for my $depth (1, 2, 4) {
        my $most = (1 << $depth) - 1;
        my @numbers = map { int(rand($most + 1)) } 1 .. $npixels;
        my $rows = join '', map {
            my @row = @numbers[$_ * $w .. ($_ + 1) * $w - 1];
            my $bits = join '', map { sprintf("%0${depth}b", $_) } @row;
            pack('B*', $bits . '0' x (-length($bits) % 8))
        } 0 .. $h - 1;
        my @full = map { $_ * 255 / $most } @numbers;
        converts('npy', png($w, $h, $depth, 0, $rows), array('u8', $w, $h, 1, pack('C*', @full)), "gray of $depth bits");
        my $palette = random_bytes(3 * ($most + 1));
        my @colors = slice($palette, 3);
        my $indexed = png($w, $h, $depth, 3, $rows, chunks => chunk('PLTE', $palette));
        converts('npy', $indexed, array('u8', $w, $h, 3, join '', @colors[@numbers]), "palette of $depth bits");
        my $alpha = random_bytes($most);
        $indexed = png($w, $h, $depth, 3, $rows, chunks => chunk('PLTE', $palette) . chunk('tRNS', $alpha));
        my @alphas = (slice($alpha, 1), "\xff");
        converts('npy', $indexed, array('u8', $w, $h, 4, join '', map { $colors[$_] . $alphas[$_] } @numbers),
            '... with transparency');
    }
    converts('npy', png(2, 1, 8, 0, 'ab', chunks => chunk('tRNS', pack('n', ord 'a'))),
        array('u8', 2, 1, 2, "a\0b\xff"), 'a transparent gray');
    # Adam7: of 3 x 3 pixels, pass 1 has (0, 0), 4 (2, 0), 5 two of row 2, 6 column 1 of rows 0 and 2, and 7 row 1.
    my $lines = join '', map { "\0$_" } 'a', 'c', 'gi', 'b', 'h', 'def';
    converts('npy', png(3, 3, 8, 0, '', lines => $lines, interlaced => 1), array('u8', 3, 3, 1, 'abcdefghi'), 'interlaced');
    like(tool(['info', '-'], png(2, 1, 8, 0, 'ab', chunks => chunk('tEXt', "a\0b")))->{out}, qr/png, 2 x 1/, 'other chunks');
}
done_testing();
