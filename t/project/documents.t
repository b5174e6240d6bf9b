#!/usr/bin/perl
# documents.t - the commands in the "console" blocks of README.md and of the pages in doc/ print what the pages say.
# A command begins with "$ " and goes on behind "> ". Each page has a folder of its own.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $source = abs_path($ENV{srcdir} // '.');
my $build = abs_path($ENV{builddir} // '.');
$ENV{PATH} = "$build:$build/bench:$build/bench/scene:$build/doc/examples:$ENV{PATH}";

# The blocks' commands, each with the output that follows it.
sub examples {
    my ($page) = @_;
    open my $file, '<', $page or die "$page: $!\n";
    my (@found, $inside);
    while (my $line = <$file>) {
        if ($line =~ /^```/) {
            $inside = $line =~ /^```console$/;
        } elsif ($inside && $line =~ /^\$ (.*)/s) {
            push @found, [$1, ''];
        } elsif ($inside && $line =~ /^> (.*)/s && $found[-1][1] eq '') {
            $found[-1][0] .= $1;
        } elsif ($inside) {
            $found[-1][1] .= $line;
        }
    }
    return @found;
}

# What a command prints, errors included.
sub printed_by {
    my ($command) = @_;
    open my $shell, '-|', 'sh', '-c', "exec 2>&1\n$command" or die "sh: $!\n";
    return join '', <$shell>;
}

sub check_page {
    my ($page, @examples) = @_;
    my $folder = tempdir(CLEANUP => 1);
    chdir $folder or die "$folder: $!\n";
    for my $example (@examples) {
        my ($command, $expected) = @$example;
        is(printed_by($command), $expected, "$page: " . $command =~ s/\n.*//sr);
    }
    chdir '/';
}

my @files = ("$source/README.md", glob "$source/doc/*.md $source/doc/*/*.md");
my @pages = map { substr $_, 1 + length $source } @files;
my %examples = map { $_ => [examples("$source/$_")] } @pages;
cmp_ok(scalar @{$examples{$_} // []}, '>', 0, "$_ has examples")
    for 'README.md', map { "doc/cookbook/$_.md" } qw(kmers edges timestamps points);
check_page($_, @{$examples{$_}}) for @pages;
done_testing();
