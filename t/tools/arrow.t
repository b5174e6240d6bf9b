#!/usr/bin/perl
# Arrow IPC files and streams as inputs: every type, several batches, pipes, compressed buffers, and damage. The files are
# made by t/tools/arrow/make.py. SCANKIT_TEST_EVERY=N cuts and damages one of N bytes.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

our $every;
my $folder = "$ENV{srcdir}/t/tools/arrow";
my $probe = gpusort(["$folder/one.arrow"]);
plan skip_all => 'this build does not read Arrow' if $probe->{err} =~ /configured without it/;

my $reads_zstd = gpusort(['--column=uint8', "$folder/zstd.arrow"])->{err} !~ /this build cannot read/;
my @samples = ('types.arrow', 'types.arrows', $reads_zstd ? 'zstd.arrow' : ());
refuses(['--column=uint8', "$folder/zstd.arrow"], '', 'compressed with zstd, which this build cannot read', 'zstd')
    unless $reads_zstd;

my @values = map { $_ * 37 % 101 } 0 .. 27;
my @sorted = sort { $a <=> $b } @values;
my %types = (
    (map { ("uint$_" => "u$_", "int$_" => "i$_") } 8, 16, 32, 64),
    halffloat => 'f16', float => 'f32', double => 'f64',
    'date32[day]' => 'i32', 'time32[s]' => 'i32', 'time64[us]' => 'i64', 'timestamp[us]' => 'i64',
    'timestamp[ns, tz=UTC]' => 'i64', 'duration[ms]' => 'i64', 'date64[ms]' => 'i64',
);

# The .npy file of these values.
sub array
{
    my ($type, @numbers) = @_;
    my $descr = ($type =~ /8$/ ? '|' : '<') . substr($type, 0, 1) . type_size($type);
    return npy("'$descr'", scalar @numbers, join '', map { bytes_of($type, $_) } @numbers);
}

# ---- every type ----

for my $name (fewer(sort keys %types)) {
    my $scale = $name eq 'date64[ms]' ? 86400000 : 1;
    my $expected = array($types{$name}, map { $_ * $scale } @sorted);
    for my $file (@samples) {
        sorts_to(["--column=$name", "$folder/$file"], '', $expected, "$name of $file");
        my $run = shell('cat "$2" | gpusort --column="$1" | cat', $name, "$folder/$file");
        is($run->{out} . $run->{err}, $expected, "$name of $file, through pipes");
    }
    sorts_to(["--column=$name", "$folder/none.arrow"], '', array($types{$name}), "$name of a file without batches");
}

# ---- the tools ----

my $numbers = array('u32', @values);
put('values.npy', $numbers);
for my $line ('gpucompact --where=x\>50', 'gpurle', 'gpuscan', 'gpuscan --reduce', 'gpusort -r', 'gpusort --argsort', 'gpusort -u',
    'gpusort --top=3', 'gpusort --to-text', 'gpurle --to-text', 'gpucompact --raw --where=x\>50', 'gpusort -t u32', 'gpusort -S 64M') {
    my $expected = shell("$line \"\$1\"", path('values.npy'));
    is($expected->{err}, '', "$line of a .npy file");
    for my $file (@samples) {
        my $run = shell("$line --column=uint32 \"\$1\"", "$folder/$file");
        is($run->{out} . $run->{err}, $expected->{out}, "$line of $file");
    }
}
my $one = array('u32', 5, 10, 20, 30);
sorts_to(["$folder/one.arrow"], '', $one, 'the only column needs no name');
sorts_to(["$folder/one.arrow", "$folder/one.arrows"], '', array('u32', map { ($_, $_) } 5, 10, 20, 30), 'two inputs');
my $run = shell('gzip -c "$1" | gpusort', "$folder/one.arrow");
is($run->{out} . $run->{err}, $one, 'a file in gzip');
$run = shell('gpurle "$1" | gpurle -d', "$folder/one.arrow");
is($run->{out} . $run->{err}, array('u32', 30, 10, 20, 5), 'a container keeps the array');
if ($reads_zstd) {
    $run = shell('gpusort --raw "$1" | gpucompact -t u64 --where=x==x | wc -c', "$folder/long.arrows");
    is($run->{out} + 0, 72000, 'a long compressed buffer');
}

