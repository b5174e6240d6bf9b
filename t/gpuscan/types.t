#!/usr/bin/perl
# gpuscan with every type and operator: inclusive, exclusive, reduced; at lengths and blocks where code breaks; as
# elements, as a field of records, in both byte orders; compared with a sequential model.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpuscan/scan.pl";
our (@types, @operators);

srand(6);
for my $type (@types) {
    my $size = type_size($type);
    for my $op (fewer(@operators)) {
        if (!has_operator($type, $op)) {
            refuses(['-t', $type, "--op=$op"], '', "--op=$op does not apply to $type", "$op of $type");
            next;
        }
        my @elements = random_elements($type, $op, 1000);
        my $data = join '', @elements;
        my @options = ('-t', $type, "--op=$op");
        gives(\@options, $data, join('', scanned($type, $op, 0, \@elements)), "$op of $type");
        my ($block, $other) = (pick(1, 2, 7, 500, 1000), pick(1, 2, 7, 500, 1000));
        gives([@options, '--exclusive', '-S', 8 * $size * $block], $data,
            join('', scanned($type, $op, 1, \@elements)), "exclusive, in blocks of $block");
        gives([@options, '--reduce', '-S', 4 * $size * $other], $data,
            number_text($type, reduced($type, $op, \@elements)), "reduced, in blocks of $other");
        gives([@options, '--exclusive'], $elements[0], identity($type, $op), 'the identity in front of one');
    }
}

# A field between others, which stay as they are.
for my $big (0, 1) {
    for my $type (fewer(@types)) {
        my $size = type_size($type);
        my @values = random_elements($type, 'sum', 200);
        my @rest = map { [map { chr(int(rand(256))) } 1 .. 4] } @values;
        my $record = sub {
            my ($i, $value) = @_;
            return join '', @{ $rest[$i] }[0 .. 2], $big ? scalar reverse $value : $value, $rest[$i][3];
        };
        my $data = join '', map { $record->($_, $values[$_]) } 0 .. $#values;
        my @results = scanned($type, 'sum', 0, \@values);
        my $expected = join '', map { $record->($_, $results[$_]) } 0 .. $#values;
        my @options = $big ? '--endian=big' : ();
        for (['v', '1K'], ["3:$type", '1M']) {
            my ($value, $memory) = @$_;
            gives(['-f', "a:bytes3,v:$type,b:u8", @options, "--value=$value", '-S', $memory], $data, $expected,
                "--value=$value of records" . ($big ? ', big endian' : '') . ", -S $memory");
        }
        my $turned = join '', map { $big ? scalar reverse $_ : $_ } @values;
        gives(['-t', $type, @options], $turned, join('', map { $big ? scalar reverse $_ : $_ } @results),
            "$type" . ($big ? ', big endian' : ''));
        gives(['-t', $type, @options, '--reduce'], $turned, number_text($type, $results[-1]), 'reduced');
    }
}

# Lengths.
for my $n (fewer(0 .. 5, 15 .. 17, 255 .. 257, 4095 .. 4097, 65535 .. 65537, 300000)) {
    my @values = map { ($_ * 40503) & 65535 } 1 .. $n;
    my ($sum, @sums) = 0;
    push @sums, $sum = ($sum + $_) & 65535 for @values;
    my $data = pack('v*', @values);
    gives(['-t', 'u16'], $data, pack('v*', @sums), "$n elements");
    gives(['-t', 'u16', '--exclusive', '-S', '100K'], $data, pack('v*', map { $_ > 0 ? $sums[$_ - 1] : 0 } 0 .. $n - 1),
        'exclusive');
    gives(['-t', 'u16', '--reduce', '-S', '100K'], $data, "$sum\n", 'reduced');
}

# Numbers as text; and bit patterns that must not change.
my @special = map { pack('d<', $_) } -0.0, 9**9**9, 1;
gives(['-t', 'f64', '--op=max'], $special[0], $special[0], 'minus zero');
gives(['-t', 'f64', '-d', 'cpu'], $special[0], $special[0], 'the sum of minus zero alone');
gives(['-t', 'f64', '--reduce', '-d', 'cpu'], $special[0], "-0\n", 'as text');
my $nan = "\x34\x12" . "\0" x 4 . "\xf8\x7f";
gives(['-t', 'f64', '--op=max', '-S', 64], pack('d<', 3) . $nan . pack('d<*', 7, 9), pack('d<', 3) . $nan x 3,
    'a NaN is the maximum from there on, with its payload');
gives(['-t', 'f64', '--reduce'], pack('d<*', 0.1, 0.2), "0.30000000000000004\n", 'as many digits as it takes');
gives(['-t', 'f32', '--reduce'], pack('f<*', 0.5, 0.25), "0.75\n", 'and no more');
gives(['-t', 'f64', '--reduce'], pack('d<*', 9**9**9, 1), "inf\n", 'infinity');
gives(['-t', 'f64', '--reduce', '--op=min'], '', "-nan\n", 'the least of nothing');
gives(['-t', 'f64', '--reduce', '--op=max'], '', "-inf\n", 'the greatest of nothing');
gives(['-t', 'u8', '--reduce', '--op=min'], '', "255\n", 'of bytes');
gives(['-t', 'i8', '--reduce'], pack('c*', 127, 1), "-128\n", 'integers wrap');
gives(['-t', 'u64', '--reduce'], pack('Q<*', ~0, 2), "1\n", 'of 64 bits too');
gives(['-t', 'i32', '--reduce'], '', "0\n", 'the sum of nothing');
done_testing();
