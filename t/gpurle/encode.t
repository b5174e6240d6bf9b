#!/usr/bin/perl
# gpurle writes what gpurle(5) says, as an independent reader sees it, and decodes to the same bytes. Types and records,
# run structures of every kind, blocks, inputs, .npy, gzip, pipes, --skip.
# SCANKIT_SEED repeats the random part, SCANKIT_ROUNDS makes it longer; SCANKIT_TEST_EVERY=N tries one of N structures of
# each type.
use strict;
use warnings;
use Test::More;
our ($tool, $every, @types) = 'gpurle';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpurle/rle.pl";

seed_random();

# The only container in these bytes; an empty one if it breaks a rule.
sub container
{
    my ($file) = @_;
    my @containers = eval { rle_read($file) };
    diag($@) if $@;
    diag(scalar @containers, ' containers') if @containers > 1;
    return @containers == 1 ? $containers[0] : { schema => '', size => 1, prefix => '', data => undef, runs => -1,
        blocks => [] };
}

# Passes if encoding was silent, gave one container of these elements, schema and prefix, and decodes to the input.
sub encoded
{
    my ($run, $data, $schema, $prefix, $name) = @_;
    my $c = container($run->{out});
    my $good = $run->{status} == 0 && $run->{err} eq '' && defined $c->{data} && $c->{data} eq $data
        && $c->{prefix} eq $prefix && $c->{schema} =~ /^(?:$schema)$/ && $c->{runs} == beginnings($data, $c->{size});
    my $back = tool(['-d'], $run->{out});
    $good &&= $back->{status} == 0 && $back->{out} eq $prefix . $data && $back->{err} eq '';
    ok($good, $name) or diag("status $run->{status}: $run->{err}; schema $c->{schema}, $c->{runs} runs; back: ",
        "$back->{status}: $back->{err}");
    return $c;
}

# Elements of $size bytes in these runs. Neighbours differ, in their last byte at least.
sub in_runs
{
    my ($size, @counts) = @_;
    my $i = int(rand(200));
    my $bytes = '';
    for my $count (@counts) {
        my $value = ($size > 1 ? substr(pack('N', int(rand(3)) << 24) x ($size / 4 + 1), 0, $size - 1) : '')
            . chr($i++ % 251);
        $bytes .= $value x $count;
    }
    return $bytes;
}

my %structure = (
    'nothing' => sub { () },
    'one element' => sub { 1 },
    'two equal ones' => sub { 2 },
    'two' => sub { (1, 1) },
    'one giant run' => sub { 100_000 },
    'all distinct' => sub { (1) x 700 },
    'pairs' => sub { (2) x 400 },
    'runs of three' => sub { (3) x 300 },
    'geometric' => sub { map { my $n = 1; $n++ while rand() < 0.7; $n } 1 .. 500 },
    'powers of two' => sub { map { (2**$_ - 1, 2**$_, 2**$_ + 1) } 1 .. 9 },
    'counts around a byte' => sub { (254, 255, 1, 1) },
    'counts past a byte' => sub { (1, 256, 1) },
    'a long one in the end' => sub { ((1) x 300, 70_000) },
    'a long one first' => sub { (65_536, (1) x 300) },
    'counts around two bytes' => sub { (65_535, 3) },
);

my %formats = ('r:bytes3' => 3, 'a:u8,b:u32' => 5, 't:u64,v:f32' => 12, 'a.b:i16,c-d:f64,_:bytes14' => 24,
    'name:bytes1000' => 1000);
my $case = 0;
for my $kind (@types, sort keys %formats) {
    my $size = $formats{$kind} || type_size($kind);
    for my $structure (sort keys %structure) {
        next if $case++ % $every;
        my @counts = $structure{$structure}->();
        @counts = map { $_ > 1000 ? 1000 : $_ } @counts if $size > 100;
        my $data = in_runs($size, @counts);
        my $run = tool([$formats{$kind} ? '-f' : '-t', $kind], $data);
        encoded($run, $data, "\Q$kind\E", '', "$kind: $structure");
    }
}
for my $type ('u16', 'i64', 'f16', 'f32') {
    my $data = in_runs(type_size($type), 1, 2, 3);
    encoded(tool(['-t', $type, '--endian=big'], $data), $data, ">$type", '', "$type, big endian");
}
my $record = in_runs(15, 4, 1, 5);
encoded(tool(['-f', 't:u64,v:f32,id:bytes3', '--endian=big'], $record), $record, 't:>u64,v:>f32,id:bytes3', '',
    'records, big endian');
