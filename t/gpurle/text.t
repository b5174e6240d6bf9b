#!/usr/bin/perl
# gpurle -c, -u, --values, --counts and -k, compared with a model; and the table of -l. SCANKIT_SEED repeats the random part,
# SCANKIT_ROUNDS makes it longer.
use strict;
use warnings;
use Test::More;
our ($tool, @types) = 'gpurle';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpurle/rle.pl";

seed_random();

# ---- the model ----

# A float's text is right if it reads back the same and has the fewest digits. Perl computes in doubles and so rounds an
# f32 twice, which is harmless: 17 digits are enough for both.
sub float_bits
{
    my ($type, $value) = @_;
    my $largest = unpack('f<', "\xff\xff\x7f\x7f"); # past it Perl says inf, where C still rounds
    $value = $value < 0 ? -$largest : $largest if $type eq 'f32' && abs($value) > $largest
        && abs($value) < 3.4028235677e38;
    return bytes_of($type, $value);
}

sub digits
{
    my ($text) = @_;
    $text =~ s/e.*//;
    return length($text =~ s/[-.]//gr =~ s/^0+//r =~ s/0+$//r);
}

sub right_float
{
    my ($type, $bytes, $text) = @_;
    my $value = number_of($type, $bytes);
    my $minus = ord(substr($bytes, -1)) >> 7 ? '-' : '';
    return $text eq "${minus}nan" if $value != $value;
    return $text eq "${minus}inf" if abs($value) == 9**9**9;
    return $text eq "${minus}0" if $value == 0;
    return $text eq $value if $type eq 'f16' && abs($value) >= 1000 && $value == int($value); # no 5e+03
    return 0 if $text !~ /^-?\d+(?:\.\d+)?(?:e[-+]\d+)?$/ || float_bits($type, $text) ne $bytes;
    for my $precision (0 .. 16) {
        my $short = sprintf('%.*e', $precision, $value);
        return digits($text) <= digits($short) if float_bits($type, $short) eq $bytes;
    }
    return 1;
}

sub bytes_text
{
    my ($bytes) = @_;
    $bytes =~ s/\0+$//;
    $bytes =~ s/([^ -~]|\\)/sprintf('\\x%02x', ord($1))/ge;
    return $bytes;
}

# True if the text is right for a field's bytes.
sub right_text
{
    my ($type, $big, $bytes, $text) = @_;
    return lc $text eq lc bytes_text($bytes) if $type =~ /^bytes/;
    $bytes = reverse $bytes if $big;
    return right_float($type, $bytes, $text) if $type =~ /^f/;
    return $text eq number_of($type, $bytes);
}

# The wrong lines of -c. Fields are [type, offset, big].
sub wrong_lines
{
    my ($out, $runs, @fields) = @_;
    my @lines = split /\n/, $out;
    return 'lines: ' . @lines . ' of ' . @$runs if @lines != @$runs || ($out ne '' && $out !~ /\n\z/);
    my @wrong;
    for my $i (0 .. $#lines) {
        my ($value, $count) = @{ $runs->[$i] };
        my $before = sprintf('%7d ', $count);
        my @texts = split /\t/, substr($lines[$i], length $before), -1;
        @texts = ('') if !@texts;
        push @wrong, $lines[$i] if substr($lines[$i], 0, length $before) ne $before || @texts != @fields
            || grep { !right_text($fields[$_][0], $fields[$_][2], substr($value, $fields[$_][1],
                type_size($fields[$_][0])), $texts[$_]) } 0 .. $#fields;
    }
    return @wrong;
}

sub counts_right
{
    my ($options, $data, $size, $spans, $name, @fields) = @_;
    my $run = tool(['-c', @$options], $data);
    my @wrong = wrong_lines($run->{out}, [runs_of($data, $size, $spans)], @fields);
    my $good = $run->{status} == 0 && $run->{err} eq '' && !@wrong;
    ok($good, $name) or diag("status $run->{status}: $run->{err}", join("\n", @wrong > 4 ? @wrong[0 .. 3] : @wrong));
}

# ---- -c ----

gives(['-c', '-t', 'u8'], '', '', '-c of nothing');
gives(['-c', '-t', 'u32'], pack('V*', 5, 5, 5, 7, 4294967295, 5),
    "      3 5\n      1 7\n      1 4294967295\n      1 5\n",
    'integers');
gives(['--count', '-t', 'i16'], pack('s<*', -32768, -1, -1, 0, 32767),
    "      1 -32768\n      2 -1\n      1 0\n      1 32767\n",
    'with a sign');
gives(['-c', '-t', 'u64'], pack('Q<*', ~0, ~0, 0), "      2 18446744073709551615\n      1 0\n", 'of 64 bits');
gives(['-c', '-t', 'i64'], pack('q<*', -9223372036854775807 - 1), "      1 -9223372036854775808\n", 'the smallest');
gives(['-c', '-t', 'u8'], "\1" x 1_234_567 . "\2" x 12_345_678, "1234567 1\n12345678 2\n",
    'counts of 7 digits and 8');
gives(['-c', '-t', 'u16', '--endian=big'], "\0\1\0\1\1\0", "      2 1\n      1 256\n", 'big endian');
gives(['-c', '-t', 'f64'], pack('d<*', 0.1, 0.1, 1.5, -2, 100, 1e300, 1e-7, 123456789, 0), join('', map { "$_\n" }
    '      2 0.1', '      1 1.5', '      1 -2', '      1 100', '      1 1e+300', '      1 1e-07', '      1 123456789',
    '      1 0'), 'floats');
gives(['-c', '-t', 'f32'], pack('f<*', 0.1, 0.2, 16777216, 3.25),
    "      1 0.1\n      1 0.2\n      1 16777216\n      1 3.25\n",
    'short ones');
gives(['-c', '-t', 'f64'], pack('Q<*', 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 0xfff8 << 48, 1 << 63, 0,
    0x7ff0 << 48 | 1),
    join('', map { "      1 $_\n" } 'inf', '-inf', 'nan', '-nan', '-0', '0', 'nan'), 'special ones');
my $halves = bytes_of('f16', 0.1, 5000, 65504, -2048, 1001, 1000.5, 3.14159, 100, 2**-14, 2**-24, -3 * 2**-24, 65520,
    -65520) . pack('v*', 0x7e00, 0xfe00, 0x8000, 0);
gives(['-c', '-t', 'f16'], $halves, join('', map { "      1 $_\n" } 0.1, 5000, 65504, -2048, 1001, 1000.5, 3.14, 100,
    '6.104e-05', '6e-08', '-2e-07', 'inf', '-inf', 'nan', '-nan', '-0', 0), 'halves');
counts_right(['-t', 'f16'], pack('v*', 0 .. 65535), 2, undef, 'every half', ['f16', 0]);
gives(['-c', '-f', 'a:u8,name:bytes4,x:f32'], pack('C a4 f<', 1, 'IBM', 1.5) x 2 . pack('C a4 f<', 2, 'F', -1),
    "      2 1\tIBM\t1.5\n      1 2\tF\t-1\n", 'records');
gives(['-c', '-f', 's:bytes5'], "a\\b\n\0\0\0\0\0\0a\0b\0\0\xe4 ~\x7f\t",
    "      1 a\\x5cb\\x0a\n      1 \n      1 a\\x00b\n      1 \\xe4 ~\\x7f\\x09\n",
    'opaque bytes');
gives(['-c'], npy("[('id', '<u2'), ('', '|V2'), ('t', '>i4')]", 3, "\1\0xx\0\0\0\2" x 2 . "\1\0xy\0\0\0\2"),
    "      2 1\t2\n      1 1\t2\n", '.npy records: padding counts, but does not print');
gives(['-c'], npy("'>f8'", 2, pack("d>", 2.5) x 2), "      2 2.5\n", '.npy numbers');
gives(['-c', '--skip=2', '-t', 'u8'], 'xxaab', "      2 97\n      1 98\n", '--skip');
gives(['-c', '-t', 'u8', put('a', 'ab'), put('b', 'bbc')], '', "      1 97\n      3 98\n      1 99\n",
    'over the border of inputs');
gives(['-c', '-t', 'u8', '-o', path('text'), path('a')], '', '', '-o');
is(get('text'), "      1 97\n      1 98\n", 'has the text');
is(shell('printf "b\na\nb\n" | tr -d "\n" | gpusort -t u8 | gpurle -t u8 -c | tr -s " "')->{out}, " 1 97\n 2 98\n",
    'a pipe from gpusort');
for my $type (@types) {
    my $size = type_size($type);
    my @pool = map { join '', map { chr(pick(0, 1, 127, 128, 255, int(rand(256)))) } 1 .. $size } 1 .. 300;
    push @pool, map { bytes_of($type, $_) } map { ($_, $_ / 10, 10**$_, rand(), rand(1000)) } 0 .. 30
        if $type =~ /^f/;
    my $data = join '', map { pick(@pool) x pick(1, 1, 2, 300) } 1 .. 1000;
    counts_right(['-t', $type], $data, $size, undef, "$type: lines", [$type, 0]);
    counts_right(['-t', $type, '--endian=big'], $data, $size, undef, "$type, big endian: lines", [$type, 0, 1]);
}

# ---- -u, --values, --counts ----

my @u8 = ('-t', 'u8');
gives(['-u', @u8], 'aaabbc', 'abc', '-u');
gives(['--unique', @u8], '', '', '--unique of nothing');
gives(['-u', @u8, '--skip=2'], 'xxaab', 'ab', '--skip is passed over');
gives(['-u'], npy("'<u2'", 5, 'aaaabbbbcc'), npy("'<u2'", 3, 'aabbcc'), '.npy, with its count right');
gives(['-u', '--raw'], npy("'<u2'", 5, 'aaaabbbbcc'), 'aabbcc', '--raw');
is(shell('gpurle -u "$1" | cat', put('n.npy', npy("'<u2'", 5, 'aaaabbbbcc')))->{out}, npy("'<u2'", 3, 'aabbcc'),
    'into a pipe');
is(shell('gpurle -z -u "$1" | gzip -dc', path('n.npy'))->{out}, npy("'<u2'", 3, 'aabbcc'), 'in gzip');
gives(['-u', @u8, '-o', path('u')], 'aab', '', '-o');
is(get('u'), 'ab', 'has them');

sub columns
{
    my ($options, $data, $values, $counts, $name) = @_;
    my @files = map { path($_) } 'values', 'counts';
    unlink @files;
    for my $which ([0, 1], [0], [1]) {
        my @outputs = map { ('--values=' . $files[0], '--counts=' . $files[1])[$_] } @$which;
        my $run = tool([@$options, @outputs], $data);
        my $good = $run->{status} == 0 && $run->{out} eq '' && $run->{err} eq '';
        $good &&= get(('values', 'counts')[$_]) eq ($values, pack('Q<*', @$counts))[$_] for @$which;
        ok($good, "$name: @{[map { ('values', 'counts')[$_] } @$which]}") or diag("status $run->{status}: $run->{err}");
    }
}
columns(\@u8, 'aaabbc', 'abc', [3, 2, 1], 'letters');
columns(\@u8, '', '', [], 'nothing');
columns(['-t', 'u32', '-S', '64K'], 'same' x 100_000 . 'none', 'samenone', [100_000, 1], 'a long run');
columns([], npy("'<u2'", 5, 'aaaabbbbcc'), npy("'<u2'", 3, 'aabbcc'), [2, 2, 1], '.npy');
columns(['--raw'], npy("'<u2'", 5, 'aaaabbbbcc'), 'aabbcc', [2, 2, 1], '.npy, --raw');
is(tool([@u8, '--values=-', '--counts=' . path('counts')], 'aab')->{out}, 'ab', 'values to standard output');
is(get('counts'), pack('Q<*', 2, 1), 'counts to a file');
is(tool([@u8, '--counts=-'], 'aab')->{out}, pack('Q<*', 2, 1), 'counts to standard output');
refuses([@u8, '--values=' . put('v', 'old'), '--counts=' . path('v')], 'aab', 'the same file', 'both to one file');
is(get('v'), 'old', 'which is as it was');

# ---- -k ----

my @format = ('-f', 'a:u8,b:bytes2,c:u8');
my $records = 'axx1' . 'axx2' . 'ayy2' . 'byy2' . 'byz2';
gives(['-u', @format, '-k', 'a'], $records, 'axx1byy2', '-k: the first of equal keys');
gives(['-u', @format, '-k', 'c,a'], $records, 'axx1axx2byy2', 'two keys');
gives(['-u', @format, '-k', 'c', '-k', 'a'], $records, 'axx1axx2byy2', 'the same in two options');
gives(['-u', @format, '--key=1:bytes2'], $records, 'axx1ayy2byz2', 'OFFSET:TYPE');
gives(['-c', @format, '-k', 'b'], $records, "      2 97\txx\t49\n      2 97\tyy\t50\n      1 98\tyz\t50\n",
    '-c with -k');
columns([@format, '-k', 'a'], $records, 'axx1byy2', [3, 2], '-k a');
gives(['-c', '-t', 'u32', '-k', '3:u8'], pack('V*', 1, 2, 3 | 1 << 24), "      2 1\n      1 16777219\n",
    'a part of a number');
gives(['-u', '-k', 't'], npy("[('id', '<u2'), ('t', '>i4')]", 3, "\1\0abcd\2\0abcd\3\0abce"),
    npy("[('id', '<u2'), ('t', '>i4')]", 2, "\1\0abcd\3\0abce"), 'of .npy records');
gives(['-u', '-f', 'a:u8,b:u8', '-k', 'a', put('u1', 'axax'), put('u2', 'ayby')], '', 'axby', 'the first input\'s');
gives(['-c', @format, '-k', 'a', put('k1', 'axx1ayy2'), put('k2', 'azz3byy2'), put('k3', 'bzz4')], '',
    "      3 97\txx\t49\n      2 98\tyy\t50\n", 'over the border of inputs');
my $long = join '', map { pack('C V v', 7, $_, $_ & 0xffff) } 1 .. 40_000;
gives(['-u', '-f', 'a:u8,b:u32,c:u16', '-k', 'a', '-S', '64K'], $long, substr($long, 0, 7),
    'over all parts of an input');
columns(['-f', 'a:u8,b:u32,c:u16', '-k', 'a', '-S', '64K'], $long, substr($long, 0, 7), [40_000], 'and in columns');
gives(['-u', '-t', 'f32', '-k', 'x'], pack('V*', 0, 1 << 31, 0), pack('V*', 0, 1 << 31, 0), 'floats by their bits');

for my $round (1 .. rounds(60)) {
    my @fields = map { pick(@types, 'bytes' . pick(1, 2, 3, 7)) } 1 .. pick(1, 2, 3, 6);
    my $big = rand() < 0.3;
    my ($size, @places) = 0;
    for (@fields) { push @places, [$_, $size, $big && !/^bytes/]; $size += type_size($_) }
    my @pool = map { join '', map { chr(pick(0, 1, 97, 255)) } 1 .. $size } 1 .. pick(1, 2, 5);
    my $data = join '', map {
        my $element = pick(@pool);
        substr($element, rand($size), 1) = chr(pick(0, 1, 97)) if rand() < 0.3;
        $element x pick(1, 2, 3)
    } 1 .. rand(pick(3, 300, 2000));
    my @keys = rand() < 0.5 ? () : map { int(rand(@fields)) } 1 .. pick(1, 2);
    my $spans = @keys ? [map { [$places[$_][1], type_size($fields[$_])] } @keys] : undef;
    my @options = ('-f', join(',', map { "f$_:$fields[$_]" } 0 .. $#fields), $big ? '--endian=big' : (),
        @keys ? ('-k', join ',', map { "f$_" } @keys) : (), rand() < 0.3 ? ('-S', '64K') : ());
    my @runs = runs_of($data, $size, $spans);
    my $values = join '', map { $_->[0] } @runs;
    counts_right(\@options, $data, $size, $spans, "-c @options", @places);
    gives(['-u', @options], $data, $values, 'and -u');
    columns(\@options, $data, $values, [map { $_->[1] } @runs], 'and') if $round % 4 == 0;
}

# ---- -l ----

sub lists
{
    my ($arguments, $input, $patterns, $name) = @_;
    my $run = tool(['-l', @$arguments], $input);
    my @missing = grep { $run->{out} !~ /$_/ } @$patterns;
    ok($run->{status} == 0 && $run->{err} eq '' && !@missing, $name)
        or diag("status $run->{status}: $run->{err}; not there: @missing\n$run->{out}");
}
tool(['-t', 'u32', '-o', path('a.rle')], 'same' x 999_999 . 'none');
tool(['-t', 'f64', '-o', path('b.rle')], pack('d<*', 1 .. 777));
tool(['-f', 'id:u16,name:bytes9', '-o', path('c.rle')], 'a' x 11 . 'b' x 22);
my $bytes = -s path('a.rle');
my $ratio = sprintf('%.2f', 4_000_000 / $bytes);
lists([path('a.rle')], '', [qr{a\.rle +u32 +1000000 +2 +$bytes +\Q$ratio\E\n}],
    '-l: type, elements, runs, bytes, ratio');
lists([path('a.rle'), path('b.rle')], '', [qr{a\.rle.*\n.*b\.rle}, qr/\bu32\b/, qr/\bf64\b/, qr/\b777\b/],
    'two files');
lists([path('c.rle')], '', [qr/record|id/, qr/\b3\b/, qr/\b2\b/], 'records');
lists([], get('a.rle') . get('b.rle'), [qr/\bu32\b.*\n(?:.*\n)?.*\bf64\b/, qr/\b1000000\b/, qr/\b777\b/],
    'two containers of one file');
lists([], tool(['-t', 'i8'], '')->{out}, [qr/\bi8\b/, qr/\b0\b/], 'no elements');
lists([], tool(['-t', 'i8', '-z'], 'aaa')->{out}, [qr/\bi8\b/, qr/\b3\b/], 'in gzip');
unlike(tool(['-l', path('a.rle')])->{out}, qr/same/, 'no elements are written');
is(join(' ', leftovers()), '', 'no temporary is left');
done_testing();
