#!/usr/bin/perl
# gpurle's options: contradictions, --help, --version, --stats, --device, exit status.
use strict;
use warnings;
use Test::More;
our $tool = 'gpurle';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpurle/rle.pl";

my @u8 = ('-t', 'u8');
my $data = 'aaab';
my $encoded = tool(\@u8, $data)->{out};
is(((eval { rle_read($encoded) })[0] || {})->{data}, $data, 'encoding is what it does without an option') or diag($@);
gives([@u8, '-q', '--no-progress', '--parallel=1', '--device=cpu', '-S', '1G'], $data, $encoded,
    'options without effect');
gives([put('late', $data), '--type', 'u8'], '', $encoded, 'options behind operands');
gives(['-qd'], $encoded, $data, 'letters together');
gives(['-dq', '-'], $encoded, $data, '- is standard input');
{
    local %ENV = %ENV;
    delete $ENV{OMP_WAIT_POLICY};
    gives([@u8, '--', put('-x', $data)], '', $encoded, 'however threads wait');
}
for my $way (['-d'], ['-l'], ['-c', @u8], ['-u', @u8], \@u8) {
    my $run = tool([@$way, '--parallel=2', '--device=cpu'], $way->[0] =~ /[dl]/ ? $encoded : $data);
    is("$run->{status}$run->{err}", '0', "@$way takes --device and --parallel");
}

my $number = qr/\d+(\.\d+)?/;
for my $case ([\@u8, $data], [['-d'], $encoded], [['-c', @u8], $data], [['-u', @u8], $data]) {
    my ($options, $input) = @$case;
    my $run = tool([@$options, '--stats=' . path('stats')], $input);
    is("$run->{status}$run->{err}", '0', "@$options --stats=FILE says nothing");
    like(get('stats'), qr/^\{"elements": 4, "bytes_in": $number, "bytes_out": $number, .*"seconds": \{.*\}\}\n$/,
        'and writes a JSON object');
    $run = tool([@$options, '--verbose'], $input);
    like($run->{err}, qr/^gpurle: .*\b4\b.*\n$/, 'with --verbose it tells of 4 elements');
    $run = tool([@$options, '--verbose', '-q'], $input);
    is($run->{status}, 0, 'with --quiet too it works');
}
my $run = tool([@u8, '--progress', put('big', 'ab' x 500_000)]);
ok($run->{status} == 0 && tool(['-d'], $run->{out})->{out} eq 'ab' x 500_000, 'output with --progress');
$run = tool(['-d', '--progress'], $run->{out});
ok($run->{status} == 0 && $run->{out} eq 'ab' x 500_000, 'the same of -d');

$run = tool(['--help']);
ok($run->{status} == 0 && $run->{out} =~ /^Usage: gpurle/ && $run->{err} eq '', '--help');
my $help = $run->{out};
my @helped = $help =~ /(--[a-z-]+)/g;
my $manual = get("$ENV{srcdir}/man/gpurle.1");
$manual =~ s/\\-/-/g;
is(join(' ', grep { index($manual, $_) < 0 } @helped), '', 'every option of --help is in the manual');
my @written = $manual =~ /^\.BR? .*?(--[a-z-]+)/mg;
is(join(' ', grep { index($help, $_) < 0 } @written), '', 'every option of the manual is in --help');
unlike($help, qr/--in-place/, 'there is no --in-place');
unlike($help, qr/-d, --device/, 'and -d is not --device');
like(tool(['--version'])->{out}, qr/^gpurle \(scankit\) \d+\.\d+/, '--version');

{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    refuses(\@u8, $data, 'nonsense', 'SCANKIT_DEVICE chooses for auto');
    gives([@u8, '--device=cpu'], $data, $encoded, 'but not against --device');
}
refuses([@u8, '--device=tpu'], $data, 'tpu', 'an unknown device');
refuses([@u8, '--device=cuda:999', '-o', put('keep', 'olds')], $data, 'cannot start device cuda:999',
    'a GPU that is not there');
