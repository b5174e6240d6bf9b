#!/usr/bin/perl
# Random types, layouts, lengths, expressions, files and options against Perl's evaluation. SCANKIT_SEED repeats a run,
# SCANKIT_ROUNDS makes a longer one.
use strict;
use warnings;
use Test::More;
our $tool = 'gpucompact';
require "$ENV{srcdir}/t/tools/lib.pl";

my $seed = seed_random();
my $rounds = rounds(150);

# Integer types with which Perl computes as C does, in signed 64 bits.
my %letter = (u8 => 'C', u16 => 'S', u32 => 'L', i8 => 'c', i16 => 's', i32 => 'l', i64 => 'q');
my %numpy = (u8 => 'u1', u16 => 'u2', u32 => 'u4', i8 => 'i1', i16 => 'i2', i32 => 'i4', i64 => 'i8');

sub greatest { use integer; return $_[0] > $_[1] ? $_[0] : $_[1] }
sub quotient { use integer; return $_[1] == 0 ? 0 : $_[1] == -1 ? -$_[0] : $_[0] / $_[1] }
sub remainder { use integer; return $_[1] == 0 ? $_[0] : $_[1] == -1 ? 0 : $_[0] % $_[1] }
sub magnitude { use integer; return $_[0] < 0 ? -$_[0] : $_[0] }
sub is_in { my $value = shift; use integer; return 0 + grep { $value >= $_->[0] && $value <= $_->[1] } @_ }

# A random expression over these names, and the same in Perl.
sub expression
{
    my ($depth, @names) = @_;
    if ($depth == 0 || chance(0.1)) {
        my $name = pick(@names, 'i');
        return ($name, $name eq 'i' ? '$i' : "\$v->{'$name'}") if chance(0.7);
        my $number = pick(0, 1, 2, 3, 7, 8, int(rand(300)), int(rand(70000)), 1 << 31, 1 << 40);
        return (pick($number, sprintf('0x%x', $number), sprintf('0b%b', $number)), $number);
    }
    my ($a, $pa) = expression($depth - 1, @names);
    my ($b, $pb) = expression($depth - 1, @names);
    my ($c, $pc) = expression($depth - 1, @names);
    my ($same, $logic) = (pick(qw(== != < > <= >= & | ^ + - *)), pick('&&', '||'));
    my ($low, $n, $high) = (int(rand(20)) - 5, int(rand(300)), int(rand(1000)));
    $high += $n;
    my $shift = int(rand(9));
    return @{ pick(
        ["($a) $same ($b)", "0 + (($pa) $same ($pb))"],
        ["($a) $same ($b)", "0 + (($pa) $same ($pb))"],
        ["($a) $logic ($b)", "(($pa) $logic ($pb) ? 1 : 0)"],
        ["($a) $logic ($b)", "(($pa) $logic ($pb) ? 1 : 0)"],
        ["!($a)", "0 + !($pa)"],
        ["~($a)", "~($pa)"],
        ["-($a)", "-($pa)"],
        ["($a) / ($b)", "quotient($pa, $pb)"],
        ["($a) % ($b)", "remainder($pa, $pb)"],
        ["($a) << $shift", "(($pa) * " . (1 << $shift) . ')'],
        ["($a) >> $shift", "(($pa) >> $shift)"],
        ["(($a) ? ($b) : ($c))", "(($pa) ? ($pb) : ($pc))"],
        ["min($a, $b)", "least($pa, $pb)"],
        ["max($a, $b)", "greatest($pa, $pb)"],
        ["abs($a)", "magnitude($pa)"],
        ["($a) in {$low, $n..$high}", "is_in($pa, [$low, $low], [$n, $high])"],
    ) };
}

sub compile
{
    my ($perl) = @_;
    return eval "use integer; no warnings; sub { my (\$v, \$i) = \@_; return $perl }" || die "$perl: $@";
}

sub random_value
{
    my ($type) = @_;
    my $most = (1 << 8 * type_size($type) - ($type =~ /^i/ ? 1 : 0)) - 1;
    my $value = pick(int(rand(12)), int(rand(12)), int(rand(300)), $most, int(rand(2**pick(16, 40)))) & $most;
    return $type =~ /^i/ && chance(0.5) ? -$value : $value;
}

