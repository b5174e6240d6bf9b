#!/usr/bin/perl
# layers.t - who may include whom: the floors of the house (CONTRIBUTING.md), proved over the source files; only
# lib/context.c names the backends; the shared library exports what the public headers declare and nothing else.
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

# Rooms that every other room of their folder may use, from the ground up. A floor sees the floors below it alone.
my %ground = (cuda => ['device', 'common'], tools => ['model', 'common', 'threads', 'gallery', 'codec', 'text', 'arrow', 'io/file', 'io/store', 'io', 'mpi'], t => ['support'], bench => ['data', 'rivals', 'measure']);

# What the files of lib/ see besides their own kind. The other folders see what is listed here and themselves.
my %below = (api => [], base => ['api']);
$below{backend} = ['api', 'base'];
$below{internal} = [@{$below{backend}}, 'backend'];
$below{library} = [@{$below{internal}}, 'internal'];
$below{kernel} = $below{cuda} = $below{internal};
$below{cpu} = [@{$below{internal}}, 'kernel'];
$below{mpi} = ['api'];
$below{$_} = ['api', 'mpi'] for 't', 'tools', 'bench';

sub kind_of {
    my ($file) = @_;
    return 'api' if $file =~ m{^lib/scankit(?:_group)?\.h$};
    return 'api' if $file eq 'lib/algorithms.h'; # the names that scankit_last_algorithm() returns
    return $1 if $file =~ m{^lib/(backend|internal)\.h$};
    return 'base' if $file =~ m{^lib/\w+\.h$};
    return 'kernel' if $file =~ m{^lib/cpu/kernel/};
    return 'cpu' if $file =~ m{^lib/cpu/};
    return 'mpi' if $file =~ m{^lib/mpi/};
    return 'library' if $file =~ m{^lib/};
    return (split m{/}, $file)[0];
}

