#!/usr/bin/perl
# gpucompact's options: selection, counts, outputs, --stats, --device, --buffer-size; and contradictions.
use strict;
use warnings;
use Test::More;
our $tool = 'gpucompact';
require "$ENV{srcdir}/t/tools/lib.pl";

my @u32 = ('-t', 'u32', '-w', 'x > 3');
my $data = pack('V*', 5, 3, 9, 1, 4);
my $kept = pack('V*', 5, 9, 4);
my $others = pack('V*', 3, 1);

keeps(\@u32, $data, $kept, '--where');
keeps([@u32, '-v'], $data, $others, '-v');
keeps([@u32, '--invert-match'], $data, $others, '--invert-match');
keeps([@u32, '-c'], $data, "3\n", '-c');
keeps([@u32, '--count', '-v'], $data, "2\n", '--count with -v');
keeps([@u32, '-c'], '', "0\n", '-c of nothing');
keeps([@u32, '--index'], $data, pack('Q<*', 0, 2, 4), '--index');
keeps([@u32, '--index', '-v'], $data, pack('Q<*', 1, 3), '--index with -v');
keeps([@u32, '--rejects=' . path('rejects')], $data, $kept, '--rejects');
is(get('rejects'), $others, 'the others are there');
keeps([@u32, '-v', '--rejects', path('rejects')], $data, $others, '--rejects with -v');
is(get('rejects'), $kept, 'the others are there');
keeps([@u32, '--rejects=-', '-o', path('kept')], $data, $others, '--rejects to standard output');
is(get('kept'), $kept, 'with -o');
keeps([@u32, '--error-exit'], $data, $kept, '--error-exit where something is kept');
my $run = gpucompact(['-t', 'u32', '-w', 'x > 9', '--error-exit', '-o', path('none')], $data);
is("$run->{status}$run->{out}$run->{err}", '1', '--error-exit where nothing is');
is(get('none'), '', 'there is an output');
$run = gpucompact(['-t', 'u32', '-w', 'x > 9', '--error-exit', '-c'], $data);
is("$run->{status}$run->{out}$run->{err}", "10\n", '--error-exit with -c');
keeps(['-t', 'u32', '-w', 'x > 9'], $data, '', 'without it, nothing is fine');
keeps([@u32, '--skip=8'], 'headline' . $data, $kept, '--skip passes over a header');
keeps([@u32, '--skip=4', put('h1', "abcd$data"), put('h2', 'efgh' . pack('V', 7))], '', $kept . pack('V', 7),
    '--skip for each input');
refuses([@u32, '--skip=21'], $data, 'holds 20 bytes only', '--skip of more than there is');
keeps([@u32, '-q', '--no-progress', '--parallel=1', '-d', 'cpu', '-S', '1G'], $data, $kept, 'options without effect');
keeps([put('late', $data), '--where', 'x > 3', '--type', 'u32'], '', $kept, 'options behind operands');
{
    local %ENV = %ENV;
    delete $ENV{OMP_WAIT_POLICY};
    keeps([@u32, '--', put('-x', $data)], '', $kept, 'however threads wait');
}

for my $option ('-z', '-z0', '-z9') {
    $run = gpucompact([@u32, $option, '--rejects=' . path('r.gz')], $data);
    is(run(['gzip', '-dc'], $run->{out})->{out}, $kept, "$option reads back with gzip");
    is(run(['gzip', '-dc', path('r.gz')])->{out}, $others, 'and so do the rejects');
}

my $number = qr/\d+(\.\d+)?/;
$run = gpucompact([@u32, '--stats'], $data);
my $seconds = qr/"seconds": \{"start": $number, "filter": $number, "total": $number\}/;
my $numbers = qr/"elements": 5, "bytes_in": 20, "bytes_out": 12/;
like($run->{err}, qr/^\{$numbers, "device": "[^"]+", "algorithm": "[^"]+", $seconds\}\n$/,
    '--stats is a JSON object');
$run = gpucompact([@u32, '--stats=' . path('stats'), '--rejects=' . path('r')], $data);
is($run->{err}, '', '--stats=FILE says nothing');
like(get('stats'), qr/^\{"elements": 5, .*"bytes_out": 20, .*\}\}\n$/, 'and writes FILE');
$run = gpucompact([@u32, '--verbose'], $data);
like($run->{err}, qr/^gpucompact: kept 3 of 5 elements on .*\n$/, '--verbose');
$run = gpucompact(['-t', 'u32', '-w', 'x % 2', '--progress', put('big', pack('V*', 0 .. 999_999))]);
ok($run->{out} eq pack('V*', map { 2 * $_ + 1 } 0 .. 499_999), 'output with --progress');

