#!/usr/bin/perl
# --merge: any number of sorted inputs, stable; an unsorted input is named.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

srand(3);
for my $files (0 .. 5, 8, 9) {
    my @paths = map {
        my @part = sort { $a <=> $b } map { int(rand(1000)) } 1 .. int(rand(40));
        put("m$files-$_", pack('v*', @part))
    } 1 .. $files;
    my @all = map { unpack('v*', get($_)) } @paths;
    sorts_to(['-m', '-t', 'u16', @paths], '', pack('v*', sort { $a <=> $b } @all), "$files files");
}
my @texts = map { my $f = $_; join '', map { pack('C C v', int($_ / 3), $f, $_) } 0 .. 50 } 1 .. 4;
my @paths = map { put("s$_", $texts[$_]) } 0 .. 3;
my @elements = map { slice($_, 4) } @texts;
my @key = ({ type => 'u8', offset => 0 });
my @order = order_of(\@elements, @key);
my @format = ('-f', 'k:u8,file:u8,n:u16', '-k', 'k');
sorts_to(['-m', @format, @paths], '', join('', @elements[@order]), 'records, stable');
sorts_to(['-mu', @format, @paths], '', join('', @elements[first_of_equals(\@elements, \@key, @order)]), 'unique');
sorts_to(['-m', '--top=5', @format, @paths], '', join('', @elements[@order[0 .. 4]]), 'the first 5');
sorts_to(['-m', '--argsort', @format, @paths], '', pack('Q<*', @order), 'positions');
sorts_to(['-mr', '-t', 'i8', put('d1', pack('c*', 5, 3, -9)), put('d2', pack('c*', 4, 4, 0))], '',
    pack('c*', 5, 4, 4, 3, 0, -9), 'descending');
my @long = map { join '', sort map { join '', map { chr(97 + rand(3)) } 1 .. 20 } 1 .. 30 } 1 .. 3;
sorts_to(['-m', '-f', 'line:bytes20', map { put("l$_", $long[$_]) } 0 .. 2], '',
    join('', sort map { slice($_, 20) } @long), 'keys of 20 bytes');
sorts_to(['-m', '-t', 'u8', put('one', "\1\2"), '-'], "\0\7", "\0\1\2\7", 'a file and standard input');
my (@many, @numbers);
for my $i (1 .. 2000) {
    my @part = sort { $a <=> $b } map { int(rand(1 << 32)) } 1 .. int(rand(50));
    push @many, put("many$i", pack('L<*', @part));
    push @numbers, @part;
}
my $merged = pack('L<*', sort { $a <=> $b } @numbers);
sorts_to(['-m', '-t', 'u32', @many], '', $merged, '2000 files');
sorts_to(['-m', '-t', 'u32', '-S', '1', @many], '', $merged, 'with little memory');
my @halves = map { put("half$_", substr($merged, $_ * 40000, 40000)) } 0, 1;
sorts_to(['-m', '-t', 'u32', '-S', '1', reverse @halves], '', substr($merged, 0, 80000), 'files one behind the other');
# What was merged before it is found is on standard output by then.
refuses(['-m', '-t', 'u32', '-S', '1', '-o', put('kept', 'old'), $halves[0],
    put('wrong', substr($merged, 0, 39996) . "\0" x 4)], '', 'wrong: is not sorted: element 9999 .at byte 39996,',
    'the last element is out of order');
is(get('kept'), 'old', 'the output is as it was');
my $bad = put('bad', pack('v*', 1, 2, 9, 4));
refuses(['-m', '-t', 'u16', put('good', pack('v*', 7, 8)), $bad], '', "bad: is not sorted: element 3 .at byte 6,",
    'an input that is not sorted');
refuses(['-m', '-a', 'radix', '-t', 'u16', $bad], '', 'exclude each other', 'an algorithm for a merge');
done_testing();