encoded(tool(['-f', 'a:u8,b:i8,c:bytes13', '--endian=big'], $record), $record, 'a:>?u8,b:>?i8,c:bytes13', '',
    'a byte has no order');

# Floats are equal by their bits.
my @nans = map { pack('V', $_) } 0x7fc00000, 0x7fc00001, 0xffc00000;
my $floats = join '', (pack('f<', 0)) x 2, (pack('f<', -0.0) | "\0\0\0\x80") x 3, map { $_ x 2 } @nans;
my $c = encoded(tool(['-t', 'f32'], $floats), $floats, 'f32', '', 'zeros of both signs, and NaNs');
is($c->{runs}, 5, 'are five runs');

# ---- inputs ----

my $in_parts = in_runs(4, map { int(rand(30)) + 1 } 1 .. 20_000);
my $container = tool(['-t', 'u32'], $in_parts)->{out};
for my $options (['-S', '64K'], ['-S', '1M'], ['--parallel=1'], ['--parallel=3'], ['--device=cpu']) {
    gives(['-t', 'u32', @$options], $in_parts, $container, "the same container with @$options");
}
for my $size (fewer('64K', '100K', '1M', '20M')) {
    encoded(tool(['-t', 'u32', '-S', $size], $in_parts), $in_parts, 'u32', '', "--buffer-size=$size");
    my $giant = 'same' x 300_000;
    $c = encoded(tool(['-t', 'u32', '-S', $size], $giant), $giant, 'u32', '', 'a run over all parts');
    is($c->{runs}, 1, 'is one');
}

# Distinct elements pass as they are. Beside longer runs a block is plain if that is shorter; its elements are kept as
# they come, or expanded from the runs if a long run made that look unlikely.
my $distinct = join '', map { chr } 0 .. 250;
my %beside = (
    'nothing else' => [$distinct x 1000, 2],
    'pairs now and then' => [join('', map { $distinct . chr(250) } 1 .. 1000), 2],
    'a wide count in the middle' => [$distinct x 500 . "\xff" x 300 . $distinct x 500, 2],
    'a wide count at the end' => [$distinct x 1000 . "\xff" x 300, 2],
    'a long run first' => ["\xff" x 70_000 . $distinct x 1000, 2],
    'a long run in the middle' => [$distinct x 500 . "\xff" x 70_000 . $distinct x 500, 2],
    'a run that is too long' => ["\xff" x 1_300_000 . $distinct x 1000, 1],
);
for my $name (fewer(sort keys %beside)) {
    my ($data, $kind) = @{ $beside{$name} };
    my %containers;
    for my $options ([], ['-S', '30K'], ['-S', '1M'], ['--parallel=1']) {
        my $run = tool(['-t', 'u8', @$options], $data);
        $containers{ $run->{out} }++;
        $c = encoded($run, $data, 'u8', '', "distinct elements and $name @$options") if !@$options;
    }
    is(scalar keys %containers, 1, 'the same container with less memory');
    is($c->{blocks}[0]{kind}, $kind, $kind == 2 ? 'it is plain' : 'it has runs');
}

my @parts = map { put("part$_->[0]", $_->[1]) } [1, 'aaab'], [2, 'bbb'], [3, ''], [4, 'bc'], [5, 'c'];
my $one = tool(['-t', 'u8', path('part1')])->{out};
$c = encoded(tool(['-t', 'u8', @parts]), 'aaabbbbbcc', 'u8', '', 'runs go over the borders of inputs');
is($c->{runs}, 3, 'so they are three');
encoded(tool(['-t', 'u8', path('part1'), '-', path('part4')], 'bb'), 'aaabbbbc', 'u8', '', 'standard input between');
encoded(tool(['-t', 'u8', (path('part2')) x 200]), 'bbb' x 200, 'u8', '', '200 files');
encoded(tool(['-t', 'u8', path('part3')]), '', 'u8', '', 'an empty file');
encoded(tool(['-t', 'u16', path('part3'), path('part3')]), '', 'u16', '', 'two');
encoded(shell('cat "$1" | gpurle -t u32 | cat', put('in_parts', $in_parts)), $in_parts, 'u32', '', 'pipes');
my $dribble = '$| = 1;'
    . 'for my $i (1 .. 40) { for (split //, pack("V", $i / 5)) { print; select undef, undef, undef, 0.001 } }';
