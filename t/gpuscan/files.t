#!/usr/bin/perl
# gpuscan's files: several, empty, large, gzip, .npy, an output that is an input, in place, pipes; and failures, which
# leave the output as it was.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpuscan/scan.pl";

sub gz { my ($data, @options) = @_; put('gz', $data); return run(['gzip', '-cn', @options, path('gz')])->{out} }
sub gunzip { return run(['gzip', '-dc'], $_[0])->{out} }

my @u16 = ('-t', 'u16');
my $a = put('a', pack('v*', 1, 2));
my $b = put('b', pack('v*', 30));
my $empty = put('empty', '');
gives([@u16, $a, $empty, '-', $b], pack('v', 3), pack('v*', 1, 3, 6, 36), 'several files and standard input');
gives([@u16, $a, $b, '-o', path('new')], '', '', '-o to a new file');
is(get('new'), pack('v*', 1, 3, 33), 'holds the result');
chmod 0640, path('new');
gives([@u16, path('new'), $b, '--output=' . path('new')], '', '', '-o that is an input');
is(get('new'), pack('v*', 1, 4, 37, 67), 'holds the result');
is((stat path('new'))[2] & 07777, 0640, 'and keeps its mode');
gives([@u16, '--reduce', $a, $b], '', "33\n", '--reduce of two files');
gives([@u16, '--reduce', $a, $b, '-o', path('number')], '', '', '--reduce with -o');
is(get('number'), "33\n", 'writes the number there');
gives([@u16, $empty], '', '', 'an empty file');
gives([@u16, '--skip=2', $a, $b], '', pack('v', 2), '--skip for each input');

# A failure leaves the output as it was.
sub fails
{
    my ($arguments, $input, $message, $name) = @_;
    put('keep', 'as it was');
    refuses([@$arguments, '-o', path('keep')], $input, $message, $name);
    is(get('keep') . join(' ', leftovers()), 'as it was', 'the output is as it was');
}
my $odd = put('odd', 'abc');
for my $way ([], ['--reduce']) {
    fails([@u16, @$way, $odd], '', 'odd: 3 bytes are not a whole number of elements of 2 bytes .1 are left over',
        "a length that does not fit @$way");
    fails([@u16, @$way, $a, $odd], '', 'odd: 3 bytes are not a whole', 'in the second file');
    fails([@u16, @$way], 'abcde', 'standard input: 5 bytes are not a whole', 'on standard input');
    fails([@u16, @$way, path('missing')], '', 'missing: cannot open: No such file', 'a missing file');
    fails([@u16, @$way, put('cut.gz', substr(gz(pack('v*', 1 .. 100000)), 0, -9))], '', 'ends too early',
        'gzip that is cut short');
    fails([@$way, put('bad.npy', npy("'<u4'", 4, 'x' x 12))], '', 'claims 4 elements', '.npy that is cut short');
}
fails([@u16, put('odd.gz', gz('abc' x 100001))], '', 'odd.gz: 300003 bytes are not a whole', 'in gzip');
fails([@u16, path('.')], '', 'is a directory', 'a folder');
fails([$a], '', 'a: has no .npy header: say what it holds with --type or --format', 'raw data without a type');
fails(['-t', 'f32', '--op=xor', $a], '', '--op=xor does not apply to f32', 'an operator that is not there');
my $damaged = gz(pack('v*', 1 .. 100000));
substr($damaged, 20000, 200) = "\xff" x 200;
fails([@u16, put('damaged.gz', $damaged)], '', 'damaged gzip data before byte', 'damaged gzip');
my $run = shell('cat "$1" | gpuscan -t u16 -o "$2"', $odd, path('keep'));
like($run->{err}, qr/^gpuscan: standard input: 3 bytes are not/, 'through a pipe');
is(get('keep'), 'as it was', 'too');

# gzip and .npy.
my @values = map { ($_ * 2654435761) & 0xffff } 1 .. 100000;
my ($sum, @sums) = 0;
push @sums, $sum += $_ for @values;
my ($data, $expected) = map { pack('V*', map { $_ & 0xffffffff } @$_) } \@values, \@sums;
my @u32 = ('-t', 'u32');
gives(\@u32, gz($data), $expected, 'gzip in');
gives(\@u32, gz(substr($data, 0, 1001)) . gz(substr($data, 1001)), $expected, 'two members that split an element');
my $split = put('first', substr($data, 0, 120004));
gives([@u32, $split, put('packed.gz', gz(substr($data, 120004)))], '', $expected, 'gzip and not');
is(gunzip(tool([@u32, $_], $data)->{out}), $expected, "gzip out, $_") for '-z', '-z0', '-z9';
my $npy = put('n.npy', npy("'<u4'", 100000, $data));
my $scanned = npy("'<u4'", 100000, $expected);
gives([$npy], '', $scanned, '.npy to standard output');
gives([$npy, '-o', path('o.npy')], '', '', '.npy with -o');
is(get('o.npy'), $scanned, 'is whole');
gives([$npy, '--raw'], '', $expected, '--raw');
gives([$npy, '--reduce'], '', ($sum & 0xffffffff) . "\n", '--reduce');
gives([], npy("'<u4'", 0, ''), npy("'<u4'", 0, ''), 'no elements');
gives([], npy("'>u4'", 3, pack('N*', 1, 2, 3)), npy("'>u4'", 3, pack('N*', 1, 3, 6)), 'big endian');
gives(['-t', 'u32', $npy, put('raw', pack('V', 1))], '', npy("'<u4'", 100001, $expected . pack('V', $sum + 1)),
    'a .npy file and a raw one');
