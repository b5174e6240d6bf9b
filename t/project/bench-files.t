#!/usr/bin/perl
# bench-files.t - bench/files.py measures rows at a small scale, says why it skips others, and refuses a wrong output.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Test::More;

my $source = abs_path($ENV{srcdir} // '.');
my $build = abs_path($ENV{builddir} // '.');
plan skip_all => 'no python3' if `python3 --version 2>/dev/null` eq '';
plan skip_all => 'no bash' if system('bash -c true') != 0;

my $folder = tempdir(CLEANUP => 1);

# {row: the other cells of its first line} of a run with these options.
sub table {
    my ($status, $tools, @options) = @_;
    open my $output, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh', 'env', 'PYTHONDONTWRITEBYTECODE=1', 'python3',
        "$source/bench/files.py", "--build=$tools", "--directory=$folder/data", '--scale=0.0005', '--repeat=1', @options
        or die "sh: $!\n";
    my %rows;
    /^\| ([\w-]+): [^|]+\|(.*)$/ and $rows{$1} = $2 while <$output>;
    close $output;
    is($? >> 8, $status, "status of files.py @options");
    return \%rows;
}

# A folder with the tools, in which one of them is a script.
sub tools_with {
    my ($tool, $script) = @_;
    my $tools = tempdir(CLEANUP => 1);
    mkdir "$tools/bench" or die "$tools/bench: $!\n";
    for my $name (qw(gpusort gpucompact gpurle gpuscan bench/gendata)) {
        symlink "$build/$name", "$tools/$name" or die "$name: $!\n" if $name ne $tool;
    }
    open my $file, '>', "$tools/$tool" or die "$tools/$tool: $!\n";
    print $file $script;
    close $file or die "$tools/$tool: $!\n";
    chmod 0755, "$tools/$tool" or die "$tools/$tool: $!\n";
    return $tools;
}

my $place = `df --output=fstype '$folder' 2>/dev/null` =~ /tmpfs/ ? 'tmpfs' : 'disk';
my @measured = $place eq 'tmpfs' ? qw(cpu-scan cpu-half) : qw(external-u64 external-pipe);
my $rows = table(0, $build, '--rows=gpu-sort,cpu-scan,cpu-half,external-u64,external-pipe');
like($rows->{'gpu-sort'} // '', qr/skipped: needs/, 'a row is skipped if the host has no GPU');
like($rows->{$_} // '', qr/^ gpu\w+ cpu \| [\d.]+ \|/, "$_ is measured") for @measured;
ok(!glob("$folder/data/*"), 'no data is left');

# The first byte is wrong.
my $wrong = tools_with('gpusort', <<"SCRIPT");
#!/bin/sh
'$build/gpusort' "\$@" || exit
for argument; do
    case \$argument in --output=*) printf X | dd of="\${argument#--output=}" conv=notrunc bs=1 2>/dev/null ;; esac
done
SCRIPT
SKIP: {
    skip 'no row of the CPU sorts in tmpfs without the benchmark', 2 if $place eq 'tmpfs';
    $rows = table(1, $wrong, '--rows=external-u64');
    like($rows->{'external-u64'} // '', qr/failed/, 'a wrong output is no result');
}
done_testing();
