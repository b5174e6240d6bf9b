#!/usr/bin/perl
# The choice of the device, --calibrate, and the file of figures that all tools share: damaged, of another machine, in a
# folder that cannot be written, replaced by processes at the same time.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

our ($dir, $tool, $every);
delete @ENV{qw(SCANKIT_NO_CACHE SCANKIT_DEVICE XDG_CACHE_HOME CUDA_VISIBLE_DEVICES)};
$ENV{HOME} = path('home');

my $gpu = gpusort(['-t', 'u8', '-d', 'cuda'], '')->{status} == 0;
my @values = map { ($_ * 7919) % 16_777_213 } 0 .. 999_999;
my $small = put('small', pack('V*', @values));
my $sorted = pack('V*', sort { $a <=> $b } @values);
my $large = put('large', pack('V*', 1 .. 1_000_000) x 9); # enough to show the device's speed
my @sort = ('-t', 'u32', '-o', '/dev/null');

sub figures_files { my @files = glob("$_[0]/scankit/*"); return @files }

# The only file below a folder of caches.
sub figures_file
{
    my ($cache) = @_;
    my @files = figures_files($cache);
    is(scalar @files, 1, 'one file of figures, and nothing else');
    return $files[0] // '/nonexistent';
}

# ---- without figures ----

my $run = gpusort([@sort, '--verbose', $small]);
like($run->{err},
    qr/^gpusort: device cpu: for 3\.8 MiB \(4000000 bytes\) cpu takes about \S+ s, cuda \S+ s, by built-in figures\n/,
    '--verbose prints the estimates for 4 MB, and takes the CPU');
like($run->{err}, qr/^gpusort: 1000000 elements on cpu/m, 'the CPU did the work');
ok(!-e path('home/.cache'), 'a small run keeps no figures'); # a GPU's driver has a folder of its own there
like(gpusort([@sort, '--verbose'], '')->{err},
    qr/device cpu: .* is empty or its length is not known|never be faster/, 'no input');
unlike(gpusort([@sort, '--verbose', '-d', 'cpu', $small])->{err}, qr/takes about/,
    'no estimates where nothing is chosen');
like(gpusort(['-t', 'u32', '-c', '--verbose', put('sorted', $sorted)])->{err}, qr/too little work/,
    'a check is too little');
my %others = (gpucompact => ['-w', 'x & 1'], gpuscan => [], gpurle => []);
for my $name (sort keys %others) {
    like(run([$name, '-t', 'u32', @{$others{$name}}, '-o', '/dev/null', '--verbose', $small])->{err},
        qr/^$name: device cpu: for 3\.8 MiB/, "$name takes the CPU for 4 MB");
}

# ---- a first run's own timings ----

for my $where (['XDG_CACHE_HOME', path('cache'), path('cache')], ['HOME', path('home'), path('home') . '/.cache']) {
    my ($name, $value, $cache) = @$where;
    local $ENV{$name} = $value;
    gpusort([@sort, $large]);
    my $text = get(figures_file($cache));
    like($text, qr/\Ascankit figures 1\nhost .*\ncpu .*\nprocessors \d+\nversion .*\n(?:.*\n)*sort4 c\w+ \S+\nend\n\z/,
        "a large run keeps its figures: $name");
    unlike($text, qr/^filter/m, 'and no others');
    run(['gpucompact', '-t', 'u32', '-w', 'x & 1', '-o', '/dev/null', $large]);
    like(get(figures_file($cache)), qr/^sort4 c.*\nfilter c/m, 'another tool adds its own');
}
$ENV{XDG_CACHE_HOME} = my $cache = path('cache');
my $file = figures_file($cache);
like(gpusort([@sort, '--verbose', $small])->{err}, qr/by measured figures/, 'the next run uses them');
like(run(['gpuscan', '-t', 'u32', '-o', '/dev/null', '--verbose', $small])->{err}, qr/by built-in figures/,
    'but not for other work');

{
    my $before = get($file);
    local $ENV{SCANKIT_NO_CACHE} = 1;
    gpusort([@sort, $large]);
    like(gpusort([@sort, '--verbose', $small])->{err}, qr/by built-in figures/, 'SCANKIT_NO_CACHE: nothing is read');
    is(get($file), $before, 'nor written');
    unlink $file;
    run(['gpuscan', '-t', 'u32', '-o', '/dev/null', $large]);
    is(scalar(my @none = figures_files($cache)), 0, 'nor made');
    put($file, $before);
}
{
    unlink $file;
    gpusort([@sort, '-d', 'cpu', '--parallel=1', $large]);
    is(scalar(my @none = figures_files($cache)), 0, 'a part of the processors shows nothing');
}

# ---- figures made by hand ----

gpusort([@sort, '-d', 'cpu', $large]);
my ($head) = get($file) =~ /\A(.*?\n)sort4/s;

sub with_figures
{
    my ($lines) = @_;
    put($file, "$head$lines" . "end\n");
    return gpusort([@sort, '--verbose', $small])->{err};
}
like(with_figures("start 0.5\nstop 0.5\n"), qr/cuda 1(\.0\d*)? s/, 'the figures are used');
like(with_figures("start 0.001\nstop 0.001\nread 1e14\nsort4 cpu 1e5\n"), qr/device cpu: .*cpu takes about 40\D/,
    '4 MB never pay for the start of a GPU');
