#!/usr/bin/perl
# gpusort --by: whole Arrow tables by several columns. Files are made by t/tools/arrow/make.py, whose values are computed
# here again; random tables are compared with a sort in Python, where it has pyarrow. SCANKIT_TEST_EVERY=N cuts and damages
# one of N bytes.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

our ($every, $dir);
my $run;
my $folder = "$ENV{srcdir}/t/tools/arrow";
plan skip_all => 'this build does not read Arrow' if gpusort(["$folder/one.arrow"])->{err} =~ /configured without it/;
my $has_zstd = gpusort(['-t', 'u8', '--zstd'], '')->{status} == 0;
my $has_pyarrow = system('python3 -c "import pyarrow" 2>/dev/null') == 0;

# ---- what make.py writes ----

my @rows = (0 .. 27);
my @value = map { $_ * 37 % 101 } @rows;
my %column = (
    row => [@rows],
    few => [map { $_ % 7 == 3 ? undef : $_ % 5 - 2 } @value],
    float => [map { $_ / 4 - 10 } @value],
    text => [map { $_ % 9 == 4 ? undef : 'prefix ' x ($_ % 3) . $_ % 8 } @value],
    large => [map { 'x' x ($_ % 4) } @value],
    truth => [map { $_ % 6 == 5 ? undef : $_ % 2 } @value],
    word => [map { substr 'uvw', $_ % 3, 1 } @value],
    when => [@value],
    code => [map { pack 'C*', $_ % 3, $_ % 2, 7 } @value],
    money => [map { $_ - 50 } @value],
);
my %is_text = (text => 1, large => 1, word => 1, code => 1);

# Rows in the order of keys [column, descending].
sub rows_by
{
    my ($nulls_first, @keys) = @_;
    my $compare = sub {
        for my $key (@keys) {
            my ($name, $descending) = @$key;
            my ($x, $y) = map { $column{$name}[$_] } @_;
            my $missing = defined($y) <=> defined($x);
            return $nulls_first ? -$missing : $missing if $missing != 0;
            next if !defined $x;
            my $result = $is_text{$name} ? $x cmp $y : $x <=> $y;
            return $descending ? -$result : $result if $result != 0;
        }
        return $_[0] <=> $_[1];
    };
    return sort { $compare->($a, $b) } @rows;
}

sub positions { return pack 'Q<*', @_ }

# A column of numbers of a table, by the tool that reads columns.
sub column_of
{
    my ($name, $file) = @_;
    return gpucompact(["--column=$name", '--where=x==x', '--to-text', $file])->{out};
}

# ---- order ----

my @samples = ('table.arrow', 'table.arrows', $has_zstd ? 'table-zstd.arrow' : ());
my @orders = ((map { [$_] } sort keys %column), ['few', 'text'], ['truth', 'few:desc'], ['word:desc', 'few'],
    ['large:desc', 'truth', 'money:desc'],
    ['code', 'text:desc', 'float']);
for my $order (fewer(@orders)) {
    my $by = join ',', @$order;
    my @keys = map { [split /:/] } @$order;
    my @reversed = map { [$_->[0], !$_->[1]] } @keys;
    for my $file (map { "$folder/$_" } @samples) {
        sorts_to(["--by=$by", '--argsort', '--raw', $file], '', positions(rows_by(0, @keys)), "by $by");
        sorts_to(["--by=$by", '--nulls=first', '--argsort', $file], '', positions(rows_by(1, @keys)), "by $by, nulls first");
        sorts_to(["--by=$by", '-r', '--argsort', $file], '', positions(rows_by(0, @reversed)), "by $by, reversed");
        my $run = gpusort(["--by=$by", '-o', path('sorted.arrow'), $file]);
        is("$run->{status}$run->{err}", '0', "by $by");
        is(column_of('row', path('sorted.arrow')), join('', map { "$_\n" } rows_by(0, @keys)), 'the rows are in that order');
        is(column_of('float', path('sorted.arrow')), join('', map { "$column{float}[$_]\n" } rows_by(0, @keys)),
            'other columns go with them');
        is(gpusort(["--by=$by", '--check', path('sorted.arrow')])->{status}, 0, 'it is sorted');
    }
}
sorts_to(['--by=few', '--by=text:asc', '--argsort', "$folder/table.arrow"], '', positions(rows_by(0, ['few'], ['text'])),
    '--by twice');
sorts_to(['--by=c:desc,a', '--argsort', "$folder/delta.arrows"], '', positions(2, 0, 3, 1, 4), 'a dictionary that grows');
$run = shell('gpusort --by=c "$1" | gpusort --by=c,a --argsort', "$folder/delta.arrows");
is($run->{out} . $run->{err}, positions(0, 1, 2, 3, 4), 'it is written');
my @doubled = map { ($_, $_ + 28) } rows_by(0, ['when']);
sorts_to(['--by=when', '--argsort', "$folder/table.arrow", "$folder/table.arrows"], '', positions(@doubled), 'two inputs');

