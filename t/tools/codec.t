#!/usr/bin/perl
# Compressed files, whatever the format: the bytes that are written do not depend on the number of threads; damage never
# gives wrong output with exit status 0; thousands of members; long inputs by one thread and by many.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/tools/inject.pl";
use Compress::Zlib ();

our $every;
seed_random();
my @threads = $every < 3 ? (1, 2, 7) : (1, 7);

sub found { return shell("command -v $_[0]")->{status} == 0 }
sub packed { my ($data, @command) = @_; put('data', $data); return run([@command, path('data')])->{out} }

# The same pieces are packed many times.
my %gzipped;
sub gz { return $gzipped{$_[0]} //= Compress::Zlib::memGzip($_[0]) }

# Time stamps, which compress well, and random values, which do not: 5 MB, more than the first pieces and batches. Long
# lists are avoided: each run of a program copies the page tables of this one.
my @blocks;
my $value = 0;
for my $block (0 .. 1249) {
    push @blocks, pack('V*', map { $value += $block < 1000 ? 1 : 1 + int(rand(10_000)) } 1 .. 1000);
}
my $sorted = join '', @blocks;
my $long = join '', reverse @blocks;
my $six_times = join '', map { join '', map { $_ x 6 } slice($_, 4) } @blocks;
my $file = put('long', $long);

my %writes = map { $_ => "-z$_" } 0 .. 9;
$writes{"zstd $_"} = "--zstd=$_" for 1, 5;
my $has_zstd = gpusort(['-t', 'u8', '--zstd'], 'abc')->{status} == 0;
my %reader = map { $_ => [qw(gzip -dc)] } 0 .. 9;
$reader{"zstd $_"} = found('zstd') ? [qw(zstd -qdc)] : [qw(gpusort -t u32)] for 1, 5;

my @levels = (0, 1, 2, 3, 4, $has_zstd ? map { "zstd $_" } 1, 5 : ());
for my $level (fewer(@levels)) {
    my %out;
    for my $threads (@threads) {
        my $run = gpusort(['-t', 'u32', $writes{$level}, "--parallel=$threads", $file], '');
        is($run->{status}, 0, "level $level, $threads threads") or diag($run->{err});
        $out{$threads} = $run->{out};
    }
    SKIP: {
        skip('ISA-L gives other bytes now and then', 1) if $level =~ /^[12]$/;
        is(scalar(grep { $_ ne $out{1} } values %out), 0, "level $level: the same bytes with @threads threads");
    }
    ok(run($reader{$level}, $out{7})->{out} eq $sorted, 'and the right ones');
    my $packed = put('packed', $out{7});
    for my $threads (@threads) {
        ok(gpusort(['-t', 'u32', "--parallel=$threads", $packed], '')->{out} eq $sorted, "$threads threads read them");
    }
}

# What every program of the format accepts.
put('z.gz', gpusort(['-t', 'u32', '-z', $file], '')->{out});
put('empty.gz', gpusort(['-t', 'u32', '-z'], '')->{out});
if ($has_zstd) {
    put('z.zst', gpusort(['-t', 'u32', '--zstd', $file], '')->{out});
    put('empty.zst', gpusort(['-t', 'u32', '--zstd'], '')->{out});
}
for (['gzip', '-t', 'gz'], ['pigz', '-t', 'gz'], ['bgzip', '-t', 'gz'], ['igzip', '-t', 'gz'], ['zstd', '-qt', 'zst']) {
    my ($program, $option, $suffix) = @$_;
    SKIP: {
        skip("there is no $program", 2) unless found($program);
        skip('this build has no zstd', 2) if $suffix eq 'zst' && !$has_zstd;
        is(run([$program, $option, path("$_.$suffix")])->{status}, 0, "$program accepts $_.$suffix") for 'z', 'empty';
    }
}

# What they write, alone and one behind the other.
my %made = (gzip => [qw(gzip -cn)], pigz => [qw(pigz -c -b 128)], bgzip => [qw(bgzip -c)], igzip => [qw(igzip -1 -c)],
    independent => [qw(pigz -c -i -b 128)]);
my @parts;
for my $name (sort keys %made) {
    SKIP: {
        skip("there is no $made{$name}[0]", scalar @threads) unless found($made{$name}[0]);
        push @parts, packed($long, @{$made{$name}});
        my $packed = put('packed', $parts[-1]);
        for my $threads (@threads) {
            ok(gpusort(['-t', 'u32', "--parallel=$threads", $packed], '')->{out} eq $sorted, "$name, $threads threads");
        }
    }
}
my $all = put('all', join('', @parts, reverse @parts) . "\0" x 100_000);
my $count = 2 * @parts;
for my $threads (@threads) {
    my $run = gpucompact(['-t', 'u32', '-w', 1, "--parallel=$threads", $all], '');
    ok($run->{out} eq $long x $count, "all, $threads threads") or diag($run->{err});
    $run = shell('cat "$1" | gpucompact -t u32 -w 1 --parallel="$2"', $all, $threads);
    ok($run->{out} eq $long x $count, 'the same through a pipe') or diag($run->{err});
}

# Many tiny members, empty ones among them.
my @tiny = map { pack('V', $_) } 1 .. 40;
my @tiny_gz = map { gz($_) } @tiny[0 .. 19];
my $bgzf = gpusort(['-t', 'u32', '-z'], '')->{out};
my $none = gz('');
my $tiny = join('', map { "$_$none" } @tiny_gz);
my $tiny_bgzf = join('', map { gpusort(['-t', 'u32', '-z'], $_)->{out} } @tiny[20 .. 39]);
for my $threads (1, 4) {
    sorts_to(['-t', 'u32', "--parallel=$threads"], $tiny x 100 . $tiny_bgzf x 100 . $bgzf x 5000,
        join('', map { $_ x 100 } @tiny), "13,000 members, $threads threads");
}

# Members of up to 128 KiB are inflated by all threads, up to what looks like the next header. Names, comments, extra
# fields and a CRC in headers; long members among short ones; a header within stored data, which is none.
sub member
{
    my ($data, %field) = @_;
    my $flags = (defined $field{crc} ? 2 : 0) | (defined $field{extra} ? 4 : 0) | (defined $field{name} ? 8 : 0)
        | (defined $field{comment} ? 16 : 0);
    my $packed = gz($data);
    my $head = "\x1f\x8b\x08" . chr($flags) . pack('V', 12345) . chr($field{level} // 0) . chr($field{system} // 3);
    $head .= pack('v', length $field{extra}) . $field{extra} if defined $field{extra};
    $head .= "$field{name}\0" if defined $field{name};
    $head .= "$field{comment}\0" if defined $field{comment};
    $head .= pack('v', crc32_of($head) & 0xffff) if defined $field{crc};
    return $head . substr($packed, 10);
}

# A member of stored blocks.
sub stored
{
    my ($data) = @_;
    my @blocks = unpack('(a65535)*', $data);
    my $deflated = join '', map {
        my $length = length $blocks[$_];
        chr($_ == $#blocks) . pack('vv', $length, ~$length & 0xffff) . $blocks[$_]
    } 0 .. $#blocks;
    return "\x1f\x8b\x08\0\0\0\0\0\0\3" . $deflated . pack('VV', crc32_of($data), length $data);
}

sub crc32_of { return Compress::Zlib::crc32($_[0]) }

my @pieces = slice(substr($long, 0, 4_000_000), 40_000);
my @fields = ({}, { name => 'a file' }, { comment => 'x' x 300, system => 255 }, { extra => "AB\2\0xy", level => 2 },
    { crc => 1, name => 'n' }, { system => 77 }, { extra => '', name => '', comment => '' });
my %members = (
    'short members' => [map { member($pieces[$_], %{$fields[0]}) } 0 .. $#pieces],
    'members with all kinds of headers' => [map { member($pieces[$_], %{$fields[$_ % @fields]}) } 0 .. $#pieces],
    'long and short members' => [map { gz($_) } map { ($_ % 10 ? $pieces[$_] : $pieces[$_] x 20) } 0 .. $#pieces],
    'stored members, some with a member in their data' =>
        [map { stored($_ % 7 ? $pieces[$_] : gz($pieces[$_]) . gz('') . $pieces[$_]) } 0 .. $#pieces],
    'zeros behind the last one' => [(map { gz($_) } @pieces), "\0" x 5000],
);
for my $name (sort keys %members) {
    my $packed = put('members', join('', @{$members{$name}}));
    my $expected = run([qw(gzip -dc), $packed])->{out};
    for my $threads (@threads) {
        my $run = gpucompact(['-t', 'u8', '-w', 1, "--parallel=$threads", $packed], '');
        ok($run->{out} eq $expected && $run->{status} == 0, "$name, $threads threads") or diag($run->{err});
    }
    ok(shell('cat "$1" | gpucompact -t u8 -w 1 --parallel=3', $packed)->{out} eq $expected, 'the same through a pipe');
}
my $behind = put('behind', 'abc' . join('', @{$members{'stored members, some with a member in their data'}}));
my $whole = join '', map { $_ % 7 ? $pieces[$_] : gz($pieces[$_]) . gz('') . $pieces[$_] } 0 .. $#pieces;
ok(shell('{ dd bs=3 count=1 of=/dev/null 2>/dev/null; gpucompact -t u8 -w 1 --parallel=3; } <"$1"', $behind)->{out} eq
    $whole, 'a file that is read from its fourth byte on');
my @broken = @{$members{'short members'}};
substr($broken[50], -6, 1) ^= 'x';
my $before = length join '', @broken[0 .. 50];
for my $threads (1, 2, 5) {
    my $run = gpucompact(['-t', 'u8', '-w', 1, "--parallel=$threads", '-o', path('none'), put('broken', join('', @broken))],
        '');
    is($run->{err}, 'gpucompact: ' . path('broken') . ": damaged gzip data before byte $before: incorrect data check\n",
        "the place of damage, $threads threads");
}

# A merge of more compressed inputs than decoders have threads.
my @inputs = map { put("input$_", gz($sorted)) } 1 .. 6;
my $merged = gpusort(['-m', '-t', 'u32', '--parallel=4', @inputs], '');
ok($merged->{out} eq $six_times, 'a merge of 6 inputs') or diag($merged->{err});

# With too few threads, those that can be started do the work.
SKIP: {
    my $why = no_injection();
    my @numbers = fewer(2 .. 7);
    skip($why, 2 * @numbers) if defined $why;
    my $bgzf_file = put('bgzf', gpucompact(['-t', 'u32', '-w', 1, '-z', $file], '')->{out});
    my $gzip_file = put('gzip', gz($long));
    for my $threads (@numbers) {
        for my $input ($bgzf_file, $gzip_file) {
            my $line = 'gpucompact -t u32 -w 1 -z --parallel=4 "$1" -o "$2"';
            my $run = injected(sub { shell($line, $input, path('few.gz')) }, THREADS => $threads);
            my $refused = $run->{status} == 2 && $run->{err} =~ /cannot start a thread|a library could not go on/;
            ok($refused || run([qw(gzip -dc), path('few.gz')])->{out} eq $long, "$threads threads besides the first")
                or diag("status $run->{status}: $run->{err}");
            unlink(path('few.gz'));
        }
    }
}

# ---- damage ----

# Passes if the tool fails with a message, or its output is right after all: not every bit of a header matters.
sub survives
{
    my ($packed, $expected, $name) = @_;
    my $damaged = put('damaged', $packed);
    my $threads = pick(1, 2, 4);
    my $run = gpusort(['-t', 'u8', "--parallel=$threads", $damaged], '');
    my $refused = $run->{status} == 2 && $run->{signal} == 0 && $run->{out} eq '' && $run->{err} =~ /: .*damaged: /;
    my $right = $run->{status} == 0 && $run->{out} eq $expected;
    return $refused || $right ? () : "$name: $threads threads: status $run->{status}, signal $run->{signal}: $run->{err}";
}

my $short = '';
$short .= join '', map { chr($_ % 256) . chr(int(rand(4))) } ($_ % 256) x 1000 for 1 .. 750;
my @times = (0) x 256;
$times[vec($short, $_, 8)]++ for 0 .. length($short) - 1;
my $in_order = join '', map { chr($_) x $times[$_] } 0 .. 255;
my %sources = (gzip => gz($short), bgzf => gpucompact(['-t', 'u8', '-w', 1, '-z'], $short)->{out});
$sources{members} = join '', map { gz($_) } slice($short, 100_000);
$sources{zstd} = gpucompact(['-t', 'u8', '-w', 1, '--zstd'], $short)->{out} if $has_zstd;
for my $name (sort keys %sources) {
    my $packed = $sources{$name};
    is(join('', survives($packed, $in_order, 'whole')), '', "$name: undamaged");
    my @wrong;
    for (1 .. 40 / $every + 2) {
        my $bad = $packed;
        my $at = int(4 + rand(length($bad) - 4)); # without its magic it is raw data
        substr($bad, $at, 1) ^= chr(1 << int(rand(8)));
        push @wrong, survives($bad, $in_order, "bit of byte $at");
    }
    is(join("\n", @wrong), '', "$name: flipped bits");
    @wrong = ();
    for (1 .. 20 / $every + 2) {
        my ($at, $length) = (int(4 + rand(length($packed) - 4)), 1 + int(rand(300)));
        my $bad = $packed;
        substr($bad, $at, $length) = chance(0.5) ? '' : join '', map { chr(int(rand(256))) } 1 .. $length;
        push @wrong, survives($bad, $in_order, "$length bytes from byte $at");
    }
    is(join("\n", @wrong), '', "$name: overwritten and removed bytes");
}

# Cut anywhere, the file is refused. Less than four bytes of a member are garbage.
sub refused_cut
{
    my ($packed, $at) = @_;
    my $cut = put('cut', substr($packed, 0, $at));
    my $run = gpusort(['-t', 'u8', '--parallel=' . pick(1, 2, 4), $cut], '');
    my $message = qr/cut: (?:the \w+ data ends too early, at byte $at\b|garbage behind the gzip data)/;
    return $run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ $message;
}

for my $name (sort keys %sources) {
    next if $name eq 'members';
    my $packed = $sources{$name};
    my $length = length $packed;
    my @cuts = (5 .. 30, $length - 30 .. $length - 1, map { int(5 + rand($length - 6)) } 1 .. 20);
    @cuts = grep { $_ % $every == 0 } @cuts;
    is(join(' ', grep { !refused_cut($packed, $_) } @cuts), '', "$name: cut");
}

my ($at, @ends) = (0);
my $cut_bgzf = $sources{bgzf};
while ($at < length $cut_bgzf) {
    $at += 1 + unpack('v', substr($cut_bgzf, $at + 16, 2));
    push @ends, $at;
}
pop @ends;
is(join(' ', grep { !refused_cut($cut_bgzf, $_) } @ends), '', 'BGZF without its end marker is refused');

# A damaged length in the header of a BGZF member is found, and so is a length that the trailer makes up.
for my $length (1, 17, 18, 27, 100, 65535) {
    my $bad = $cut_bgzf;
    substr($bad, 16, 2) = pack('v', $length);
    is(join('', survives($bad, $in_order, "length $length")), '', "a BGZF member that says its length is $length");
}
my $bad = $cut_bgzf;
substr($bad, $ends[0] - 4, 4) = pack('V', 0xffffffff);
is(join('', survives($bad, $in_order, 'length')), '', 'a member that says it holds 4 GiB');
done_testing();
