#!/usr/bin/perl
# gpuscan's options: algorithms and their table, rounding of floats, --stats, --device, --buffer-size; and
# contradictions.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpuscan/scan.pl";

my @u32 = ('-t', 'u32');
my $data = pack('V*', 5, 3, 9, 1, 4);
my $sums = pack('V*', 5, 8, 17, 18, 22);
gives(\@u32, $data, $sums, 'sums');
gives([@u32, '--inclusive', '--op=sum'], $data, $sums, 'with the defaults');
gives([@u32, '--exclusive'], $data, pack('V*', 0, 5, 8, 17, 18), '--exclusive');
gives([@u32, '--op', 'max'], $data, pack('V*', 5, 5, 9, 9, 9), '--op');
gives([@u32, '--reduce', '--op=min'], $data, "1\n", '--reduce');
gives([@u32, '--deterministic'], $data, $sums, '--deterministic');
gives([@u32, '-q', '--no-progress', '--parallel=1', '-d', 'cpu', '-S', '1G'], $data, $sums, 'options without effect');
gives([put('late', $data), '--type', 'u32'], '', $sums, 'options behind operands');
{
    local %ENV = %ENV;
    delete $ENV{OMP_WAIT_POLICY};
    gives([@u32, '--', put('-x', $data)], '', $sums, 'however threads wait');
}

