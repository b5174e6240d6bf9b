# lib.pl - shared by the tests of the tools: running them, making files, and a model of the order of values, independent
# of the library's.
use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX ();
use Test::More;

our $tool //= 'gpusort'; # which one a test is about
our $dir = tempdir('scankit-XXXXXX', TMPDIR => 1, CLEANUP => 1);
$ENV{SCANKIT_DEVICE} //= 'cpu'; # what --device=auto takes
$ENV{SCANKIT_NO_CACHE} //= 1; # tests keep no figures of the machine
$SIG{PIPE} = 'DEFAULT';

# A path in the test's temporary folder.
sub path { return "$dir/$_[0]" }

sub put
{
    my ($name, $bytes) = @_;
    my $path = $name =~ m{^/} ? $name : path($name);
    open(my $file, '>:raw', $path) or die "$path: $!";
    print $file $bytes or die "$path: $!";
    close($file) or die "$path: $!";
    return $path;
}

sub get
{
    my ($path) = @_;
    open(my $file, '<:raw', $path =~ m{^/} ? $path : path($path)) or return undef;
    local $/;
    my $bytes = <$file>;
    return defined $bytes ? $bytes : '';
}

# Runs a command with these bytes (or from this path: \$path) as standard input: { status, signal, out, err }.
sub run
{
    my ($command, $input) = @_;
    my ($in, $out, $err) = map { path(".$_") } qw(in out err);
    put($in, ref $input || !defined $input ? '' : $input);
    $in = $$input if ref $input;
    my $child = fork();
    die "fork: $!" unless defined $child;
    if ($child == 0) {
        open(STDIN, '<:raw', $in) or POSIX::_exit(126);
        open(STDOUT, '>:raw', $out) or POSIX::_exit(126);
        open(STDERR, '>:raw', $err) or POSIX::_exit(126);
        exec { $command->[0] } @$command or POSIX::_exit(127);
    }
    waitpid($child, 0);
    return { status => $? >> 8, signal => $? & 127, out => get($out), err => get($err) };
}

# chance: true with this probability. least: the lesser of two numbers.
sub chance { return rand() < $_[0] }
sub least { return $_[0] < $_[1] ? $_[0] : $_[1] }

sub tool { my ($arguments, $input) = @_; return run([$tool, @$arguments], $input) }
sub gpusort { my ($arguments, $input) = @_; return run(['gpusort', @$arguments], $input) }
sub gpucompact { my ($arguments, $input) = @_; return run(['gpucompact', @$arguments], $input) }

# Runs a shell command line. $1 and so on are the arguments.
sub shell
{
    my ($line, @arguments) = @_;
    return run(['sh', '-c', $line, 'sh', @arguments]);
}

# Passes if the tool succeeds silently and writes these bytes.
sub gives
{
    my ($arguments, $input, $expected, $name) = @_;
    my $run = tool($arguments, $input);
    my $good = $run->{status} == 0 && $run->{signal} == 0 && $run->{out} eq $expected && $run->{err} eq '';
    ok($good, $name);
    diag("status $run->{status}, signal $run->{signal}, ", length $run->{out}, ' bytes of ', length $expected,
        ": $run->{err}") unless $good;
    return $good;
}

sub sorts_to { return gives(@_) }
sub keeps { return gives(@_) }

# Passes if the tool exits with status 2, writes nothing, and prints a line that matches $message.
sub refuses
{
    my ($arguments, $input, $message, $name) = @_;
    my $run = tool($arguments, $input);
    my $failed = $run->{status} == 2 && $run->{signal} == 0 && $run->{out} eq '';
    my $good = $failed && $run->{err} =~ /^$tool: .*$message/m;
    ok($good, $name);
    diag("status $run->{status}, signal $run->{signal}, output ", length $run->{out}, ": $run->{err}") unless $good;
    return $good;
}

