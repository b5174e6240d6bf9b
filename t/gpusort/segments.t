#!/usr/bin/perl
# gpusort --segments beside a sort of each segment by Perl: flags, keys and fields; segments in one block and across
# blocks; records, byte order, text, .npy, in place; and what is refused.
use strict;
use warnings;
use Test::More;
our $tool = 'gpusort';
our $every;
require "$ENV{srcdir}/t/tools/lib.pl";
seed_random();

# Sorts the elements between heads, stably, by the order of two elements.
sub sorted_segments
{
    my ($elements, $heads, $order) = @_;
    my (@sorted, @segment);
    my $flush = sub {
        push @sorted, @segment[sort { $order->($segment[$a], $segment[$b]) || $a <=> $b } 0 .. $#segment];
        @segment = ();
    };
    for my $i (0 .. $#$elements) {
        $flush->() if $heads->[$i];
        push @segment, $elements->[$i];
    }
    $flush->();
    return @sorted;
}

sub up { return $_[0] <=> $_[1] }
sub down { return $_[1] <=> $_[0] }
sub heads_of { my ($n, $mean) = @_; return map { rand() < 1 / $mean ? 1 + int(rand(255)) : 0 } 1 .. $n }

my %pack = (u8 => 'C*', i16 => 's<*', u32 => 'V*', i64 => 'q<*', f32 => 'f<*', f64 => 'd<*');
for my $type (some(sort keys %pack)) {
    for my $n (0, 1, 2, 1000, 30000) {
        for my $mean (1, 3, 100, 1e9) {
            my @values = map { int(rand(120)) - ($type =~ /^u/ ? 0 : 60) } 1 .. $n;
            my @heads = heads_of($n, $mean);
            my ($data, $file) = (pack($pack{$type}, @values), put('heads', pack('C*', @heads)));
            my $expected = pack($pack{$type}, sorted_segments(\@values, \@heads, \&up));
            gives(['-t', $type, "--segments=$file"], $data, $expected, "$type: $n, segments of $mean");
            next if $n < 1000;
            $expected = pack($pack{$type}, sorted_segments(\@values, \@heads, \&down));
            gives(['-t', $type, '-r', "--segments=$file"], $data, $expected, "$type: $n, of $mean, in reverse");
        }
    }
}

# Segments across many blocks, and a field that changes.
my @ids = (0);
push @ids, $ids[-1] + (rand() < 0.01) for 2 .. 40000;
my @records = map { pack('Vs<V', $ids[$_], int(rand(9)) - 4, $_) } 0 .. $#ids;
my @heads = map { $_ > 0 && $ids[$_] != $ids[$_ - 1] } 0 .. $#ids;
my $by_key = sub { return unpack('x4s<', $_[0]) <=> unpack('x4s<', $_[1]) };
my $sorted = join '', sorted_segments(\@records, \@heads, $by_key);
my @format = ('-f', 'id:u32,key:i16,place:u32');
my $data = join '', @records;
gives([@format, '-k', 'key', '--segments=id'], $data, $sorted, 'records by a field');
gives([@format, '-k', 'key', '--segments=id', '-S', '1M'], $data, $sorted, 'records in many blocks');
my $keys = put('keys.npy', npy("'<u4'", scalar @ids, pack('V*', @ids)));
gives([@format, '-k', 'key', "--segments=$keys"], $data, $sorted, 'records by keys in a file');
my $falling = sub { return $by_key->($_[1], $_[0]) || unpack('x6V', $_[1]) <=> unpack('x6V', $_[0]) };
gives([@format, '-k', 'key:desc', '-k', 'place:desc', '--segments=id'], $data,
    join('', sorted_segments(\@records, \@heads, $falling)), 'by two keys, descending');

my $flags = put('flags', pack('C*', 0, 0, 1, 0, 0));
my $five = pack('V*', 5, 3, 9, 1, 4);
my $result = pack('V*', 3, 5, 1, 4, 9);
my $file = put('five', $five);
gives(['-t', 'u32', "--segments=$flags", '-o', path('out'), $file], '', '', '-o');
is(get('out'), $result, 'writes the file');
gives(['-t', 'u32', "--segments=$flags", '-i', $file], '', '', '--in-place');
is(get('five'), $result, 'replaces the file');
gives(['-t', 'u32', '--segments=-', put('again', $five)], pack('C*', 0, 0, 1, 0, 0), $result, 'flags from a pipe');
gives(['-t', 'u32', "--segments=$flags", put('a', substr($five, 0, 8)), put('b', substr($five, 8))], '', $result,
    'two files');
gives(['-t', 'u32', '--from-text', '--to-text', "--segments=$flags"], "5\n3\n9\n1\n4\n", "3\n5\n1\n4\n9\n", 'text');
gives(["--segments=$flags", put('five.npy', npy("'<u4'", 5, $five))], '', npy("'<u4'", 5, $result), 'a .npy file');
gives(["--segments=$flags"], npy("'>u4'", 5, pack('N*', 5, 3, 9, 1, 4)), npy("'>u4'", 5, pack('N*', 3, 5, 1, 4, 9)),
    'big-endian numbers');

my $gz = run(['gzip', '-c', put('plain', $five)])->{out};
gives(['-t', 'u32', "--segments=$flags"], $gz, $result, 'gzip');
SKIP: {
    skip('there is no /dev/full', 2) unless -c '/dev/full';
    my $run = shell('gpusort -t u32 --segments="$1" "$2" >/dev/full', $flags, path('plain'));
    is($run->{status}, 2, 'a full disk');
    like($run->{err}, qr/No space left/, 'has a message');
}

# What is refused changes nothing.
put('keep', 'old');
my @keep = ('-t', 'u32', '-o', path('keep'));
refuses([@keep, '--segments=' . put('few', pack('C*', 1, 0))], $five, 'holds 2 flags', 'fewer flags');
refuses([@keep, '--segments=' . put('many', pack('C*', (0) x 6))], $five, 'holds', 'more flags');
refuses([@keep, '--segments=' . path('missing')], $five, 'No such file', 'no file of flags');
refuses([@format, '-k', 'key', '--segments=nothing', '-o', path('keep')], $data, 'no such field', 'no field');
refuses([@keep, '--segments=-'], $five, 'named twice', 'both from standard input');
refuses([@keep, "--segments=$flags"], substr($five, 0, 18), 'element', 'a part of an element');
refuses([@keep, '-S', '64K', '--segments=' . put('one', "\0" x 100000)], pack('V*', 1 .. 100000), 'does not fit',
    'a segment that is larger than the memory');
refuses([@keep, "--segments=$flags"], substr($gz, 0, -9), 'cut short|truncated|ends', 'gzip that is cut short');
is(get('keep'), 'old', 'the old output stays');
refuses(['-t', 'u32', "--segments=$flags", @$_], $five, '--segments and', "@$_")
    for ['-u'], ['-c'], ['-m'], ['--top=1'], ['--argsort'], ['-a', 'radix'], ['-T', '.'], ['--workspace=w'],
    ['--partition=2', '--manifest=m'];
done_testing();
