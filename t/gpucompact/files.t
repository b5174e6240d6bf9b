#!/usr/bin/perl
# gpucompact's files: several, empty, large, gzip, .npy, an output that is an input, two outputs, pipes; and lengths
# that are not a whole number of elements.
use strict;
use warnings;
use Test::More;
our $tool = 'gpucompact';
require "$ENV{srcdir}/t/tools/lib.pl";

sub gz { my ($data, @options) = @_; put('gz', $data); return run(['gzip', '-cn', @options, path('gz')])->{out} }
sub gunzip { return run(['gzip', '-dc'], $_[0])->{out} }

my @u16 = ('-t', 'u16', '-w', 'x % 3 == 0');
for my $n (0 .. 5, 15 .. 17, 255 .. 257, 4095 .. 4097, 65535 .. 65537) {
    my @values = map { ($_ * 40503) & 65535 } 1 .. $n;
    keeps(\@u16, pack('v*', @values), pack('v*', grep { $_ % 3 == 0 } @values), "$n elements");
}

my $a = put('a', pack('v*', 9, 2));
my $b = put('b', pack('v*', 6));
my $empty = put('empty', '');
my $all = pack('v*', 9, 3, 6);
keeps([@u16, $a, $empty, '-', $b], pack('v', 3), $all, 'several files and standard input');
keeps([@u16, $a, $b, '-o', path('new')], '', '', '-o to a new file');
is(get('new'), pack('v*', 9, 6), 'holds the result');
is((stat path('new'))[2] & 0777, 0666 & ~umask, 'has the mode of a new file');
chmod 0640, path('new');
keeps([@u16, path('new'), $b, '-', '--output=' . path('new')], pack('v', 1), '', '-o that is an input');
is(get('new'), pack('v*', 9, 6, 6), 'holds the result');
is((stat path('new'))[2] & 07777, 0640, 'and keeps its mode');
symlink('new', path('link'));
keeps([@u16, $a, '-o', path('link')], '', '', '-o that is a link');
ok(-l path('link') && get('new') eq pack('v*', 9), 'replaces what the link leads to');
keeps([@u16, $a, '--rejects=' . path('new')], '', pack('v', 9), '--rejects to a file');
is(get('new'), pack('v', 2), 'that is replaced');
keeps([@u16, $a, '-o', path('k'), '--rejects', $a], '', '', '--rejects that is an input');
is(get('a') . get('k'), pack('v*', 2, 9), 'both hold what they shall');
put('a', pack('v*', 9, 2));
my $run = shell('cd "$1" && gpucompact -t u16 -w "x > 2" a -o plain --rejects=rest && cat plain rest', path('.'));
is($run->{out}, pack('v*', 9, 2), 'in the current folder');
$run = shell('gpucompact -t u16 -w "x > 2" "$1" --rejects=/dev/stderr', $a);
is("$run->{out}$run->{err}", pack('v*', 9, 2), '--rejects to standard error');
is(join(' ', leftovers()), '', 'no temporary is left');

# A failure leaves both outputs as they were.
sub fails
{
    my ($arguments, $input, $message, $name) = @_;
    put($_, 'as it was') for 'keep', 'rest';
    refuses([@$arguments, '-o', path('keep'), '--rejects=' . path('rest')], $input, $message, $name);
    is(get('keep') . get('rest') . join(' ', leftovers()), 'as it was' x 2, 'the outputs are as they were');
}
fails([@u16, put('odd', 'abc')], '', 'odd: 3 bytes are not a whole number of elements of 2 bytes .1 are left over',
    'a length that does not fit');
fails([@u16, $a, path('odd')], '', 'odd: 3 bytes are not a whole', 'in the second file');
fails(\@u16, 'abcde', 'standard input: 5 bytes are not a whole', 'on standard input');
fails([@u16, put('odd.gz', gz('abc' x 100001))], '', 'odd.gz: 300003 bytes are not a whole', 'in gzip');
fails([@u16, path('missing')], '', 'missing: cannot open: No such file', 'a missing file');
fails([@u16, path('.')], '', 'is a directory', 'a folder');
fails(['-w', 'x', $a], '', 'a: has no .npy header: say what it holds with --type or --format',
    'raw data without a type');
