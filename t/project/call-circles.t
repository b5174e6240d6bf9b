#!/usr/bin/perl
# call-circles.t - within a folder of the library no files need each other in a circle: each can be read when those that it
# calls are known. What a file needs and what it defines comes from nm.
use strict;
use warnings;
use File::Basename qw(basename dirname);

my $builddir = $ENV{builddir} // dirname($0) . '/..';
my @folders = ('lib', 'lib/keys', 'lib/cpu', 'lib/cpu/sort', 'lib/cpu/merge', 'lib/cpu/split', 'lib/predicate',
    'lib/predicate/graph', 'lib/predicate/join');

# The objects of a folder by their source's name, and what each defines and needs.
sub read_objects {
    my ($folder) = @_;
    my (%owner, %needs);
    my @objects = glob "'$builddir/$folder/.libs/*.o'";
    @objects = glob "'$builddir/$folder/*.o'" unless @objects;
    for my $object (@objects) {
        my $source = basename($object, '.o') =~ s/^lib\w+_la-//r;
        for (`nm '$object'`) {
            my ($class, $symbol) = /(\S) (\S+)$/ or next;
            $needs{$source}{$symbol} = 1 if $class eq 'U';
            $owner{$symbol} = $source if $class =~ /[TDRB]/;
        }
        $needs{$source} //= {};
    }
    my %calls; # source => source => symbol
    for my $source (keys %needs) {
        for my $symbol (sort keys %{$needs{$source}}) {
            my $other = $owner{$symbol};
            $calls{$source}{$other} //= $symbol if defined $other && $other ne $source;
        }
    }
    return (scalar(@objects), \%calls);
}

# A shortest way from one source to another, as text; undef where there is none.
sub find_path {
    my ($calls, $from, $to) = @_;
    my %way = ($from => $from);
    my @queue = ($from);
    while (defined(my $at = shift @queue)) {
        for my $next (sort keys %{$calls->{$at}}) {
            my $way = "$way{$at} > $next ($calls->{$at}{$next})";
            return $way if $next eq $to;
            next if exists $way{$next};
            $way{$next} = $way;
            push @queue, $next;
        }
    }
    return;
}

print '1..', scalar(@folders), "\n";
my $number = 0;
my $failed = 0;
my $has_nm = system('nm --version >/dev/null 2>&1') == 0;
for my $folder (@folders) {
    $number++;
    my $name = "files in $folder/ do not need each other in a circle";
    my ($count, $calls) = $has_nm ? read_objects($folder) : (0, {});
    if ($count == 0) {
        print "ok $number - $name # skip ", $has_nm ? 'no objects' : 'no nm', "\n";
        next;
    }
    my @circles = grep { defined } map { find_path($calls, $_, $_) } sort keys %$calls;
    $failed++ if @circles;
    print @circles ? 'not ' : '', "ok $number - $name\n";
    print "# $_\n" for @circles;
}
exit($failed ? 1 : 0);
