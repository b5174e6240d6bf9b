#!/usr/bin/perl
# --where: every type and byte order, records, .npy fields and positions, compared with Perl's evaluation of the same
# expression; and the messages for wrong expressions.
use strict;
use warnings;
use Test::More;
our $tool = 'gpucompact';
require "$ENV{srcdir}/t/tools/lib.pl";
our @types;

srand(1);
# Translates to Perl: x and i become variables, and integers are computed as in C.
sub perl_function
{
    my ($type, $text) = @_;
    $text =~ s/\b([xi])\b/\$$1/g;
    my $integer = $type =~ /^(f|u64)/ ? '' : 'use integer;';
    my $function = eval "$integer sub { my (\$x, \$i) = \@_; return $text }" or die "$text: $@";
    return $function;
}

sub values_of
{
    my ($type) = @_;
    my $size = type_size($type);
    my @bytes = map { my $byte = $_; map { chr($byte) x ($size - 1) . chr($_) } 0, 1, 127, 128, 255 } 0, 1, 127, 255;
    push @bytes, map { substr(pack('Q<', $_), 0, $size) } 0 .. 20;
    push @bytes, map { join '', map { chr(int(rand(256))) } 1 .. $size } 1 .. 400;
    push @bytes, map { bytes_of($type, $_) } 0, -0.0, 1.5, -1.5, 2.5, 1e10, -7, 3 if $type =~ /^f/;
    return grep { my $value = number_of($type, $_); $value == $value
        && abs($value) < 9e300 } @bytes if $type =~ /^f/;
    return @bytes;
}

# Expressions that mean the same in Perl.
my @any = ('x > 100', 'x >= 3 && x < 1000', 'x == 0 || x == 1', '!x', '!(x > 5)', 'x', '1', '0', 'i % 3 == 1', 'i',
    'x != i',
    'x > 7 ? i % 2 == 0 : x < 3', '(x < 50) == (i < 30)', 'x <= 20 || i > 400 && x != 255', "x>0x10\n&&x<0b1100100");
my @integer = ('x & 8', 'x & 8 != 0', '(x & 8) != 0', 'x | 1', 'x ^ 255', '(x >> 2 & 3) == 1', 'x & 0xf0 | i & 1');
my @narrow = ('x * 3 + 1 > 200', 'x % 7 == 2', 'x / 3 == 5', '-x < -5', '~x & 1', 'x - 100 < 0', 'x << 3 > 512',
    'abs(x) == 1',
    '(x + i) % 5 == x % 3');
my @float = ('x * 2 > 3', 'x / 3 > 1.25', '-x < 1e-3', 'abs(x) < 1.5', 'x + 0.5 == 2');
for my $type (@types) {
    my @elements = values_of($type);
    my @values = map { number_of($type, $_) } @elements;
    my $data = join '', @elements;
    my $swapped = join '', map { scalar reverse $_ } @elements;
    my @texts = (@any, $type =~ /^f/ ? @float : (@integer, $type eq 'u64' ? () : @narrow));
    for my $text (fewer(@texts)) {
        my $function = perl_function($type, $text);
        my @kept = grep { $function->($values[$_], $_) } 0 .. $#values;
        my $shown = $text =~ s/\n/\\n/r;
        keeps(['-t', $type, '-w', $text], $data, join('', @elements[@kept]),
            "$type: $shown, " . @kept . ' of ' . @values);
        next unless $text eq 'x > 100' || $text =~ /\?/;
        my @big = map { scalar reverse $elements[$_] } @kept;
        keeps(['-t', $type, '--endian=big', "--where=$text"], $swapped, join('', @big), 'the same, big endian');
    }
}

