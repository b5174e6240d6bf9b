# scan.pl - a sequential model of scans and reductions, independent of the library's. Floats are exact as long as no
# partial result needs to be rounded. Sums and products of halves are computed in f32, and each result is rounded once.
use strict;
use warnings;

our %infinity; # lib.pl's
our @operators = qw(sum prod min max and or xor affine);

sub has_operator
{
    my ($type, $op) = @_;
    return $op eq 'affine' ? $type =~ /^u/ : $op =~ /^(and|or|xor)$/ ? $type =~ /^[ui]/ : 1;
}

# Of an integer's bits, with or without a sign.
sub letter_of { return { 1 => 'C', 2 => 'v', 4 => 'V', 8 => 'Q<' }->{ type_size($_[0]) } }

# Wraps to 64 bits, as in C.
sub wrapped
{
    my ($value, $bits) = @_;
    my $all = unpack('Q', pack('q', $value));
    return $bits == 64 ? $all : $all & (1 << $bits) - 1;
}

sub total { use integer; return $_[0] + $_[1] }
sub product { use integer; return $_[0] * $_[1] }

# a op b, of elements of the type as bytes.
sub combine
{
    my ($type, $op, $left, $right) = @_;
    return order_text($type, $right) lt order_text($type, $left) ? $right : $left if $op eq 'min';
    return order_text($type, $left) lt order_text($type, $right) ? $right : $left if $op eq 'max';
    my $bits = 8 * type_size($type);
    if ($type =~ /^f/) {
        my ($a, $b) = map { number_of($type, $_) } $left, $right;
        return bytes_of($type, $op eq 'sum' ? $a + $b : $a * $b);
    }
    my ($a, $b) = map { unpack(letter_of($type), $_) } $left, $right;
    return pack(letter_of($type), $op eq 'and' ? $a & $b : $op eq 'or' ? $a | $b : $a ^ $b) if $op =~ /^(and|or|xor)$/;
    return pack(letter_of($type), wrapped($op eq 'sum' ? total($a, $b) : product($a, $b), $bits))
        if $op =~ /^(sum|prod)$/;
    my $half = $bits / 2;
    my $low = (1 << $half) - 1;
    my ($al, $bl, $ar, $br) = ($a >> $half, $a & $low, $b >> $half, $b & $low);
    my $sum = wrapped(total(product($ar, $bl), $br), $half);
    return pack(letter_of($type), wrapped(product($ar, $al), $half) << $half | $sum);
}

sub identity
{
    my ($type, $op) = @_;
    my $size = type_size($type);
    my ($zeros, $ones) = ("\0" x $size, "\xff" x $size);
    return $ones if $op eq 'and';
    return bytes_of($type, 1) if $op eq 'prod';
    return pack(letter_of($type), 1 << 4 * $size) if $op eq 'affine';
    return $zeros if $op !~ /^(min|max)$/;
    if ($type =~ /^f/) { # the last NaN, and minus infinity
        my $end = "\x80" | $infinity{$type};
        substr($end, -1) = "\1" if $op eq 'min';
        return scalar reverse $end;
    }
    return $op eq 'min' ? $ones : $zeros if $type =~ /^u/;
    return $op eq 'min' ? substr($ones, 1) . "\x7f" : substr($zeros, 1) . "\x80";
}

sub converted { my ($from, $to, $bytes) = @_; return bytes_of($to, number_of($from, $bytes)) }

# Elements are bytes. heads, if given, are true where a segment begins.
sub scanned
{
    my ($type, $op, $exclusive, $elements, $heads) = @_;
    return map { converted('f32', 'f16', $_) }
        scanned('f32', $op, $exclusive, [map { converted('f16', 'f32', $_) } @$elements], $heads)
        if $type eq 'f16' && $op =~ /^(sum|prod)$/;
    my ($running, @results);
    for my $i (0 .. $#$elements) {
        undef $running if $heads && $heads->[$i];
        my $after = defined $running ? combine($type, $op, $running, $elements->[$i]) : $elements->[$i];
        push @results, !$exclusive ? $after : defined $running ? $running : identity($type, $op);
        $running = $after;
    }
    return @results;
}

sub reduced
{
    my ($type, $op, $elements) = @_;
    my @all = scanned($type, $op, 0, $elements);
    return @all ? $all[-1] : identity($type, $op);
}

# Where segments begin: 0, and where heads are true.
sub begins
{
    my ($heads, $n) = @_;
    return grep { $_ == 0 || $heads->[$_] } 0 .. $n - 1;
}

# As C prints it: Perl has other names for infinity and NaN, and no sign for a NaN.
sub number_text
{
    my ($type, $bytes) = @_;
    my $value = number_of($type, $bytes);
    return (ord(substr($bytes, -1)) & 0x80 ? '-' : '') . "nan\n" if $value != $value;
    return lc("$value") . "\n";
}

# Random elements that no operator rounds: small numbers, and for products of floats powers of two in range.
sub random_elements
{
    my ($type, $op, $n) = @_;
    my $size = type_size($type);
    if ($type =~ /^f/) {
        return map { bytes_of($type, $op eq 'prod' ? pick(1, 1, 1, -1, 1, 1) : int(rand(200)) - 100) } 1 .. $n;
    }
    return map { join '', map { chr(int(rand(256))) } 1 .. $size } 1 .. $n;
}

1;
