#!/usr/bin/perl
# gpuscan --histogram beside a count by Perl: types, given ends and found ones, values outside, records, many blocks,
# and what is refused.
use strict;
use warnings;
use POSIX ();
use Test::More;
our $tool = 'gpuscan';
our $every;
require "$ENV{srcdir}/t/tools/lib.pl";
seed_random();

# The counts of `bins` bins from $low to $high. The products below are exact for the ends that the tests have.
sub counts
{
    my ($bins, $low, $high, @values) = @_;
    my @counts = (0) x $bins;
    for my $value (@values) {
        next unless $value >= $low && $value <= $high; # false for NaNs
        my $bin = POSIX::floor(($value - $low) * ($bins / ($high - $low)));
        $counts[$bin < $bins ? $bin : $bins - 1]++;
    }
    return @counts;
}

sub lines
{
    my ($bins, $low, $high, @values) = @_;
    my @counts = counts($bins, $low, $high, @values);
    my $width = ($high - $low) / $bins;
    return join '', map { ($low + $_ * $width) . "\t" . ($low + ($_ + 1) * $width) . "\t$counts[$_]\n" } 0 .. $bins - 1;
}

my %pack = (u8 => 'C*', i8 => 'c*', u16 => 'v*', i16 => 's<*', u32 => 'V*', i32 => 'l<*', u64 => 'Q<*', i64 => 'q<*',
    f32 => 'f<*', f64 => 'd<*');
for my $type (some(sort keys %pack)) {
    my $least = $type =~ /^u/ ? 0 : -64;
    for my $n (0, 1, 2, 63, 5000) {
        my @values = map { $least + int(rand(64 - $least)) } 1 .. $n;
        my $data = pack($pack{$type}, @values);
        gives(['-t', $type, '--histogram=8,0,64'], $data, lines(8, 0, 64, @values), "$type: $n, from a pipe");
        next if $n < 63;
        # With both ends in the data, the found ends are known.
        my $file = put('ends', $data . pack($pack{$type}, $least, 64));
        gives(['-t', $type, '--histogram=16', $file], '', lines(16, $least, 64, @values, $least, 64),
            "$type: $n, between the least and the greatest");
    }
}

my @u32 = ('-t', 'u32');
my @values = map { int(rand(1024)) } 1 .. 100000;
my $data = pack('V*', @values);
gives([@u32, '--histogram=64,0,1024', '-S', '64K'], $data, lines(64, 0, 1024, @values), 'many blocks');
gives([@u32, '--histogram=64,0,1024', put('a', substr($data, 0, 4000)), put('b', substr($data, 4000))], '',
    lines(64, 0, 1024, @values), 'two files');
gives([@u32, '--histogram=1,0,4294967296'], pack('V*', 0, 4294967295), "0\t4294967296\t2\n", 'one bin, the whole range');
gives([@u32, '--histogram=2', put('equal', pack('V*', 7, 7, 7))], '', "7\t7.5\t3\n7.5\t8\t0\n", 'equal integers');
gives(['-t', 'f64', '--histogram=2', put('equals', pack('d<*', 7, 7))], '', "6.5\t7\t0\n7\t7.5\t2\n", 'equal floats');
gives([@u32, '--histogram=2', put('none', '')], '', "0\t0.5\t0\n0.5\t1\t0\n", 'no elements');
gives(['-t', 'f64', '--histogram=2,0,1'], pack('d<*', 'nan', 0.5, -0.0, 2, 1), "0\t0.5\t1\n0.5\t1\t2\n",
    'neither NaNs nor values outside are counted');
gives(['-f', 'id:u64,age:u8', '--value=age', '--histogram=2,0,100'], pack('(Q<C)*', 1, 30, 2, 70, 3, 80),
    "0\t50\t1\n50\t100\t2\n", 'a field of records');
gives(['-t', 'u8', '--from-text', '--histogram=2,0,4'], "1\n2\n3\n", "0\t2\t1\n2\t4\t2\n", 'text');

my $gz = run(['gzip', '-c', put('plain', $data)])->{out};
gives([@u32, '--histogram=64,0,1024'], $gz, lines(64, 0, 1024, @values), 'gzip');
refuses([@u32, '--histogram=64,0,1024'], substr($gz, 0, -9), 'cut short|truncated|ends', 'gzip that is cut short');
SKIP: {
    skip('there is no /dev/full', 2) unless -c '/dev/full';
    my $run = shell('gpuscan -t u32 --histogram=9,0,9 "$1" >/dev/full', path('plain'));
    is($run->{status}, 2, 'a full disk');
    like($run->{err}, qr/No space left/, 'has a message');
}

refuses([@u32, "--histogram=$_"], $data, '--histogram', "--histogram=$_")
    for split(/ /, '0 x -1 16777217 3,1 3,1,2,3 3,2,1 3,1,1 3,0,nan 3,0,inf 3,-1,4 3,0,4294967297 3,0.5,4'), '';
refuses([@u32, '--histogram=3'], $data, 'read once', 'a pipe without ends');
refuses(['-t', 'f32', '--histogram=3', put('infinite', pack('f<*', 1, 'inf'))], '', 'not finite', 'infinite ends');
refuses([@u32, '--histogram=3,0,9', @$_], $data, '--histogram and', "@$_")
    for ['--reduce'], ['--op=sum'], ['--inclusive'], ['--exclusive'], ['--gzip'], ['--to-text'], ['--raw'],
    ['--segments=-'], ['-a', 'serial'];
refuses([@u32, '--histogram=3,0,9'], substr($data, 0, 7), 'element', 'a part of an element');
done_testing();