# True once the process has written to a temporary, with or without a name.
sub writes
{
    my ($child) = @_;
    my @nameless = grep { (readlink($_) // '') =~ m{/#\d+ \(deleted\)$} } glob("/proc/$child/fd/*");
    return scalar grep { -s } @nameless, leftovers();
}

sub leftovers { return grep { !/\/\.(in|out|err)$/ } glob("$dir/.[!.]*") }

# ---- chance ----

# Seeds rand() with SCANKIT_SEED, or at random. Returns the seed.
sub seed_random
{
    my $seed = defined $ENV{SCANKIT_SEED} ? $ENV{SCANKIT_SEED} : time() ^ $$ << 8;
    diag("SCANKIT_SEED=$seed");
    srand($seed);
    return $seed;
}

# SCANKIT_TEST_EVERY=N shortens tests that run very many processes. some: one of N cases. rounds: fewer rounds, unless
# SCANKIT_ROUNDS says how many.
our $every = $ENV{SCANKIT_TEST_EVERY} || 1;
sub some { my @cases = @_; return @cases[grep { $_ % $every == 0 } 0 .. $#cases] }
sub rounds { return $ENV{SCANKIT_ROUNDS} || POSIX::ceil($_[0] / sqrt($every)) }

# fewer: cases that make check runs all of, unless N is 24 or more: a build that repeats the tests of another. Then it is
# one of N / 12 cases. The first one differs from list to list and from build to build.
our $seldom = POSIX::fmax(1, int($every / 12));
my $lists = unpack('%32C*', $ENV{builddir} // '');
sub fewer { my @cases = @_; my $first = $lists++; return @cases[grep { ($_ + $first) % $seldom == 0 } 0 .. $#cases] }

sub pick { return $_[int(rand(@_))] }

# ---- the model ----

our @types = qw(u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64);
sub type_size { return $_[0] =~ /^bytes(\d+)$/ ? $1 : substr($_[0], 1) / 8 }

my %letter = (u8 => 'C', u16 => 'S<', u32 => 'L<', u64 => 'Q<', i8 => 'c', i16 => 's<', i32 => 'l<', i64 => 'q<',
    f32 => 'f<', f64 => 'd<');

# A number from its little-endian bytes, and back. Floats are rounded to the type.
sub number_of
{
    my ($type, $bytes) = @_;
    return $type eq 'f16' ? half_value(unpack('v', $bytes)) : unpack($letter{$type}, $bytes);
}

sub bytes_of
{
    my ($type, @values) = @_;
    return pack('v*', map { half_bits($_) } @values) if $type eq 'f16';
    return pack("($letter{$type})*", @values);
}

# Halves (IEEE 754 binary16): 1 bit of sign, 5 of exponent, 10 of fraction. Below 2^-14 the unit stays 2^-24.
sub half_value
{
    my ($bits) = @_;
    my ($exponent, $fraction) = ($bits >> 10 & 31, $bits & 1023);
    my $value = $exponent == 31 ? 9**9**9 : $exponent == 0 ? $fraction * 2**-24
        : (1024 + $fraction) * 2**($exponent - 25);
    $value -= 9**9**9 if $exponent == 31 && $fraction != 0; # infinity minus infinity is a NaN
    return $bits >> 15 ? -$value : $value;
}

# The nearest half, ties to even.
sub half_bits
{
    my ($value) = @_;
    my $sign = unpack('Q<', pack('d<', $value)) >> 63 << 15;
    my $magnitude = abs($value);
    return $sign | 0x7e00 if $value != $value;
    return $sign | 0x7c00 if $magnitude >= 65520;
    my $exponent = (POSIX::frexp($magnitude))[1] - 1;
    $exponent = -14 if $magnitude < 2**-14;
    my $units = $magnitude / 2**($exponent - 10);
    my $whole = int($units);
    my $rest = $units - $whole;
    $whole++ if $rest > 0.5 || ($rest == 0.5 && $whole % 2 == 1);
    return $sign | (($exponent + 14) * 1024 + $whole);
}

# The bytes of plus infinity, the most significant first.
our %infinity = (f16 => "\x7c\0", f32 => "\x7f\x80\0\0", f64 => "\x7f\xf0\0\0\0\0\0\0");

# Maps a value, as little-endian bytes, to a string whose byte order is the order of values.
sub order_text
{
    my ($type, $bytes) = @_;
    return $bytes if $type =~ /^bytes/;
    my $big = reverse $bytes;
    return $big if $type =~ /^u/;
    my $negative = ord($big) >> 7;
    return chr(ord($big) ^ 128) . substr($big, 1) if $type =~ /^i/;
    # Negative numbers, positive numbers, positive NaNs, negative NaNs.
    my $magnitude = chr(ord($big) & 127) . substr($big, 1);
    my $order = $negative ? ~$magnitude : $magnitude;
    my $nan = $magnitude gt $infinity{$type};
    return chr($nan ? 2 + $negative : 1 - $negative) . $order;
}

# The stable order of elements by keys { type, offset, big, descending }, as positions.
sub order_of
{
    my ($elements, @keys) = @_;
    my @texts = map { key_text($_, @keys) } @$elements;
    return sort { $texts[$a] cmp $texts[$b] || $a <=> $b } 0 .. $#texts;
}

sub key_text
{
    my ($element, @keys) = @_;
    my $text = '';
    for my $key (@keys) {
        my $bytes = substr($element, $key->{offset} || 0, type_size($key->{type}));
        $bytes = reverse $bytes if $key->{big} && $key->{type} !~ /^bytes/;
        my $part = order_text($key->{type}, $bytes);
        $text .= $key->{descending} ? ~$part : $part;
    }
    return $text;
}

# Of positions in order, the first of each group with equal keys.
sub first_of_equals
{
    my ($elements, $keys, @order) = @_;
    my ($last, @kept);
    for my $i (@order) {
        my $text = key_text($elements->[$i], @$keys);
        push @kept, $i unless defined $last && $last eq $text;
        $last = $text;
    }
    return @kept;
}

sub slice { my ($bytes, $size) = @_; return unpack("(a$size)*", $bytes) }

# ---- files ----

# Makes a .npy file.
sub npy
{
    my ($descr, $count, $data, %other) = @_;
    my $version = $other{version} || 1;
    my $order = $other{order} || 'False';
    my $shape = defined $other{shape} ? $other{shape} : "($count,)";
    my $header = "{'descr': $descr, 'fortran_order': $order, 'shape': $shape, }";
    my $before = $version == 1 ? 10 : 12;
    $header .= ' ' x (63 - ($before + length($header)) % 64) . "\n";
    return "\x93NUMPY" . pack($version == 1 ? 'CCv' : 'CCV', $version, 0, length $header) . $header . $data;
}

1;