my $slow = with_figures("read 1e14\nsort4 cpu 1e5\n") && gpusort([@sort, '--verbose', $large])->{err};
like($slow, $gpu ? qr/device cuda: / : qr/device cpu, for there is no GPU: /, 'a slow CPU: the GPU, if there is one');

for my $damage (fewer('', 'x', "scankit figures 1\n", "${head}sort4 cpu fast\nend\n", "${head}sort4 cpu 1e9\n",
    "\0" x 100_000, $head =~ s/^host .*/host elsewhere/mr . "end\n")) {
    put($file, $damage);
    my $quiet = gpusort(['-t', 'u32', $small]);
    ok($quiet->{status} == 0 && $quiet->{err} eq '' && $quiet->{out} eq $sorted, 'a damaged file is no error');
    like(gpusort([@sort, '--verbose', $small])->{err}, qr/figures-\w+: ignored: damaged.*\n.*by built-in figures/,
        'and is ignored');
}
gpusort([@sort, $large]);
like(get($file), qr/^sort4 .*\nend\n\z/m, 'the next large run replaces it');

unlink $file;
mkdir $file;
like(gpusort([@sort, '--verbose', $large])->{err}, qr/ignored: /, 'a folder in its place');
is(join(' ', figures_files($cache)), $file, 'is left alone');
rmdir $file;

# ---- folders that cannot be written ----

for my $bad (fewer('/proc/none', '/dev/null', put('plain', 'text'), 'relative')) {
    local $ENV{XDG_CACHE_HOME} = $bad;
    local $ENV{HOME} = $bad;
    my $quiet = gpusort([@sort, $large]);
    ok($quiet->{status} == 0 && $quiet->{err} eq '', "a cache in $bad is no error");
    ok(!-e 'relative', 'and is not made in the current folder');
}
{
    local $ENV{XDG_CACHE_HOME} = '';
    delete local $ENV{HOME};
    my $quiet = gpusort([@sort, $large]);
    ok($quiet->{status} == 0 && $quiet->{err} eq '', 'neither XDG_CACHE_HOME nor HOME');
}
SKIP: {
    skip('root writes everywhere', 2) if $> == 0;
    chmod 0500, "$cache/scankit";
    my $quiet = gpusort([@sort, $large]);
    ok($quiet->{status} == 0 && $quiet->{err} eq '', 'a folder that is read only is no error');
    is(scalar(my @none = figures_files($cache)), 0, 'and nothing is in it');
    chmod 0700, "$cache/scankit";
}

SKIP: {
    unlink $file;
    local $ENV{SCANKIT_NO_CACHE} = 1;
    my $can_limit = shell('ulimit -f 0; exec gpusort -t u32 -o /dev/null "$1"', $large);
    skip('OpenMP needs a file', 2) unless $can_limit->{status} == 0 && $can_limit->{signal} == 0;
    delete $ENV{SCANKIT_NO_CACHE};
    my $full = shell('ulimit -f 0; exec gpusort -t u32 -o /dev/null "$1"', $large);
    ok($full->{status} == 0 && $full->{err} eq '', 'a file that cannot be written is no error');
    is(scalar(my @none = figures_files($cache)), 0, 'and nothing is left of it');
}

# ---- processes at the same time ----

$run = shell('for i in $2; do gpusort -t u32 -o /dev/null "$1" & gpuscan -t u32 -o /dev/null "$1" & done; wait', $large,
    $every < 24 ? '1 2 3 4 5' : '1 2');
is($run->{err}, '', 'processes at the same time');
like(get(figures_file($cache)), qr/\A\Q$head\E(?:(?:start|(?:sort4|scan) \w+) \S+\n)+end\n\z/, 'leave a whole file');

# ---- --calibrate ----

my @works = qw(sort1 sort2 sort4 sort8 sort_short sort_long filter count scan reduce encode image);
my $rate = qr/\d+\.\d{3} GB\/s/;
my @smaller = $every < 24 ? () : ('-S', '128M'); # a quarter of the work
for my $name (some('gpusort', 'gpucompact')) { # a second time, by another tool
    $run = run([$name, '--calibrate', @smaller]);
    ok($run->{status} == 0 && $run->{err} eq '', "$name --calibrate") or diag("status $run->{status}: $run->{err}");
    my @missing = grep { $run->{out} !~ /^$_ +$rate$/m } 'read', 'write',
        map { my $device = $_; map { "$_ $device" } @works } 'cpu', $gpu ? 'cuda' : ();
    is(join(', ', @missing), '', 'prints all figures');
    my $kept = get(figures_file($cache));
    is(join(' ', sort map { /^(.*\S) +\S+ (?:GB\/s|s)$/ } split /\n/, $run->{out}),
        join(' ', sort map { /^(.*) \S+$/ && $head !~ /^\Q$_\E$/m ? $1 : () } split /\n/, $kept), 'and keeps them');
}
like(run(['gpurle', '-t', 'u32', '-o', '/dev/null', '--verbose', $small])->{err}, qr/by measured figures/,
    'all tools use them');
{
    local $ENV{SCANKIT_NO_CACHE} = 1;
    $run = gpusort(['--calibrate', '-q']);
    ok($run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /^gpusort: figures cannot be kept: SCANKIT_NO_CACHE/,
        '--calibrate says if it cannot keep them');
}
$tool = 'gpusort';
refuses(['--calibrate', $small], '', 'takes no files', '--calibrate with a file');
done_testing();
