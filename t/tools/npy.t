#!/usr/bin/perl
# .npy files: formats that are read, headers that are written, and damaged headers.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

srand(5);
my %descr = (u8 => '|u1', u16 => '<u2', u32 => '<u4', u64 => '<u8', i8 => '|i1', i16 => '<i2', i32 => '<i4',
    i64 => '<i8', f16 => '<f2',
    f32 => '<f4', f64 => '<f8', bytes10 => '|S10', bytes3 => '|V3', bytes1 => '|S1');
for my $type (sort keys %descr) {
    my $size = type_size($type);
    my @elements = map { join '', map { chr(int(rand(256))) } 1 .. $size } 1 .. 40;
    my @order = order_of(\@elements, { type => $type });
    my $text = "'$descr{$type}'";
    sorts_to([], npy($text, 40, join '', @elements), npy($text, 40, join '', @elements[@order]), "$descr{$type}");
    next unless $text =~ s/</>/;
    my @swapped = map { scalar reverse $_ } @elements;
    sorts_to([], npy($text, 40, join '', @swapped), npy($text, 40, join '', @swapped[@order]), "$text");
}
my $data = pack('V*', 7, 5, 6);
my $sorted = pack('V*', 5, 6, 7);
sorts_to([], npy("'<u4'", 3, $data, version => $_), npy("'<u4'", 3, $sorted, version => $_), "version $_") for 1 .. 3;
sorts_to([], npy("'=u4'", 3, $data), npy("'=u4'", 3, $sorted), 'native order');
sorts_to([], npy("'|b1'", 3, "\1\0\1"), npy("'|b1'", 3, "\0\1\1"), 'booleans');
sorts_to([], npy('"<u4"', 3, $data), npy('"<u4"', 3, $sorted), 'double quotes');
sorts_to([], npy("'<u4'", 0, ''), npy("'<u4'", 0, ''), 'no elements');
sorts_to([], npy("'<u4'", 3, $data, shape => '(3L,)'), npy("'<u4'", 3, $sorted), "a count of Python 2");
sorts_to(['--raw'], npy("'<u4'", 3, $data), $sorted, '--raw');
sorts_to(['--argsort'], npy("'<u4'", 3, $data), npy("'<u8'", 3, pack('Q<*', 1, 2, 0)), '--argsort');
sorts_to(['--argsort', '--raw'], npy("'<u4'", 3, $data), pack('Q<*', 1, 2, 0), '--argsort --raw');
sorts_to(['--top=1'], npy("'<u4'", 3, $data), npy("'<u4'", 1, pack('V', 5)), '--top is in the count');
sorts_to(['-u'], npy("'<u4'", 6, $data x 2), npy("'<u4'", 3, $sorted), '-u is in the count');
sorts_to(['-t', 'u32', put('1.npy', npy("'<u4'", 3, $data)), put('raw', pack('V', 1))], '', npy("'<u4'", 4, pack('V',
    1) . $sorted),
    'a .npy file and a raw one');
sorts_to(['-t', 'u32', path('raw'), path('1.npy')], '', pack('V', 1) . $sorted, 'the first decides what comes out');
sorts_to([path('1.npy'), path('1.npy')], '', npy("'<u4'", 6, pack('V*', 5, 5, 6, 6, 7, 7)), 'two .npy files');
sorts_to(['--skip=3'], 'abc' . npy("'<u4'", 3, $data), npy("'<u4'", 3, $sorted), 'behind --skip');
my $run = shell('gzip -c "$1" | gpusort -z | gzip -dc', path('1.npy'));
is($run->{out}, npy("'<u4'", 3, $sorted), 'in gzip and out');

my $fields = "[('id', '<u2'), ('', '|V2'), ('name', '|S4'), ('t', '>i4')]";
my @records = map { pack('v a2 a4 l>', $_ % 3, chr($_) x 2, chr(97 + $_ % 5), ($_ * 37) % 11 - 5) } 1 .. 50;
my @id = { type => 'u16', offset => 0 };
my @all = (@id, { type => 'bytes4', offset => 4 }, { type => 'i32', offset => 8, big => 1 });
sorts_to([], npy($fields, 50, join '', @records), npy($fields, 50, join '', @records[order_of(\@records, @all)]),
    'records: all fields but padding');
sorts_to(['-k', 't,id:desc'], npy($fields, 50, join '', @records),
    npy($fields, 50, join '', @records[order_of(\@records, $all[2], { %{ $id[0] }, descending => 1 })]),
        'records by keys');
sorts_to([], npy("[(('a title', 'a'), '<u2')]", 2, pack('v*', 2, 1)), npy("[(('a title', 'a'), '<u2')]", 2, pack('v*',
    1, 2)),
    'a field with a title');
