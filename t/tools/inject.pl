# inject.pl - runs the tools with the faults of inject.c.
use strict;
use warnings;

our $inject = "$ENV{builddir}/t/tools/inject.so";

# Runs code with faults, as in injected(sub { ... }, THREADS => 3), and answers what the code does.
sub injected
{
    my ($code, %faults) = @_;
    unlink(path('.log'));
    local @ENV{map { "INJECT_$_" } keys %faults} = values %faults;
    local $ENV{INJECT_LOG} = path('.log');
    local $ENV{LD_PRELOAD} = $inject;
    local $ENV{ASAN_OPTIONS} = join ':', grep { defined } $ENV{ASAN_OPTIONS}, 'verify_asan_link_order=0';
    return $code->();
}

# The lines of the log that begin with one of these words; of paths the last part.
sub logged
{
    my (@words) = @_;
    my $words = join '|', @words;
    return map { s{ .*/}{ }r } grep { /^(?:$words)(?: |$)/ } split /\n/, get('.log') // '';
}

# Why faults cannot be injected; undef where they can.
sub no_injection
{
    return 'there is no shared object to preload' unless -e $inject;
    my $file = put('probe', 'abcd');
    injected(sub { shell('gpusort -t u8 --sync "$1" -o "$2"', $file, path('probed')) });
    my $works = grep { /^fsync/ } logged('fsync');
    unlink(path('probed'), $file);
    return $works ? undef : 'what is preloaded does not reach the tools';
}

1;
