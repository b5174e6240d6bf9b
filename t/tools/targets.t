#!/usr/bin/perl
# Every tool writes the same bytes to every kind of target, in each way that an output can be written.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my @values = map { $_ % 7 ? $_ : $_ - 1 } 1 .. 600_000;
my $file = put('file', pack('Q<*', @values));
my $encoded = put('encoded', shell('gpurle -t u64 "$1"', $file)->{out});
my %command = (
    'gpusort' => "gpusort -t u64 -r $file",
    'gpucompact' => "gpucompact -t u64 -w 'x % 3 != 0' $file",
    'gpuscan' => "gpuscan -t u64 $file",
    'gpurle' => "gpurle -t u64 $file",
    'gpurle -u' => "gpurle -t u64 -u $file",
    'gpurle -c' => "gpurle -t u64 -c $file",
    'gpurle -d' => "gpurle -d $encoded",
);

# Folders on file systems of different kinds.
my @folders = (path(''));
my $shared = "/dev/shm/scankit-targets-$$";
push @folders, "$shared/" if -d '/dev/shm' && mkdir($shared);
END { system('rm', '-rf', $shared) if defined $shared && -d $shared }

sub target_gets
{
    my ($line, $path, $expected, $name) = @_;
    my $run = shell($line, $path);
    my $bytes = get($path);
    ok($run->{status} == 0 && $run->{err} eq '' && defined $bytes && $bytes eq $expected, $name)
        or diag("status $run->{status}, ", length($bytes // ''), ' bytes of ', length $expected, ": $run->{err}");
}

# SCANKIT_TEST_EVERY=3 or more: each command with another number of threads.
my $every = ($ENV{SCANKIT_TEST_EVERY} || 1) < 3 ? 1 : 3;
my @names = sort keys %command;
for my $i (fewer(0 .. $#names)) {
    my $name = $names[$i];
    my $small = $name eq 'gpusort' ? '' : ' -S 3M';
    my $expected = shell("$command{$name} --parallel=1 | cat")->{out};
    for my $threads (map { ($i + $_) % $every == 0 ? (1, 2, 16)[$_] : () } 0 .. 2) {
        my $line = "$command{$name} --device=cpu --parallel=$threads";
        my $case = "$name, $threads processors";
        is(shell("$line | cat")->{out}, $expected, "$case: a pipe") if $threads > 1;
        is(shell("$line -o /dev/null")->{status}, 0, "$case: /dev/null");
        for my $folder (@folders) {
            my $out = "${folder}out";
            unlink($out);
            target_gets("$line -o \"\$1\"", $out, $expected, "$case: a new file");
            target_gets("$line -o \"\$1\"$small", $out, $expected, 'a file that is replaced, small blocks');
            put($out, 'x' x 9_000_000);
            target_gets("$line -o \"\$1\"", $out, $expected, 'a longer one');
            put($out, 'x' x 9_000_000);
            target_gets("$line > \"\$1\"", $out, $expected, 'redirected');
            put($out, 'before ');
            target_gets("$line >> \"\$1\"", $out, "before $expected", 'appended');
            put($out, 'before ');
            target_gets("{ printf 'in front '; $line; printf ' behind'; } > \"\$1\"", $out, "in front $expected behind",
                'between others');
            put($out, 'x' x 9_000_000);
            target_gets("{ printf 'in front '; $line; printf ' behind'; } 1<> \"\$1\"", $out,
                "in front $expected behind" . substr('x' x 9_000_000, length($expected) + 16), 'inside a longer file');
            unlink($out);
            shell("mkfifo \"\$1\"; cat \"\$1\" > \"\$1.read\" & $line -o \"\$1\"; wait", $out);
            ok((get("$out.read") // '') eq $expected, 'a named pipe');
            unlink($out, "$out.read");
            if ($name ne 'gpurle -c') {
                shell("$line -z -o \"\$1\"", $out);
                ok(shell('gzip -dc "$1"', $out)->{out} eq $expected, 'compressed');
            }
            unlink($out);
            is(join(' ', glob("$folder.[!.]*out*")), '', 'no temporary is left');
        }
    }
}

# A .npy file whose number of elements is known at the end, and two outputs.
my $npy = put('file.npy', npy("'<u8'", scalar @values, get('file')));
for my $folder (@folders) {
    my ($first, $second) = ("${folder}first", "${folder}second");
    my $run = shell("gpucompact --parallel=16 -w 'x > 100' '$npy' -o '$first' --rejects='$second'");
    my @kept = grep { $_ > 100 } @values;
    my @others = grep { $_ <= 100 } @values;
    ok($run->{status} == 0 && get($first) eq npy("'<u8'", scalar @kept, pack('Q<*', @kept)), 'a .npy file with its count')
        or diag($run->{err});
    ok(get($second) eq npy("'<u8'", scalar @others, pack('Q<*', @others)), 'and a second one');
    unlink($first, $second);
}

# Pages that cannot be provided: a limit of the file's size, then a full file system.
SKIP: {
    skip('there is no /dev/shm', 1) if @folders == 1;
    for my $name (sort keys %command) {
        my $out = "$shared/out";
        put($out, 'old');
        my $run = shell("ulimit -f 100; trap '' XFSZ; $command{$name} --parallel=16 -o \"\$1\"", $out);
        ok($run->{status} == 2 && $run->{err} =~ /^\w+: \S+out: cannot write: File too large$/m,
            "$name: a limit of the file's size")
            or diag("status $run->{status}: $run->{err}");
        is(get($out), 'old', 'the output is as it was');
        is(join(' ', glob("$shared/.[!.]*")), '', 'no temporary is left');
    }
    # What is allocated in advance does not count.
    my $run = shell("ulimit -f 10000; gpuscan -t u64 --parallel=16 '$file' -o \"\$1\"", "$shared/out");
    is($run->{status}, 0, 'a limit above the length is none') or diag($run->{err});
}
SKIP: {
    my $small = "$shared/small";
    my $mount = "mkdir -p '$small' && mount -t tmpfs -o size=SIZE none '$small'";
    skip('no file system can be mounted', 1)
        if @folders == 1 || shell("unshare -rm sh -c \"\$1\"", $mount =~ s/SIZE/1m/r)->{status} != 0;
    for my $name (sort keys %command) {
        for my $threads (1, 16) {
            my $script = ($mount =~ s/SIZE/1m/r) . "; $command{$name} --parallel=$threads -o '$small/out'; "
                . "status=\$?; ls -A '$small'; exit \$status";
            my $run = shell("unshare -rm sh -c \"\$1\"", $script);
            ok($run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /out: cannot write: No space left on device$/m,
                "$name, $threads processors: a full file system")
                or diag("status $run->{status}: $run->{err}$run->{out}");
        }
    }
    # It is exactly large enough.
    my $script = ($mount =~ s/SIZE/4800512/r) . "; gpuscan -t u64 '$file' --parallel=16 -o '$small/out' && "
        . "cat '$small/out' | cksum; gpuscan -t u64 '$file' | cksum";
    my $run = shell("unshare -rm sh -c \"\$1\"", $script);
    like($run->{out}, qr/^(\d+ \d+)\n\1\n$/, 'a file system that is just large enough') or diag($run->{err});
}

# Signals while pages are mapped.
local @SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;
SKIP: {
    skip('there is no /dev/shm', 1) if @folders == 1;
    for my $signal ('INT', 'TERM', 'HUP', 'KILL') {
        my $out = put("$shared/out", 'old');
        my $child = open(my $pipe, '|-', 'gpuscan', '-t', 'u64', '--parallel=16', '-S', '2M', '-o', $out) or die;
        binmode $pipe;
        syswrite($pipe, get('file'));
        select(undef, undef, undef, 0.2);
        kill($signal, $child);
        close($pipe);
        is($? & 127, { INT => 2, TERM => 15, HUP => 1, KILL => 9 }->{$signal}, "SIG$signal ends gpuscan");
        is(get($out) . join(' ', glob("$shared/.[!.]*")), 'old', 'the old output stays, and no temporary');
    }
}
done_testing();