encoded(shell('perl -e "$1" | gpurle -t u32', $dribble), pack('V*', map { int($_ / 5) } 1 .. 40), 'u32', '',
    'byte by byte');
encoded(shell('gzip -c "$1" | gpurle -t u32', path('in_parts')), $in_parts, 'u32', '', 'gzip');
encoded(shell('gpurle -t u32 -o "$2" "$1" && cat "$2"', path('in_parts'), path('o')), $in_parts, 'u32', '', '-o');
encoded(shell('gpurle -t u32 <"$1"', path('in_parts')), $in_parts, 'u32', '', 'standard input');
encoded(shell('(dd bs=4 count=1 of=/dev/null 2>/dev/null; gpurle -t u32) <"$1"', path('in_parts')),
    substr($in_parts, 4), 'u32', '', 'standard input from where it stands');
put('self', 'aaaab');
encoded(shell('gpurle -t u8 -o "$1" "$1" && cat "$1"', path('self')), 'aaaab', 'u8', '', 'the output is the input');
gives(['-d', '-o', path('self'), path('self')], '', '', 'and back');
is(get('self'), 'aaaab', 'it is as it was');

for my $option ('-z', '-z0', '-z9', '--gzip=3') {
    my $run = tool(['-t', 'u32', $option], $in_parts);
    my $back = tool(['-d'], $run->{out});
    ok($back->{out} eq $in_parts && $back->{status} == 0, "$option: comes back");
    encoded(run(['gzip', '-dc'], $run->{out}), $in_parts, 'u32', '', 'and is a container in gzip');
    is(substr($run->{out}, 0, 4) . substr($run->{out}, 10, 6), "\x1f\x8b\x08\x04\6\0BC\2\0", 'BGZF');
}

# A container can be encoded again.
my $twice = tool(['-t', 'u8'], $one);
encoded($twice, $one, 'u8', '', 'a container in a container');

# ---- what stands before the elements ----

encoded(tool(['-t', 'u8', '--skip=5'], 'helloaab'), 'aab', 'u8', 'hello', '--skip is kept');
encoded(tool(['-t', 'u8', '--skip=5'], 'hello'), '', 'u8', 'hello', 'all is');
encoded(tool(['-t', 'u32', '--skip=3000000'], 'h' x 3_000_000 . 'aaaa'), 'aaaa', 'u32', 'h' x 3_000_000, '3 MB are');
refuses(['-t', 'u8', '--skip=6', '-o', path('none')], 'hello', 'holds 5 bytes only', '--skip of more than there is');
gives(['-d', '--raw'], tool(['-t', 'u8', '--skip=5'], 'helloaab')->{out}, 'aab', '-d --raw leaves it out');
encoded(tool(['-t', 'u8', '--skip=5', '--raw'], 'helloaab'), 'aab', 'u8', '', 'and so does --raw from the beginning');
encoded(tool(['-t', 'u8', '--skip=2', put('h1', 'h1aab'), put('h2', 'h2bbc')]), 'aabbbc', 'u8', 'h1',
    'of several inputs, the first one\'s is kept');
my %descr = (u8 => '|u1', u16 => '<u2', u32 => '<u4', u64 => '<u8', i8 => '|i1', i16 => '<i2', i32 => '<i4',
    i64 => '<i8', f16 => '<f2', f32 => '<f4', f64 => '<f8', bytes10 => '|S10', bytes3 => '|V3');
for my $type (fewer(sort keys %descr)) {
    my $data = in_runs(type_size($type), 1, 2, 3, 1);
    for my $version (1, 2, 3) {
        my $header = npy("'$descr{$type}'", 7, '', version => $version);
        encoded(tool([], $header . $data), $data, "(?:x:)?$type", $header, ".npy $descr{$type}, version $version");
    }
    next unless (my $descr = $descr{$type}) =~ s/</>/;
    my $header = npy("'$descr'", 7, '');
    encoded(tool([], $header . $data), $data, ">$type", $header, ".npy $descr");
}
my $fields = "[('id', '<u2'), ('', '|V2'), ('a name', '|S4'), ('t', '>i4'), ('\xc3\xa4%,:', '|u1')]";
my $header = npy($fields, 10, '');
my $records = in_runs(13, 4, 1, 5);
encoded(tool([], $header . $records), $records,
    'id:u16,:?(?:bytes2)?,a%20name:bytes4,t:>i32,%[Cc]3%[Aa]4%25%2[Cc]%3[Aa]:u8',
    $header, '.npy records, of names that --format cannot spell');
