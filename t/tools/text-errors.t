#!/usr/bin/perl
# Text that is no element: the line and column; options that need or exclude each other; full disks. No output is touched.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
our $tool;

$tool = 'gpusort';
sub wrong { my ($type, $input, $message, $name) = @_; refuses(['-t', $type, '--from-text'], $input, $message, $name) }

# ---- numbers ----

wrong('u32', "1\n2\n  abc\n", 'standard input: line 3, column 3: "abc" is not a u32$', 'letters');
wrong('u32', "1\n\n2\n", 'line 2, column 1: "" is not a u32$', 'an empty line');
wrong('i8', "1\n \t\n", 'line 2, column 3: "" is not an i8$', 'blanks alone');
wrong('u32', "1 2\n", 'line 1, column 1: "1 2" is not a u32$', 'two numbers');
wrong('i32', "1.5\n", '"1.5" is not an i32$', 'a point');
wrong('i32', "1e3\n", '"1e3" is not an i32$', 'an exponent');
wrong('i32', "--1\n", '"--1" is not an i32$', 'two signs');
wrong('u32', "-\n", '"-" is not a u32$', 'a sign alone');
wrong('u8', "1\n2\0\n", 'line 2, column 1: "2\?" is not a u8$', 'a NUL byte');
wrong('f64', "1\n2\0\n", 'line 2, column 1: "2\?" is not an f64$', 'and in a float');
wrong('f32', "1\n1.5.2\n", 'line 2, column 1: "1.5.2" is not an f32$', 'two points');
wrong('f32', "1,5\n", '"1,5" is not an f32$', 'a comma');
wrong('f16', "x\n", '"x" is not an f16$', 'a letter');
wrong('u8', "\"1\n", 'line 1, column 1: a quote is missing$', 'a quote without an end');
wrong('u8', 'a' x 100, '"' . 'a' x 40 . '\.\.\." is not a u8$', 'a long text is cut');
wrong('u8', ('7' x 3_000_000), 'line 1 is longer than \d+ bytes$', 'a line that is longer than a block');
my %limits = (u8 => [-1, 256], i8 => [-129, 128], u16 => [-1, 65536], i16 => [-32769, 32768], u32 => [-1, 4294967296],
    i32 => ['-2147483649', '2147483648'], u64 => [-1, '18446744073709551616'],
    i64 => ['-9223372036854775809', '9223372036854775808']);
for my $type (sort keys %limits) {
    for my $text (@{$limits{$type}}, '9' x 50) {
        my $article = $type =~ /^u/ ? 'a' : 'an';
        wrong($type, "0\n$text\n", "line 2, column 1: \"[-0-9.]+\" is out of range for $article $type\$", "$text as $type");
    }
}

# ---- the line, wherever it is ----

my $many = join '', map {"$_\n"} 1 .. 400_000;
for my $line (1, 9_000, 20_000, 399_999, 400_000) {
    my $text = $many;
    $text =~ s/^$line$/x/m;
    wrong('u32', $text, "line $line, column 1: \"x\"", "line $line");
}
refuses(['-t', 'u32', '--from-text', '--header=skip'], "x\n1\ny\n", 'line 3, column 1: "y"', 'the header is a line');
refuses(['-t', 'u32', '--from-text'], "x\n1\ny\n", 'line 1, column 1: "x"', 'if it is not skipped, it is an error');
put('good', "1\n2\n");
put('bad', "1\nx\n");
refuses(['-t', 'u32', '--from-text', path('good'), path('bad')], '', 'bad: line 2, column 1: "x"', 'the name of the file');

# ---- columns ----

my @csv = ('--from-text', '--delimiter=,');
refuses(['-t', 'u8', @csv, '--column=3'], "1,2,3\n4,5\n", 'line 2, column 4: a column is missing', 'a short line');
refuses(['-t', 'u8', @csv, '--column=2'], "1,2\n4,\n", 'line 2, column 3: "" is not a u8', 'an empty column');
refuses(['-t', 'u8', @csv], "1,2\n", 'line 1, column 3: there are more columns than fields', 'a column too many');
refuses(['-f', 'a:u8,b:u8', @csv], "1,2\n3\n", 'line 2, column 2: a column is missing', 'a field is missing');
refuses(['-f', 'a:u8,b:u8', @csv], "1,2\n3,4,5\n", 'line 2, column 5: there are more columns', 'or one too many');
refuses(['-f', 'a:u8,b:u8', @csv], "1,2\n3,x\n", 'line 2, column 3: "x" is not a u8', 'a wrong field');
refuses(['-f', 'a:bytes2,b:u8', '-k', 'b', @csv], "ab,2\nabc,4\n", 'line 2, column 1: "abc" is not text for bytes2',
    'too many bytes');