# ---- options ----

my @by_few = rows_by(0, ['few']);
my %seen;
my @unique = grep { !$seen{$column{few}[$_] // 'null'}++ } @by_few;
my $table = "$folder/table.arrow";
my ($by, $out) = ('--by=few', path('out.arrow'));
for ([['-u'], @unique], [['-u', '--top=3'], @unique[0 .. 2]], [['--top=5'], @by_few[0 .. 4]], [['--top=0']], [['--top=99'], @by_few]) {
    my ($options, @expected) = @$_;
    gpusort([$by, @$options, '-o', $out, $table]);
    is(column_of('row', $out), join('', map { "$_\n" } @expected), "@$options");
    sorts_to([$by, @$options, '--argsort', '--to-text', $table], '', join('', map { "$_\n" } @expected), "@$options --argsort");
}
my @place;
@place[@by_few] = @rows;
my ($late) = grep { $_ > 0 && $place[$_] < $place[$_ - 1] } @rows;
my $unsorted = gpusort([$by, '--check', $table]);
is("$unsorted->{status} $unsorted->{err}", "1 gpusort: $table: row $late (counting from 0) is out of order\n", '--check');
is_deeply([@{gpusort([$by, '-C', $table])}{'status', 'err'}], [1, ''], '--check-quietly');
is(gpusort(['--by=row', '-uc', $table])->{status}, 0, 'rows that are unique');
my $second = gpusort(['--by=row', '-c', $table, $table]);
is($second->{err}, "gpusort: $table: row 0 (counting from 0) is out of order\n", 'an input that begins before another ends');
$run = shell('cat "$1" | gpusort --by=few | gpusort --by=few -c && echo sorted', "$folder/table.arrows");
is($run->{out} . $run->{err}, "sorted\n", 'pipes');
$run = shell('gzip -c "$1" | gpusort --by=few -z | gunzip | gpusort --by=few -c && echo sorted', $table);
is($run->{out} . $run->{err}, "sorted\n", 'gzip, in and out');
$run = shell('(printf skipped; cat "$1") | gpusort --skip=7 --by=few | gpusort --by=few -c && echo sorted', $table);
is($run->{out} . $run->{err}, "sorted\n", '--skip');
put('copy.arrow', get($table));
gpusort([$by, '-o', path('copy.arrow'), path('copy.arrow')]);
is(get('copy.arrow'), do { gpusort([$by, '-o', $out, $table]); get($out) }, 'the output may be the input');
my $stats = gpusort([$by, '--stats', '-o', $out, $table])->{err};
like($stats, qr/"elements": ?28\b.*"algorithm"/, '--stats');

for my $none ('none.arrow') {
    refuses(['--by=uint8', "$folder/$none"], '', "column 'list<item: int8>' holds type list; tables with nested", 'nested types');
}
$run = shell('gpusort --by=few --top=0 "$1" | gpusort --by=few,text -o "$2" && gpusort --by=few --argsort "$2"', $table, $out);
is($run->{out} . $run->{err}, '', 'no rows, and no batches');
is(column_of('row', $out), '', 'their columns');

# ---- what is refused ----

refuses([$by, @$_, $table], '', 'exclude each other', "--by @$_") for ['-k', 'x'], ['-t', 'u32'], ['-f', 'a:u8'], ['--from-text'],
    ['--column=few'], ['--to-text'], ['--raw'], ['-m'], ['-i'], ['--segments=few'], ['-a', 'radix'], ['-T', '/tmp'],
    ['--workspace=x'], ['--compress-temporaries=fast'];
refuses(['--nulls=first', '--column=few', $table], '', '--nulls requires --by', '--nulls alone');
refuses(['--nulls=no', $by, $table], '', '--nulls takes first or last', '--nulls=no');
refuses(['--by=no', $table], '', "has no column 'no'", 'no such column');
refuses(['--by=few,', $table], '', "has no column ''", 'an empty name');
refuses(['--by=c', "$folder/holes.arrow"], '', "column 'c' has a dictionary with nulls, by which", 'a dictionary with nulls');
refuses(['--by=nothing', $table], '', "column 'nothing' holds type null, by which", 'nulls as a key');
refuses(['--by=a', "$folder/same.arrow"], '', "two columns of the name 'a'", 'a name twice');
refuses([map({ '--by=row' } 1 .. 65), $table], '', 'more than 64 columns', 'too many columns');
refuses([map({ '--by=few' } 1 .. 33), $table], '', 'more than 64 keys', 'too many keys');
sorts_to([map({ '--by=few' } 1 .. 32), '--argsort', $table], '', positions(@by_few), '64 keys');
refuses([$by], "\1\2\3\4", "is not in Arrow's format", 'raw input');
refuses([$by], npy("'<u4'", 0, ''), "is not in Arrow's format", 'a .npy file');
refuses(['--by=uint8', "$folder/lz4.arrow"], '', 'holds type list', 'LZ4');
refuses(['--by=a', "$folder/view.arrow"], '', 'not supported', 'views');
refuses(['--by=a', "$folder/replaced.arrows"], '', 'replaces a dictionary', 'another dictionary within a table');
refuses(['--by=a', "$folder/small.arrow", "$folder/other.arrow"], '', 'has other dictionaries', 'another dictionary');
refuses(['--by=a', "$folder/small.arrow", "$folder/one.arrow"], '', 'has 1 columns', 'another table');
refuses([$by, '-S', '4K', $table], '', 'the table does not fit into memory', 'a table larger than --buffer-size');
refuses([$by, '-S', '10K', $table], '', '28 rows do not fit into memory', 'a table with keys larger than --buffer-size');
if (!$has_zstd) {
    refuses([$by, "$folder/table-zstd.arrow"], '', 'this build cannot read zstd', 'zstd');
}
$run = shell('ulimit -f 4; gpusort --by=few -o "$2" "$1" "$1" "$1" "$1"', $table, path('full'));
is("$run->{status} " . (-e path('full') ? 'left' : 'none'), '2 none', 'a full disk leaves no output');

# ---- damage ----

# Runs a sort of damaged bytes. Returns what is wrong: a signal, a report of a sanitizer, or an output in spite of an error.
sub damage_of
{
    my ($bytes, $must_fail) = @_;
    my $result = path('result.arrow');
    unlink $result;
    my $sort = shell('ulimit -t 20; exec gpusort --by=a,b:desc,c -o "$2" "$1"', put('damaged', $bytes), $result);
    return "signal $sort->{signal}" if $sort->{signal} != 0;
    return $sort->{err} if $sort->{err} =~ /Sanitizer|runtime error/;
    return "status $sort->{status}" if $sort->{status} != 2 && ($must_fail || $sort->{status} != 0);
    return 'an output' if $sort->{status} == 2 && -e $result;
    return 'an error without a message' if $sort->{status} == 2 && $sort->{err} !~ /^gpusort: .+/;
    my $again = $sort->{status} == 0 ? gpusort(['--by=a,b:desc,c', '-c', $result])->{status} : 0;
    return $again == 0 ? () : "an output with status $again";
}

my @small = ('small.arrow', 'small.arrows', $has_zstd ? 'small-zstd.arrows' : ());
for my $name (@small) {
    my $whole = get("$folder/$name");
    is(join('', damage_of($whole)), '', "$name is sorted");
    my @wrong = map { my $n = $_; map { "$n bytes: $_" } damage_of(substr($whole, 0, $n), 1) } some(0 .. length($whole) - 1);
    is("@wrong[0 .. least(scalar @wrong, 3) - 1]", '', "$name is refused wherever it is cut");
    @wrong = ();
    for my $at (some(0 .. length($whole) - 1)) {
        my @bytes = ("\0", "\x7f", "\xff", chr(int rand 256));
        for my $value ($every < 3 ? @bytes : pick(@bytes)) {
            my $damaged = $whole;
            substr($damaged, $at, 1) = $value;
            push @wrong, map { "byte $at: " . ord($value) . " $_" } damage_of($damaged);
        }
    }
    is("@wrong[0 .. least(scalar @wrong, 3) - 1]", '', "$name with a damaged byte");
}

# Offsets of texts: 'three', 'one' and a null lie at 0, 5, 8, 8.
my $streams = get("$folder/small.arrows");
my $offsets = pack 'l<*', 0, 5, 8, 8;
is(() = $streams =~ /\Q$offsets\E/g, 1, 'the offsets are found');
for ([0, 8, 5, 8], [0, 5, 8, 9999], [0, 5, 8, 2**31 - 1], [-1, 5, 8, 8], [0, -5, 8, 8], [0, 5, 8, -1], [8, 5, 0, 0]) {
    my $new = pack 'l<*', @$_;
    my $damaged = $streams =~ s/\Q$offsets\E/$new/r;
    my $sort = gpusort(['--by=a', '-o', path('never.arrow'), put('damaged', $damaged)]);
    is($sort->{status} . ($sort->{err} =~ /damaged Arrow data: column 'b': (?:offsets descend|an offset lies behind)/ ? '' : $sort->{err}),
        '2', "offsets @$_");
    ok(!-e path('never.arrow'), 'nothing is written');
}

# ---- random tables, beside a sort in Python ----

SKIP: {
    skip 'python3 has no pyarrow', 1 unless $has_pyarrow;
    my $seed = seed_random();
    my $random = run(['python3', "$ENV{srcdir}/t/gpusort/tables.py", $dir, $seed, rounds(60), $has_zstd ? 'zstd' : 'none']);
    is($random->{out} . $random->{err}, '', 'random tables');
}

done_testing();
