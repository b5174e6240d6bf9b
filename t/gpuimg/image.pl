# image.pl - shared by the tests of gpuimg: files of pictures, made byte by byte, and what is in them.
use strict;
use warnings;
use Compress::Zlib ();

our $tool = 'gpuimg';
require "$ENV{srcdir}/t/tools/lib.pl";

# A chunk of PNG. bad: with a wrong CRC.
sub chunk
{
    my ($name, $data, %how) = @_;
    my $crc = Compress::Zlib::crc32($name . $data) ^ ($how{bad} ? 1 : 0);
    return pack('N', length $data) . $name . $data . pack('N', $crc);
}

my %png_channels = (0 => 1, 2 => 3, 3 => 1, 4 => 2, 6 => 4);

# A PNG file. rows: its bytes from top to bottom, packed as PNG packs them.
sub png
{
    my ($width, $height, $depth, $color, $rows, %how) = @_;
    my $bytes = int(($width * $depth * $png_channels{$color} + 7) / 8);
    my $lines = $how{lines} // join '', map { "\0" . substr($rows, $_ * $bytes, $bytes) } 0 .. $height - 1;
    my $head = pack('NNCCCCC', $width, $height, $depth, $color, 0, 0, $how{interlaced} ? 1 : 0);
    return "\x89PNG\r\n\x1a\n" . chunk('IHDR', $head) . ($how{chunks} // '')
        . chunk('IDAT', Compress::Zlib::compress($lines), bad => $how{bad}) . chunk('IEND', '');
}

sub pgm { my ($width, $height, $data, $max) = @_; return "P5\n$width $height\n" . ($max // 255) . "\n$data" }
sub ppm { my ($width, $height, $data, $max) = @_; return "P6\n$width $height\n" . ($max // 255) . "\n$data" }

sub pfm
{
    my ($width, $height, @values) = @_;
    my $row = @values / $height;
    my $data = join '', map { pack('f<*', @values[$_ * $row .. ($_ + 1) * $row - 1]) } reverse 0 .. $height - 1;
    return ($row == $width ? 'Pf' : 'PF') . "\n$width $height\n-1.0\n$data";
}

sub pam
{
    my ($width, $height, $depth, $data, $max) = @_;
    my $type = ('GRAYSCALE', 'GRAYSCALE_ALPHA', 'RGB', 'RGB_ALPHA')[$depth - 1];
    $max //= 255;
    return "P7\nWIDTH $width\nHEIGHT $height\nDEPTH $depth\nMAXVAL $max\nTUPLTYPE $type\nENDHDR\n$data";
}

my %descr = (u8 => '|u1', u16 => '<u2', f16 => '<f2', f32 => '<f4', u32 => '<u4', u64 => '<u8', f64 => '<f8');

# A picture as .npy, from bytes.
sub array
{
    my ($type, $width, $height, $channels, $data, %how) = @_;
    my $shape = $channels == 1 ? "($height, $width)" : "($height, $width, $channels)";
    my $name = $how{big} ? $descr{$type} =~ s/</>/r : $descr{$type};
    return npy("'$name'", 0, $data, shape => $shape, %how);
}

# What follows the header of a .npy file, as numbers.
sub values_of
{
    my ($type, $file) = @_;
    my $data = substr($file, 10 + unpack('v', substr($file, 8, 2)));
    return map { number_of($type, $_) } slice($data, type_size($type));
}

sub random_bytes { my ($count) = @_; return join '', map { chr(int(rand(256))) } 1 .. $count }

# Level 0 of a mip-map is the picture itself: this converts.
sub converts
{
    my ($to, $file, $expected, $name) = @_;
    return gives(['mipmap', '--level=0', "--to=$to", '-'], $file, $expected, $name);
}

sub has_png
{
    my $run = run(['gpuimg', 'info', '-'], "\x89PNG\r\n\x1a\n");
    return $run->{err} !~ /no libpng/;
}

1;