# The gallery.
my $run = tool(['--list-algorithms']);
my @lines = split /\n/, $run->{out};
ok($run->{status} == 0 && $run->{err} eq '' && @lines > 20, '--list-algorithms');
my @titles = qw(name kind device work steps passes limits source);
is(join(' ', split ' ', $lines[0]), "@titles", 'has these columns');
my @at = map { index($lines[0], $_) } @titles;
my @rows = map { my $line = $_; [map { substr($line, $at[$_], ($at[$_ + 1] // 999) - $at[$_]) =~ s/ +$//r } 0 .. $#at] }
    @lines[1 .. $#lines];
my $aligned = grep { my $row = $_; !grep { $_ eq '' || /  / } @$row } @rows;
is($aligned, @rows, 'that are aligned');
{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    is(tool(['--list-algorithms'])->{out}, $run->{out}, 'and needs no device');
}
is(scalar(grep { $_->[1] !~ /^(block scan|scan|reduction|compaction)$/ } @rows), 0, 'lists no sorts');
my $n = 20000;
my @values = map { ($_ * 2654435761) & 0xffffffff } 1 .. $n;
my ($sum, @sums) = 0;
push @sums, $sum = ($sum + $_) & 0xffffffff for @values;
my $many = pack('V*', @values);
my %device;
for my $row (@rows) {
    my ($name, $kind, $device) = @$row;
    my @options = (@u32, '-a', $name, '-S', '100K');
    if ($kind eq 'compaction') {
        push @{ $device{$name} }, $kind;
    } elsif ($device eq 'cpu' && $kind =~ /scan$/) {
        gives([@options, '-d', 'cpu'], $many, pack('V*', @sums), "$name, a $kind");
        gives([@options, '-d', 'cpu', '--exclusive'], $many, pack('V*', 0, @sums[0 .. $n - 2]), 'exclusive');
        $run = tool([@options, '-d', 'cpu', '--exclusive', '--verbose'], $many);
        like($run->{err}, qr/algorithm \Q$name\E$/, 'is said');
        refuses([@options, '-d', 'cuda'], $many, "$name runs on cpu, which is not the chosen device", 'not on cuda');
    } elsif ($device eq 'cpu') {
        gives([@options, '-d', 'cpu', '--reduce'], $many, "$sum\n", "$name, a $kind");
    } else {
        push @options, '--reduce' if $kind eq 'reduction';
        refuses([@options, '-d', 'cpu'], $many, "$name runs on cuda, which is not the chosen device", "$name, a $kind");
    }
}
refuses([@u32, '-a', 'gather-search'], $data, 'gather-search is a compaction, not a scan', 'a compaction');
refuses([@u32, '-a', 'brent-kung', '--reduce'], $data, 'brent-kung is a block scan, not a reduction', 'a scan');
refuses([@u32, '-a', 'strips'], $data, 'strips is a reduction, not a scan', 'a reduction');
refuses([@u32, '-a', 'bitonic'], $data, 'bitonic is a sort, not a scan', 'a sort');
refuses([@u32, '-a', 'bogosort'], $data, 'no such algorithm; --list-algorithms', 'no algorithm');
put('keep', 'olds');
refuses([@$_, '-d', 'cuda', '-o', path('keep')], $data, 'does not do|cannot start device', "@$_")
    for ['-t', 'u8', '-a', 'brent-kung'], ['-t', 'u32', '-a', 'naive', '--op=xor'],
    ['-t', 'u32', '-a', 'sequential-addressing', '--reduce', '--op=affine'];
is(get('keep'), 'olds', 'the output is as it was');

# Rounding of floats depends neither on threads, nor on how the elements arrive; on a GPU with --deterministic.
my @same = $ENV{SCANKIT_DEVICE} =~ /^cuda/ ? '--deterministic' : ();
srand(3);
my @floats = map { pack('f<', rand(2) - 0.9) } 1 .. 65536;
my $floats = put('floats', join('', @floats) x 40);
truncate($floats, 40 * 262144 - 4);
my $all = get('floats');
my $wanted = tool(['-t', 'f32', @same, $floats])->{out};
is(length $wanted, length $all, '10 MiB of floats');
put('part1', substr($all, 0, 1000004));
put('part2', substr($all, 1000004, 5000000));
put('part3', substr($all, 6000004));
for my $line ('gpuscan -t f32 --parallel=1 floats', 'gpuscan -t f32 --parallel=3 floats', 'cat floats | gpuscan -t f32',
    'gzip -1c floats | gpuscan -t f32', 'gpuscan -t f32 part1 part2 part3', 'cat part2 | gpuscan -t f32 part1 - part3',
    'gpuscan -t f32 -S 32M floats', 'gpuscan -t f32 --deterministic floats')
{
    $run = shell("cd \$1; $line @same", path('.'));
    ok($run->{status} == 0 && $run->{out} eq $wanted, $line) or diag($run->{err});
}
put('flags', join '', map { chr(rand() < 0.00001) } 1 .. length($all) / 4);
for my $way ('', ' --reduce') {
    my $segments = tool(['-t', 'f32', @same, '--segments=' . path('flags'), split(' ', $way), $floats])->{out};
    for my $line ('gpuscan -t f32 --parallel=1 floats', 'cat floats | gpuscan -t f32 --parallel=3',
        'gpuscan -t f32 part1 part2 part3')
    {
        $run = shell("cd \$1; $line --segments=flags @same$way", path('.'));
        ok($run->{status} == 0 && $run->{out} eq $segments && $segments ne '', "$line, in segments$way");
    }
}
my $reduced = tool(['-t', 'f32', '--reduce', $floats])->{out};
for my $line ('gpuscan -t f32 --reduce --parallel=1 floats', 'cat floats | gpuscan -t f32 --reduce --parallel=3',
    'gpuscan -t f32 --reduce part1 part2 part3 -S 16M')
{
    is(shell("cd \$1; $line", path('.'))->{out}, $reduced, $line);
}

# Messages.
my $number = qr/\d+(\.\d+)?/;
$run = tool([@u32, '--stats'], $data);
my $seconds = qr/"seconds": \{"start": $number, "scan": $number, "total": $number\}/;
my $numbers = qr/"elements": 5, "bytes_in": 20, "bytes_out": 20/;
like($run->{err}, qr/^\{$numbers, "device": "[^"]+", "algorithm": "[^"]+", $seconds\}\n$/, '--stats is a JSON object');
tool([@u32, '--stats=' . path('stats'), '--reduce'], $data);
like(get('stats'), qr/^\{"elements": 5, .*"bytes_out": 3, .*\}\}\n$/, '--stats=FILE writes FILE');
like(tool([@u32, '--verbose'], $data)->{err}, qr/^gpuscan: 5 elements on .*, algorithm .*\n$/, '--verbose');
ok(tool([@u32, '--progress', put('big', $many x 20)])->{out} ne '', 'output with --progress');
$run = tool(['--help']);
ok($run->{status} == 0 && $run->{out} =~ /^Usage: gpuscan/ && $run->{err} eq '', '--help');
my @helped = $run->{out} =~ /(--[a-z-]+)/g;
my $manual = get("$ENV{srcdir}/man/gpuscan.1");
$manual =~ s/\\-/-/g;
is(join(' ', grep { index($manual, $_) < 0 } @helped), '', 'every option of --help is in the manual');
like(tool(['--version'])->{out}, qr/^gpuscan \(scankit\) \d+\.\d+/, '--version');

{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    refuses(\@u32, $data, 'nonsense', 'SCANKIT_DEVICE chooses for auto');
    gives([@u32, '-d', 'cpu'], $data, $sums, 'but not against --device');
}
refuses([@u32, '-d', 'cuda:999', '-o', path('keep')], $data, 'cannot start device cuda:999', 'a GPU that is not there');
is(get('keep'), 'olds', 'the output is as it was');
gives([@u32, '-S', $_], $many, pack('V*', @sums), "--buffer-size=$_") for 32, 33, 1000, '4K', '1M', '10%';
refuses([@u32, '-S', 31], $many, '--buffer-size: a block of one element of 4 bytes takes 32 bytes',
    'too small a --buffer-size');
gives(['-f', 'a:u8,b:bytes999999', '--value=a'], "\1" . 'x' x 999999 . "\2" . 'y' x 999999,
    "\1" . 'x' x 999999 . "\3" . 'y' x 999999, 'records of a megabyte');

refuses([@u32, "--$_->[0]=$_->[1]"], $data, "--$_->[0]", "--$_->[0]=$_->[1]")
    for ['op', 'plus'], ['skip', '-1'], ['buffer-size', 'x'], ['parallel', '0'], ['gzip', '10'];
refuses([@u32, split ' ', $_], $data, 'exclude each other', $_)
    for '--inclusive --exclusive', '--reduce --inclusive', '--reduce --exclusive', '--reduce -i f', '--reduce -z',
    '--reduce --raw', '-i -o x f', '-i --raw f', '-a naive --segments=f', '-a naive --deterministic', '-f a:u8';
refuses([@u32, '-i'], $data, 'needs files', '-i without files');
refuses([@u32, '-', '-'], $data, 'named twice', 'standard input twice');
refuses(['-f', 'a:u8,b:u8'], $data, 'records have 2 fields: say which one to scan with --value', 'no --value');
refuses(['-f', 'a:u8,b:u8', '--value=c'], $data, "--value=c: no field and no OFFSET:TYPE .* at 'c'", 'no such field');
refuses(['-f', 'a:u8,b:u8', '--value=a,b'], $data, '--value: more than 1 key', 'two fields');
refuses(['-f', 'a:u8,b:u8', '--value=a:desc'], $data, 'nothing can be descending', 'a descending field');
refuses(['-f', 'a:bytes4'], $data, 'opaque bytes are not numbers', 'opaque bytes');
refuses(['--frobnicate'], '', "'--frobnicate'", 'an unknown option');
refuses([@u32, '--op'], '', "'--op' needs an argument", 'an option without its argument');
ok(!-e 'x' && !-e 'f', 'no output was made');
done_testing();
