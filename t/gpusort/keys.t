#!/usr/bin/perl
# Records: fields, several keys, directions, keys by offset, opaque bytes, stability.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

srand(2);
my $format = 'id:u16,score:f32,name:bytes10,delta:i8,pad:bytes3';
my $size = 20;
my @elements = map {
    pack('v f< a10 c a3', int(rand(4)), int(rand(5)) - 2, join('',
        map { chr(97 + rand(2)) } 1 .. 3) . "\0" x int(rand(3)),
        int(rand(7)) - 3, pack('N', $_))
} 1 .. 500;
my $data = join '', @elements;
my %key = (
    id => { type => 'u16', offset => 0 },
    score => { type => 'f32', offset => 2 },
    name => { type => 'bytes10', offset => 6 },
    delta => { type => 'i8', offset => 16 },
    pad => { type => 'bytes3', offset => 17 },
);
sub down { return { %{ $_[0] }, descending => 1 } }

sub check
{
    my ($name, $options, @keys) = @_;
    my @order = order_of(\@elements, @keys);
    sorts_to(['-f', $format, @$options], $data, join('', @elements[@order]), $name);
}

check('all fields in order without -k', [], @key{qw(id score name delta pad)});
check('the same, turned around', ['-r'], map { down($_) } @key{qw(id score name delta pad)});
check('one key, stable', ['-k', 'id'], $key{id});
check('-s changes nothing', ['-s', '-k', 'id'], $key{id});
check('descending is stable too', ['-k', 'delta:desc'], down($key{delta}));
check('-r is stable too', ['-r', '--key=delta'], down($key{delta}));
check('-r turns desc around', ['-r', '-k', 'delta:desc,id'], $key{delta}, down($key{id}));
check('a key of opaque bytes', ['-k', 'name'], $key{name});
check('keys in one option', ['-k', 'name:desc,score,id:desc'], down($key{name}), $key{score}, down($key{id}));
check('keys in several options', ['-k', 'delta:asc', '-k', 'score:desc', '--key=id'], $key{delta}, down($key{score}),
    $key{id});
check('a key by offset', ['-k', '16:i8'], $key{delta});
check('bytes by offset, across fields', ['-k', '4:bytes9:desc'], { type => 'bytes9', offset => 4, descending => 1 });
check('a key that is all bytes', ['-k', '0:bytes20'], { type => 'bytes20', offset => 0 });
check('an unaligned key', ['-k', '7:u64'], { type => 'u64', offset => 7 });
check('hybrid', ['-a', 'hybrid', '-k', 'id'], $key{id});
check('radix', ['-a', 'radix', '-k', 'id,name'], $key{id}, $key{name});
check('chunk-merge', ['--algorithm=chunk-merge', '-k', 'name,score:desc'], $key{name}, down($key{score}));

my @big = map { pack('n N', int(rand(9)), int(rand(9))) } 1 .. 100;
sorts_to(['-f', 'a:u16,b:u32', '--endian=big', '-k', 'b,a:desc'], join('', @big),
    join('', @big[order_of(\@big, { type => 'u32', offset => 2, big => 1 }, { type => 'u16', offset => 0, big => 1,
        descending => 1 })]),
    'big-endian fields');
sorts_to(['-f', 'a:u16,b:u32', '--endian=big', '-k', '2:u16'], join('', @big),
    join('', @big[order_of(\@big, { type => 'u16', offset => 2, big => 1 })]), 'a big-endian key by offset');

my @keys = ($key{id}, $key{delta});
my @order = order_of(\@elements, @keys);
my @unique = first_of_equals(\@elements, \@keys, @order);
sorts_to(['-f', $format, '-k', 'id,delta', '-u'], $data, join('', @elements[@unique]),
    '-u keeps the first of equal keys');
sorts_to(['-f', $format, '-k', 'id,delta', '--argsort'], $data, pack('Q<*', @order), '--argsort by keys');
sorts_to(['-f', $format, '-k', 'id,delta', '--argsort', '-u'], $data, pack('Q<*', @unique), '--argsort with -u');
sorts_to(['-t', 'u32', '-k', 'x:desc'], pack('V*', 2, 9, 4), pack('V*', 9, 4, 2), 'the value of a scalar is called x');
sorts_to(['-t', 'u32', '-k', '0:u8'], pack('V*', 0x102, 0x201, 0x300), pack('V*', 0x300, 0x201, 0x102),
    'a part of a scalar');
my @long = map { join '', map { chr(97 + rand(2)) } 1 .. 100 } 1 .. 60;
sorts_to(['-f', 'line:bytes100'], join('', @long), join('', sort @long), 'a key of 100 bytes');

for my $n (1 .. 9, 16, 17) {
    my @bytes = map { join '', map { chr(int(rand(256))) } 1 .. $n } 1 .. 300;
    sorts_to(['-f', "b:bytes$n"], join('', @bytes), join('', sort @bytes), "elements of $n opaque bytes");
    sorts_to(['-r', '-f', "b:bytes$n"], join('', @bytes), join('', reverse sort @bytes), 'descending');
}

my $many = join ',', map { "f$_:u8" } 1 .. 64;
my @wide = map { join '', map { chr(int(rand(2))) } 1 .. 64 } 1 .. 50;
sorts_to(['-f', $many], join('', @wide), join('', sort @wide), '64 keys');
refuses(['-f', "$many,g:u8"], '', 'more than 64 fields', '65 fields without -k');
sorts_to(['-f', "$many,g:u8", '-k', 'g'], '', '', '65 fields with -k');
refuses(['-f', $format, '-k', 'nme'], $data, "--key=nme: no field", 'an unknown field');
refuses(['-f', $format, '-k', 'id:down'], $data, "--key=id:down", 'an unknown direction');
refuses(['-f', $format, '-k', '17:u32'], $data, "within the 20 bytes", 'a key that reaches past the record');
refuses(['-f', $format, '-k', ''], $data, '--key=', 'an empty key');
refuses(['-f', $format, '-k', join(',', ('id') x 65)], $data, 'more than 64 keys', '65 keys');
refuses(['-f', 'a:u32,b:u31'], $data, "--format=a:u32,b:u31", 'a format with an unknown type');
refuses(['-f', 'a:u32,a:u32'], $data, '--format', 'a format with a name twice');
refuses(['-f', 'a:u32', '-t', 'u32'], '', 'exclude each other', 'a type and a format');
done_testing();
