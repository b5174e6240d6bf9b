#!/usr/bin/perl
# Random types, operators, layouts, lengths, segments, files and options against the model. SCANKIT_SEED repeats a run,
# SCANKIT_ROUNDS makes a longer one.
use strict;
use warnings;
use Test::More;
our $tool = 'gpuscan';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpuscan/scan.pl";
our (@types, @operators);

my $seed = seed_random();
my $rounds = rounds(120);
my %numpy = map { my $type = $_; ($type => $type =~ s/\d+/type_size($type)/er) } @types;

sub gzipped { my ($bytes) = @_; put('z', $bytes); return run(['gzip', '-c' . pick(1, 6), path('z')])->{out} }
sub unzipped { return run(['gzip', '-dc'], $_[0])->{out} }

# Random values, and a sub that makes their elements: { options, descr, values, element }. A record also has a key that
# comes in runs.
sub random_data
{
    my ($type, $op, $record) = @_;
    my $big = chance(0.3);
    my $n = pick(0, 1, 2, int(rand(20)), int(rand(300)), pick(63, 64, 65, 255, 256, 257), int(rand(3000)));
    my @values = random_elements($type, $op, $n);
    my $mark = $big ? '>' : '<';
    my $turn = sub { return $big ? scalar reverse $_[0] : $_[0] };
    return { options => ["--type=$type", $big ? '--endian=big' : ()], descr => "'$mark$numpy{$type}'",
        values => \@values, element => sub { $turn->($_[1]) } } unless $record;
    my @keys = (pack('a3', pick('a', 'b')));
    push @keys, chance(0.2) ? pack('a3', pick('a', 'b', 'c')) : $keys[-1] for 2 .. $n;
    my @rest = map { chr(int(rand(256))) } 1 .. $n;
    return { options => ["--format=k:bytes3,v:$type,rest:u8", $big ? '--endian=big' : ()], values => \@values,
        descr => "[('k', '|S3'), ('v', '$mark$numpy{$type}'), ('rest', '|u1')]", keys => \@keys,
        element => sub { my ($i, $value) = @_; return $keys[$i] . $turn->($value) . $rest[$i] } };
}

# Elements in one file or several.
sub files
{
    my ($npy, $descr, @elements) = @_;
    my @parts = map { [] } 1 .. pick(1, 1, 2, 3);
    push @{ $parts[$_ * @parts / @elements] }, $elements[$_] for 0 .. $#elements;
    my @bytes = map { form($npy, $descr, @$_) } @parts;
    return map { put("part$_", chance(0.3) ? gzipped($bytes[$_]) : $bytes[$_]) } 0 .. $#bytes;
}

sub form
{
    my ($npy, $descr, @elements) = @_;
    my $bytes = join '', @elements;
    return $npy ? npy($descr, scalar @elements, $bytes) : $bytes;
}

# Random segments, and the option for them.
sub random_segments
{
    my ($data) = @_;
    my $n = @{ $data->{values} };
    my $keys = $data->{keys};
    return (['--segments=' . pick('k', '0:bytes3')], [map { $_ == 0 || $keys->[$_] ne $keys->[$_ - 1] } 0 .. $n - 1])
        if $keys && chance(0.6);
    my @heads = map { chance(0.2) ? 1 : 0 } 1 .. $n;
    my $flags = pack('C*', @heads);
    if (chance(0.4)) {
        my $key = 0;
        $flags = npy("'<u4'", $n, pack('V*', map { $key += $_ } @heads));
    } elsif (chance(0.4)) {
        $flags = npy(pick("'|b1'", "'|u1'"), $n, $flags);
    }
    return (['--segments=' . put('flags', chance(0.3) ? gzipped($flags) : $flags)], \@heads);
}

for my $round (1 .. $rounds) {
    my $type = pick(@types);
    my $op = pick('sum', 'sum', grep { has_operator($type, $_) } @operators);
    my $data = random_data($type, $op, chance(0.5));
    my ($values, $element) = @$data{qw(values element)};
    my $n = @$values;
    my $npy = chance(0.3);
    my $way = pick('plain', 'plain', 'segments', 'segments', 'reduce', 'reduce segments', 'place', 'algorithm');
    my ($segments, $heads) = $way =~ /segments/ || ($way eq 'place' && chance(0.3)) ? random_segments($data) : ([]);
    my $exclusive = chance(0.4) && $way !~ /reduce/;
    my @elements = map { $element->($_, $values->[$_]) } 0 .. $n - 1;
    my @files = $way eq 'place' ? put('only', form($npy, $data->{descr}, @elements))
        : files($npy, $data->{descr}, @elements);

    my @options = ("--op=$op", $npy ? () : @{ $data->{options} }, @$segments, $data->{keys} ? '--value=v' : ());
    push @options, '--exclusive' if $exclusive;
    push @options, '--reduce' if $way =~ /reduce/;
    push @options, '-i' if $way eq 'place';
    push @options, '-d', 'cpu', '-a', pick('sequential', 'two-pass', 'vectorised-cpu', 'reduce-then-scan')
        if $way eq 'algorithm';
    push @options, '--parallel=' . pick(1, 2, 3) if chance(0.2);
    push @options, '-S', $npy ? '1M' : pick('2K', '10K', '1M') if chance(0.5);
    my $zipped = chance(0.2) && $way !~ /^(reduce|place)$/;
    push @options, '-z' if $zipped;
    my $piped = chance(0.3) && @files == 1 && $way ne 'place';
    my $run = shell($piped ? 'cat "$1" | { shift; gpuscan "$@"; } | cat' : 'gpuscan "$@"', $piped ? @files : (),
        @options, $piped ? () : @files);

    my @results = scanned($type, $op, $exclusive, $values, $heads);
    my $expected = form($npy, $data->{descr}, map { $element->($_, $results[$_]) } 0 .. $n - 1);
    if ($way eq 'reduce') {
        $expected = number_text($type, reduced($type, $op, $values));
    } elsif ($way eq 'reduce segments') {
        my @begins = begins($heads, $n);
        $expected = form($npy, $data->{descr},
            map { $element->($begins[$_], $results[($begins[$_ + 1] // $n) - 1]) } 0 .. $#begins);
    }
    my $got = $way eq 'place' ? get('only') : $zipped ? unzipped($run->{out}) : $run->{out};
    my $good = $run->{status} == 0 && $run->{err} eq '' && $got eq $expected;
    ok($good, "$n elements, $way, @options" . ($piped ? ', piped' : ''))
        or diag("SCANKIT_SEED=$seed, round $round: status $run->{status}: $run->{err}");
}
done_testing();
