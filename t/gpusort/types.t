#!/usr/bin/perl
# Every type, byte order and direction, compared with the model; floats with NaNs, infinities and both zeros.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
our (@types, $dir);

srand(1);

# NaNs of both signs, with the least payload, with others; and minus zero.
my %nans = (
    f16 => [0x7e00, 0xfe00, 0x7c01, 0xfc01, 0x7fff, 0xffff, 0x8000],
    f32 => [0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x80000000],
    f64 => [map { $_ << 48 } 0x7ff8, 0xfff8, 0x7ff9, 0xfff9, 0x8000],
);

# Values at which sorts go wrong, and random ones, some of them twice.
sub values_of
{
    my ($type) = @_;
    my $size = type_size($type);
    my @texts = map { my $b = $_; map { chr($b) x $size, (chr($b) x ($size - 1)) . chr($_) } 0, 1, 127, 128, 255 } 0, 1,
        127, 128, 255;
    push @texts, map { bytes_of($type, $_) } 0, -0.0, 1, -1, 1.5, -1.5, 9**9**9, -9**9**9, 1e-40, 3e38, 3e-8, 65504
        if $type =~ /^f/;
    push @texts, map { pack($size == 2 ? 'v' : $size == 4 ? 'V' : 'Q<', $_) } @{ $nans{$type} } if $type =~ /^f/;
    push @texts, map { join '', map { chr(int(rand(256))) } 1 .. $size } 1 .. 300;
    push @texts, @texts[map { int(rand(@texts)) } 1 .. 50];
    return map { $texts[$_] } sort { ($a * 7919) % 1009 <=> ($b * 7919) % 1009 } 0 .. $#texts;
}

for my $type (@types) {
    my @elements = values_of($type);
    my $size = type_size($type);
    my $data = join '', @elements;
    my @order = order_of(\@elements, { type => $type });
    my @down = order_of(\@elements, { type => $type, descending => 1 });
    my @unique = first_of_equals(\@elements, [{ type => $type }], @order);
    my $sorted = join '', @elements[@order];
    sorts_to(['-t', $type], $data, $sorted, "$type ascending");
    sorts_to(["--type=$type", '-r'], $data, join('', @elements[@down]), "$type descending");
    sorts_to(['-u', '-t', $type], $data, join('', @elements[@unique]), "$type unique");
    sorts_to(['--argsort', '-t', $type], $data, pack('Q<*', @order), "$type argsort");
    my $swap = sub { join '', map { scalar reverse $_ } slice($_[0], $size) };
    sorts_to(['-t', $type, '--endian=big'], $swap->($data), $swap->($sorted), "$type big endian");
}
sorts_to(['-t', 'u32', '--endian=little'], pack('V*', 3, 1, 2), pack('V*', 1, 2, 3), '--endian=little is the default');
refuses(['-t', 'u32', '--endian=middle'], '', 'middle', 'an unknown byte order');
refuses(['-t', 'u33'], '', "u33: no such type; there are u8 .* f64", 'an unknown type');
done_testing();
