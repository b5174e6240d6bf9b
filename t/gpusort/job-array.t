#!/usr/bin/perl
# Job arrays: --partition and --merge-range write the same bytes as one sort, in any order and however often tasks run.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

our $dir;
my $every = $ENV{SCANKIT_TEST_EVERY} || 1;
my $jobs = 0;
srand(29);

sub numbers { my ($n, $values) = @_; return pack('L<*', map { int(rand($values)) } 1 .. $n) }
sub new_job { return path('job-' . $jobs++) }
sub ranges { my ($parts, $job) = @_; return join '', map { get("$job.out.$_") // '' } 1 .. $parts }

sub merge_task
{
    my ($i, $parts, $job, @options) = @_;
    return ("--merge-range=$i/$parts", "--manifest=$job", @options, '-o', "$job.out.$i");
}

# Runs all tasks, of which each should succeed silently.
sub run_tasks
{
    my @failed = grep { my $run = gpusort($_); $run->{status} != 0 || $run->{err} ne '' } @_;
    diag("@{$failed[0]}: ", gpusort($failed[0])->{err}) if @failed;
    return !@failed;
}

sub in_parts
{
    my ($options, $parts, $files, $name, @memory) = @_;
    my $expected = gpusort([@$options, '--raw', @$files])->{out};
    my $job = new_job();
    my $good = run_tasks(["--partition=$parts", "--manifest=$job", @$options, @memory, @$files],
        map { [merge_task($_, $parts, $job, @memory)] } 1 .. $parts);
    ok($good && ranges($parts, $job) eq $expected, "$name: $parts parts");
}

# ---- the same bytes ----

my $few = put('few', numbers(30_000, 50));
my $many = put('many', numbers(100_000, 2**32));
my $array = put('array.npy', npy("'<u4'", 5_000, numbers(5_000, 1000)));
my $empty = put('empty', '');
my @cases = (
    ['u32', ['-t', 'u32'], [$many, $few]], ['descending', ['-t', 'u32', '-r'], [$many]],
    ['unique', ['-t', 'u32', '-u'], [$few]], ['unique, few', ['-t', 'u8', '-u'], [$few]],
    ['f32', ['-t', 'f32'], [$many]], ['big endian', ['-t', 'u32', '--endian=big'], [$few]],
    ['records', ['-f', 'a:u8,b:bytes7', '-k', 'a'], [$few]],
    ['two keys, unique', ['-f', 'a:u16,b:i16,c:u32', '-k', 'c:desc,a', '-u'], [$few]],
    ['argsort', ['-t', 'u32', '--argsort'], [$few]], ['unique argsort', ['-t', 'u32', '-u', '--argsort'], [$few]],
    ['opaque bytes', ['-f', 'x:bytes10'], [$few]], ['.npy', [], [$array]], ['no elements', ['-t', 'u64'], [$empty]],
);
my $turn = 0;
for my $case (@cases) {
    my ($name, $options, $files) = @$case;
    next if $turn++ % ($every > 3 ? 3 : $every) != 0;
    in_parts($options, 5, $files, $name);
    in_parts($options, 2, $files, "$name, little memory", '-S', '1');
}
in_parts(['-t', 'u32'], 3, [$many, $few], 'several runs a part', '-S', '1');
in_parts(['-t', 'u32', '-u'], 2, [$many, $few], 'unique, several runs a part', '-S', '1');
in_parts(['-t', 'u32'], 9, [put('five', numbers(5, 100))], 'more parts than elements');
in_parts(['-t', 'u32', '-u'], 9, [put('equal', pack('L<*', (7) x 100))], 'one value, unique');

# ---- what is refused ----

refuses(['--partition=3', $few], '', qr/--partition requires --manifest/, 'no folder');
refuses(['--manifest=x', $few], '', qr/--manifest requires/, 'no task');
for my $task ('0', '0/3', '4/3', 'x/3', '3/', '/3', '-1/3', '1/0', '1/3/3') {
    refuses(["--partition=$task", '--manifest=x', '-t', 'u32', $few], '', qr/--partition/, "--partition=$task");
    refuses(["--merge-range=$task", '--manifest=x'], '', qr/--merge-range/, "--merge-range=$task");
}
refuses(['--merge-range=1/3', '--manifest=x', $few], '', qr/takes no files/, 'a file to merge');
refuses(['--merge-range=1/3', '--manifest=' . path('none')], '', qr/run --partition=3 first/, 'no job');
my $pipe = shell('cat "$1" | gpusort --partition=3 --manifest="$2" -t u8', $few, path('none'));
ok($pipe->{status} == 2 && $pipe->{err} =~ /is not a regular file/, 'a pipe');
my $packed = put('few.gz', gpusort(['-t', 'u32', '--gzip', $few])->{out});
refuses(['--partition=3', '--manifest=' . path('none'), '-t', 'u32', $packed], '', qr/not compressed/, 'a gzipped file');
ok(!-e path('none'), 'nothing is made of them');

my $job = new_job();
my @first = ("--manifest=$job", '-t', 'u32', $many);
ok(run_tasks(['--partition=2/4', @first], ['--partition=4', @first]), 'a part, then all that are missing');
my $before = join ' ', map { "$_ " . -M $_ } sort glob("$job/* $job/*/*");
refuses(['--partition=3', @first], '', qr/holds another job/, 'another number of parts');
refuses(['--partition=1/4', '-r', @first], '', qr/holds another job/, 'another option');
refuses(['--partition=1/4', @first, $few], '', qr/holds another job/, 'another input');
refuses(['--merge-range=1/5', "--manifest=$job"], '', qr/a job of 4 parts, not 5/, 'another number of ranges');
is(join(' ', map { "$_ " . -M $_ } sort glob("$job/* $job/*/*")), $before, 'nothing is changed by what is refused');
ok(run_tasks(['--partition=3/4', @first]), 'a part that is done');

# ---- damage ----

# Changes a byte in the middle of a part's run.
sub damage
{
    my ($part) = @_;
    my ($run) = glob("$job/part-$part/scankit-run-*");
    my $bytes = get($run);
    substr($bytes, 2000, 1) ^= "\1";
    put($run, $bytes);
}

my $sorted = gpusort(['-t', 'u32', $many])->{out};
damage(3);
refuses([merge_task(2, 4, $job)], '', qr{is damaged.*run --partition=3/4 again}, 'a damaged run');
ok(run_tasks(['--partition=3/4', @first], map { [merge_task($_, 4, $job)] } 1 .. 4), 'the part again');
is(ranges(4, $job), $sorted, '... and the result');
unlink glob("$job/part-2/scankit-run-*");
refuses([merge_task(1, 4, $job)], '', qr{part 2 is not complete.*run --partition=2/4 again}, 'a missing run');
ok(run_tasks(['--partition=4', @first], map { [merge_task($_, 4, $job)] } 1 .. 4), 'all parts again');
ok(ranges(4, $job) eq $sorted, '... and the result');

# ---- 200 tasks, or 40, 20 of which are killed ----

sub start
{
    my ($arguments) = @_;
    my $child = fork() // die "fork: $!";
    return $child if $child;
    open(STDERR, '>', '/dev/null');
    exec('gpusort', @$arguments) or POSIX::_exit(127);
}

# Runs tasks, two at a time, and kills ten of them at random moments. Returns those that did not succeed.
sub run_and_kill
{
    my @tasks = @_;
    my %killed = map { $_ => 1 } (sort { rand() <=> 0.5 } 0 .. $#tasks)[0 .. 9];
    my (%running, @lost);
    my $reap = sub { my $child = wait(); push @lost, $running{$child} if $? != 0; delete $running{$child} };
    for my $i (0 .. $#tasks) {
        $reap->() if keys %running == 2;
        my $child = start($tasks[$i]);
        $running{$child} = $tasks[$i];
        next if !$killed{$i};
        select(undef, undef, undef, rand(0.02));
        kill('KILL', $child);
    }
    $reap->() while %running;
    return @lost;
}

my $parts = $every < 24 ? 100 : 20;
$job = new_job();
my @part_tasks = map { ["--partition=$_/$parts", "--manifest=$job", '-t', 'u32', $many, $few] } 1 .. $parts;
my @lost = run_and_kill(@part_tasks);
cmp_ok(scalar @lost, '<=', 10, 'only tasks that were killed are lost: ' . @lost);
ok(run_tasks(@lost), 'the lost parts again');
@lost = run_and_kill(map { [merge_task($_, $parts, $job)] } 1 .. $parts);
cmp_ok(scalar @lost, '<=', 10, 'only tasks that were killed are lost: ' . @lost);
ok(run_tasks(@lost), 'the lost ranges again');
ok(ranges($parts, $job) eq gpusort(['-t', 'u32', $many, $few])->{out}, 'the same bytes');
my @stray = grep { !m{/scankit-job$|/part-\d+$|/scankit-manifest$|/scankit-run-\d+$} } glob("$job/* $job/.[!.]* $job/*/*");
is("@stray", '', 'no other files in the folder');
is(scalar(@{[glob("$job/part-*/scankit-run-*")]}), $parts, 'a run a part');
is(join(' ', leftovers()), '', 'no files beside the outputs');
done_testing();
