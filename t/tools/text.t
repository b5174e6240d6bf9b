#!/usr/bin/perl
# Elements as lines of text, in and out of every tool, against Perl's own parsing and printing.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
our ($tool, @types);

seed_random();

sub lines { return join '', map {"$_\n"} @_ }

# Passes if the command line prints these bytes and nothing else.
sub prints
{
    my ($line, $expected, $name) = @_;
    my $run = shell('cd "$1" && { eval "$2"; }', path('.'), $line);
    my $good = $run->{status} == 0 && $run->{err} eq '' && $run->{out} eq $expected;
    ok($good, $name) or diag("status $run->{status}, ", length $run->{out}, ' bytes of ', length $expected,
        ": $run->{err}", length $run->{out} < 500 ? $run->{out} : '');
}

# The least and the greatest integer of a type, as text.
sub limits
{
    my ($type) = @_;
    my $bits = 8 * type_size($type);
    my $most = $bits == 64 ? ~0 : 2**$bits - 1;
    return $type =~ /^u/ ? (0, $most) : ('-' . (($most >> 1) + 1), $most >> 1);
}

sub random_bits
{
    my ($bytes) = @_;
    return join '', map { chr(int(rand(256))) } 1 .. $bytes;
}

# ---- every type ----

$tool = 'gpucompact';
for my $type (grep { /^[ui]/ } @types) {
    my ($least, $most) = limits($type);
    my @texts = ($least, $most, 0, 1, 7, map { unpack($type =~ /^u/ ? 'C' : 'c', random_bits(1)) } 1 .. 50);
    push @texts, map { number_of($type, random_bits(type_size($type))) } 1 .. 2000;
    my $bytes = bytes_of($type, @texts);
    gives(['-t', $type, '--from-text', '-w', 'i >= 0'], lines(@texts), $bytes, "$type from text");
    gives(['-t', $type, '--to-text', '-w', 'i >= 0'], $bytes, lines(@texts), "$type to text");
    gives(['-t', $type, '--from-text', '--endian=big', '-w', 'i >= 0'], lines(@texts),
        join('', map { scalar reverse $_ } slice($bytes, type_size($type))), "$type to big endian");
}
for my $type (qw(f16 f32 f64)) {
    my $size = type_size($type);
    my $bytes = join '', grep { my $x = number_of($type, $_); $x == $x } map { random_bits($size) } 1 .. 20_000;
    my $text = tool(['-t', $type, '--to-text', '-w', 'i >= 0'], $bytes)->{out};
    my @texts = split /\n/, $text;
    my @values = map { number_of($type, $_) } slice($bytes, $size);
    is(scalar(grep { $type ne 'f16' && bytes_of($type, $texts[$_]) ne substr($bytes, $_ * $size, $size) } 0 .. $#values),
        0, "$type to text: Perl reads the same");
    gives(['-t', $type, '--from-text', '-w', 'i >= 0'], $text, $bytes, "$type from text: the same bytes");
    my @given = ('1.5', '-0', '1e-5', '3', '-2.25', 'inf', '-INF', '0x1p3', '6e4', '.5', '5.', '+1');
    my @read = (1.5, -0.0, 1e-5, 3, -2.25, 9**9**9, -9**9**9, 8, 60000, 0.5, 5, 1);
    gives(['-t', $type, '--from-text', '-w', 'i >= 0'], lines(@given), bytes_of($type, 1.5, '-0.0', @read[2 .. $#read]),
        "$type: numbers as people write them");
    gives(['-t', $type, '--from-text', '--to-text', '-w', 'x != x'], lines('1', 'nan', 'NaN(7)', '-nan', '2'),
        lines('nan', 'nan', '-nan'), "$type: no numbers");
}
gives(['-t', 'f64', '--to-text', '-w', 'i >= 0'],
    pack('d<*', 0.1, 1e15, 1e14, 123456789012345678, 5e-324, 1.7976931348623157e308, 0.0001, 0.00001, -100),
    lines(qw(0.1 1e+15 100000000000000 1.2345678901234568e+17 5e-324 1.7976931348623157e+308 0.0001 1e-05 -100)),
    'f64: the fewest digits, as %g arranges them');

# ---- lines ----

my @read = ('-t', 'u16', '--from-text', '-w', 'i >= 0');
my $three = pack('v*', 1, 20, 300);
gives(\@read, "1\n20\n300", $three, 'no line feed at the end');
gives(\@read, "1\r\n20\r\n300\r\n", $three, 'carriage returns');
gives(\@read, " 1\n\t20 \t\n  +300  \n", $three, 'blanks, and a plus');
gives(\@read, "\"1\"\n \"20\" \n\"300\"\r\n", $three, 'quotes');
gives(\@read, "00000000000000000000000000001\n020\n-0\n", pack('v*', 1, 20, 0), 'zeros in front, and a minus');
gives(\@read, '', '', 'an empty input');
gives([@read, '--to-text'], '', '', 'and an empty output');
gives([@read, '--skip=5'], "abc\n51\n20\n300\n", $three, '--skip passes over bytes');

# A pipe that is filled by a few bytes at a time; and blocks past the first one.
my @many = map { int(rand(2**32)) } 1 .. 60_000;
put('many.txt', lines(@many));
put('many', pack('V*', @many));
prints('perl -e \'$| = 1; open F, "<", "many.txt"; while (read(F, $x, 1 + $i++ % 4000)) { print $x }\' | '
    . 'gpucompact -t u32 --from-text -w "i >= 0"', get('many'), 'a pipe of pieces of any size');
prints("gpucompact -t u32 --from-text --parallel=$_ -w 'i >= 0' many.txt many.txt", get('many') x 2,
    "two files, $_ processors") for 1, 3;
prints("gpucompact -t u32 --to-text --parallel=$_ -w 'i >= 0' many many", get('many.txt') x 2, "to text, $_ processors")
    for 1, 3;
prints('gzip -c many.txt | gpusort -t u32 --from-text --to-text --gzip | zcat', lines(sort { $a <=> $b } @many),
    'gzip, in and out');
prints('gpusort -t u32 --from-text --to-text --zstd many.txt | zstdcat', lines(sort { $a <=> $b } @many), 'zstd')
    if shell('command -v zstdcat && gpusort -t u8 --zstd </dev/null')->{status} == 0;

# ---- columns ----

put('table.csv', "name,count,price\nab,3,0.5\n\"c, \"\"d\"\"\",1,-2e3\r\ne,2,\"7\"\n");
prints('gpusort -t u32 --from-text --header=skip --column=2 --delimiter=, --to-text table.csv', lines(1, 2, 3),
    'a column, the header skipped');
prints('gpusort -t f32 --from-text --header=keep --column=3 --delimiter=, --to-text table.csv',
    lines(qw(price -2000 0.5 7)), 'the header kept');
prints('gpusort -f count:u8,price:f64 -k price --from-text --header=keep --column=2 --delimiter=, --to-text table.csv',
    lines('count,price', '1,-2000', '3,0.5', '2,7'), 'records from columns');
prints('gpusort -f name:bytes6,count:u8,price:f32 -k count --from-text --header=keep --delimiter=, --to-text table.csv',
    lines('name,count,price', 'c\x2c \x22d\x22,1,-2000', 'e,2,7', 'ab,3,0.5'), 'opaque bytes from a column');
prints('gpusort -f name:bytes6,count:u8,price:f32 -k count --from-text --header=skip --delimiter=, table.csv |'
    . 'gpusort -f name:bytes6,count:u8,price:f32 -k count:desc --to-text | '
    . 'gpusort -f name:bytes6,count:u8,price:f32 -k count --from-text', join('', map { pack('a6 C f<', @$_) }
    ['c, "d"', 1, -2000], ['e', 2, 7], ['ab', 3, 0.5]), 'and back, by tabs');
prints('printf "1 2 3\n4 5 6\n" | gpuscan -t u8 --from-text --to-text --delimiter=" " --column=3', lines(3, 9),
    'blanks as delimiters');
prints('printf "a\tb\n1\t2\n" | gpuscan -t u8 --from-text --to-text --column=2 --header=keep', lines('b', 2),
    'a tab is the delimiter if none is given');
prints('printf "x\n" | gpusort -t u8 --from-text --to-text --header=keep', "x\n", 'a header alone');
prints('printf "x\n2\n" >a; printf "x\n1" >b; gpusort -t u8 --from-text --to-text --header=keep a b', "x\n1\n2\n",
    'the header of each file is skipped, and the first one kept');

# ---- each tool ----

my @sorted = sort { $a <=> $b } @many;
my @order = sort { $many[$a] <=> $many[$b] || $a <=> $b } 0 .. $#many;
put('sorted.txt', lines(@sorted));
prints('gpusort -t u32 --from-text --to-text --argsort many.txt', lines(@order), 'gpusort --argsort');
prints('gpusort -t u32 --from-text --to-text -r --top=3 many.txt', lines(@sorted[-1, -2, -3]), '--top');
prints('gpusort -t u32 --from-text --to-text -u many.txt many.txt', lines(uniq(@sorted)), '--unique');
prints('gpusort -t u32 --from-text --to-text -m sorted.txt sorted.txt', lines(map { ($_, $_) } @sorted), '--merge');
prints('gpusort -t u32 --from-text -c sorted.txt', '', '--check');
my $check = shell('cd "$1"; printf "h\n1\n3\n2\n" | gpusort -t u32 --from-text --header=skip -c', path('.'));
ok($check->{status} == 1 && $check->{err} =~ /element 2 \(in line 4, counting elements from 0\) is out of order/,
    'and of what is not sorted: the line') or diag($check->{err});
$check = shell('cd "$1"; printf "1\n3\n2\n" >a; gpusort -t u32 --from-text -m a sorted.txt', path('.'));
ok($check->{status} == 2 && $check->{err} =~ /a: is not sorted: element 2 \(in line 3,/, 'or merged')
    or diag($check->{err});
prints("gpusort -t u32 --from-text --to-text -S 300K -T . many.txt many.txt", lines(map { ($_, $_) } @sorted),
    'an external sort');
prints('cp many.txt a; gpusort -t u32 --from-text --to-text a -o a; cat a', lines(@sorted), 'over its input');
prints('cp many.txt a; cp a b; gpusort -t u32 --from-text --to-text -i a b; cat a b', lines(@sorted, @sorted),
    '--in-place');
prints('mkdir w; gpusort -t u32 --from-text --to-text --workspace=w -S 300K many.txt', lines(@sorted), '--workspace');
put('array.npy', npy("'<i2'", 3, pack('s<*', 5, -7, 0)));
prints('gpusort --to-text array.npy', lines(-7, 0, 5), 'a .npy file to text');
put('people.npy', npy("[('age', '<u2'), ('name', '|S6')]", 2, pack('v a6 v a6', 7, 'Ann', 70, 'Bob')));
prints('gpusort --to-text -k name:desc people.npy', lines("70\tBob", "7\tAnn"), 'and records');

my @odd = grep { $_ % 2 } @many;
prints('gpucompact -t u32 --from-text --to-text -w "x % 2" many.txt', lines(@odd), 'gpucompact');
prints('gpucompact -t u32 --from-text --to-text -w "x % 2" --rejects=rest many.txt >kept; cat kept rest',
    lines(@odd, grep { $_ % 2 == 0 } @many), '--rejects');
prints('gpucompact -t u32 --from-text -c -w "x % 2" many.txt', scalar(@odd) . "\n", '--count');
prints('gpucompact -t u32 --from-text --to-text --index -w "x % 2" many.txt', lines(grep { $many[$_] % 2 } 0 .. $#many),
    '--index');
prints('cp many.txt a; gpucompact -t u32 --from-text --to-text -i -w "x % 2" a; cat a', lines(@odd), '--in-place');

my $sum = 0;
prints('gpuscan -t u64 --from-text --to-text many.txt', lines(map { $sum += $_ } @many), 'gpuscan');
prints('gpuscan -t u64 --from-text --reduce many.txt', "$sum\n", '--reduce');
prints('cp many.txt a; gpuscan -t u64 --from-text --to-text --op=max -i a; tail -n 1 a', lines($sorted[-1]), '--in-place');
put('flags', "\1\0\1\0\0");
prints('seq 5 | gpuscan -t u64 --from-text --to-text --segments=flags', lines(1, 3, 3, 7, 12), 'flags of a binary file');

my @runs = map { my $x = $_; map {$x} 1 .. $x % 5 + 1 } 1 .. 3000;
my @pairs = map { "$_\t" . ($_ % 5 + 1) } 1 .. 3000;
put('runs.txt', lines(@runs));
prints('gpurle -t u16 --from-text --to-text runs.txt', lines(@pairs), 'gpurle: runs as text');
prints('gpurle -t u16 --from-text --to-text runs.txt | gpurle -t u16 -d --from-text --to-text', lines(@runs), 'and back');
prints('gpurle -t u16 --from-text runs.txt | gpurle -d --to-text', lines(@runs), 'by a container');
prints('gpurle -t u16 --from-text runs.txt | gpurle -d', pack('v*', @runs), 'which holds the binary elements');
prints('gpurle -t u16 --from-text -u --to-text runs.txt', lines(1 .. 3000), '--unique');
prints('gpurle -t u16 --from-text -c runs.txt', join('', map { sprintf "%7d %d\n", $_ % 5 + 1, $_ } 1 .. 3000), '--count');
prints('gpurle -t u16 --from-text --to-text --values=v --counts=c runs.txt; paste v c', lines(@pairs), 'columns');
prints('gpurle -f a:u8,b:f32 --from-text --to-text --delimiter=, --header=keep <<E | tee p; '
    . "gpurle -d -f a:u8,b:f32 --from-text --to-text --delimiter=, --header=keep p\nx,y\n1,2\n1,2\n1,2.5\nE\n",
    lines('x,y,count', '1,2,2', '1,2.5,1', 'x,y', '1,2', '1,2', '1,2.5'), 'records, with a header');
prints('gpurle array.npy | gpurle -d --to-text', lines(5, -7, 0), 'a .npy file in a container, to text');

sub uniq { my %seen; return grep { !$seen{$_}++ } @_ }
done_testing();
