#!/usr/bin/perl
# gendata.t - bench/gendata writes as many elements as were asked for, of every type that a shape of data takes, and
# refuses other types; shapes are what they are said to be.
use strict;
use warnings;
use Test::More;

my $gendata = ($ENV{builddir} // '.') . '/bench/gendata';
plan skip_all => 'bench/gendata is not built' unless -x $gendata;

my %size = (u8 => 1, i8 => 1, u16 => 2, i16 => 2, f16 => 2, u32 => 4, i32 => 4, f32 => 4, u64 => 8, i64 => 8, f64 => 8);

# The bytes that gendata writes, or undef if it fails.
sub generate {
    my $bytes = `'$gendata' @_ 2>/dev/null`;
    return $? == 0 ? $bytes : undef;
}

sub share {
    my ($test, @values) = @_;
    return grep({ $test->($_) } @values) / @values;
}

my @shapes = `'$gendata' --help` =~ /^  (\w+) +\w/mg;
for my $shape (@shapes) {
    my @taken = grep { length(generate($shape, $_, 1001) // '') == 1001 * $size{$_} } sort keys %size;
    my $types = $shape eq 'records' ? '' : $shape eq 'kmers' ? 'u64' : join ' ', sort keys %size;
    is("@taken", $types, "types of $shape");
}
is(length generate('records', 'bytes100', 1001), 100100, 'records');
is(generate('zipf', 'u32', '300K'), generate('zipf', 'u32', '300K', '--seed=1'), 'the same seed, the same bytes');
isnt(generate('zipf', 'u32', '300K'), generate('zipf', 'u32', '300K', '--seed=2'), 'another seed, other bytes');

my %letter = (u32 => 'V', i32 => 'l<', f32 => 'f<', u64 => 'Q<');
for my $type (sort keys %letter) {
    my $zeros = share(sub { $_[0] == 0 }, unpack "$letter{$type}*", generate('zeros', $type, 100000));
    cmp_ok(abs($zeros - 0.99), '<', 0.002, "zeros: 99% of $type");
}

my %copies;
$copies{$_}++ for unpack 'V*', generate('copies', 'u32', 64 * 1000);
cmp_ok(abs(keys(%copies) - 1000), '<', 5, 'copies: distinct values');
my %leading = map { $_ >> 47 => 1 } unpack 'Q<*', generate('clusters', 'u64', 10000);
is(keys %leading, 32, 'clusters: all of them, and nothing between');

# Each power of two has as many.
my @log = unpack 'Q<*', generate('loguniform', 'u64', 100000);
for my $bits (8, 24, 40, 56) {
    cmp_ok(abs(share(sub { $_[0] < 2**$bits }, @log) - $bits / 64), '<', 0.01, "loguniform: values below 2^$bits");
}

# Every second bit is a coordinate: 68% lie within a standard deviation, a 16th of the range.
sub coordinate {
    my ($code, $first) = @_;
    my $sum = 0;
    $sum |= ($code >> (2 * $_ + $first) & 1) << $_ for 0 .. 31;
    return $sum;
}
my @codes = unpack 'Q<*', generate('morton', 'u64', 20000);
for my $first (0, 1) {
    my $near = share(sub { abs(coordinate($_[0], $first) - 2**31) < 2**28 }, @codes);
    cmp_ok(abs($near - 0.683), '<', 0.02, "morton: coordinate $first");
}

# Neighbours share 30 bases, each on one strand or the other.
sub complement {
    my ($mer) = @_;
    my $other = 0;
    $other = $other << 2 | 3 - ($mer >> 2 * $_ & 3) for 0 .. 30;
    return $other;
}
my @mers = unpack 'Q<*', generate('kmers', 'u64', 300000);
my $wrong = 0;
for my $i (0 .. 999) {
    my ($one, $next) = @mers[$i, $i + 1];
    $wrong++ if $one > complement($one);
    my $found = 0;
    for my $x ($one, complement($one)) {
        $found ||= ($x & (1 << 60) - 1) == $_ >> 2 for $next, complement($next);
    }
    $wrong++ unless $found;
}
is($wrong, 0, 'kmers: a window that moves by one base, on the strand with the lesser element');
my %seen;
$seen{$_}++ for @mers;
my $repeated = share(sub { $seen{$_[0]} > 1 }, @mers);
cmp_ok($repeated, '>', 0.01, 'kmers: some are repeats');
cmp_ok($repeated, '<', 0.5, 'kmers: most are not');
done_testing();