put('flags.npy', npy("'|u1'", 28, join '', map { chr($_ % 7 == 0) } 0 .. 27));
$run = shell('gpuscan --column=uint32 "$1" --segments="$2" --reduce --to-text', "$folder/types.arrow", path('flags.npy'));
my $sums = shell('gpuscan "$1" --segments="$2" --reduce --to-text', path('values.npy'), path('flags.npy'));
is($run->{out} . $run->{err}, $sums->{out}, 'segments by another file');

# ---- output ----

# What is written is read again; python3 with pyarrow, which others wrote, reads it too.
my $has_pyarrow = system('python3 -c "import pyarrow" 2>/dev/null') == 0;

sub is_read_elsewhere
{
    my ($file, $column, $expected, $name) = @_;
    my $script = 'import sys, pyarrow as pa; source = pa.memory_map(sys.argv[1]); '
        . 'table = (pa.ipc.open_file if sys.argv[1].endswith(".arrow") else pa.ipc.open_stream)(source).read_all(); '
        . 'table.validate(full=True); print(*table[sys.argv[2]].to_pylist())';
    SKIP: {
        skip 'python3 has no pyarrow', 1 unless $has_pyarrow;
        my $is_read = run(['python3', '-c', $script, $file, $column]);
        is($is_read->{out} . $is_read->{err}, "$expected\n", "$name, read by pyarrow");
    }
}

for my $type (qw(u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64)) {
    my $file = path("$type.arrow");
    my $raw = join '', map { bytes_of($type, $_) } @values;
    my $written = gpusort(['-t', $type, '-o', $file], $raw);
    is("$written->{status}$written->{err}", '0', "$type is written");
    sorts_to(['-r', $file], '', array($type, reverse @sorted), "$type is read again");
    is_read_elsewhere($file, 'x', join(' ', map { $type =~ /f/ ? "$_.0" : $_ } @sorted), $type);
}
$run = shell('gpusort -t u32 -o "$1" /dev/null && gpusort "$1"', path('empty.arrow'));
is($run->{out} . $run->{err}, array('u32'), 'no elements are written and read again');
is_read_elsewhere(path('empty.arrow'), 'x', '', 'no elements');
$run = shell('seq 0 1999999 | gpuscan -t u64 --from-text --op=max --inclusive --to=arrow | tee "$1" | gpuscan --reduce',
    path('long.arrows'));
is($run->{out} . $run->{err}, "1999999000000\n", 'a long stream through a pipe');
$run = shell('gpucompact --column=int16 --where="x > 90" --to=arrow "$1" >"$2"', "$folder/$samples[-1]",
    path('some.arrows'));
is($run->{err}, '', 'a column to a stream');
is_read_elsewhere(path('some.arrows'), 'int16', join(' ', grep { $_ > 90 } @values), 'the column has its name');
$run = shell('printf "2,b,1.5\\n1,a,-2\\n" | gpusort -f n:i16,w:bytes3,v:f64 --from-text --delimiter=, -o "$1"',
    path('records.arrow'));
is($run->{err}, '', 'records become columns');
sorts_to(['--column=v', path('records.arrow')], '', array('f64', -2, 1.5), 'a column of records');
is_read_elsewhere(path('records.arrow'), $_->[0], $_->[1], "column $_->[0]")
    for ['n', '1 2'], ['w', "b'a\\x00\\x00' b'b\\x00\\x00'"], ['v', '-2.0 1.5'];
