#!/usr/bin/perl
# Files in and out: several, empty, large, an output that is an input, links, modes; and lengths that are not a whole number of elements.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my @u16 = ('-t', 'u16');
for my $n (0 .. 5, 15 .. 17, 255 .. 257, 4095 .. 4097, 65535 .. 65537) {
    my @values = map { ($_ * 40503) & 65535 } 1 .. $n;
    sorts_to(\@u16, pack('v*', @values), pack('v*', sort { $a <=> $b } @values), "$n elements");
}

my $a = put('a', pack('v*', 9, 2));
my $b = put('b', pack('v*', 5));
my $empty = put('empty', '');
my $all = pack('v*', 1, 2, 5, 9);
sorts_to([@u16, $a, $empty, '-', $b], pack('v', 1), $all, 'several files and standard input');
sorts_to([@u16, $a, '-o', path('new')], '', '', '-o to a new file');
is(get('new'), pack('v*', 2, 9), 'holds the result');
is((stat path('new'))[2] & 0777, 0666 & ~umask, 'has the mode of a new file');
chmod 0640, path('new');
sorts_to([@u16, path('new'), $b, '-', '--output=' . path('new')], pack('v', 1), '', '-o that is an input');
is(get('new'), $all, 'holds the result');
is((stat path('new'))[2] & 07777, 0640, 'and keeps its mode');
symlink('new', path('link'));
sorts_to([@u16, $a, '-o', path('link')], '', '', '-o that is a link');
ok(-l path('link') && get('new') eq pack('v*', 2, 9), 'replaces what the link leads to');
mkdir path('sub');
symlink('sub/far', path('dangling'));
sorts_to([@u16, $a, '-o', path('dangling')], '', '', '-o that is a link to nothing');
is(get('sub/far'), pack('v*', 2, 9), 'makes that file');
symlink('loop', path('loop'));
refuses([@u16, $a, '-o', path('loop')], '', 'loop: cannot open: Too many levels', '-o that is a link to itself');
sorts_to([@u16, $a, '-o', '-'], '', pack('v*', 2, 9), '-o -');
refuses([@u16, $a, '-o', path('sub')], '', 'sub: is a directory', '-o that is a folder');
refuses([@u16, $a, '-o', path('nowhere/x')], '', 'nowhere/x: cannot make a temporary file',
    '-o where there is no folder');
my $run = shell('cd "$1" && gpusort -t u16 a -o plain && cat plain', path('.'));
is($run->{out}, pack('v*', 2, 9), '-o in the current folder');
is(join(' ', leftovers()), '', 'no temporary is left');

put('keep', 'as it was');
refuses([@u16, put('odd', 'abc'), '-o', path('keep')], '',
    'odd: 3 bytes are not a whole number of elements of 2 bytes .1 are left over',
    'a length that does not fit');
refuses([@u16, '-o', path('keep')], 'abcde', 'standard input: 5 bytes are not a whole', 'the same on standard input');
refuses([@u16, path('missing'), '-o', path('keep')], '', 'missing: cannot open: No such file', 'a missing file');
refuses([@u16, path('sub'), '-o', path('keep')], '', 'sub: is a directory', 'a folder');
refuses([$a, '-o', path('keep')], '', 'a: has no .npy header: say what it holds with --type or --format',
    'raw data without a type');
refuses([], '', 'standard input: has no .npy header', 'the same on standard input');
$run = shell('cat "$1" | gpusort -t u16 -o "$2"', path('odd'), path('keep'));
like($run->{err}, qr/^gpusort: standard input: 3 bytes are not/, 'the same through a pipe');
is(get('keep'), 'as it was', 'no output was touched');
SKIP: {
    skip('root reads everything', 2) if $> == 0;
    chmod 0, $b;
    refuses([@u16, $b], '', 'b: cannot open: Permission denied', 'an unreadable file');
    chmod 0444, path('keep');
    refuses([@u16, $a, '-o', path('keep')], '', 'keep: cannot write: Permission denied',
        'an output that may not be written');
}

# Larger than a block, read by several threads; and in small pieces.
my $large = pack('V*', map { ($_ * 2654435761) & 0xffffffff } 1 .. 1000003) x 6;
put('large', $large);
$run = shell('gpusort -t u32 "$1" >"$2" && gpusort -t u32 -c "$2" && gpusort -t u32 <"$1" | cmp - "$2" &&
    cat "$1" | gpusort -t u32 | cmp - "$2" && wc -c <"$2"', path('large'), path('large.out'));
is($run->{out}, 4 * 6 * 1000003 . "\n", '24 MB from a file, from standard input and from a pipe') or diag($run->{err});
my ($sum_in, $sum_out) = map { unpack('%64V*', get($_)) } 'large', 'large.out';
is($sum_out, $sum_in, 'the same elements');
my $dribble = '$| = 1; for my $i (reverse 1 .. 40) {' .
    'for (split //, pack("V", $i)) { print; select undef, undef, undef, 0.001 } }';
$run = shell('perl -e "$1" | gpusort -t u32', $dribble);
is($run->{out}, pack('V*', 1 .. 40), 'byte by byte');
$run = shell('exec gpusort -t u16 /proc/self/status -o "$1"', path('proc'));
ok($run->{status} == 0 || $run->{err} =~ /whole number/, 'a file of unknown size');
$run = shell('(dd bs=2 count=1 of=/dev/null 2>/dev/null; gpusort -t u16) <"$1"', $a);
is($run->{out}, pack('v', 2), 'standard input from where it stands');
done_testing();