fails(['-t', 'u16', '-w', 'x >', $a], '', '--where', 'an expression that is wrong');
fails([@u16, put('cut.gz', substr(gz(pack('v*', 1 .. 100000)), 0, -9))], '', 'ends too early',
    'gzip that is cut short');
fails(['-w', 'x', put('bad.npy', npy("'<u4'", 4, 'x' x 12))], '', 'claims 4 elements', '.npy that is cut short');
$run = shell('cat "$1" | gpucompact -t u16 -w x -o "$2"', path('odd'), path('keep'));
like($run->{err}, qr/^gpucompact: standard input: 3 bytes are not/, 'through a pipe');
is(get('keep'), 'as it was', 'too');
refuses([@u16, $a, '-o', path('keep'), '--rejects', path('nowhere/x')], '', 'nowhere/x: cannot make a temporary file',
    '--rejects where there is no folder');
is(get('keep') . join(' ', leftovers()), 'as it was', 'the output is as it was');

# gzip.
my @values = map { ($_ * 2654435761) & 0xffff } 1 .. 100000;
my ($data, $kept) = map { pack('V*', @$_) } \@values, [grep { $_ & 8 } @values];
my @u32 = ('-t', 'u32', '-w', 'x & 8');
keeps(\@u32, gz($data), $kept, 'gzip in');
keeps(\@u32, gz(substr($data, 0, 1001)) . gz(substr($data, 1001)), $kept, 'two members that split an element');
keeps([@u32, put('raw', $data), put('packed.gz', gz($data))], '', $kept x 2, 'gzip and not');
is(gunzip(gpucompact([@u32, '-z'], $data)->{out}), $kept, 'gzip out');