# Expressions that C would get wrong, or that Perl does not have.
sub picks
{
    my ($type, $text, $values, @expected) = @_;
    keeps(['-t', $type, '-w', $text], bytes_of($type, @$values), bytes_of($type, @expected),
        "$type: $text");
}
picks('i32', 'x < 1u', [-1, 0, 1], -1, 0);
picks('u64', 'x > -1', [0, 1, ~0], 0, 1, ~0);
picks('i64', 'x < 18446744073709551615', [-1, 5], -1, 5);
picks('u64', 'x == 18446744073709551615', [~0, 0], ~0);
picks('i64', 'x + 1 < x', [9223372036854775807, 0], 9223372036854775807);
picks('u8', 'x - 1 < 0', [0, 1, 255], 0);
picks('u8', '300 - x > 60', [0, 239, 240, 255], 0, 239);
picks('i32', '10 / x == 0 && 10 % x == 10', [0, 3, 20], 0, 20);
picks('u8', '1 << x == 0', [0, 63, 64, 255], 64, 255);
picks('u8', 'x in {3, 5, 8..13}', [0 .. 15], 3, 5, 8 .. 13);
picks('i16', 'x in {-5..-3, 0x10, 0b1}', [-6 .. 2, 16], -5, -4, -3, 1, 16);
picks('u8', '!(x in {1})', [0, 1, 2], 0, 2);
picks('f64', 'x in {0.5, 2..3}', [0.5, 1, 2.25, 3, 4], 0.5, 2.25, 3);
picks('f16', 'x in {0.5, 2..3}', [0.5, 1, 2.25, 3, 4], 0.5, 2.25, 3);
picks('f16', 'x < 0.1 && x == 0.0999755859375', [0.1, 0.2], 0.1);
picks('f16', 'x > 0 && x < 6e-8', [0, 2**-24, 2**-23, -2**-24], 2**-24);
picks('f16', 'x + x == 131008 && !isinf(x + x)', [65504, 65520, -65504], 65504);
picks('f16', 'isinf(x) && x > 1e300', [65504, 65520, -65520], 65520);
picks('f16', 'x == 2048 || x == 2052', [2047, 2049, 2051], 2049, 2051);
picks('i8', 'min(x, 3) == max(x, 1)', [0, 1, 2, 3, 4], 1, 2, 3);
picks('u8', 'x & 8 != 0', [0, 1, 8, 9], 1, 9);
my ($infinity, $nan) = (9**9**9, 9**9**9 / 9**9**9);
for my $type ('f16', 'f32', 'f64') {
    picks($type, 'isinf(x)', [1, $infinity, -$infinity], $infinity, -$infinity);
    my $data = bytes_of($type, 1, $nan, 2, -$nan);
    keeps(['-t', $type, '-w', '!isnan(x)'], $data, bytes_of($type, 1, 2), "$type: !isnan(x)");
    keeps(['-t', $type, '-w', 'x == x'], $data, bytes_of($type, 1, 2), "$type: x == x");
    keeps(['-t', $type, '-v', '-w', 'x < 5'], $data, bytes_of($type, $nan, -$nan), "$type: -v keeps NaNs");
}

# Records, by the names of their fields.
my @trades = map { pack('Q< a8 f< s<', $_, (qw(AAPL MSFT IBM GOOGL))[$_ % 4], $_ * 1.25 - 40, $_ % 7 - 3) } 0 .. 299;
my $format = 'time:u64,symbol:bytes8,price:f32,delta:i16';
sub records
{
    my ($text, $keep, @options) = @_;
    my @kept = grep { my ($time, $symbol, $price, $delta) = unpack('Q< Z8 f< s<', $trades[$_]);
        $keep->($time, $symbol, $price, $delta, $_) } 0 .. $#trades;
    keeps(['-f', $format, '-w', $text, @options], join('', @trades), join('', @trades[@kept]),
        "$text, " . @kept . ' kept');
}
records('symbol == "IBM"', sub { $_[1] eq 'IBM' });
records('symbol > "GOOGL" && price > 10', sub { $_[1] gt 'GOOGL' && $_[2] > 10 });
records('symbol in {"AAPL", "GOOGL"}', sub { $_[1] =~ /^[AG]/ });
records('price < 0 || delta == -3', sub { $_[2] < 0 || $_[3] == -3 });
records('time in {5, 100..110} && i != 105', sub { ($_[0] == 5 || $_[0] >= 100 && $_[0] <= 110) && $_[4] != 105 });
records('abs(delta) > 2 ? price > 100 : time % 2', sub { abs($_[3]) > 2 ? $_[2] > 100 : $_[0] % 2 });
my @dotted = map { pack('C C', $_, 255 - $_) } 0 .. 255;
keeps(['-f', 'a.b:u8,min:u8', '-w', '`a.b` > 250 && min < 3'], join('', @dotted), join('', @dotted[253 .. 255]),
    'names in back quotes, and one that a function has');
my @mixed = map { pack('n l>', $_, -$_) } 1 .. 50;
keeps(['--endian=big', '-f', 'a:u16,b:i32', '-w', 'a + b == 0 && b < -40'], join('', @mixed), join('',
    @mixed[40 .. 49]),
    'big-endian records');