is(get('keep'), 'olds', 'the output is as it was');
refuses([@u8, '-S', 1, '-o', path('keep')], $data, '--buffer-size', 'too small a --buffer-size');
is(get('keep'), 'olds', 'the output is as it was');

# ---- contradictions ----

refuses([split ' ', $_], $data, 'exclude each other', $_)
    for '-c -d', '-d -u', '-d -l', '-d --values=v', '-d --counts=v', '-d -t u8', '-d -f a:u8', '-l -t u8',
    '-l -f a:u8',
    '-c -l', '-l -u', '-l --values=v', '-l --counts=v', '-t u8 -c -u', '-t u8 -c --values=v', '-t u8 -c --counts=v',
    '-t u8 -u --values=v', '-t u8 -u --counts=v', '-t u8 --values=v -o o', '-t u8 --counts=v -o o', '-l -z',
    '-l -o o',
    '-l --raw', '-t u8 -c --raw', '-t u8 -f a:u8', '-d --skip=1', '-l --skip=1', '-d -k x', '-l -k x', '-t u8 -c -z';
refuses([@u8, '-k', 'x'], $data, '--key', '-k needs -c, -u or columns');
refuses([@u8, '-u', '-k', 'y'], $data, "--key=y: no field", 'a key that is not there');
refuses([@u8, '-u', '-k', 'x:desc'], $data, 'desc', 'an order of runs');
refuses([@u8, '-u', '-k', '0:u16'], $data, '--key', 'a key past the element');
refuses([@u8, "--$_->[0]=$_->[1]"], $data, "--$_->[0]", "--$_->[0]=$_->[1]")
    for ['skip', '-1'], ['buffer-size', 'x'], ['parallel', '0'], ['gzip', '10'], ['endian', 'middle'];
refuses(['-t', 'u7'], $data, 'no such type', 'a type that there is not');
refuses(['-f', 'a:u8,:'], $data, '--format', 'a format that is none');
refuses([@u8, '-', '-'], $data, 'named twice', 'standard input twice');
refuses([], $data, 'say what it holds', 'no type');
refuses(['-u'], $data, 'say what it holds', 'nor with -u');
refuses([@u8, '-i', path('late')], '', '', '-i');
refuses([@u8, '--in-place', path('late')], '', "'--in-place'", '--in-place');
refuses(['--frobnicate'], '', "'--frobnicate'", 'an unknown option');
refuses(['--values'], '', "'--values' needs an argument", 'an option without its argument');
refuses(['--decode=5'], '', "'--decode=5'", 'an option that takes none');
refuses([@u8, path('nowhere')], '', 'nowhere: cannot open: No such file', 'a file that is not there');
refuses(['-d', path('nowhere')], '', 'nowhere: cannot open: No such file', 'the same of -d');
refuses(['-l', path('.')], '', 'is a directory', 'a folder');
refuses([@u8, '-o', path('nowhere/x')], $data, 'nowhere/x: cannot', 'an output in a folder that is not there');

# One file for both outputs.
refuses([@u8, "--values=$_->[0]", "--counts=$_->[1]"], $data, 'the same file', "--values=$_->[0] --counts=$_->[1]")
    for ['-', '-'], [path('o'), path('o')], [path('o'), path('./o')], [path('keep'), path('keep')];
symlink('keep', path('link'));
refuses([@u8, '--values=' . path('link'), '--counts=' . path('keep')], $data, 'the same file', 'through a link');
$run = shell('gpurle -t u8 --values="$1" --counts=- "$2" >>"$1"', path('keep'), path('late'));
ok($run->{status} == 2 && $run->{err} =~ /the same file/, 'and where standard output goes');
is(get('keep'), 'olds', 'that file is as it was');
ok(!-e 'v' && !-e 'o' && !-e path('o'), 'no output was made');
is(join(' ', leftovers()), '', 'no temporary is left');
done_testing();
