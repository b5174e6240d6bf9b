#!/usr/bin/perl
# Faults of the external sort: temporaries that cannot be made, written or read, or are damaged; the tool killed at
# random moments, and started again on its workspace. The input and the old output stay as they are.
use strict;
use warnings;
use Test::More;
use Time::HiRes qw(sleep time);
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/tools/inject.pl";
$ENV{SCANKIT_DEVICE} = 'cpu'; # a GPU's own memory would hold the data, whatever --buffer-size says

srand(17);
my $every = $ENV{SCANKIT_TEST_EVERY} || 1;
my $bytes = pack('L<*', map { int(rand(2**32)) } 1 .. 600_000);
my $input = put('input', $bytes);
my $temporaries = path('temporaries');
mkdir($temporaries);
my @sort = ('gpusort', '-t', 'u32', '-S', '1', '-T', $temporaries, $input, '-o', path('out'));
my $sorted = gpusort(['-t', 'u32', $input])->{out};

# Passes if the command fails with this message and leaves all files as they were.
sub leaves_all
{
    my ($run, $message, $name) = @_;
    my $failed = $run->{status} == 2 && $run->{signal} == 0;
    ok($failed && $run->{err} =~ /\Agpusort: .*$message.*\n\z/, $name) or diag("status $run->{status}: $run->{err}");
    ok(get('input') eq $bytes && get('out') eq 'old', 'the files are as they were');
    is(join(' ', temporaries()), '', 'no temporary is left');
}

# Hidden files beside the output, and any in the folder of temporaries.
sub temporaries { return grep { !/\.log$/ } leftovers(), glob("$temporaries/* $temporaries/.[!.]*") }

sub files_in { my @files = glob("$_[0]/*"); return @files }

# ---- temporaries ----

put('out', 'old');
leaves_all(run(['gpusort', '-t', 'u32', '-S', '1', '-T', path('nowhere'), $input, '-o', path('out')]),
    'nowhere: cannot make a temporary file: No such file', 'a folder that is not there');
leaves_all(shell('ulimit -f 200; trap "" XFSZ; exec "$@"', @sort), 'File too large', 'a limit of file size');
SKIP: {
    my $reason = no_injection();
    skip($reason, 3 * 12) if $reason;
    for my $number (1, 2, 9) {
        leaves_all(injected(sub { run(\@sort) }, PWRITE => $number), "temporaries: .*No space left",
            "a full disk, at write $number");
    }
    for my $number (1, 2, 9, 30) {
        leaves_all(injected(sub { run(\@sort) }, PREAD => $number), "temporaries: .*Input/output error",
            "an error at read $number");
        leaves_all(injected(sub { run(\@sort) }, DAMAGE => $number), "temporaries: .*damaged",
            "a wrong byte at read $number");
    }
    my $whole = injected(sub { run(\@sort) }, DAMAGE => 1_000_000);
    is(get('out'), $sorted, 'without a fault, the output is right') or diag($whole->{err});
}

# ---- signals ----

# Runs a command, and kills it after some seconds if it still runs. Returns its status as wait() does.
sub run_for
{
    my ($seconds, $signal, @command) = @_;
    my $child = fork();
    die "fork: $!" unless defined $child;
    if ($child == 0) {
        open(STDERR, '>:raw', path('.err')) or POSIX::_exit(126);
        exec { $command[0] } @command or POSIX::_exit(127);
    }
    my $end = time() + $seconds;
    while (time() < $end) {
        return $? if waitpid($child, POSIX::WNOHANG()) == $child;
        sleep(0.002);
    }
    kill($signal, $child);
    waitpid($child, 0);
    return $?;
}

# A signal may also come when the output is there already. How long a sort takes varies, so a test cannot exclude that.
sub is_done
{
    my ($status) = @_;
    my $done = $status == 0 || get('out') eq $sorted;
    put('out', 'old') if $done;
    return $done;
}

my $begin = time();
run(\@sort);
my $whole = time() - $begin;
put('out', 'old');
for my $signal ('TERM', 'KILL') {
    my $status = run_for($whole / 2, $signal, @sort);
    SKIP: {
        skip('it was done before', 2) if is_done($status);
        is(get('out'), 'old', "$signal leaves the output as it was");
        is(join(' ', temporaries()), '', 'and no temporary');
    }
}

# ---- workspaces ----

my $work = path('work');
my @resumable = (@sort, "--workspace=$work");
my $wanted = int(100 / $every) || 1;
my ($kills, $sorts, @wrong) = (0, 0);
while ($kills < $wanted && !@wrong && $sorts < 20 * $wanted) {
    unlink(path('out'));
    for (;;) {
        my $status = run_for(rand(1.2 * $whole), 'KILL', @resumable);
        $kills++ if $status == 9;
        next if $status == 9;
        push @wrong, "status $status: " . get('.err') if $status != 0;
        last;
    }
    $sorts++;
    push @wrong, 'other bytes' if !@wrong && get('out') ne $sorted;
    push @wrong, 'files are left: ' . join(' ', files_in($work)) if !@wrong && files_in($work) > 0;
}
is(join(' ', @wrong), '', "$wanted kills at random moments: the same bytes in the end");

# A sort that was killed resumes: it reads less of the input.
put('out', 'old');
my $killed = 0;
for my $try (1 .. 30) {
    $killed = !is_done(run_for($whole * (0.3 + 0.02 * $try), 'KILL', @resumable));
    last if !$killed || files_in($work) > 3; # lock, manifest and runs
}
SKIP: {
    skip('it was done before', 4) unless $killed;
    is(get('out'), 'old', 'a killed sort leaves the output as it was');
    my $other = run(['gpusort', '-t', 'u32', '-r', '-S', '1', "--workspace=$work", $input, '-o', path('other')]);
    ok($other->{status} == 2 && !-e path('other'), 'another sort does not take its workspace') or diag($other->{err});
    my $option = run([@resumable[0 .. 2], '-S', '20M', @resumable[5 .. $#resumable]]);
    is($option->{err}, '', 'the same sort does, with other resources');
    ok(get('out') eq $sorted && files_in($work) == 0, 'the output is right, and the workspace empty');
}

# The input changed.
put('out', 'old');
my $status = run_for($whole / 2, 'KILL', @resumable);
SKIP: {
    skip('it was done before', 2) if is_done($status) || files_in($work) <= 3; # lock, manifest and runs
    utime(1, 1, $input);
    my $changed = run(\@resumable);
    is($changed->{status}, 2, 'a changed input is not mixed with old runs') or diag($changed->{err});
    is(get('out'), 'old', 'the output is as it was');
}
done_testing();
