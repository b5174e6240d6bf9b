#!/usr/bin/perl
# The external sort: with little memory, the same bytes as with much, for every option, element and shape of data.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my $every = $ENV{SCANKIT_TEST_EVERY} || 1;
my @small = ('-S', '1'); # the least: 256 KiB for chunks
srand(16);

sub random_bytes { my ($n) = @_; return pack('L<*', map { int(rand(2**32)) } 1 .. ($n + 3) / 4) }

my %shapes = (
    random => sub { my ($n, $size) = @_; return substr(random_bytes($n * $size), 0, $n * $size) },
    few => sub { my ($n, $size) = @_; return join '', map { chr(65 + rand(3)) x $size } 1 .. $n },
    equal => sub { my ($n, $size) = @_; return "\7" x ($n * $size) },
    sorted => sub { my ($n, $size) = @_; return join '', map { substr(pack('N', $_) x $size, 0, $size) } 1 .. $n },
    reversed => sub { my ($n, $size) = @_; return join '', map { substr(pack('N', $_) x $size, 0, $size) } reverse 1 .. $n },
);

# Name, options, bytes of an element.
my @elements = (
    ['u8', ['-t', 'u8'], 1], ['u64', ['-t', 'u64'], 8], ['f64, descending', ['-t', 'f64', '-r'], 8],
    ['u32, big endian', ['-t', 'u32', '--endian=big'], 4], ['7-byte records', ['-f', 'a:u32,b:bytes3', '-k', 'a'], 7],
    ['opaque bytes', ['-f', 'x:bytes13'], 13],
    ['several keys', ['-f', 'a:u8,b:i16,c:f64,d:bytes5', '-k', 'a:desc,b,d'], 16],
    ['100-byte records', ['-f', 'key:bytes10,rest:bytes90', '-k', 'key'], 100],
    ['large records', ['-f', 'key:u16,rest:bytes20000', '-k', 'key'], 20002],
);
my @extras = ([], ['-u'], ['--argsort'], ['-u', '--argsort'], ['--top=1000'], ['--top=0'], ['--top=60000', '-u'],
    ['--top=30000', '--argsort']);

# What the sort in memory gives for a file.
sub in_memory
{
    my ($arguments, $file) = @_;
    my $run = gpusort([@$arguments, $file]);
    die "gpusort @$arguments: $run->{err}" if $run->{status} != 0;
    return $run->{out};
}

my $turn = 0;
for my $element (@elements) {
    my ($name, $options, $size) = @$element;
    for my $shape (sort keys %shapes) {
        next if $turn++ % $every != 0;
        my $bytes = $shape eq 'random' ? 3_000_000 : 1_200_000; # more than 8 runs, so some need two passes
        my $file = put('input', $shapes{$shape}->(int($bytes / $size), $size));
        my $extra = $extras[$turn % @extras];
        for ([], $extra) {
            sorts_to([@$options, @$_, @small, $file], '', in_memory([@$options, @$_], $file), "$name, $shape: @$_");
        }
    }
}

# Options, with one kind of data.
my $data = $shapes{random}->(300_000, 8);
my $file = put('data', $data);
my @u64 = ('-t', 'u64');
my $sorted = in_memory(\@u64, $file);
for my $extra (fewer(@extras)) {
    sorts_to([@u64, @$extra, '-S', '8M', $file], '', in_memory([@u64, @$extra], $file), "more memory: @$extra");
    sorts_to([@u64, @$extra, '-S', '1'], $data, in_memory([@u64, @$extra], $file), "a pipe: @$extra");
    sorts_to([@u64, @$extra, '-S', '100M'], $data, in_memory([@u64, @$extra], $file), "a pipe, runs in memory: @$extra");
}
sorts_to([@u64, '-a', $_, @small, $file], '', $sorted, "algorithm $_") for qw(hybrid radix chunk-merge);
sorts_to([@u64, @small, '--compress-temporaries=fast', $file], '', $sorted, 'compressed temporaries');
mkdir(path($_)) for qw(t1 t2);
sorts_to([@u64, @small, '-T', path('t1'), '-T', path('t2'), $file], '', $sorted, 'two folders for temporaries');
is(join(' ', glob(path('t[12]/*'))), '', 'which are empty afterwards');

# Files of 0 and 1 elements, and several files.
sorts_to([@u64, @small], '', '', 'no element');
sorts_to([@u64, @small], 'abcdefgh', 'abcdefgh', 'one element');
my @parts = map { put("part$_->[0]", substr($data, 8 * $_->[1], 8 * $_->[2])) }
    [0, 0, 100_000], [1, 0, 0], [2, 100_000, 1], [3, 100_001, 199_999];
sorts_to([@u64, @small, @parts], '', $sorted, 'several files');
sorts_to([@u64, @small, '--argsort', @parts], '', in_memory([@u64, '--argsort'], $file), 'their positions');
sorts_to([@u64, @small, '--argsort', @parts[0 .. 2], '-'], get($parts[3]), in_memory([@u64, '--argsort'], $file),
    'with a pipe among them');

