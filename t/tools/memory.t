#!/usr/bin/perl
# Memory limits of every tool: --buffer-size, --device-memory, and ulimit -v.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

our $tool;
my @values = map { ($_ * 7919) % 1_000_003 } 0 .. 249_999;
my $data = put('data', pack('V*', @values));
my ($sum, @sums) = 0;
push @sums, $sum = ($sum + $_) & 0xffffffff for @values;

my %tools = (
    gpusort => [['-t', 'u32'], pack('V*', sort { $a <=> $b } @values)],
    gpucompact => [['-t', 'u32', '-w', 'x & 1'], pack('V*', grep { $_ & 1 } @values)],
    gpuscan => [['-t', 'u32'], pack('V*', @sums)],
    gpurle => [['-t', 'u32', '-u'], get('data')],
);

# Runs a command with this many KiB of address space. A build with sanitizers needs more than any limit, and so does a
# GPU's driver.
sub limited { return shell("SCANKIT_DEVICE=cpu; export SCANKIT_DEVICE; ulimit -v $_[0] && shift && exec \"\$@\"", @_) }
my $version = limited(4 << 20, 'gpusort', '--version');
my $can_limit = $version->{status} == 0 && $version->{signal} == 0;

for my $name (sort keys %tools) {
    $tool = $name;
    my ($options, $expected) = @{$tools{$name}};
    gives([@$options, $_, $data], '', $expected, "$name $_")
        for '-S100%', '-S100M', '-S999T', '--device-memory=50%', '--device-memory=1G';
    refuses([@$options, $_, $data], '', '--device-memory takes a number of bytes', "$name $_")
        for '--device-memory=x', '--device-memory=101%', '--device-memory=0%';
    SKIP: {
        skip('this build needs unlimited address space', 1) unless $can_limit;
        for my $mib (200, 400, 2000) {
            my $run = limited($mib << 10, $name, @$options, $data);
            my $done = $run->{status} == 0 && $run->{out} eq $expected && $run->{err} eq '';
            my $refused = $mib < 2000 && $run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /^$name: .*\n$/;
            ok($done || $refused, "$name under ulimit -v of $mib MiB") or diag("status $run->{status}: $run->{err}");
        }
    }
}

# The default, and a percentage, refer to the process's limits: what does not fit is sorted in runs.
SKIP: {
    skip('this build needs unlimited address space', 1) unless $can_limit;
    my $holes = put('holes', '');
    for my $case ([512, '50%'], [24, '1%']) {
        my ($mib, $size) = @$case;
        truncate($holes, $mib << 20) or die "holes: $!";
        for my $options ([], ['-S', $size]) {
            my $run = limited(300 << 10, 'gpusort', '-t', 'u32', '--parallel=1', '-o', '/dev/null', @$options, $holes);
            is("$run->{status} $run->{err}", '0 ', "a sort of $mib MiB under ulimit -v of 300 MiB, @$options");
        }
    }
}
done_testing();