refuses(['-t', 'u8', @csv, '--column=2'], "\"a,1\n", 'line 1, column 1: a quote is missing', 'a quote before the column');
refuses(['-t', 'u8', @csv, '--column=3', '--header=keep', '--to-text'], "a,b\n", 'line 1 has fewer columns', 'a short header');

# ---- nothing is written ----

put('old', 'old');
refuses(['-t', 'u32', '--from-text', path('bad'), '-o', path('old')], '', 'line 2', 'the output is not replaced');
is(get('old'), 'old', 'and holds what it held');
refuses(['-t', 'u32', '--from-text', path('bad'), '-o', path('new')], '', 'line 2', 'nor made');
ok(!-e path('new') && !leftovers(), 'and leaves nothing');
refuses(['-t', 'u32', '--from-text', '--to-text', '-i', path('bad')], '', 'line 2', 'nor a file in place');
is(get('bad'), "1\nx\n", 'which holds what it held');
for my $line ('gpusort -t u32 --to-text', 'gpucompact -t u32 --to-text -w 1', 'gpuscan -t u32 --to-text',
    'gpurle -t u32 --to-text') {
    my $run = shell("head -c 4000000 /dev/zero | $line >/dev/full");
    ok($run->{status} == 2 && $run->{err} =~ /standard output: cannot write: No space left/, "$line: a full disk")
        or diag($run->{err});
}

# ---- options ----

my @binary = ('-t', 'u32');
refuses(['--from-text'], '1', 'say what the text holds with --type or --format', 'a type is needed');
refuses([@binary, '--column=2'], '', '--column requires --from-text', '--column alone');
refuses([@binary, '--to-text', '--header=skip'], '', '--header requires --from-text', '--header alone');
refuses([@binary, '--from-text', '--header=keep'], '', '--header=keep requires --to-text', '--header=keep without text');
refuses([@binary, '--from-text', '--header=yes'], '', '--header takes skip or keep', 'another --header');
refuses([@binary, '--delimiter=,'], '', '--delimiter requires --from-text or --to-text', '--delimiter alone');
refuses([@binary, '--from-text', "--delimiter=$_"], '', '--delimiter takes a character', "'$_' as delimiter")
    for '', 'ab', '1', '-', '.', '"', 'e', "\n";
refuses([@binary, '--from-text', '--column=0'], '', '--column takes a number from 1', 'column 0');
refuses([@binary, '--to-text', '--raw'], '', '--to-text and --raw exclude', '--raw');
refuses([@binary, '--from-text', '-i', path('good')], '', '--in-place takes --from-text and --to-text together',
    '--in-place keeps the format');
refuses([@binary, '--check', '--to-text'], '', '--check and --to-text exclude', '--check');
refuses([@binary, '--partition=2', '--manifest=' . path('m'), '--from-text', path('good')], '',
    '--partition and --from-text exclude', 'job arrays');
refuses(['--merge-range=1/2', '--manifest=' . path('m'), '--to-text'], '', '--merge-range and --to-text exclude', 'ranges');
$tool = 'gpucompact';
refuses([@binary, '-w', '1', '--in-place=overwrite', '--from-text', '--to-text', path('good')], '',
    '--in-place=overwrite and --from-text exclude', '--in-place=overwrite');
$tool = 'gpurle';
refuses(['-l', '--from-text'], '', '--list and --from-text exclude', '--list');
refuses(['-d', '-t', 'u8'], '', '--decode and --type exclude', 'a container says its type');
refuses(['-d', '--from-text'], '', 'say what the text holds', 'text does not');
refuses(['-d', '--from-text', '-t', 'u8'], "1\t2\n1\t0\n", 'run 2 has the length 0', 'a run of no element');
refuses(['-d', '--from-text', '-t', 'u8'], "1\n", 'line 1, column 2: a column is missing', 'a run without a length');
$tool = 'gpuscan';
refuses([@binary, '--reduce', '--to-text'], '', '--reduce and --to-text exclude', '--reduce');
$tool = 'gpuimg';
refuses(['info', '--from-text'], '', '--from-text and --to-text are not for pictures', 'pictures');
done_testing();
