# rle.pl - writes and reads the container of gpurle(5), independently of the tool; and a model of runs.
use strict;
use warnings;
use Compress::Zlib ();

# If the library is shared, libtool puts a script in the place of each program. These tests start the tool thousands of
# times, and the program itself starts in a tenth of the time.
if (defined $ENV{builddir} && -x "$ENV{builddir}/.libs/gpurle") {
    $ENV{LD_LIBRARY_PATH} = join ':', "$ENV{builddir}/lib/.libs", $ENV{LD_LIBRARY_PATH} // ();
    $ENV{PATH} = "$ENV{builddir}/.libs:$ENV{PATH}";
}
$ENV{OMP_WAIT_POLICY} //= 'passive';

our $rle_magic = "\x89RLE\r\n\x1a\n";
my $head_bytes = 32; # of the header before the schema; of the end
my $block_bytes = 24;
my $payload_bytes = 4 << 20; # of runs, at most, unless it is one

sub rle_crc { return pack('V', Compress::Zlib::crc32($_[0])) }

# ---- writing: any fields, valid or not ----

# (schema, size, prefix), and to damage it: magic, version, flags, schema_bytes, prefix_bytes, crc.
sub rle_header
{
    my %h = (magic => $rle_magic, version => 1, flags => 0, schema => 'u8', size => 1, prefix => '', @_);
    my $bytes = $h{magic} . pack('vvVQ<Q<', @h{qw(version flags)}, $h{schema_bytes} // length $h{schema}, $h{size},
        $h{prefix_bytes} // length $h{prefix}) . $h{schema} . $h{prefix};
    return $bytes . ($h{crc} // rle_crc($bytes));
}

sub rle_counts { my ($width, @counts) = @_; return pack({ 1 => 'C', 2 => 'v', 4 => 'V', 8 => 'Q<' }->{$width} . '*',
    @counts) }

# Either (values => [...], counts => [...]), or (elements_are => bytes); and to damage it: kind, width, reserved, zero,
# elements, runs, payload, crc.
sub rle_block
{
    my %b = (width => 1, reserved => 0, zero => 0, @_);
    my $as_they_are = defined $b{elements_are};
    my $bytes = pack('CCvVQ<Q<', $b{kind} // ($as_they_are ? 2 : 1), $as_they_are && !$b{lie} ? 0 : $b{width},
        $b{reserved}, $b{zero}, $b{elements} // total(@{ $b{counts} || [] }),
            $b{runs} // scalar @{ $b{values} || [] });
    $bytes .= $b{payload} // ($as_they_are ? $b{elements_are}
        : join('', @{ $b{values} }) . rle_counts($b{width}, @{ $b{counts} }));
    return $bytes . ($b{crc} // rle_crc($bytes));
}

# (elements, runs, blocks), and to damage it: kind, crc.
sub rle_end
{
    my %e = (kind => "\0" x 8, @_);
    my $bytes = $e{kind} . pack('Q<Q<Q<', @e{qw(elements runs blocks)});
    return $bytes . ($e{crc} // rle_crc($bytes));
}

# A small container of u8: 3 x 'a', 2 x 'b'; then 'cde'.
sub rle_small
{
    my (%header) = @_;
    return rle_header(%header) . rle_block(values => ['a', 'b'], counts => [3, 2])
        . rle_block(elements_are => 'cde', elements => 3, runs => 3) . rle_end(elements => 8, runs => 5, blocks => 2);
}

sub total { my $sum = 0; { use integer; $sum += $_ for @_; } return $sum }

# ---- reading: dies if a rule is broken ----

sub broken { die join('', @_) . "\n" }

# The bytes at $$at, with the CRC behind them.
sub with_crc
{
    my ($file, $at, $length, $what) = @_;
    broken("$what at $$at ends too early") if $$at + $length + 4 > length $$file;
    my $bytes = substr($$file, $$at, $length);
    broken("wrong CRC of $what at $$at") if substr($$file, $$at + $length, 4) ne rle_crc($bytes);
    $$at += $length + 4;
    return $bytes;
}

sub read_header
{
    my ($file, $at) = @_;
    my $head = substr($$file, $$at, $head_bytes);
    broken('half a header') if length $head < $head_bytes;
    my ($magic, $version, $flags, $schema, $size, $prefix) = unpack('a8vvVQ<Q<', $head);
    broken("wrong magic at $$at") if $magic ne $rle_magic;
    broken("version $version") if $version != 1;
    broken("flags $flags") if $flags != 0;
    broken('an element of no bytes') if $size == 0;
    my $bytes = with_crc($file, $at, $head_bytes + $schema + $prefix, 'the header');
    return { schema => substr($bytes, $head_bytes, $schema), size => $size,
        prefix => substr($bytes, $head_bytes + $schema), blocks => [] };
}

# The positions where runs begin, 0 first; $spans as for runs_of(). It works in parts: Perl returns no memory to the
# system, and with more memory each start of the tool takes longer.
sub beginnings
{
    my ($bytes, $size, $spans) = @_;
    my @at = $bytes eq '' ? () : (0);
    my $mask = $spans ? "\0" x $size : "\xff" x $size;
    substr($mask, $_->[0], $_->[1]) = "\xff" x $_->[1] for @{ $spans || [] };
    my $step = int(100_000 / $size) + 1;
    my $same = "\0" x $size;
    for (my $first = 1; $first * $size < length $bytes; $first += $step) {
        my $part = substr($bytes, $first * $size, $step * $size);
        my $changes = ($part ^ substr($bytes, ($first - 1) * $size, length $part)) & $mask x (length($part) / $size);
        my $k = $first - 1;
        for (unpack("(a$size)*", $changes)) { $k++; push @at, $k if $_ ne $same; }
    }
    return @at;
}

# The runs of elements, as [value, count]. Compares spans [offset, size], or else whole elements.
sub runs_of
{
    my ($bytes, $size, $spans) = @_;
    my @at = beginnings($bytes, $size, $spans);
    my @ends = (@at[1 .. $#at], length($bytes) / $size);
    return map { [substr($bytes, $at[$_] * $size, $size), $ends[$_] - $at[$_]] } 0 .. $#at;
}

sub width_of { my ($most) = @_; return $most < 256 ? 1 : $most < 65536 ? 2 : $most < 4294967296 ? 4 : 8 }

sub read_runs
{
    my ($file, $at, $block, $size) = @_;
    my ($elements, $runs, $width) = @$block{qw(elements runs width)};
    broken("width $width") if $width !~ /^[1248]$/;
    my $payload = substr(with_crc($file, $at, $block_bytes + $runs * ($size + $width), 'a block of runs'),
        $block_bytes);
    my @counts = unpack({ 1 => 'C', 2 => 'v', 4 => 'V', 8 => 'Q<' }->{$width} . '*', substr($payload, $runs * $size));
    my ($most) = sort { $b <=> $a } @counts;
    my $values = substr($payload, 0, $runs * $size);
    broken('a count of 0') if grep { $_ == 0 } @counts;
    broken("counts are $elements together") if total(@counts) != $elements;
    broken("counts up to $most of $width bytes") if $width != width_of($most);
    broken('neighbouring runs are the same') if beginnings($values, $size) != $runs;
    broken('runs where elements are shorter') if $runs * ($size + $width) > $elements * $size;
    @$block{qw(first last payload)} = (substr($values, 0, $size), substr($values, -$size), $runs * ($size + $width));
    @$block{qw(most first_count)} = ($most, $counts[0]);
    return $values if $runs == $elements;
    my $k = 0;
    return join '', map { substr($values, $size * $k++, $size) x $_ } @counts;
}

sub read_elements
{
    my ($file, $at, $block, $size) = @_;
    my ($elements, $runs) = @$block{qw(elements runs)};
    broken("width $block->{width} of elements") if $block->{width} != 0;
    my $payload = substr(with_crc($file, $at, $block_bytes + $elements * $size, 'a block of elements'), $block_bytes);
    my @at = beginnings($payload, $size);
    broken("$runs runs, but there are ", scalar @at) if $runs != @at;
    my ($most) = sort { $b <=> $a } map { ($at[$_ + 1] // $elements) - $at[$_] } 0 .. $#at;
    @$block{qw(most first_count)} = ($most, ($at[1] // $elements));
    broken('elements where runs are shorter') if $elements * $size >= $runs * ($size + width_of($most));
    @$block{qw(first last payload)} = (substr($payload, 0, $size), substr($payload, -$size), length $payload);
    return $payload;
}

# The block is full: the next block's first run would make it too large.
sub fits
{
    my ($size, $block, $next) = @_;
    my $most = $block->{most} > $next->{first_count} ? $block->{most} : $next->{first_count};
    broken('a block too small') if ($block->{runs} + 1) * ($size + width_of($most)) <= $payload_bytes;
}

sub read_block
{
    my ($file, $at, $container) = @_;
    my %block;
    (@block{qw(kind width)}, my ($reserved, $zero), @block{qw(elements runs)}) =
        unpack('CCvVQ<Q<', substr($$file, $$at, $block_bytes));
    broken('reserved bytes of a block') if $reserved != 0 || $zero != 0;
    broken("$block{elements} elements in $block{runs} runs") if $block{runs} < 1 || $block{runs} > $block{elements};
    my $read = $block{kind} == 1 ? \&read_runs : $block{kind} == 2 ? \&read_elements : broken("kind $block{kind}");
    my $before = $container->{blocks}[-1];
    $container->{data} .= $read->($file, $at, \%block, $container->{size});
    broken('a run goes over the end of a block') if $before && $before->{last} eq $block{first};
    fits($container->{size}, $before, \%block) if $before;
    broken("a block of $block{payload} bytes") if $block{runs} > 1 && $block{payload} > $payload_bytes;
    push @{ $container->{blocks} }, \%block;
}

# The containers in these bytes: { schema, size, prefix, data, runs, blocks => [{ kind, width, elements, runs }] }.
sub rle_read
{
    my ($file) = @_;
    my ($at, @containers) = (0);
    do {
        my $container = read_header(\$file, \$at);
        $container->{data} = '';
        while (substr($file, $at, 1) =~ /[^\0]/) { read_block(\$file, \$at, $container) }
        my $end = with_crc(\$file, \$at, $head_bytes, 'the end');
        my @blocks = @{ $container->{blocks} };
        my @totals = map { my $name = $_; total(map { $_->{$name} } @blocks) } 'elements', 'runs';
        broken('reserved bytes of the end') if substr($end, 0, 8) ne "\0" x 8;
        broken('totals') if substr($end, 8) ne pack('Q<Q<Q<', @totals, scalar @blocks);
        $container->{runs} = $totals[1];
        push @containers, $container;
    } while ($at < length $file);
    return @containers;
}

1;