$run = gpucompact(['--help']);
ok($run->{status} == 0 && $run->{out} =~ /^Usage: gpucompact/ && $run->{err} eq '', '--help');
my @helped = $run->{out} =~ /(--[a-z-]+)/g;
my $manual = get("$ENV{srcdir}/man/gpucompact.1");
$manual =~ s/\\-/-/g;
is(join(' ', grep { index($manual, $_) < 0 } @helped), '', 'every option of --help is in the manual');
like(gpucompact(['--version'])->{out}, qr/^gpucompact \(scankit\) \d+\.\d+/, '--version');

{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    refuses(\@u32, $data, 'nonsense', 'SCANKIT_DEVICE chooses for auto');
    keeps([@u32, '-d', 'cpu'], $data, $kept, 'but not against --device');
}
refuses([@u32, '-d', 'tpu'], $data, 'tpu', 'an unknown device');
refuses([@u32, '-d', 'cuda:999', '-o', put('keep', 'olds')], $data, 'cannot start device cuda:999',
    'a GPU that is not there');
is(get('keep'), 'olds', 'the output is as it was');

# --buffer-size: small blocks give the same result. A block must hold an element.
my @values = map { ($_ * 2654435761) & 0xffff } 1 .. 30000;
my $many = pack('V*', @values);
my $expected = pack('V*', grep { $_ & 8 } @values);
my @odd = ('-t', 'u32', '-w', 'x & 8');
for my $size (32, 33, 100, 1000, '4K', '64K', '1M', '1G', '10%') {
    keeps([@odd, '-S', $size], $many, $expected, "--buffer-size=$size");
    keeps([@odd, '-S', $size, '--index'], substr($many, 0, 400), pack('Q<*', grep { $values[$_] & 8 } 0 .. 99),
        'with --index')
        if $size ne '32' && $size ne '33';
    keeps([@odd, '-S', $size, '--rejects=' . path('r'), put('m', $many)], '', $expected,
        'with --rejects') if $size ne '32' && $size ne '33';
}
refuses([@odd, '-S', 31], $many, '--buffer-size: a block of one element of 4 bytes takes 32 bytes',
    'too small a --buffer-size');
refuses(['-f', 'a:bytes5000', '-w', 'a == "x"', '-S', '10K'], '', '--buffer-size', 'the same for long records');
keeps(['-f', 'a:bytes1000000', '-w', 'i == 1'], 'a' x 1000000 . 'b' x 1000000, 'b' x 1000000, 'records of a megabyte');

refuses([@u32, "--$_->[0]=$_->[1]"], $data, "--$_->[0]", "--$_->[0]=$_->[1]")
    for ['skip', '-1'], ['buffer-size', 'x'], ['parallel', '0'], ['gzip', '10'], ['in-place', 'now'];
refuses([@u32, split ' ', $_], $data, 'exclude each other', $_)
    for '-c --index', '-c --rejects=r', '-c -o x', '-c -z', '-c --raw', '-c -i f', '--index --rejects=r',
        '-i --index f', '-i -o x f',
    '-i --raw f', '--in-place=overwrite --rejects=r f', '--in-place=overwrite -z f', '-iv -o x f';
refuses([@u32, '-i'], $data, 'needs files', '-i without files');
refuses([@u32, '-i', '--rejects=r', 'a', 'b'], $data, 'one FILE', '-i with --rejects of two files');
refuses([@u32, '-', '-'], $data, 'named twice', 'standard input twice');
refuses(['-t', 'u32'], $data, '--where=EXPR', 'no --where');
refuses([@u32, '-w', 'x'], $data, 'twice', '--where twice');
refuses(['-w', 'x > 3'], $data, 'standard input: has no .npy header: say what it holds', 'no type');
refuses([@u32, '-f', 'x:u32'], $data, 'exclude each other', 'a type and a format');
refuses(['--frobnicate'], '', "'--frobnicate'", 'an unknown option');
refuses(['-t', 'u32', '--where'], '', "'--where' needs an argument", 'an option without its argument');

# One file for both outputs.
refuses([@u32, "--rejects=$_->[0]", @{ $_->[1] }], $data, 'the same file', "--rejects=$_->[0] @{ $_->[1] }")
    for ['-', []], [path('o'), ['-o', path('o')]], [path('o'), ['-o', path('./o')]], [path('keep'), ['-o',
        path('keep')]],
    ['-', ['-o', '-']];
symlink('keep', path('link'));
refuses([@u32, '--rejects=' . path('link'), '-o', path('keep')], $data, 'the same file', 'through a link');
refuses([@u32, '--rejects=' . path('keep'), '-i', path('keep')], $data, 'the same file', 'and the file in place');
$run = shell('gpucompact -t u32 -w "x > 3" --rejects="$1" "$2" >>"$1"', path('keep'), path('late'));
ok($run->{status} == 2 && $run->{err} =~ /the same file/, 'and where standard output goes');
is(get('keep'), 'olds', 'that file is as it was');
ok(!-e 'x' && !-e 'r' && !-e path('o'), 'no output was made');
done_testing();
