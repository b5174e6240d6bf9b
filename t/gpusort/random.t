#!/usr/bin/perl
# Random types, layouts, lengths, distributions and options against the model. SCANKIT_SEED repeats a run,
# SCANKIT_ROUNDS makes a longer one.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
our @types;

my $seed = seed_random();
my $rounds = rounds(150);

sub random_bytes { my ($n) = @_; return join '', map { chr(int(rand(256))) } 1 .. $n }

# A source of values of a type, as little-endian bytes.
sub distribution
{
    my ($type) = @_;
    my $size = type_size($type);
    my @few = map { random_bytes($size) } 1 .. 1 + int(rand(16));
    my $next = int(rand(1 << 30));
    my $step = pick(0, 1, -1, 1 << 20);
    my $low = int(rand($size)) + 1;
    return pick(
        sub { random_bytes($size) },
        sub { pick(@few) },
        sub { chance(0.9) ? random_bytes($low) . "\0" x ($size - $low) : random_bytes($size) },
        sub { chr(pick(0, 127, 128, 255)) x $size },
        sub { $next += $step + (chance(0.05) ? int(rand(100)) : 0); substr(pack('Q<', $next) x (1 + $size / 8), 0,
            $size) },
        sub { $type !~ /^f/ ? random_bytes($size) : bytes_of($type, $type eq 'f64' ? exp(rand(20)) : rand() - 0.5) },
    );
}

sub random_type { return chance(0.25) ? 'bytes' . (1 + int(rand(pick(4, 12, 40)))) : pick(@types) }

# A random layout: [type, ...], its --type or --format, and the model's key for each field.
sub layout
{
    my ($big) = @_;
    my @fields = chance(0.5) ? (pick(@types)) : map { random_type() } 1 .. 1 + int(rand(5));
    my ($offset, @keys) = (0);
    for my $type (@fields) {
        push @keys, { type => $type, offset => $offset, big => $big };
        $offset += type_size($type);
    }
    my $scalar = @fields == 1 && $fields[0] !~ /^bytes/;
    my $option = $scalar ? "--type=$fields[0]" : '--format=' . join ',', map { "f$_:$fields[$_]" } 0 .. $#fields;
    return (\@fields, $option, $offset, $scalar, @keys);
}

# Random options -k, and the model's keys for them; without options all fields.
sub choose_keys
{
    my ($scalar, $size, $big, @fields) = @_;
    return ([], @fields) if chance(0.4);
    my (@texts, @keys);
    for (1 .. 1 + int(rand(3))) {
        my $i = int(rand(@fields));
        my ($name, %key) = ($scalar ? 'x' : "f$i", %{ $fields[$i] });
        if (chance(0.2)) {
            my $type = random_type();
            next if type_size($type) > $size;
            %key = (type => $type, offset => int(rand($size - type_size($type) + 1)), big => $big);
            $name = "$key{offset}:$type";
        }
        $key{descending} = chance(0.3) ? 1 : 0;
        push @texts, $name . ($key{descending} ? ':desc' : pick('', ':asc'));
        push @keys, \%key;
    }
    return ([], @fields) unless @keys;
    return (chance(0.5) ? [map { ('-k', $_) } @texts] : ['--key=' . join(',', @texts)], @keys);
}

sub random_element
{
    my ($big, $fields, @sources) = @_;
    my @values = map { $_->() } @sources;
    return join '', map { $big && $fields->[$_] !~ /^bytes/ ? scalar reverse $values[$_] : $values[$_] } 0 .. $#values;
}

sub gzipped { my ($bytes) = @_; put('z', $bytes); return run(['gzip', '-c' . pick(1, 6), path('z')])->{out} }

# A random task: { arguments, elements, keys, merge, unique, argsort, top }.
sub random_case
{
    my $big = chance(0.3);
    my ($fields, $layout, $size, $scalar, @all) = layout($big);
    my ($key_options, @keys) = choose_keys($scalar, $size, $big, @all);
    my @sources = map { distribution($_) } @$fields;
    my $n = pick(0, 1, 2, int(rand(20)), int(rand(300)), pick(255, 256, 257, 1023, 1024, 1025), int(rand(3000)));
    my %case = (
        elements => [map { random_element($big, $fields, @sources) } 1 .. $n],
        order => [$layout, @$key_options, $big ? '--endian=big' : ()],
        merge => chance(0.15),
        unique => chance(0.2),
        argsort => chance(0.2),
        top => chance(0.2) ? int(rand(10)) : undef,
    );
    if (chance(0.3)) {
        push @{ $case{order} }, '-r';
        @keys = map { { %$_, descending => !$_->{descending} } } @keys;
    }
    return { %case, keys => \@keys };
}

# Distributes the elements to files; each is sorted, for a merge.
sub share_out
{
    my ($case) = @_;
    my @parts = map { [] } 1 .. pick(1, 1, 1, 2, 3);
    my $n = @{ $case->{elements} };
    push @{ $parts[$_ * @parts / $n] }, $case->{elements}[$_] for 0 .. $n - 1;
    if ($case->{merge}) {
        @parts = map { my $part = $_; [map { $part->[$_] } order_of($part, @{ $case->{keys} })] } @parts;
        $case->{elements} = [map { @$_ } @parts];
    }
    return map { join '', @$_ } @parts;
}

sub expected
{
    my ($case) = @_;
    my @order = order_of($case->{elements}, @{ $case->{keys} });
    @order = first_of_equals($case->{elements}, $case->{keys}, @order) if $case->{unique};
    splice(@order, $case->{top}) if defined $case->{top} && @order > $case->{top};
    return $case->{argsort} ? pack('Q<*', @order) : join('', @{ $case->{elements} }[@order]);
}

sub options_of
{
    my ($case) = @_;
    my @options = @{ $case->{order} };
    push @options, '-m' if $case->{merge};
    push @options, '-u' if $case->{unique};
    push @options, '--argsort' if $case->{argsort};
    push @options, "--top=$case->{top}" if defined $case->{top};
    push @options, '-a', pick(qw(auto hybrid radix chunk-merge)) if !$case->{merge} && chance(0.4);
    push @options, '--parallel=' . pick(1, 2, 3) if chance(0.2);
    return @options;
}

for my $round (1 .. $rounds) {
    my $case = random_case();
    my @files = map { chance(0.3) ? gzipped($_) : $_ } share_out($case);
    @files = map { put("part$_", $files[$_]) } 0 .. $#files;
    my $expected = expected($case);
    my @options = options_of($case);
    my $zipped = chance(0.2);
    push @options, '-z' if $zipped;
    my $piped = chance(0.3) && @files == 1;
    my $line = ($piped ? 'cat "$1" | { shift; gpusort "$@"; }' : 'gpusort "$@"') . ($zipped ? ' | gzip -dc' : '');
    my $run = shell($line, $piped ? @files : (), @options, $piped ? () : @files);
    my $name = @{ $case->{elements} } . " elements, @options" . ($piped ? ', piped' : '');
    ok($run->{status} == 0 && $run->{err} eq '' && $run->{out} eq $expected, $name)
        or diag("SCANKIT_SEED=$seed, round $round: status $run->{status}: $run->{err}");
    next if $case->{argsort};

    my $check = gpusort([@{ $case->{order} }, '-c'], $expected);
    is("$check->{status}$check->{err}", '0', 'and --check agrees');
}
done_testing();
