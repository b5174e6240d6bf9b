#!/usr/bin/perl
# readme.t - the commands that README.md shows in its "console" blocks print what it says.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $readme = abs_path(($ENV{srcdir} // '.') . '/README.md');
my $build = abs_path($ENV{builddir} // '.');
$ENV{PATH} = "$build:$build/bench:$build/bench/scene:$ENV{PATH}";

# The blocks' commands, each with the output that follows it.
sub examples {
    open my $file, '<', $readme or die "$readme: $!\n";
    my (@found, $inside);
    while (my $line = <$file>) {
        if ($line =~ /^```/) {
            $inside = $line =~ /^```console$/;
        } elsif ($inside && $line =~ /^\$ (.*)/) {
            push @found, [$1, ''];
        } elsif ($inside) {
            $found[-1][1] .= $line;
        }
    }
    return @found;
}

my @examples = examples();
my $folder = tempdir(CLEANUP => 1);
chdir $folder or die "$folder: $!\n";
cmp_ok(scalar @examples, '>', 0, 'there are examples');
for my $example (@examples) {
    my ($command, $expected) = @$example;
    open my $shell, '-|', 'sh', '-c', "exec 2>&1\n$command" or die "sh: $!\n";
    my $output = join '', <$shell>;
    close $shell;
    is($output, $expected, $command);
}
chdir '/';
done_testing();