encoded(tool(['--skip=3'], "abc$header$records"), $records, '.*', "abc$header", 'a .npy file behind --skip');
my $odd = npy("'<u2'", 3, '') =~ s/\(3,\)/(3L,)/r =~ s/ \n/\n/r;
encoded(tool([], $odd . 'aabbbb'), 'aabbbb', 'u16', $odd, 'a .npy header that is like no other');
encoded(tool([], npy("'<u2'", 0, '')), '', 'u16', npy("'<u2'", 0, ''), 'a .npy file without elements');
my @arrays = (put('1.npy', npy("'<u2'", 2, 'aabb')), put('2.npy', npy("'<u2'", 3, 'bbbbcc')));
$c = encoded(tool([@arrays]), 'aabbbbbbcc', 'u16', npy("'<u2'", 5, ''), 'two .npy files are one, with its count');
is($c->{runs}, 3, 'with runs over the border');
encoded(tool([@arrays, path('2.npy')]), 'aabbbbbbccbbbbcc', 'u16', npy("'<u2'", 8, ''), 'three');
encoded(tool(['--raw', @arrays]), 'aabbbbbbcc', 'u16', '', 'with --raw there is no header');
refuses([@arrays, put('3.npy', npy("'<i2'", 1, 'aa'))], '', '3.npy: holds i16, not u16', 'two types');
encoded(shell('gzip -c "$1" | gpurle | gzip -dcf', path('1.npy')), 'aabb', 'u16', npy("'<u2'", 2, ''),
    'a .npy file in gzip');
encoded(shell('cat "$1" | gpurle | cat', path('1.npy')), 'aabb', 'u16', npy("'<u2'", 2, ''),
    'a .npy file through a pipe');
is(shell('gpurle "$1" | gpurle -d | cmp - "$1" && gpurle "$1" | gpurle -d -o "$2" && cmp "$1" "$2" && echo same',
    path('1.npy'), path('back.npy'))->{out}, "same\n", 'and back to a file');
my $wide_header = npy('[' . join(', ', map { "('field_with_a_long_name_$_', '|u1')" } 1 .. 3000) . ']', 2, '',
    version => 2);
encoded(tool([], $wide_header . 'x' x 6000), 'x' x 6000, 'field_with_a_long_name_1:u8,.*:u8', $wide_header,
    '3000 fields');

refuses(['-t', 'u32', '-o', put('keep', 'old')], 'aaaabbb', '7 bytes are not a whole number',
    'a length that does not fit');
is(get('keep'), 'old', 'the output is as it was');
refuses(['-o', path('keep')], npy("'<u2'", 4, 'aabbcc'), 'claims 4 elements', 'a .npy header that lies');
refuses([], 'abc', 'say what it holds with --type or --format', 'no type');

# ---- many kinds of everything ----

sub gzipped { my ($bytes) = @_; put('z', $bytes); return run(['gzip', '-c' . pick(1, 6), path('z')])->{out} }