# .npy: the count is right in a file and in a pipe.
my $npy = put('n.npy', npy("'<u4'", 100000, $data));
my $others = pack('V*', grep { !($_ & 8) } @values);
my $n = length($kept) / 4;
my $expected = npy("'<u4'", $n, $kept);
my $index = npy("'<u8'", $n, pack('Q<*', grep { $values[$_] & 8 } 0 .. $#values));
my @npy = ('-w', 'x & 8', $npy);
keeps(\@npy, '', $expected, '.npy to standard output, a file');
keeps([@npy, '-o', path('o.npy')], '', '', '.npy with -o');
is(get('o.npy'), $expected, 'has the count');
keeps([@npy, '-o', path('o.npy'), '--rejects=' . path('r.npy')], '', '', '.npy with --rejects');
ok(get('o.npy') eq $expected && get('r.npy') eq npy("'<u4'", 100000 - $n, $others), 'both have their counts');
keeps([@npy, '--raw'], '', $kept, '--raw');
keeps([@npy, '--index'], '', $index, '--index is a .npy of <u8');
keeps([@npy, '--index', '--raw'], '', substr($index, 128), '--index with --raw');
keeps([@npy, $npy], '', npy("'<u4'", 2 * $n, $kept x 2), 'two .npy files');
keeps(['-w', 'x > 1e9', $npy], '', npy("'<u4'", 0, ''), 'nothing kept');
keeps(['-w', 'x'], npy("'<u4'", 0, ''), npy("'<u4'", 0, ''), 'no elements');
keeps(['-w', 'x', '--skip=3'], 'abc' . npy("'<u4'", 2, pack('V*', 0, 7)), npy("'<u4'", 1, pack('V', 7)),
    'behind --skip');
keeps(['-w', 'x & 8', '-t', 'u32', $npy, path('raw')], '', npy("'<u4'", 2 * $n, $kept x 2),
    'a .npy file and a raw one');
for my $version (2, 3) {
    my $wide = '[' . join(', ', map { "('field_with_a_long_name_$_', '|u1')" } 1 .. 3000) . ']';
    my @records = ('x' x 3000, "\0" . 'y' x 2999);
    my $whole = npy($wide, 2, join('', @records), version => $version);
    my $one = npy($wide, 1, $records[0], version => $version);
    keeps(['-w', 'field_with_a_long_name_1', put('w.npy', $whole)], '', $one, "3000 fields, version $version");
    is(gunzip(gpucompact(['-z', '-w', 'field_with_a_long_name_1', path('w.npy')])->{out}), $one,
        'in gzip: a header of two members');
}
$run = shell('gpucompact -w "x & 8" "$1" | cat', $npy);
ok($run->{out} eq $expected, 'to a pipe');
$run = shell('cat "$1" | gpucompact -w "x & 8" | cat', $npy);
ok($run->{out} eq $expected, 'from a pipe to a pipe');
$run = shell('gzip -c "$1" | gpucompact -w "x & 8" -z | gzip -dc', $npy);
ok($run->{out} eq $expected, 'in gzip to a pipe in gzip');
$run = shell('gpucompact -w "x & 8" --index "$1" | cat', $npy);
ok($run->{out} eq $index, '--index to a pipe');
$run = shell('printf before; gpucompact -w "x & 8" "$1"; printf after', $npy);
ok($run->{out} eq "before${expected}after", 'into the middle of a file');
$run = shell('printf before >"$2"; gpucompact -w "x & 8" "$1" >>"$2"; cat "$2"', $npy, path('appended'));
ok($run->{out} eq "before$expected", 'behind a file that is appended to');
for my $level ('-z', '-z0', '-z9') {
    is(gunzip(gpucompact([@npy, $level])->{out}), $expected, "in gzip with $level");
    keeps([@npy, $level, '-o', path('o.npy.gz')], '', '', 'the same with -o');
    is(gunzip(get('o.npy.gz')), $expected, 'has the count');
}
my $packed = get('o.npy.gz');
my ($at, $good) = (0, 1);
while ($good && $at < length $packed) {
    $good = substr($packed, $at, 4) eq "\x1f\x8b\x08\x04" && substr($packed, $at + 10, 6) eq "\6\0BC\2\0";
    $at += 1 + unpack('v', substr($packed, $at + 16, 2)) if $good;
}
ok($good && $at == length $packed, 'as BGZF');
$run = shell('gpucompact -w "x & 8" -S 100K "$1" | cat', $npy);
ok($run->{out} eq $expected && $run->{err} eq '', 'more than --buffer-size holds, to a pipe');
is(join(' ', glob(path('scankit.*'))), '', 'leaves no temporary');
{
    local $ENV{TMPDIR} = path('none');
    $run = shell('gpucompact -w "x & 8" -S 100K "$1" | cat', $npy);
    ok($run->{out} eq '' && $run->{err} =~ /none: cannot make a temporary file.*No such file.*--raw needs none/,
        'no folder for temporaries');
    $run = shell('gpucompact --raw -w "x & 8" -S 100K "$1" | wc -c', $npy);
    is($run->{out} + 128, length $expected, '--raw needs none');
}
$run = shell('gpucompact -w "x & 8" -S 1M "$1" | cat', $npy);
ok($run->{out} eq $expected, 'and what it holds');
keeps([@npy, '-S', '100K'], '', $expected, 'a file holds more');

# Larger than all blocks together; through pipes; in small pieces.
my $large = put('large', $data x 60);
for my $line ('gpucompact -t u32 -w "x & 8" "$1" >"$2"', 'gpucompact -t u32 -w "x & 8" -o "$2" <"$1"',
    'cat "$1" | gpucompact -t u32 -w "x & 8" | cat >"$2"', 'gzip -1c "$1" | gpucompact -t u32 -w "x & 8" -o "$2"',
    'gpucompact -t u32 -w "x & 8" -S 1M "$1" -o /dev/null --rejects=- -v >"$2"')
{
    $run = shell($line, $large, path('large.out'));
    ok($run->{status} == 0 && $run->{err} eq '' && get('large.out') eq $kept x 60, "24 MB: $line") or diag($run->{err});
}
my $dribble = '$| = 1; for my $i (1 .. 40) {' .
    'for (split //, pack("V", $i)) { print; select undef, undef, undef, 0.001 } }';
$run = shell('perl -e "$1" | gpucompact -t u32 -w "x % 2"', $dribble);
is($run->{out}, pack('V*', map { 2 * $_ + 1 } 0 .. 19), 'byte by byte');
$run = shell('(dd bs=2 count=1 of=/dev/null 2>/dev/null; gpucompact -t u16 -w 1) <"$1"', $a);
is($run->{out}, pack('v', 2), 'standard input from where it stands');
$run = shell('gpucompact -t u32 -w "x & 8" "$1" | gpusort -t u32 -r --top=1 | od -An -tu4', path('raw'));
like($run->{out}, qr/^ +65535\n$/, 'a pipe into gpusort');
done_testing();
