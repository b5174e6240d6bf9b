#!/usr/bin/perl
# gpusort --algorithm with the textbook sorts of the gallery: every row of every device that this machine has writes the
# same bytes as auto; the table; and what is refused, before anything is written.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
our @types;

my $gpu = gpusort(['-t', 'u8', '-d', 'cuda'], '')->{status} == 0;
srand(5);

# ---- the table ----

my $run = gpusort(['--list-algorithms']);
my @lines = split /\n/, $run->{out};
ok($run->{status} == 0 && $run->{err} eq '' && @lines > 15, '--list-algorithms');
my @titles = qw(name device stable work steps passes limits source);
is(join(' ', split ' ', $lines[0]), "@titles", 'has these columns');
my @at = map { index($lines[0], $_) } @titles;
my @rows = map { my $line = $_; [map { substr($line, $at[$_], ($at[$_ + 1] // 999) - $at[$_]) =~ s/ +$//r } 0 .. $#at] }
    @lines[1 .. $#lines];
is(scalar(grep { my $row = $_; !grep { $_ eq '' || /  / } @$row } @rows), scalar @rows, 'that are aligned');
is(scalar(grep { $_->[2] =~ /^(yes|no)$/ } @rows), scalar @rows, 'each is stable or not');
is("@{shift @rows}[0 .. 2]", 'auto - yes', 'auto is the first');
is(join(' ', sort map { "$_->[0]:$_->[1]" } grep { $_->[6] eq '-' } @rows),
    'chunk-merge:cpu chunk-merge:cuda hybrid:cpu hybrid:cuda radix:cpu radix:cuda', 'production has no limits');
{
    local $ENV{SCANKIT_DEVICE} = 'nonsense';
    is(gpusort(['--list-algorithms'])->{out}, $run->{out}, 'needs no device');
}

# ---- results ----

# Random bytes, among them NaNs, infinities and zeros of both signs; and many values twice.
sub elements
{
    my ($type, $n) = @_;
    my $size = type_size($type);
    my @some = map { join '', map { chr(int(rand(256))) } 1 .. $size } 1 .. $n;
    push @some, map { chr($_) x $size } 0, 127, 128, 255;
    push @some, map { bytes_of($type, $_) } 0, -0.0, 1, -1, 9**9**9, -9**9**9, -sin(9**9**9) if $type =~ /^f/;
    push @some, @some[map { int(rand(@some)) } 1 .. $n / 2];
    return join '', @some;
}

my (%data, %wanted);
sub wanted
{
    my ($type, @options) = @_;
    my @auto = ('-d', 'cpu', '-t', $type, '-a', 'auto');
    return $wanted{"$type @options"} //= gpusort([@auto, @options], $data{$type})->{out};
}
$data{$_} = elements($_, 7000) for @types;

# Every way that data come and go, by a row and a device.
sub check_ways
{
    my ($name, $device, $stable) = @_;
    my @row = ('-a', $name, '-d', $device);
    my ($u32, $f64) = map { put($_, $data{$_}) } 'u32', 'f64';
    my $sorted = wanted('u32');
    is(shell('cat "$1" | gpusort -t u32 -a "$2" -d "$3" | cat', $u32, $name, $device)->{out}, $sorted,
        'through a pipe');
    is(shell('gzip -c "$1" | gpusort -t u32 -a "$2" -d "$3"', $u32, $name, $device)->{out}, $sorted, 'from gzip');
    gives(['-t', 'u32', @row, $u32, $u32], '', gpusort(['-t', 'u32', $u32, $u32])->{out}, 'of two files');
    gives(['-t', 'u32', @row, '-o', path('out'), $u32], '', '', 'to a file');
    is(get('out'), $sorted, 'which holds it');
    my $npy = put('some.npy', npy("'<f8'", length($data{f64}) / 8, $data{f64}));
    gives([@row, '-r', $npy], '', npy("'<f8'", length($data{f64}) / 8, wanted('f64', '-r')), '.npy');
    gives([@row, '-i', $npy, '--skip=0'], '', '', 'in place');
    is(get('some.npy'), npy("'<f8'", length($data{f64}) / 8, wanted('f64')), 'is sorted');
    gives(['-t', 'u32', @row], '', '', 'of nothing');
    gives(['-t', 'u32', @row], 'abcd', 'abcd', 'of one element');
    gives(['-t', 'u32', @row, '-k', 'x:desc'], $data{u32}, wanted('u32', '-r'), 'by the whole element as a key');
    if ($stable) {
        gives(['-t', 'f64', @row, '--argsort', @$_, $f64], '', wanted('f64', '--argsort', @$_), "--argsort @$_")
            for [], ['-r'];
    } else {
        refuses(['-t', 'f64', @row, '--argsort', $f64], '', "$name is not stable, which --argsort requires",
            '--argsort');
    }
    $run = gpusort(['-t', 'u32', @row, '--stats', $u32]);
    like($run->{err}, qr/"algorithm": "\Q$name\E"/, '--stats names it');
}

sub check_row
{
    my ($name, $device, $stable, $limits) = @_;
    for my $type (fewer(@types)) {
        my @row = ('-t', $type, '-a', $name, '-d', $device);
        if (type_size($type) < 4) {
            refuses(\@row, $data{$type}, "$name does not sort $type; its limits: $limits", "$name does not sort $type");
            next;
        }
        gives([@row, @$_], $data{$type}, wanted($type, @$_), "$name of $type @$_ on $device")
            for [], ['-r'], ['-u'], ['-u', '-r'];
    }
    check_ways($name, $device, $stable);
}

my (%devices, %stable);
push @{ $devices{$_->[0]} }, $_->[1] for @rows;
for my $row (@rows) {
    my ($name, $device, $stable, $limits) = @$row[0, 1, 2, 6];
    next if $limits eq '-'; # production's: t/gpusort/types.t and others
    SKIP: {
        skip("$name: there is no GPU", 1) if $device eq 'cuda' && !$gpu;
        check_row($name, $device, $stable eq 'yes', $limits);
    }
    next if @{ $devices{$name} } > 1;
    my $other = $device eq 'cpu' ? 'cuda' : 'cpu';
    refuses(['-t', 'u32', '-a', $name, '-d', $other], $data{u32},
        "$name runs on $device, which is not the chosen device", "$name not on $other");
    my @auto = ('-t', 'u32', '-a', $name, '-d', 'auto', '--stats=' . path('stats'));
    local $ENV{SCANKIT_DEVICE} = '';
    if ($device eq 'cpu' || $gpu) {
        gives(\@auto, $data{u32}, wanted('u32'), 'auto takes its device');
        like(get('stats'), qr/"algorithm": "\Q$name\E"/, 'and it');
    } else {
        refuses(\@auto, $data{u32}, 'cannot start device cuda', 'auto takes its device');
    }
}
for my $name (qw(hybrid radix chunk-merge)) {
    gives(['-t', 'u32', '-a', $name], $data{u32}, wanted('u32'), $name);
    gives(['-f', 'a:u32', '-a', $name, '-k', '0:u16,2:u16', '--top=2'], $data{u32},
        gpusort(['-f', 'a:u32', '-k', '0:u16,2:u16', '--top=2'], $data{u32})->{out}, "$name takes all options");
}

# A name that both devices have.
{
    is("@{ $devices{sample} }", 'cuda cpu', 'both devices have sample');
    local $ENV{SCANKIT_DEVICE} = '';
    gives(['-t', 'u32', '-a', 'sample', '--stats=' . path('stats')], $data{u32}, wanted('u32'), 'auto takes one');
    my $device = $gpu ? qr/"device": "(?!cpu)/ : qr/"device": "cpu/;
    like(get('stats'), $device, 'the GPU if there is one');
}

# ---- what is refused ----

my $u32 = put('u32', $data{u32});
for my $case (
    ['--top=5', 'does not take --top'],
    ['--workspace=' . path('w'), 'does not take --workspace'],
    ['--argsort -u', 'does not take --argsort with --unique'],
    ['--merge', '--merge and --algorithm exclude each other'],
    ['--check', '--check and --algorithm exclude each other'],
    ['-k 0:u16', 'sorts numbers, not records or keys that are parts of elements'],
    ['-k x,x', 'sorts numbers, not records'],
    ['--endian=big', 'does not sort big-endian numbers'],
    ['-S 40K', 'sorts in memory, and the input does not fit there'],
    ['-d tpu', 'merge runs on cpu, which is not the chosen device'],
    ) {
    my ($options, $message) = @$case;
    put('keep', 'olds');
    my @out = $options =~ /check/ ? () : ('-o', path('keep'));
    refuses(['-t', 'u32', '-a', 'merge', @out, split(' ', $options), $u32], '', $message, $options);
    is(get('keep'), 'olds', 'the output is as it was');
}
$run = shell('cat "$1" | gpusort -t u32 -d cpu -a merge -S 40K', $u32);
ok($run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /merge sorts in memory, and the input does not fit there/,
    'a pipe that holds too much');
refuses(['-f', 'a:u32,b:u32', '-a', 'merge', '-d', 'cpu'], "\0" x 8, 'sorts numbers, not records', 'records');
refuses(['-a', 'merge', '-d', 'cpu', put('s.npy', npy("'|S4'", 2, 'abcdefgh'))], '', 'sorts numbers, not records',
    'opaque bytes');
refuses(['-a', 'merge', '-d', 'cpu', put('big.npy', npy("'>u4'", 2, 'abcdefgh'))], '',
    'does not sort big-endian numbers', 'big-endian .npy');
refuses(['-t', 'u32', '-a', 'naive'], '', 'naive is a scan, not a sort', 'a scan');
refuses(['-t', 'u32', '-a', 'sequential'], '', 'sequential is a scan, not a sort', 'of several kinds, the first');
refuses(['-t', 'u32', '-a', 'bogosort'], '', 'no such algorithm; --list-algorithms', 'no algorithm');
refuses(['-t', 'u32', '-a', ''], '', 'no such algorithm; --list-algorithms', 'no name');
done_testing();