# The room of a file within its folder, such as sort/radix; empty for the folder's own files.
sub room_of {
    my ($file) = @_;
    my (undef, @path) = split m{/}, $file;
    return join '/', @path[0 .. $#path - 1];
}

# The benchmark measures the tests' shapes of data too.
my %of_tests = ('bench/bound/test_shapes.c' => 't/support/data.h');

# The height of a ground floor, from 0; the rooms above are all at the same height.
sub height_of {
    my ($kind, $room) = @_;
    my @floors = @{$ground{$kind} // []};
    for my $i (0 .. $#floors) {
        return $i if $room =~ m{^\Q$floors[$i]\E(?:/|$)};
    }
    return scalar @floors;
}

# The harnesses of libFuzzer call the tools' readers of file formats: a fuzzer has to run in the process that it tests.
# Unit tests call parts of the tools.
sub is_harness {
    my ($from, $to) = @_;
    return $from =~ m{^t/(?:fuzz|gpusort|tools)/} && $to =~ m{^tools/};
}

# Tests of pure internal functions, whose inputs cannot be made through the interfaces.
my %unit_tests = ('t/library/host-memory.c' => 'lib/cpu/host_memory.h');

sub may_include {
    my ($from, $to) = @_;
    return 1 if is_harness($from, $to) || $to eq ($unit_tests{$from} // $of_tests{$from} // '');
    my ($kind, $other) = (kind_of($from), kind_of($to));
    return scalar grep { $_ eq $other } @{$below{$kind}} if $kind ne $other;
    return 1 if !$ground{$kind};
    my ($room, $below) = (room_of($from), room_of($to));
    return 1 if height_of($kind, $room) > height_of($kind, $below) || $room eq $below;
    return 1 if $kind eq 'tools' && index($below, "$room/") == 0; # a part of the tool
    return $below ne '' && height_of($kind, $room) == @{$ground{$kind}} && $kind ne 'tools';
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
    my @folders = (dirname($from), 'lib', 'lib/mpi', (split m{/}, $from)[0]);
    push @folders, 'tools' if is_harness($from, 'tools/');
    push @folders, 't' if $of_tests{$from};
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
        } elsif (!may_include($file, $included)) {
            push @wrong, "$file:$line: includes $included";
        }
    }
    return @wrong;
}

report('there are files to look at', grep { !$lines{$_} } 'lib/scankit.h', 'lib/context.c', 't/support/tap.h');
for my $folder ('lib/', 'lib/cpu/', 'lib/mpi/', 'cuda/', 'tools/', 't/', 'bench/') {
    my @files = grep { /^\Q$folder\E/ && ($folder ne 'lib/' || !m{^lib/(?:cpu|mpi)/}) } sort keys %lines;
    report("$folder includes only what is below", map { wrong_includes($_) } @files) if @files;
}

# The headers of lib/ are the ground that its sources and folders stand on.
sub folder_of {
    my ($file) = @_;
    return $file =~ m{^lib/\w+\.h$} ? 'lib/*.h' : dirname $file;
}

# The graph of includes: of files, and of the folders that they stand in.
my (%includes, %folders, %includers);
for my $file (sort keys %lines) {
    for (includes_of($file)) {
        my $to = resolve($file, $_->[1]) // next;
        $includes{$file}{$to} = 1;
        $includers{$to}{$file} = 1;
        $folders{folder_of($file)}{folder_of($to)} = 1 if folder_of($file) ne folder_of($to);
    }
}

sub reaches {
    my ($graph, $node, $goal, $seen) = @_;
    for my $next (sort keys %{$graph->{$node} // {}}) {
        next if $seen->{$next}++;
        return 1 if $next eq $goal || reaches($graph, $next, $goal, $seen);
    }
    return 0;
}

# A circle shows as a node that reaches itself.
report('no files include each other in a circle', grep { reaches(\%includes, $_, $_, {}) } sort keys %includes);
report('no folders include each other in a circle', grep { reaches(\%folders, $_, $_, {}) } sort keys %folders);

# A header that one file includes is a part of that file's room.
sub sole_includer {
    my ($header) = @_;
    my @from = keys %{$includers{$header} // {}};
    return @from == 1 ? $from[0] : undef;
}
report('a header with one includer stands beside it or in a room below it', map {
    my $from = sole_includer($_);
    defined $from && !m{^\Q${\dirname $from}\E/} ? "$_: only $from includes it" : ();
} grep { m{^cuda/.*\.cuh$} } sort keys %lines);

# A header that declares nothing of its own only forwards to others.
sub only_forwards {
    my ($header) = @_;
    return !grep { !m{^\s*(?://.*|\#\s*(?:include|ifndef|define\s+\w+_CUH|endif).*)?$} } @{$lines{$header}};
}
report('no header of cuda/ only forwards', grep { only_forwards($_) } grep { m{^cuda/.*\.cuh$} } sort keys %lines);

my %files_in;
for my $file (keys %lines) {
    $files_in{dirname $file}++;
}
report('no folder has more than 30 sources', grep { $files_in{$_} > 30 } sort keys %files_in);

# The text of a makefile and of those that it includes. A source that none of these names is missing in a release, and a
# script of tests is never run.
sub makefile_text {
    my ($path) = @_;
    open my $file, '<', "$srcdir/$path" or die "$path: $!\n";
    return join '', map { /^include\s+(\S+\.mk)$/ ? makefile_text($1) : $_ } <$file>;
}
my %named = map { $_ => 1 } makefile_text('Makefile.am') =~ m{[\w./-]+\.\w+}g;
my @scripts;
find({no_chdir => 1, wanted => sub {
    push @scripts, substr $_, length("$srcdir/") if -f && /\.t$/ && do { open my $file, '<', $_; (<$file> // '') =~ /^#!/ };
}}, "$srcdir/t");
report('the makefiles name every source and test script', grep { !$named{$_} } sort keys %lines, @scripts);

# ---- names ----

# Words for which the code has one meaning each.
my @glossary = ('tile', 'digit', 'bin', 'bucket', 'splitter', 'run', 'head', 'look-back', 'epoch', 'slack region',
    'heavy hitter', 'lane');

# The terms of the glossary's tables. A row may define several.
sub terms {
    open my $file, '<', "$srcdir/CONTRIBUTING.md" or die "CONTRIBUTING.md: $!\n";
    my $text = do { local $/; <$file> };
    my ($glossary) = $text =~ /^## Glossary\n(.*?)(?:^## |\z)/ms;
    return map { split /,\s*/ } ($glossary // '') =~ /^\|\s*(.+?)\s*\|/mg;
}
my %defined = map { $_ => 1 } terms();
report('CONTRIBUTING.md defines the words of the code', grep { !$defined{$_} } @glossary);

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
my $name = 'the shared library exports what the public headers declare, no more';
if (!defined $library) {
    skip($name, 'no shared library was built');
} elsif (system('nm --version >/dev/null 2>&1') != 0) {
    skip($name, 'no nm');
} else {
    my %exported = map { $_ => 1 } grep { !/^(?:_init|_fini|_edata|_end|__bss_start)$/ }
        map { /\s[A-TV-Z]\s(\S+?)(?:@.*)?$/ ? $1 : () } `nm -D --defined-only '$library'`;
    my $header = join '', map { @{$lines{$_}} } 'lib/scankit.h', 'lib/scankit_group.h';
    my %declared = map { $_ => 1 } $header =~ /^SCANKIT_API\b[^;]*?\b(scankit_\w+)\(/mg;
    report($name, (map {"$_ is exported"} sort grep { !$declared{$_} } keys %exported),
        (map {"$_ is not exported"} sort grep { !$exported{$_} } keys %declared));
}

print "1..$tests\n";
exit($failed ? 1 : 0);