refuses(['--to=arrow', '--endian=big', '-f', 'a:u32'], '', 'is big-endian', 'big-endian fields');
refuses(['--to=csv', '-t', 'u32'], '', '--to takes arrow', '--to=csv');
refuses(['--to=arrow', '--raw', '-t', 'u32'], '', 'exclude', '--to and --raw');
$run = shell('gpurle -t u32 -o "$1" /dev/null', path('runs.arrow'));
is($run->{status}, 2, 'gpurle writes no Arrow file');

# ---- what is refused ----

refuses(["$folder/types.arrow"], '', 'choose one with --column=NAME', 'several columns');
refuses(['--column=no', "$folder/types.arrow"], '', "has no column 'no'", 'no such column');
refuses(['--column=nulls', "$folder/types.arrow"], '', 'the column has nulls', 'nulls');
refuses(["--column=$_", "$folder/types.arrow"], '', 'only numbers, dates and times', "column $_")
    for 'string', 'list<item: int8>', 'bool', 'struct<a: int32, b: string>';
refuses(['--column=uint32', "$folder/lz4.arrow"], '', 'compressed by LZ4', 'LZ4');
refuses(['--column=word', "$folder/dictionary.arrow"], '', "column 'word' is dictionary-encoded", 'a dictionary');
sorts_to(['--column=a', '-r', "$folder/dictionary.arrow"], '', array('i8', 3, 2, 1), 'a column beside a dictionary');
refuses(['--column=a', "$folder/same.arrow"], '', "two columns of the name 'a'", 'a name twice');
refuses(['-t', 'i32', '--column=uint32', "$folder/types.arrow"], '', 'holds u32, not i32', 'another type');
refuses(['-i', put('copy.arrow', get("$folder/one.arrow"))], '', 'cannot be replaced', '--in-place');
refuses(['--column=a', path('values.npy')], '', 'is not in Arrow\'s format', '--column of a .npy file');
sorts_to(['-t', 'u32'], "\xff\xff\xff\xff\x08\0\0\0", "\x08\0\0\0\xff\xff\xff\xff", 'raw numbers that look like a stream');

# ---- damage ----

for my $name ('one.arrow', 'one.arrows') {
    my $whole = get("$folder/$name");
    my @wrong;
    for my $bytes (some(8 .. length($whole) - 1)) {
        my $file = put('cut', substr($whole, 0, $bytes));
        my $is_short = gpusort(['-o', path('result'), $file]);
        push @wrong, "$bytes bytes" if $is_short->{status} != 2 || $is_short->{signal} != 0 || -e path('result');
        next if $bytes % 7 != 0;
        my $piped = shell('cat "$1" | gpusort -o "$2"', $file, path('result'));
        push @wrong, "$bytes bytes in a pipe" if $piped->{status} != 2 || $piped->{signal} != 0 || -e path('result');
    }
    is("@wrong", '', "$name is refused wherever it is cut");
}
refuses([], get("$folder/one.arrows") . 'x', 'bytes follow the end', 'bytes behind a stream');

# A damaged file gives a result or an error, and takes no memory that its size does not justify.
for my $name ('one.arrow', 'one.arrows', 'long.arrows') {
    my $whole = get("$folder/$name");
    my @wrong;
    for my $at (some(0 .. least(length($whole), 1400) - 1)) {
        my @bytes = ("\0", "\x7f", "\xff", chr(int rand 256));
        for my $value ($every < 3 ? @bytes : pick(@bytes)) {
            my $damaged = $whole;
            substr($damaged, $at, 1) = $value;
            my $result = shell('ulimit -t 20; exec gpuscan --reduce --op=max "$1"', put('damaged', $damaged));
            push @wrong, "byte $at: " . ord($value) . " $result->{err}"
                if $result->{signal} != 0 || ($result->{status} != 0 && $result->{status} != 2) || $result->{err} =~ /Sanitizer|runtime error/;
        }
    }
    is("@wrong[0 .. least(scalar @wrong, 3) - 1]", '', "$name with a damaged byte");
}

done_testing();