sorts_to(['-k', 'a field,b'], npy("[('a field', '|u1'), ('b', '|u1'), ]", 2, "\2\0\1\0"),
    npy("[('a field', '|u1'), ('b', '|u1'), ]", 2, "\1\0\2\0"),
    'a name with a space');
my $wide = '[' . join(', ', map { "('field_with_a_long_name_$_', '|u1')" } 1 .. 2000) . ']';
sorts_to(['-k', 'field_with_a_long_name_1'], npy($wide, 1, 'x' x 2000, version => 2), npy($wide, 1, 'x' x 2000,
    version => 2), '2000 fields');

sub bad { my ($file, $message, $name, @options) = @_; refuses([@options], $file, $message, $name) }
bad(npy("'<u4'", 4, $data), 'claims 4 elements of 4 bytes, but 12 bytes follow', 'more elements than there are');
bad(npy("'<u4'", 2, $data), 'claims 2 elements', 'fewer elements than there are');
bad(npy("'<u4'", 3, $data . 'x'), 'but 13 bytes follow', 'a byte too many');
bad(npy("'<u4'", '4611686018427387904', $data), 'claims 4611686018427387904', 'a shape whose bytes wrap around');
bad(npy("'<u4'", '99999999999999999999999', $data), 'more elements than there can be', 'a shape past 64 bits');
bad(npy("'<u4'", 3, $data, order => 'True'), 'Fortran', 'Fortran order');
bad(npy("'<u4'", 3, $data, shape => '(3, 1)'), '2 dimensions', 'two dimensions');
bad(npy("'<u4'", 1, pack('V', 1), shape => '()'), '0 dimensions', 'no dimension');
bad(npy("'<u4'", 1, pack('V', 1), shape => '(-1,)'), 'damaged', 'a negative dimension');
bad(npy("'|$_'", 1, 'x' x 16), "numpy type '.?$_'", "type $_") for qw(O S0 V0 u3 f16 i16 X S U4 S99999999999);
bad(npy("'<$_'", 1, 'x' x 16), "numpy type '<\Q$_\E'", "type $_") for 'f3', 'c8', 'c16', 'U4', 'M8[ns]', 'm8[s]';
bad(npy("('<u4', (2,))", 1, 'x' x 8), 'arrays themselves', 'elements that are arrays');
bad(npy("[('a', '<u4', (2,))]", 1, 'x' x 8), "field 'a' is an array", 'a field that is an array');
bad(npy("[('a', [('b', '<u4')])]", 1, 'x' x 4), "field 'a' is a record", 'a field that is a record');
bad(npy("[('a', '<u4'), ('a', '<u4')]", 1, 'x' x 8), "'a' twice", 'a name twice');
bad(npy('[]', 1, ''), 'damaged', 'no fields');
bad("\x93NUMPY", 'ends too early', 'a magic and no more');
bad("\x93NUMPY\1\0\x40", 'ends too early', 'half a length');
bad("\x93NUMPY\1\0\x40\0{'descr'", 'ends too early', 'half a header');
bad("\x93NUMPY\4\0\0\0", 'version 4.0', 'version 4');
bad("\x93NUMPY\2\0\xff\xff\xff\xff{", 'claims to be 4294967295 bytes', 'a header of 4 GiB');
bad("\x93NUMPY\1\0" . pack('v', length $_) . $_, 'damaged|Fortran|key|numpy type', "header $_")
    for '{}', '', "{'descr': '<u4'}", "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
    "{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (0,)}",
        "{'descr': '<u4', 'fortran_order': 0, 'shape': (0,)}",
    "{'descr': '<u4', 'fortran_order': False, 'shape': (0,)} x",
        "{'descr': '<u4, 'fortran_order': False, 'shape': (0,)}",
    "{'descr': '<u\\x34', 'fortran_order': False, 'shape': (0,)}", "{'descr' '<u4'}", '{' x 100;
bad(npy("'<u4'", 3, $data), 'holds u32, not u64', 'another type than --type', '-t', 'u64');
bad(npy("'>u4'", 3, $data), 'holds u32 .big endian., not u32', 'another byte order', '-t', 'u32');
refuses([path('1.npy'), put('2.npy', npy("'<i4'", 3, $data))], '', '2.npy: holds i32, not u32', 'two types');
refuses([path('1.npy'), path('raw')], '', 'raw: has no .npy header', 'raw data behind a .npy file');
refuses([map { put("n$_.npy", npy("[('$_', '<u4')]", 3, $data)) } 'a', 'b'], '',
    'nb.npy: holds u32, not u32 of the same fields', 'two names');
$run = shell('gzip -c "$1" | gpusort', put('lie.npy', npy("'<u4'", 9, $data)));
ok($run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /claims 9 elements/, 'a lie in gzip');
done_testing();
