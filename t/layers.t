#!/usr/bin/perl
# layers.t - who may include whom: the floors of the house (CONTRIBUTING.md), proved over the source files; only
# lib/context.c names the backends; the shared library exports what scankit.h declares and nothing else.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Find;

my $srcdir = $ENV{srcdir} // dirname($0) . '/..';
my $builddir = $ENV{builddir} // $srcdir;
my $tests = 0;
my $failed = 0;

sub report {
    my ($name, @wrong) = @_;
    $tests++;
    $failed++ if @wrong;
    print @wrong ? 'not ' : '', "ok $tests - $name\n";
    print "# $_\n" for @wrong;
}

sub skip {
    my ($name, $reason) = @_;
    $tests++;
    print "ok $tests - $name # skip $reason\n";
}

# ---- the floors ----

# The floors of cuda/, from the ground up; a file may include its own and those below. Other files there are the top.
my %cuda_floor = ('tuning.cuh' => 1, 'device.cuh' => 1, 'check.cuh' => 2, 'arena.cuh' => 2,
    'thread.cuh' => 2, 'element.cuh' => 2, 'key_order.cuh' => 2, 'warp.cuh' => 3, 'bulk.cuh' => 3,
    'op.cuh' => 4, 'shape.cuh' => 4, 'tile.cuh' => 4);
my ($block, $grid, $top) = (5, 6, 7);
$cuda_floor{'state.cuh'} = $grid; # the host's side of grid/lookback.cuh

# What each floor may see besides itself.
my %below = (api => [], base => ['api']);
$below{backend} = ['api', 'base'];
$below{internal} = [@{$below{backend}}, 'backend'];
$below{library} = [@{$below{internal}}, 'internal'];
$below{cpu} = [@{$below{internal}}, 'kernel'];
$below{$_} = $below{internal} for 'kernel', map {"cuda$_"} 1 .. $top;
$below{$_} = ['api'] for 'tools', 't', 'bench';

sub floor_of {
    my ($file) = @_;
    return 'api' if $file eq 'lib/scankit.h';
    return $1 if $file =~ m{^lib/(backend|internal)\.h$};
    return 'base' if $file =~ m{^lib/\w+\.h$};
    return 'kernel' if $file =~ m{^lib/cpu/kernel/};
    return 'cpu' if $file =~ m{^lib/cpu/};
    return 'library' if $file =~ m{^lib/};
    return "cuda$block" if $file =~ m{^cuda/block/};
    return "cuda$grid" if $file =~ m{^cuda/grid/};
    return 'cuda' . ($cuda_floor{$1} // $top) if $file =~ m{^cuda/([^/]+)$};
    return (split m{/}, $file)[0];
}

sub may_include {
    my ($from, $to) = @_;
    return 1 if $from eq $to || grep { $_ eq $to } @{$below{$from}};
    return $from =~ /^cuda(\d)$/ && $to =~ /^cuda(\d)$/ && substr($from, 4) >= substr($to, 4);
}

# ---- the files ----

my %lines; # of each file
for my $folder (qw(lib cuda tools t bench)) {
    next unless -d "$srcdir/$folder";
    find({no_chdir => 1, wanted => sub {
        return unless -f && /\.(c|h|inc|cc|cu|cuh)$/;
        open my $file, '<', $_ or die "$_: $!\n";
        my @text = <$file>;
        $lines{substr $_, length("$srcdir/")} = \@text;
    }}, "$srcdir/$folder");
}

# The file that a name in an #include means, as the compiler looks for it.
sub resolve {
    my ($from, $name) = @_;
    my @folders = (dirname($from), 'lib');
    push @folders, 'cuda' if $from =~ m{^cuda/};
    for my $path (map {"$_/$name"} @folders) {
        1 while $path =~ s{[^/]+/\.\./}{};
        return $path if $lines{$path};
    }
    return;
}

# [line, name, quoted] of all includes, those through a macro too.
sub includes_of {
    my ($file) = @_;
    my @found;
    my $number = 0;
    for (@{$lines{$file}}) {
        $number++;
        push @found, [$number, $1, 1] if /^\s*#\s*(?:include|define\s+\w+)\s+"([^"]+\.(?:c|h|inc|cuh?))"/;
        push @found, [$number, $1, 0] if /^\s*#\s*include\s+<([^>]+)>/;
    }
    return @found;
}

sub wrong_includes {
    my ($file) = @_;
    my @wrong;
    for (includes_of($file)) {
        my ($line, $name, $quoted) = @$_;
        next if $name eq 'config.h';
        my $included = resolve($file, $name);
        if (!defined $included) {
            push @wrong, "$file:$line: $name is not there" if $quoted;
        } elsif (!may_include(floor_of($file), floor_of($included))) {
            push @wrong, "$file:$line: includes $included";
        }
    }
    return @wrong;
}

report('there are files to look at', grep { !$lines{$_} } 'lib/scankit.h', 'lib/context.c', 't/tap.h');
for my $folder ('lib/', 'lib/cpu/', 'cuda/', 'tools/', 't/', 'bench/') {
    my @files = grep { /^\Q$folder\E/ && ($folder ne 'lib/' || !m{^lib/cpu/}) } sort keys %lines;
    report("$folder includes only what is below", map { wrong_includes($_) } @files) if @files;
}

# A line of includes that goes in a circle shows as a file that reaches itself.
sub reaches {
    my ($file, $goal, $seen) = @_;
    for (includes_of($file)) {
        my $next = resolve($file, $_->[1]);
        next if !defined $next || $seen->{$next}++;
        return 1 if $next eq $goal || reaches($next, $goal, $seen);
    }
    return 0;
}
report('no header includes itself in a circle', grep { reaches($_, $_, {}) } sort keys %lines);

# ---- the backends ----

my @names;
my %defines;
for my $file (sort keys %lines) {
    my $number = 0;
    for (@{$lines{$file}}) {
        $number++;
        next unless /\bsk_(cpu|cuda)_backend\b/;
        $defines{$1} = 1 if /\bconst sk_backend sk_(cpu|cuda)_backend = /;
        push @names, "$file:$number: names a backend"
            unless $file eq 'lib/context.c' || /\bconst sk_backend sk_\w+_backend\b/;
    }
}
report('only lib/context.c names the backends', @names);
report('both backends are defined', grep { !$defines{$_} } qw(cpu cuda));

# ---- the shared library ----

my ($library) = grep { -f } "$builddir/lib/.libs/libscankit.so", "$builddir/lib/libscankit.so";
my $name = 'the shared library exports what scankit.h declares, no more';
if (!defined $library) {
    skip($name, 'no shared library was built');
} elsif (system('nm --version >/dev/null 2>&1') != 0) {
    skip($name, 'no nm');
} else {
    my %exported = map { $_ => 1 } grep { !/^(?:_init|_fini|_edata|_end|__bss_start)$/ }
        map { /\s[A-TV-Z]\s(\S+?)(?:@.*)?$/ ? $1 : () } `nm -D --defined-only '$library'`;
    my $header = join '', @{$lines{'lib/scankit.h'}};
    my %declared = map { $_ => 1 } $header =~ /^SCANKIT_API\b[^;]*?\b(scankit_\w+)\(/mg;
    report($name, (map {"$_ is exported"} sort grep { !$declared{$_} } keys %exported),
        (map {"$_ is not exported"} sort grep { !$exported{$_} } keys %declared));
}

print "1..$tests\n";
exit($failed ? 1 : 0);