my $descr = "[('id', '<u2'), ('', '|V2'), ('t', '>f8'), ('a name', '|S3')]";
my @rows = map { pack('v a2 d> a3', $_, 'zz', $_ / 4, "n$_") } 0 .. 40;
keeps(['-w', 't >= 9.5 && `a name` != "n39"'], npy($descr, 41, join '', @rows), npy($descr, 2, join '', @rows[38, 40]),
    'fields of a .npy file');
my $many = join(',', map { "f$_:u8" } 1 .. 300);
keeps(['-f', $many, '-w', 'f300 == 7 && f1 == 1'], "\1" . "\0" x 298 . "\7" . "\0" x 300, "\1" . "\0" x 298 . "\7",
    '300 fields');

# Positions count over all inputs, and past a block.
my @files = map { put("p$_", "\0" x $_) } 3, 0, 5;
keeps(['-t', 'u8', '-w', 'i == 2 || i == 3 || i == 7', '--index', @files], '', pack('Q<*', 2, 3, 7),
    'i counts over all inputs');
put('zeros', "\0" x 5_000_000);
is(gpucompact(['-t', 'u8', '-w', 'i >= 4999990', '--index', '-S', '1M', path('zeros')])->{out}, pack('Q<*',
    4999990 .. 4999999),
    'and over blocks');

# Errors: the reason, the expression, and a caret below the place.
sub wrong
{
    my ($text, $expected, $name, @options) = @_;
    @options = ('-t', 'u8') unless @options;
    my $run = gpucompact([@options, '-w', $text], '');
    ok($run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /^gpucompact: --where: [^\n]+\n$expected\n$/, $name)
        or diag("status $run->{status}: $run->{err}");
}
wrong('x > > 3', qr/  x > > 3\n      \^/, 'an error in the middle');
wrong('x >', qr/  x >\n     \^/, 'at the end');
wrong('', qr/  \n  \^/, 'nothing');
wrong("x\t>\t>", qr/  x > >\n      \^/, 'tabs');
wrong("x\n>\n>", qr/  x > >\n      \^/, 'line breaks');
wrong("x > \xc3\xa4", qr/  x > \xc3\xa4\n      \^/, 'behind it, UTF-8');
wrong('"' . "\xc3\xa4" x 3 . '" > > 2', qr/  "(\xc3\xa4){3}" > > 2\n          \^/, 'UTF-8 before it');
wrong('"' . "\xe6\xb8\xa9" x 3 . '" > > 2', qr/  "(\xe6\xb8\xa9){3}" > > 2\n             \^/,
    'wide characters before it');
wrong("x > \xff", qr/  x > \?\n      \^/, 'what is no UTF-8');
wrong("x > \e[31m", qr/  x >  \[31m\n      \^/, 'control characters do nothing');
wrong('x > 1 && ' x 100 . '> 2' . ' && x' x 100, qr/  \.\.\.(x > 1 && ){4}> 2( && x)+.{0,5}\.\.\.\n {41}\^/,
    'a long expression: a window');
wrong('x > 1 && ' x 100 . '?', qr/  \.\.\.(x > 1 && )+\?\n {41}\^/, 'a long expression: at its end');
wrong('y > 1', qr/  y > 1\n  \^\nThe value is called x, its position i\./, 'a name that there is not');
wrong('pric > 1', qr/  pric > 1\n  \^\nThe elements have the fields time, symbol, price, delta, and i is .*/,
    'a field that there is not', '-f', $format);
wrong('z', qr/.*\n.*\nThe elements have the fields a, `b\.c`, and i.*/, 'a field that takes quotes', '-f',
    'a:u8,b.c:u8');
wrong('z', qr/.*\n.*\nThe elements have the fields f1, f2, .*, \.\.\., and i.*/, 'many fields', '-f', $many);
wrong('x ' x 40000, qr/.*\n.*/, 'more than 64 KiB');
my $run = gpucompact(['-w', 'ag > 1'], npy("[('age', '<u2')]", 0, ''));
like($run->{err}, qr/The elements have the fields age, and/, 'a .npy field that there is not');
refuses(['-f', 'name:bytes4', '-w', 'name + 1'], '', '--where: ', 'arithmetic with bytes');
done_testing();