# gzip, .npy, and files that are replaced.
shell('gzip -1 <"$1" >"$2"', $file, path('data.gz'));
sorts_to([@u64, @small, path('data.gz')], '', $sorted, 'gzip input');
is(shell('gpusort -t u64 -S 1 -z "$1" | gzip -dc', $file)->{out}, $sorted, 'gzip output');
put('copy', $data);
sorts_to([@u64, @small, '-i', path('copy')], '', '', 'in place');
is(get('copy'), $sorted, 'the file is sorted');
put('copy', "12345$data");
sorts_to([@u64, @small, '--skip=5', '-i', path('copy')], '', '', 'in place, with skipped bytes');
is(get('copy'), "12345$sorted", 'they are kept');
put('array.npy', npy("'<u8'", 300_000, $data));
for my $extra (fewer([], ['-u'], ['--argsort'], ['--top=10'], ['-i'])) {
    my @in_place = grep { $_ eq '-i' } @$extra;
    my $expected = in_memory(['--raw', grep { $_ ne '-i' } @$extra], path('array.npy'));
    my $count = length($expected) / 8;
    put('copy.npy', get('array.npy'));
    my $run = @in_place ? gpusort([@small, '-i', path('copy.npy')])
        : gpusort([@small, @$extra, path('copy.npy'), '-o', path('out.npy')]);
    my $got = get(@in_place ? 'copy.npy' : 'out.npy');
    is(substr($got, -length($expected)), $expected, ".npy: @$extra") or diag($run->{err});
    like($got, qr/\A\x93NUMPY.{0,100}'shape': \($count,\)/s, 'its header has the number');
    my $piped = shell('gpusort -S 1 "$@" | cat', @$extra, path('array.npy'));
    is($piped->{out}, $got, ".npy into a pipe: @$extra") if !@in_place;
}
my $doubles = put('doubles.npy', npy("'<u8'", 300_000, $data));
is(shell('cat "$1" | gpusort -S 1 -u | cat', $doubles)->{out}, shell('gpusort -u "$1"', $doubles)->{out},
    'from a pipe into a pipe, the number being unknown');

# Numbers that fit into memory only once are sorted there in place.
sub algorithm_of { my ($err) = @_; return $err =~ /"algorithm": "([^"]*)"/ ? $1 : "none: $err" }

my $numbers = put('numbers', random_bytes(20 << 20));
for my $options (fewer(['-t', 'u64'], ['-t', 'f64', '-r'], ['-t', 'u32', '--endian=big'], ['-t', 'i64', '-u'],
    ['-t', 'f32', '--top=3000000'], ['-t', 'u64', '-a', 'hybrid'], ['-t', 'u8']))
{
    my $usual = shell('gpusort -d cpu --parallel=2 "$@" | md5sum', @$options, $numbers);
    my $lean = shell('gpusort -d cpu --parallel=2 -S 36M --stats "$@" | md5sum', @$options, $numbers);
    is($lean->{out}, $usual->{out}, "in place: @$options");
    my $expected = $options->[1] eq 'u8' ? qr/^counting$/ : qr/^(?:hybrid-in-place|pivots)$/;
    like(algorithm_of($lean->{err}), $expected, 'nothing is merged');
}
for my $options (['-t', 'u64', '-a', 'radix'], ['-f', 'a:u32,b:u32', '-k', 'a'], ['-t', 'u64', '--argsort']) {
    my $run = gpusort(['-d', 'cpu', '--parallel=2', '-S', '36M', '--stats', @$options, $numbers]);
    is(algorithm_of($run->{err}), 'merge-tree', "not in place: @$options");
}

# Memory stays below 1.1 times --buffer-size.
SKIP: {
    my $probe = shell('/usr/bin/time -f %M true');
    skip('there is no time(1)', 3) unless $probe->{status} == 0 && $probe->{err} =~ /^\d+$/;
    my $empty = shell('/usr/bin/time -f %M gpusort -t u8 --parallel=2 /dev/null');
    skip('the program alone needs too much memory', 3) unless $empty->{status} == 0 && $empty->{err} < 8192;
    truncate(put('large', $data), 300 << 20);
    my $time = '/usr/bin/time -f %M gpusort -t u64 --parallel=2 -S 32M';
    for my $line ("$time \"\$1\" -o \"\$2\"", "cat \"\$1\" | $time -o \"\$2\"") {
        my $run = shell($line, path('large'), path('large-out'));
        ok($run->{status} == 0 && $run->{err} =~ /^(\d+)$/ && $1 < 1.1 * 32 * 1024, '300 MiB with -S 32M')
            or diag("$run->{status}: $run->{err}");
    }
    my $run = shell('/usr/bin/time -f %M gpusort -d cpu -t u64 --parallel=2 -S 36M "$1" -o "$2"', path('numbers'),
        path('large-out'));
    ok($run->{status} == 0 && $run->{err} =~ /^(\d+)$/ && $1 < 36 * 1024, '20 MiB in place with -S 36M')
        or diag("$run->{status}: $run->{err}");
    unlink(path('large'), path('large-out'));
}
done_testing();