for my $round (1 .. rounds(100)) {
    my $kind = pick(@types, sort keys %formats);
    my $size = $formats{$kind} || type_size($kind);
    my $most = pick(1, 2, 3, 10, 300, 5000);
    my $runs = least(1_000_000 / ($size * $most), rand(pick(3, 30, 300, 3000)));
    my $data = in_runs($size, map { 1 + int(rand($most)) } 1 .. $runs);
    my $elements = length($data) / $size;
    my @cuts = sort { $a <=> $b } map { int(rand($elements + 1)) } 1 .. pick(0, 0, 1, 3);
    my @bytes = map { substr($data, $_->[0] * $size, ($_->[1] - $_->[0]) * $size) }
        map { [$_ ? $cuts[$_ - 1] : 0, $cuts[$_] // $elements] } 0 .. @cuts;
    my $prefix = !@cuts && rand() < 0.2 ? 'p' x rand(100) : '';
    my @whole = map { $prefix . $_ } @bytes;
    my @files = map { put("r$_", rand() < 0.3 ? gzipped($whole[$_]) : $whole[$_]) } 0 .. $#whole;
    my @options = ($formats{$kind} ? '-f' : '-t', $kind, $prefix ne '' ? '--skip=' . length $prefix : ());
    push @options, '--parallel=' . pick(1, 2, 3) if rand() < 0.3;
    push @options, '-S', pick('64K', '1M', '10M') if rand() < 0.4;
    my $piped = @files == 1 && rand() < 0.4;
    my $run = shell($piped ? 'cat "$1" | { shift; gpurle "$@"; } | cat' : 'gpurle "$@"', $piped ? @files : (),
        @options, $piped ? () : @files);
    encoded($run, $data, "\Q$kind\E", $prefix, "$elements elements, @options" . ($piped ? ', piped' : ''))
        or diag("round $round");
}
# ---- memory and time ----

my $noise = '';
$noise .= pack('V*', map { int(rand(2**32)) } 1 .. 1000) for 1 .. 2300; # a long list takes memory for ever
my $size_of = sub { my ($data, @options) = @_; return length tool([@options], $data)->{out} };
for my $type (fewer('u8', 'u16', 'u32', 'u64')) {
    my $data = substr($noise, 0, 4_000_000);
    my $distinct = pack({ u8 => 'C', u16 => 'v', u32 => 'V', u64 => 'Q<' }->{$type} . '*',
        map { $_ & (1 << (type_size($type) * 8 < 32 ? type_size($type) * 8 : 32)) - 1 } 1 .. 100_000);
    my $run = tool(['-t', $type], $distinct);
    cmp_ok(length $run->{out}, '<', 1.01 * length $distinct, "$type, all distinct: grows by less than 1%");
    encoded($run, $distinct, $type, '', 'and comes back');
    $run = tool(['-t', $type], $data);
    cmp_ok(length $run->{out}, '<', 1.01 * length $data, "$type, noise: grows by less than 1%");
}
cmp_ok($size_of->(in_runs(4, (100) x 10_000), '-t', 'u32'), '<', 50_500, 'runs of 100 take five bytes each');
cmp_ok($size_of->("\0" x 5_000_000, '-t', 'u8'), '<', 150, 'one run takes next to nothing');
cmp_ok($size_of->(in_runs(8, (1) x 100_000, 10), '-t', 'u64'), '<', 801_000, 'one pair does not make all longer');

# ---- blocks ----

my $large = in_runs(8, map { $_ % 7 == 0 ? 40 : 1 } 1 .. 520_000); # 27 MB
$c = encoded(tool(['-t', 'u64'], $large), $large, 'u64', '', 'some blocks');
cmp_ok(scalar @{ $c->{blocks} }, '>=', 2, 'there are some');
my $mixed = substr($noise, 0, 9_000_000) . 'x' x 8 x 1_000_000 . substr($noise, 0, 800_000) . in_runs(8,
    (300) x 2000);
$c = encoded(tool(['-t', 'u64'], $mixed), $mixed, 'u64', '', 'noise, a giant run, noise, runs');
my %kinds = map { $_->{kind} => 1 } @{ $c->{blocks} };
is(join(' ', sort keys %kinds), '1 2', 'in blocks of both kinds');
for my $shift (some(0, -3, -1, 1, 3)) { # a run of 7 over each border of 4 MiB of elements
    my $data = substr($noise, 0, 4 * ((2 << 20) + 16));
    substr($data, 4 * ($_ - 3 + $shift), 28) = 'same' x 7 for 1 << 20, 2 << 20;
    encoded(tool(['-t', 'u32'], $data), $data, 'u32', '', "a run over a border of blocks, moved by $shift");
}
for my $size (3_000_000, 9_000_000) {
    my $wide = join '', map { chr(97 + $_ / 2) x $size } 0 .. 3;
    my $before = npy("'|V$size'", 4, '');
    encoded(tool([], $before . $wide), $wide, ".*bytes$size", $before, "elements of $size bytes");
}

is(join(' ', leftovers()), '', 'no temporary is left');
done_testing();
