#!/usr/bin/perl
# gpuimg's operands and options: contradictions, formats, outputs, --stats.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/gpuimg/image.pl";

our $dir;
my $gray = pgm(2, 2, 'abcd');
my $in = put('in.pgm', $gray);
my $sums = array('u32', 2, 2, 1, pack('V*', 97, 97 + 98, 97 + 99, 97 + 98 + 99 + 100));

# ---- operands ----

refuses([], '', 'no command', 'no command');
refuses(['paint', '-'], '', "'paint' is no command", 'an unknown command');
refuses([$_], $gray, 'no picture is named', "$_ without IN") for qw(sat mipmap);
refuses(['blur', '--radius=1'], $gray, 'no picture is named', 'blur without IN');
refuses(['info'], $gray, 'no file is named', 'info without FILE');
refuses(['info', '-', '-'], $gray, 'named twice', 'info of standard input twice');
refuses(['sat', 'a', 'b', 'c'], '', 'too many operands', 'three operands');
refuses(['sat', '-o', path('x.npy'), '-', path('y.npy')], $gray, 'named twice', 'two outputs');
refuses(['sat', path('none')], '', 'cannot open', 'no such file');
refuses(['sat', $dir], '', 'is a directory', 'a directory');
gives(['sat', '-'], $gray, $sums, 'from standard input to standard output');
gives(['sat', $in, '-'], '', $sums, 'OUT may be -');
gives(['--type=u32', 'sat', $in, path('t.npy')], '', '', 'options before the command');
is(get('t.npy'), $sums, 'the table');

# ---- formats ----

refuses(['sat', '-', path('t.xyz')], $gray, 'its suffix names no format', 'an unknown suffix');
refuses(['sat', '-', path('t')], $gray, 'its suffix names no format', 'no suffix');
refuses(['sat', '-', "$dir/a.npy/t"], $gray, 'its suffix names no format', 'a suffix of a folder');
refuses(['sat', '-', '--to=jpg'], $gray, 'no such format', '--to of another format');
gives(['sat', '-', path('t.xyz'), '--to=npy'], $gray, '', '--to wins over the suffix');
is(get('t.xyz'), $sums, 'the table');

# ---- options of other commands, and contradictions ----

refuses(['sat', '--radius=1', '-'], $gray, '--radius is not for sat', 'a radius for sat');
refuses(['blur', '--radius=1', '--level=1', '-'], $gray, '--level is not for blur', 'a level for blur');
refuses(['mipmap', '--check', '-'], $gray, '--check is not for mipmap', '--check for mipmap');
refuses(['info', '--to=png', '-'], $gray, '--to is not for info', '--to for info');
refuses(['info', '-o', path('x'), '-'], $gray, 'not for info', '--output for info');
refuses(['blur', '-'], $gray, 'needs --radius or --radius-map', 'blur without a radius');
refuses(['blur', '--radius=1', "--radius-map=$in", '-'], $gray, 'exclude each other', 'two radii');
refuses(['blur', "--radius-map=-", '-'], $gray, 'named twice', 'standard input for both');
refuses(['blur', "--radius=$_", '-'], $gray, 'takes a number that is not negative', "a radius of '$_'")
    for '-1', 'x', '', 'nan', 'inf', '1x';
refuses(['blur', '--radius=16385', '-'], $gray, 'no more than 16384', 'a large radius');
refuses(['blur', '--radius=1', '--passes=0', '-'], $gray, 'takes a number from 1', 'no passes');
refuses(['blur', '--radius=1', '--edge=x', '-'], $gray, 'no such edge', 'an unknown edge');
refuses(['sat', '--method=x', '-'], $gray, 'no such method', 'an unknown method');
refuses(['dof', '--focus=1', '--aperture=1', '-'], $gray, 'needs --depth', 'dof without depths');
refuses(['dof', "--depth=$in", '--focus=0', '--aperture=1', '-'], $gray, 'above 0', 'a focus of 0');
refuses(['mipmap', '--all', '--atlas', '-', path('x.pgm')], $gray, 'exclude each other', '--all and --atlas');
refuses(['mipmap', '--all', '--level=1', '-', path('x.pgm')], $gray, 'exclude each other', '--all and --level');
refuses(['mipmap', '--all', '-'], $gray, 'name OUT', '--all without OUT');
refuses(['mipmap', '--all', '-', path($_)], $gray, 'must hold %d once', "--all to $_") for '%s.pgm', '%d%d.pgm', '%.pgm';
refuses(['sat', $_, '-'], $gray, 'not for pictures', $_) for '--skip=1', '--raw', '--format=a:u8', '--endian=big';
refuses(['sat', '-z', '--zstd', '-'], $gray, 'exclude each other', '--gzip and --zstd');
refuses(['sat', '--device=tape', '-'], $gray, 'tape', 'an unknown device');
refuses(['sat', '-S', '1', '-'], $gray, 'more than --buffer-size', 'a picture larger than --buffer-size');

# ---- outputs ----

my $old = put('old.npy', 'old');
refuses(['sat', '-', $old], pgm(2, 2, 'abc'), 'ends early', 'a damaged picture');
is(get($old), 'old', 'leaves the old output');
refuses(['sat', '-', '--to=pgm', $old], $gray, 'pgm cannot hold', 'a table as PGM');
is(get($old), 'old', 'leaves the old output');
chmod 0640, $old;
gives(['sat', '-', $old], $gray, '', 'an output is replaced');
is(get($old), $sums, 'the new one');
is((stat $old)[2] & 0777, 0640, 'with the mode of the old one');
my $same = put('same.npy', array('u8', 2, 2, 1, 'abcd'));
gives(['sat', $same, $same], '', '', 'the output may be the input');
is(get($same), $sums, 'the table');
is(join(' ', leftovers()), '', 'no temporaries are left');

my $probe = shell('script -qec true /dev/null </dev/null');
SKIP: {
    skip('script(1) opens no terminal', 2) if $probe->{status} != 0;
    like(shell('script -qec "gpuimg sat $1" /dev/null </dev/null', $in)->{out}, qr/standard output is a terminal/,
        'a picture to a terminal is refused');
    like(shell('script -qec "gpuimg info $1" /dev/null </dev/null', $in)->{out}, qr/2 x 2/, 'info is not');
}

# ---- messages ----

my $number = qr/\d+(\.\d+)?/;
my $run = tool(['sat', '--stats', '-'], $gray);
my $seconds = qr/"seconds": \{("\w+": $number, )+"total": $number\}/;
like($run->{err}, qr/^\{"elements": 4, "bytes_in": 15, "bytes_out": 144, "device": "[^"]+", "algorithm": "[^"]*", $seconds\}\n$/,
    '--stats is a JSON object');
like(tool(['sat', '--verbose', '-'], $gray)->{err}, qr/^gpuimg: 2 x 2 pixels, 4 elements on .+$/m, '--verbose');
is(tool(['sat', '-q', '--no-progress', '--parallel=1', '-d', 'cpu', '-S', '1G', '-'], $gray)->{out}, $sums,
    'options without effect');
$run = tool(['--help']);
is($run->{status}, 0, '--help');
is(scalar(() = $run->{out} =~ /--type=/g), 1, 'names --type once');
like(tool(['--version'])->{out}, qr/^gpuimg \(scankit\) /, '--version');
done_testing();