# Random elements: { options, npy (its descr), names, elements, values }.
sub random_data
{
    my $big = chance(0.3);
    my @fields = map { pick(sort keys %letter) } 1 .. pick(1, 1, 2, 3, 5);
    my $scalar = @fields == 1;
    my @names = $scalar ? ('x') : map { "f$_" } 1 .. @fields;
    my $mark = $big ? '>' : '<';
    my $template = join ' ', map { $letter{$_} =~ /c/i ? $letter{$_} : $letter{$_} . $mark } @fields;
    my $n = pick(0, 1, 2, int(rand(20)), int(rand(300)), pick(63, 64, 65, 255, 256, 257), int(rand(3000)));
    my @elements = map { pack($template, map { random_value($_) } @fields) } 1 .. $n;
    my @values = map { my @numbers = unpack($template,
        $_); +{ map { $names[$_] => $numbers[$_] } 0 .. $#names } } @elements;
    my $layout = $scalar ? "--type=$fields[0]" : '--format=' . join ',', map { "$names[$_]:$fields[$_]" } 0 .. $#fields;
    my $descr = $scalar ? "'$mark$numpy{$fields[0]}'"
        : '[' . join(', ', map { "('$names[$_]', '$mark$numpy{$fields[$_]}')" } 0 .. $#fields) . ']';
    return { options => [$layout, $big ? '--endian=big' : ()], descr => $descr, names => \@names,
        elements => \@elements,
        values => \@values };
}

sub gzipped { my ($bytes) = @_; put('z', $bytes); return run(['gzip', '-c' . pick(1, 6), path('z')])->{out} }
sub unzipped { return run(['gzip', '-dc'], $_[0])->{out} }

# The elements in one file or several.
sub files
{
    my ($data, $npy) = @_;
    my @parts = map { [] } 1 .. pick(1, 1, 2, 3);
    my $n = @{ $data->{elements} };
    push @{ $parts[$_ * @parts / $n] }, $data->{elements}[$_] for 0 .. $n - 1;
    my @bytes = map { my $bytes = join '', @$_; $npy ? npy($data->{descr}, scalar @$_, $bytes) : $bytes } @parts;
    return map { put("part$_", chance(0.3) ? gzipped($bytes[$_]) : $bytes[$_]) } 0 .. $#bytes;
}

sub form { my ($npy, $descr, @elements) = @_; my $bytes = join '', @elements; return $npy ? npy($descr,
    scalar @elements, $bytes) : $bytes }

for my $round (1 .. $rounds) {
    my $data = random_data();
    my $n = @{ $data->{elements} };
    my ($text, $perl) = expression(pick(1, 2, 3), @{ $data->{names} });
    my $function = compile($perl);
    my $invert = chance(0.2);
    my @matches = map { ($function->($data->{values}[$_], $_) ? 1 : 0) ^ $invert } 0 .. $n - 1;
    my @kept = grep { $matches[$_] } 0 .. $n - 1;
    my @others = grep { !$matches[$_] } 0 .. $n - 1;
    my $npy = chance(0.3);
    my @files = files($data, $npy);
    my $way = pick('plain', 'plain', 'index', 'count', 'rejects', 'place', 'overwrite');
    @files = put('only', form($npy, $data->{descr}, @{ $data->{elements} })) if $way =~ /place|overwrite/;
    my @options = ('-w', $text, $npy ? () : @{ $data->{options} }, $invert ? '-v' : ());
    push @options, '--parallel=' . pick(1, 2, 3) if chance(0.2);
    push @options, '-S', $npy ? '1M' : pick('10K', '1M') if chance(0.4);
    my $zipped = chance(0.2) && $way =~ /plain|index|rejects/;
    push @options, '-z' if $zipped;
    push @options, { plain => [], index => ['--index'], count => ['-c'], rejects => ['--rejects=' . path('others')],
        place => ['-i'], overwrite => ['--in-place=overwrite'] }->{$way}->@*;
    my $piped = chance(0.3) && @files == 1 && $way =~ /plain|index|count|rejects/;
    my $run = shell($piped ? 'cat "$1" | { shift; gpucompact "$@"; } | cat' : 'gpucompact "$@"', $piped ? @files : (),
        @options,
        $piped ? () : @files);
    my $expected = $way eq 'index' ? form($npy, "'<u8'", map { pack('Q<', $_) } @kept)
        : $way eq 'count' ? @kept . "\n" : form($npy, $data->{descr}, @{ $data->{elements} }[@kept]);
    my $got = $way =~ /place|overwrite/ ? get('only') : $zipped ? unzipped($run->{out}) : $run->{out};
    my $good = $run->{status} == 0 && $run->{err} eq '' && $got eq $expected;
    if ($way eq 'rejects' && $good) {
        my $rest = $zipped ? unzipped(get('others')) : get('others');
        $good = $rest eq form($npy, $data->{descr}, @{ $data->{elements} }[@others]);
    }
    ok($good, "$n elements, " . @kept . " kept, @options" . ($piped ? ', piped' : ''))
        or diag("SCANKIT_SEED=$seed, round $round: status $run->{status}: $run->{err}");
}
done_testing();
