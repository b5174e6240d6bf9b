#!/usr/bin/perl
# Options beside the order: --top, --skip, --stats, --device, --buffer-size, --parallel; and contradictions.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my @u32 = ('-t', 'u32');
my $data = pack('V*', 5, 3, 9, 1, 3);
my $sorted = pack('V*', 1, 3, 3, 5, 9);

sorts_to([@u32, '--top=2'], $data, pack('V*', 1, 3), '--top');
sorts_to([@u32, '--top=0'], $data, '', '--top=0');
sorts_to([@u32, '--top', 99], $data, $sorted, '--top of more than there is');
sorts_to([@u32, '--top=2', '-r'], $data, pack('V*', 9, 5), '--top with -r');
sorts_to([@u32, '--top=3', '-u'], $data, pack('V*', 1, 3, 5), '--top counts after -u');
sorts_to([@u32, '--top=2', '--argsort'], $data, pack('Q<*', 3, 1), '--top with --argsort');
sorts_to([@u32, '--skip=8'], 'headline' . $data, $sorted, '--skip passes over a header');
sorts_to([@u32, '--skip=20'], $data, '', '--skip of all there is');
refuses([@u32, '--skip=21'], $data, 'holds 20 bytes only', '--skip of more');
sorts_to([@u32, '--skip=1K', put('k', 'x' x 1024 . $data)], '', $sorted, '--skip takes units');
sorts_to([@u32, '--skip=4', put('h1', "abcd$data"), put('h2', "efgh" . pack('V', 4))], '', pack('V*', 1, 3, 3, 4, 5, 9),
    '--skip for each input');
sorts_to([@u32, '-q', '--no-progress', '--parallel=1', '-d', 'cpu', '-S', '1G', '-s'], $data, $sorted,
    'options without effect');
sorts_to([@u32, '-S', '50%'], $data, $sorted, 'a percentage of memory');
sorts_to([@u32, '--', put('-x', $data)], '', $sorted, '-- ends the options');
sorts_to([put('late', $data), '--type', 'u32'], '', $sorted, 'options behind operands');

my $run = gpusort([@u32, '--stats'], $data);
is($run->{out}, $sorted, 'output with --stats');
my $number = qr/\d+(\.\d+)?/;
my $seconds = qr/"seconds": \{("[a-z]+": $number, )+"total": $number\}/;
like($run->{err}, qr/^\{"elements": 5, "bytes_in": 20, "bytes_out": 20, "device": "[^"]+", "algorithm": "[^"]*", $seconds\}\n$/,
    '--stats is a JSON object');
$run = gpusort([@u32, '--stats=' . path('stats')], $data);
is($run->{err}, '', '--stats=FILE says nothing');
like(get('stats'), qr/^\{"elements": 5, .*\}\}\n$/, 'and writes FILE');
refuses([@u32, '--stats=/nonexistent/file', '-o', path('x')], $data, 'nonexistent', '--stats where there is no folder');
$run = gpusort([@u32, '--verbose'], $data);
like($run->{err}, qr/^gpusort: 5 elements on .*\n$/, '--verbose');
$run = gpusort([@u32, '--progress', put('big', pack('V*', reverse 0 .. 2_000_000))]);
is($run->{out}, pack('V*', 0 .. 2_000_000), 'output with --progress');

$run = gpusort(['--help']);
ok($run->{status} == 0 && $run->{out} =~ /^Usage: gpusort/ && $run->{err} eq '', '--help');
my @helped = $run->{out} =~ /(--[a-z-]+)/g;
my $manual = get("$ENV{srcdir}/man/gpusort.1");
$manual =~ s/\\-/-/g;
is(join(' ', grep { index($manual, $_) < 0 } @helped), '', 'every option of --help is in the manual');
like(gpusort(['--version'])->{out}, qr/^gpusort \(scankit\) \d+\.\d+/, '--version');

{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    refuses(\@u32, $data, 'nonsense', 'SCANKIT_DEVICE chooses for auto');
    refuses([@u32, '-d', 'auto'], $data, 'nonsense', 'also where auto is said');
    sorts_to([@u32, '-d', 'cpu'], $data, $sorted, 'but not against --device');
    local $ENV{SCANKIT_DEVICE} = '';
    sorts_to(\@u32, $data, $sorted, 'nor when it is empty');
}
refuses([@u32, '-d', 'tpu'], $data, 'tpu', 'an unknown device');
refuses([@u32, '-d', 'cuda:999'], $data, 'cannot start device cuda:999', 'a GPU that is not there');

sorts_to([@u32, '-S', '1K', put('4k', "\1" . "\0" x 4095)], '', "\0" x 4092 . "\1\0\0\0",
    'more input than --buffer-size');
sorts_to([@u32, '-S', '10M', "--compress-temporaries=$_"], $data, $sorted, "--compress-temporaries=$_")
    for 'none', 'fast';
refuses([@u32, '--compress-temporaries=gzip'], $data, '--compress-temporaries takes none or fast', 'another method');
$run = shell('printf abcd | gpusort -t u32 --workspace="$1"', path('work'));
ok($run->{status} == 2 && $run->{err} =~ /standard input: is not a regular file, which --workspace requires/,
    'a workspace for a pipe') or diag($run->{err});
refuses([@u32, '-i', '--workspace=' . path('work'), map { put($_, $data) } 'w1', 'w2'], '', 'only one file',
    'a workspace for several files');
refuses([@u32, "--$_->[0]=$_->[1]"], $data, "--$_->[0]", "--$_->[0]=$_->[1]")
    for ['skip', '-1'], ['skip', '1Q'], ['skip', ''], ['skip', '99999999999999999999'], ['skip', '99999999999T'],
        ['buffer-size', 'x'],
    ['buffer-size', '101%'], ['top', 'many'], ['top', '1K'], ['parallel', '0'], ['gzip', '10'], ['algorithm', 'quick'];

refuses([@u32, split ' ', $_], $data, 'exclude each other', $_)
    for '-c -C', '-c -o x', '-c -z', '-c -i f', '-c -m', '-c --argsort', '-c --top=1', '-c -a radix',
    '-c -a merge', '-m -a radix', '-c --raw',
        '-m -i f', '-m --workspace=w', '-c --workspace=w',
    '-i --argsort f', '-i -o x f', '-i --raw f';
refuses([@u32, '-i'], $data, 'needs files', '-i without files');
refuses([@u32, '-', '-'], $data, 'named twice', 'standard input twice');
refuses(['--frobnicate'], '', "'--frobnicate'", 'an unknown option');
refuses(['-X'], '', '-X', 'an unknown letter');
refuses(['--type'], '', "'--type' needs an argument", 'an option without its argument');
refuses(['--help=x'], '', "--help=x", 'an option with an argument that it does not take');
ok(!-e 'x', 'no output was made');
done_testing();
