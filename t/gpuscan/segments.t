#!/usr/bin/perl
# gpuscan --segments: by fields of records and by flags in a file; scans and reductions, across blocks; and flags of the
# wrong number.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpuscan/scan.pl";
our (@types, @operators);

# Random flags, set with this probability.
sub random_heads { my ($n, $chance) = @_; return map { rand() < $chance ? pick(1, 2, 128, 255) : 0 } 1 .. $n }

srand(8);
for my $type (fewer(@types)) {
    for my $op (grep { has_operator($type, $_) } @operators) {
        my $n = 700;
        my @heads = random_heads($n, pick(0.9, 0.3, 0.02));
        my $flags = put('flags', pack('C*', @heads));
        my @elements = random_elements($type, $op, $n);
        my $data = join '', @elements;
        my @options = ('-t', $type, "--op=$op", "--segments=$flags");
        gives(\@options, $data, join('', scanned($type, $op, 0, \@elements, \@heads)), "$op of $type by flags");
        gives([@options, '--exclusive', '-S', pick(200, 1000, 9000)], $data,
            join('', scanned($type, $op, 1, \@elements, \@heads)), 'exclusive, in small blocks');
        my @begins = begins(\@heads, $n);
        my @inclusive = scanned($type, $op, 0, \@elements, \@heads);
        my @last = map { $inclusive[($begins[$_ + 1] // $n) - 1] } 0 .. $#begins;
        gives([@options, '--reduce', '-S', pick(200, 1000, '1M')], $data, join('', @last), 'reduced');
    }
}

# Fields.
my @rows = map { [pick('ann', 'bob'), int(rand(3)), int(rand(100))] } 1 .. 2000;
my $pack = sub { join '', map { pack('a3 V s<', @$_) } @_ };
my $format = 'who:bytes3,day:u32,n:i16';
my $model = sub {
    my ($exclusive, @of) = @_;
    my ($sum, @all) = 0;
    for my $i (0 .. $#rows) {
        my $begins = $i == 0 || grep { $rows[$i][$_] ne $rows[$i - 1][$_] } @of;
        $sum = 0 if $begins;
        push @all, { begins => $begins, row => [@{ $rows[$i] }[0, 1], $exclusive ? $sum : $sum + $rows[$i][2]] };
        $sum += $rows[$i][2];
    }
    return @all;
};
for (['who', 0], ['day', 1], ['who,day', 0, 1], ['0:bytes3', 0], ['0:bytes7', 0, 1], ['1:u8', 0]) {
    my ($text, @of) = @$_;
    for my $memory (600, '1M') {
        my @options = ('-f', $format, '--value=n', "--segments=$text", '-S', $memory);
        gives(\@options, $pack->(@rows), $pack->(map { $_->{row} } $model->(0, @of)), "--segments=$text, -S $memory");
        gives([@options, '--exclusive'], $pack->(@rows), $pack->(map { $_->{row} } $model->(1, @of)), 'exclusive');
        my (@sums, @all);
        @all = $model->(0, @of);
        for my $i (0 .. $#all) {
            push @sums, [@{ $rows[$i] }[0, 1], 0] if $all[$i]{begins};
            $sums[-1][2] = $all[$i]{row}[2];
        }
        gives([@options, '--reduce'], $pack->(@rows), $pack->(@sums), 'reduced: each segment\'s first record');
    }
}
my $descr = "[('k', '<u2'), ('v', '>f4')]";
my $npy = npy($descr, 4, pack('(v f>)*', 7, 1, 7, 2, 8, 3, 8, 4));
my $ends = npy($descr, 2, pack('(v f>)*', 7, 3, 8, 7));
gives(['--segments=k', '--value=v'], $npy, npy($descr, 4, pack('(v f>)*', 7, 1, 7, 3, 8, 3, 8, 7)),
    'a structured .npy');
gives(['--segments=k', '--value=v', '--reduce'], $npy, $ends, 'reduced');
my $run = shell('gpuscan --segments=k --value=v --reduce "$1" | cat', put('k.npy', $npy));
is($run->{out}, $ends, 'to a pipe');
gives(['--segments=k', '--value=v', '--reduce', '--raw'], $npy, pack('(v f>)*', 7, 3, 8, 7), 'with --raw');
gives(['--segments=k', '--value=v', '--reduce'], npy($descr, 0, ''), npy($descr, 0, ''), 'of nothing');
gives(['-f', 'v:f64', '--segments=v', '--exclusive'], pack('d<*', 0, '-0.0', 1, 1), pack('d<*', 0, 0, 0, 1),
    'other bits are another value');

for my $memory (136, '1M') { # blocks of two elements
    put('begins', pack('C*', 0, 1, 0));
    my @options = ('-d', 'cpu', '-t', 'f64', '--exclusive');
    gives([@options, '--segments=' . path('begins'), '-S', $memory], pack('d<*', 1, '-0.0', 5),
        pack('d<*', 0, 0, '-0.0'), "minus zero behind a segment's first, -S $memory");
    gives([@options, '-S', $memory eq '1M' ? $memory : 64], pack('d<*', '-0.0', 5), pack('d<*', 0, '-0.0'),
        'and behind the first of all');
}

# Flags.
my $ones = pack('C*', (1) x 10);
my $u8 = ['-t', 'u8', '--segments=' . path('heads')];
put('heads', pack('C*', 0, 0, 0, 1, 0, 0, 255, 0, 1, 1));
my $counted = pack('C*', 1, 2, 3, 1, 2, 3, 1, 2, 1, 1);
gives($u8, $ones, $counted, 'a file of flags');
gives([@$u8, '--reduce'], $ones, pack('C*', 3, 3, 2, 1, 1), 'reduced');
put('heads.npy', npy("'|b1'", 10, get('heads') =~ s/\xff/\x01/r));
gives(['-t', 'u8', '--segments=' . path('heads.npy')], $ones, $counted, 'a .npy of booleans');
shell('gzip -k "$1"', path('heads.npy'));
gives(['-t', 'u8', '--segments=' . path('heads.npy.gz')], $ones, $counted, 'in gzip');
gives(['-t', 'u8', '--segments=-', put('ones', $ones)], get('heads'), $counted, 'from standard input');
gives(['-f', 'a:u8', '--segments=' . path('heads')], $ones, $counted, 'for records, where no field has that name');
gives([@$u8, path('ones'), '-o', path('heads')], '', '', '-o that is the file of flags');
is(get('heads'), $counted, 'holds the result');
put('heads', pack('C*', 0, 0, 0, 1, 0, 0, 255, 0, 1, 1));
gives([@$u8, '--skip=1', '-'], 'x' . $ones, $counted, '--skip is not for flags');
gives([@$u8, '-i', map { put("i$_", pack('C*', ($_) x 10)) } 1, 2], '', '', '-i, two files');
is(get('i1') . get('i2'), $counted . pack('C*', map { 2 * $_ } unpack('C*', $counted)), 'by the same flags');
for (["'<f4'", 'f<'], ["'>i8'", 'q>'], ["[('day', '<u2'), ('who', '|S3')]", 'v x3']) {
    my ($type, $letter) = @$_;
    my $keys = npy($type, 10, pack("($letter)*", 7, 7, 7, 8, 8, 8, 7, 7, -9, -7));
    put('keys.npy', $keys);
    gives(['-t', 'u8', '--segments=' . path('keys.npy'), '-S', $_], $ones, $counted, "a .npy of keys, $type, -S $_")
        for 200, '1M';
}
refuses(['-t', 'u8', '--segments=' . path('keys.npy')], 'x', 'keys.npy: holds 10 keys, but there are 1 elements',
    'too many');
refuses(['-t', 'u8', '--segments=' . put('keys', npy("'<f4'", 1, 'xxxx')), path('ones')], '',
    'keys: holds 1 keys, but there are 10', 'and too few');
$run = shell('cat "$1" | gpuscan -t u8 --segments="$2" -S 100 | cat', path('ones'), path('heads.npy'));
is($run->{out}, $counted, 'through a pipe');

my $many = get('heads') x 3;
put('keep', 'as it was');
for my $flags (9, 11) {
    put('wrong', substr($many, 0, $flags));
    shell('gzip -kf "$1"', path('wrong'));
    for my $way ([], ['--reduce']) {
        refuses(['-t', 'u8', '--segments=' . path('wrong'), @$way, path('ones'), '-o', path('keep')], '',
            "wrong: holds $flags flags, but there are 10 elements", "$flags flags @$way");
        my $said = 'holds ' .
            ($flags < 10 ? '9 flags, but there are more elements' : 'more flags than there are elements, 10');
        for my $memory (100, '1M') {
            refuses(['-t', 'u8', '--segments=' . path('wrong.gz'), @$way, '-S', $memory, '-o', path('keep')], $ones,
                "wrong.gz: $said", "found at the end, -S $memory");
        }
    }
}
refuses(['-t', 'u8', '--segments=' . put('none', ''), '-o', path('keep')], $ones, 'holds 0 flags', 'no flags');
refuses(['-t', 'u8', '--segments=' . path('wrong'), '-o', path('keep')], '', 'more flags than there are elements, 0',
    'no elements');
gives(['-t', 'u8', '--segments=' . path('none')], '', '', 'neither');
refuses(['-t', 'u8', '--segments=' . path('missing'), '-o', path('keep')], $ones, 'missing: cannot open', 'no file');
refuses(['-f', $format, '--value=n', '--segments=whom'], '', 'no such field, and there is no such file', 'no field');
refuses(['-t', 'u8', '--segments=-'], $ones, 'named twice', 'standard input twice');
refuses(['-t', 'u8', '--segments=-', '-i', path('i1'), path('i2')], $ones, 'takes one FILE', 'with -i and two files');
is(get('keep') . join(' ', leftovers()), 'as it was', 'the output is as it was');
done_testing();