my $fields = "[('id', '|S3'), ('v', '>i2'), ('w', '<f8')]";
my $records = sub { npy($fields, 3, pack('(a3 s> d<)3', 'abc', $_[0], 0.5, 'def', $_[1], 1.5, 'ghi', $_[2], -1)) };
gives(['--value=v', put('r.npy', $records->(5, -7, 9))], '', $records->(5, -2, 7), 'a field of a structured .npy');
gives(['--value=v', '--reduce', path('r.npy')], '', "7\n", 'reduced');
gives(['--value=w', '--reduce', path('r.npy')], '', "1\n", 'another');
$run = shell('cat "$1" | gpuscan | cat', $npy);
ok($run->{out} eq $scanned, '.npy from a pipe to a pipe');
$run = shell('cat "$1" | gpuscan -S 16K | cat', $npy);
ok($run->{out} eq $scanned, 'is never held');
$run = shell('gzip -c "$1" | gpuscan -t u32 "$2" - "$1" -z | gzip -dc', path('raw'), $npy);
my @more = map { ($_ + $sum) & 0xffffffff } 1, 2;
ok($run->{out} eq npy("'<u4'", 100002, $expected . pack('V*', @more)), 'where the number is known at the end alone')
    or diag($run->{err});
$run = shell('printf before; gpuscan "$1"; printf after', $npy);
ok($run->{out} eq "before${scanned}after", 'into the middle of a file');

# In place.
my @files = map { put("f$_", pack('C*', $_, 1, 1)) } 1 .. 3;
chmod 0600, $files[0];
gives(['-t', 'u8', '-i', @files], '', '', '-i: three files');
is(get("f$_"), pack('C*', $_, $_ + 1, $_ + 2), "file $_ by itself") for 1 .. 3;
is((stat $files[0])[2] & 07777, 0600, 'the mode is kept');
gives(['-t', 'u8', '-i', '--skip=4', put('head', "HEAD\1\2")], '', '', 'with --skip');
is(get('head'), "HEAD\1\3", 'the header is kept');
put('p.npy', 'SKIP' . npy("'|u1'", 4, "\1\1\1\1"));
shell('gzip "$1"', path('p.npy'));
gives(['-i', '--skip=4', '--exclusive', path('p.npy.gz')], '', '', 'a .npy file in gzip behind --skip');
is(gunzip(get('p.npy.gz')), 'SKIP' . npy("'|u1'", 4, "\0\1\2\3"), 'is right');
refuses(['-t', 'u16', '-i', $odd], '', 'odd: 3 bytes are not', 'a length that does not fit');
refuses(['-t', 'u8', '-i', '/dev/null'], '', 'is not a regular file', 'a device');
is(get('odd') . join(' ', leftovers()), 'abc', 'is as it was, and no temporary is left');

# Larger than all blocks together; through pipes; in odd pieces.
my $large = put('large', $data x 60);
my $total = '';
for my $turn (0 .. 59) {
    my $before = $turn * $sum;
    $total .= pack('V*', map { ($_ + $before) & 0xffffffff } @sums);
}
for my $line ('gpuscan -t u32 "$1" >"$2"', 'gpuscan -t u32 -o "$2" <"$1"', 'cat "$1" | gpuscan -t u32 | cat >"$2"',
    'gzip -1c "$1" | gpuscan -t u32 -o "$2"', 'gpuscan -t u32 -S 1000001 "$1" >"$2"')
{
    $run = shell($line, $large, path('large.out'));
    ok($run->{status} == 0 && $run->{err} eq '' && get('large.out') eq $total, "24 MB: $line") or diag($run->{err});
}
my $dribble = '$| = 1; for my $i (1 .. 40) {' .
    'for (split //, pack("V", $i)) { print; select undef, undef, undef, 0.001 } }';
$run = shell('perl -e "$1" | gpuscan -t u32', $dribble);
is($run->{out}, pack('V*', map { $_ * ($_ + 1) / 2 } 1 .. 40), 'byte by byte');
my $pieces = 'local $/; $_ = <STDIN>; for (my ($at, $n) = (0, 1); $at < length; $at += $n, $n = $n * 7 % 65521) {' .
    'syswrite STDOUT, substr $_, $at, $n }';
$run = shell('perl -e "$1" <"$2" | gpuscan -t u32', $pieces, $split);
ok($run->{out} eq substr($expected, 0, 120004), 'in odd pieces');
$run = shell('(dd bs=2 count=1 of=/dev/null 2>/dev/null; gpuscan -t u16) <"$1"', $a);
is($run->{out}, pack('v', 2), 'standard input from where it stands');
done_testing();
