#!/usr/bin/perl
# gpurle -d and -l: valid containers, made here, and every kind of damage. Damage is found and reported with its place,
# the output file stays as it was, and memory grows with the bytes that arrive, not with the lengths that are claimed.
use strict;
use warnings;
use Test::More;
our ($tool, $rle_magic) = 'gpurle';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/gpurle/rle.pl";

my $small = rle_small();
my $content = 'aaabbcde';

# ---- valid containers ----

gives(['-d'], $small, $content, 'runs, and elements as they are');
gives(['--decode', put('small', $small)], '', $content, 'from a file');
gives(['-d', path('small'), '-o', path('decoded')], '', '', 'to a file');
is(get('decoded'), $content, 'which has the elements');
gives(['-d'], rle_header() . rle_end(elements => 0, runs => 0, blocks => 0), '', 'no elements');
gives(['-d'], $small x 3, $content x 3, 'containers one behind the other');
gives(['-d', path('small'), put('wide', rle_header(schema => 'u32', size => 4) .
    rle_block(values => ['wxyz'], counts => [2]) . rle_end(elements => 2, runs => 1, blocks => 1)), path('small')], '',
    "${content}wxyzwxyz$content", 'files one behind the other, of other types');
gives(['-d'], rle_small(prefix => 'before'), "before$content", 'what stood before the elements');
gives(['-d', '--raw'], rle_small(prefix => 'before'), $content, 'which --raw leaves out');
gives(['-d'], rle_small(prefix => 'x') . rle_small(prefix => 'y'), "x${content}y$content", 'the same of two');

for my $width (1, 2, 4, 8) {
    my @counts = (1, 2, 255, 3);
    gives(['-d'], rle_header(schema => 'u16', size => 2)
        . rle_block(width => $width, values => [map { "$_$_" } 'a' .. 'd'], counts => \@counts)
        . rle_end(elements => 261, runs => 4, blocks => 1), 'aa' . 'bb' x 2 . 'cc' x 255 . 'dd' x 3,
        "counts of $width bytes");
}
gives(['-d'], rle_header() . rle_block(values => ['a', 'a'], counts => [2, 1]) . rle_block(values => ['a'],
    counts => [1]) . rle_end(elements => 4, runs => 3, blocks => 2), 'aaaa', 'runs that need not be two');
my $many = rle_header() . rle_block(values => ['a'], counts => [1]) x 5000
    . rle_end(elements => 5000, runs => 5000, blocks => 5000);
gives(['-d'], $many, 'a' x 5000, 'many blocks');

# .npy: the header comes back; a second one would be in the middle.
my $header = npy("'|u1'", 8, '');
my $npy = rle_small(prefix => $header);
gives(['-d'], $npy, $header . $content, 'a .npy file');
gives(['-d', '--raw'], $npy . $npy, $content x 2, 'two, with --raw');
refuses(['-d', '-o', put('keep', 'old')], $small . $npy, 'npy', 'a .npy file behind another');
is(get('keep'), 'old', 'the output is as it was');
refuses(['-d', '-o', path('keep'), put('npy', $npy), path('npy')], '', 'npy', 'the same of two files');
is(get('keep'), 'old', 'the output is as it was');

# gzip around it, pipes, and bytes that come one by one.
my $packed = run(['gzip', '-cn', path('small')])->{out};
gives(['-d'], $packed, $content, 'in gzip');
gives(['-d', put('a.gz', $packed), path('small')], '', $content x 2, 'in gzip and not');
is(shell('cat "$1" | gpurle -d | cat', path('small'))->{out}, $content, 'pipes');
my $dribble = '$| = 1; $/ = \1; while (<STDIN>) { print; select undef, undef, undef, 0.001 }';
is(shell('perl -e "$1" <"$2" | gpurle -d', $dribble, path('small'))->{out}, $content, 'byte by byte');
is(shell('gpurle -d -z "$1" | gzip -dc', path('small'))->{out}, $content, '-z compresses what comes out');

# ---- damaged ones ----

# Passes if -d and -l refuse the file, the message names a byte and matches, and the output stays.
sub damaged
{
    my ($file, $message, $name, @options) = @_;
    put('keep', 'old');
    for my $way ('-d', '-l') {
        my @output = $way eq '-d' ? ('-o', path('keep')) : ();
        my $run = tool([$way, @options, @output], $file);
        my $said = $run->{err} =~ /^gpurle: standard input: .*byte \d+/m && $run->{err} =~ /$message/;
        my $good = $run->{status} == 2 && $run->{signal} == 0 && $said && get('keep') eq 'old';
        ok($good, "$way: $name") or diag("status $run->{status}, signal $run->{signal}: $run->{err}");
    }
}

# One test of many files: passes if all are refused so. Damage is found before the device does anything, and the CPU
# starts faster.
sub all_damaged
{
    my ($name, $cases) = @_;
    my @found;
    put('keep', 'old');
    for my $case (some(@$cases)) {
        my ($what, $file, $way, $message) = @$case;
        my $run = tool(['--device=cpu', $way, $way eq '-d' ? ('-o', path('keep')) : ()], $file);
        next if $run->{status} == 2 && $run->{signal} == 0 && get('keep') eq 'old'
            && $run->{err} =~ /^gpurle: standard input: [^\n]*\d[^\n]*\n\z/
            && (!defined $message || $run->{err} =~ /$message/);
        push @found, "$way, $what: status $run->{status}, signal $run->{signal}: $run->{err}";
    }
    is(scalar @found, 0, $name) or diag(@found > 5 ? @found[0 .. 4] : @found);
}

all_damaged('a file cut at any byte', [map {
    my $cut = $_;
    my $message = $cut > 0 ? "too early, at byte $cut," : 'not a container';
    map { ["cut at byte $cut", substr($small, 0, $cut), $_, $message] } '-d', '-l'
} 0 .. length($small) - 1]);
all_damaged('two containers, cut in the second', [map { ["cut at byte $_", $small . substr($small, 0, $_), '-d',
    'too early, at byte ' . ($_ + length $small)] }
    1 .. length($small) - 1]);
my @flipped = map {
    my $file = $small;
    substr($file, $_ >> 3, 1) ^= chr(1 << ($_ & 7));
    ["bit $_", $file]
} 0 .. 8 * length($small) - 1;
all_damaged('any bit flipped', [map { [@$_, '-d'] } @flipped]);
all_damaged('the same of -l', [map { [@{ $flipped[$_] }, '-l'] } grep { $_ % 5 == 0 } 0 .. $#flipped]);
all_damaged('any byte lost', [map { my $file = $small; substr($file, $_, 1) = ''; ["byte $_", $file, '-d'] }
    0 .. length($small) - 1]);
all_damaged('any byte doubled', [map { my $file = $small; substr($file, $_, 0) = substr($file, $_, 1);
    ["byte $_", $file, '-d'] } 0 .. length($small) - 1]);

my $block = rle_block(values => ['a', 'b'], counts => [3, 2]);
my %totals = (elements => 5, runs => 2, blocks => 1);
my $end = rle_end(%totals);

# A container whose block has wrong numbers, and whose end agrees with them.
sub lying_block
{
    my %b = @_;
    my %said = map { $_ => $b{$_} // $totals{$_} } keys %totals;
    return rle_header() . rle_block(%b) . rle_end(%said);
}

sub two { return (values => ['a', 'b'], counts => [3, 2], @_) }
sub plain { return (elements_are => 'aaabb', elements => 5, runs => 2, @_) }
gives(['-d'], rle_header() . $block . $end, 'aaabb', 'a container that does not lie');
gives(['-d'], lying_block(plain()), 'aaabb', 'nor does this');

refuses(['-d'], 'hello, here are no runs at all; not even 1', 'is not a container', 'what is something else');
refuses(['-l'], 'hello', 'is not a container', 'the same of -l');
refuses(['-d'], '', '\w', 'an empty file');
damaged($rle_magic =~ s/\r\n/\n/r . substr($small, 8), 'text|line', 'carried over as text', );
damaged(rle_small(version => 2), 'version 2', 'a version of the future');
damaged(rle_small(version => 0), 'version 0', 'version 0');
damaged(rle_small(flags => 1), 'flag', 'an unknown flag');
damaged(rle_small(flags => 0x8000), 'flag', 'another one');
damaged(rle_small(size => 0), 'element', 'elements of no bytes');
damaged(rle_small(crc => 'abcd'), 'CRC|check', 'a wrong CRC of the header');
damaged(rle_header() . rle_block(two(crc => 'abcd')) . $end, 'CRC|check', 'of a block');
damaged(rle_header() . rle_block(plain(crc => 'abcd')) . $end, 'CRC|check', 'of elements');
damaged(rle_header() . $block . rle_end(%totals, crc => 'abcd'), 'CRC|check', 'of the end');
damaged(rle_small(crc => "\0\0\0\0"), 'CRC|check', 'no CRC');

damaged(lying_block(two(kind => $_)), 'kind', "kind $_") for 3, 127, 255;
damaged(lying_block(two(kind => 0)), '\w', 'an end that is a block');
damaged(lying_block(two(width => $_, payload => "ab" . "x" x (2 * $_))), 'width', "counts of $_ bytes")
    for 0, 3, 5, 16, 255;
damaged(lying_block(plain(lie => 1, width => $_)), 'width', "elements as they are, and counts of $_ bytes")
    for 1, 8, 255;
damaged(lying_block(two(reserved => $_)), 'reserved|zero|0', "$_ where 0 is reserved") for 1, 256;
damaged(lying_block(two(zero => $_)), 'reserved|zero|0', "$_ where 0 is reserved behind it") for 1, 1 << 31;
damaged(lying_block(two(counts => [3, 0], elements => 3)), 'count', 'a count of 0');
damaged(lying_block(two(elements => $_)), '\d', "runs of 5 elements, not $_")
    for 0, 1, 4, 6, 1 << 32, 1 << 60, ~0;
damaged(lying_block(two(runs => $_)), '\d', "$_ runs in 5 elements") for 0, 1, 3, 6, 1 << 40, ~0;
damaged(lying_block(two(runs => 0, payload => '')), 'runs', 'no runs');
damaged(lying_block(two(runs => 0, elements => 0, payload => '')), 'runs', 'nothing in a block');
damaged(lying_block(values => [qw(a b c)], counts => [~0, 1, 1], width => 8, elements => 1), '\d',
    'more runs than elements, whose sum wraps around');
damaged(lying_block(plain(runs => 0)), 'runs', 'no runs in elements as they are');
damaged(lying_block(two(elements => ~0, runs => (1 << 63) + 2)), '\d', 'bytes of runs that wrap around');
damaged(lying_block(plain(elements => 0, runs => 0, payload => '')), 'runs', 'no elements as they are');
damaged(lying_block(two(width => 8, counts => [~0, 6], elements => 5)), '\d', 'counts whose sum wraps around');
damaged(lying_block(two(width => 8, counts => [1 << 63, 1 << 63], elements => 0)), '\d', 'to nothing');
damaged(lying_block(plain(elements => $_)), '\d', "5 elements, not $_") for 4, 6, 1 << 32, 1 << 60, ~0;
damaged(lying_block(plain(runs => $_)), '\d', "$_ runs in elements as they are") for 0, 6, ~0;
damaged(rle_header() . $block . rle_end(%totals, @$_), '\d', "an end that says @$_")
    for ['elements', 4], ['elements', 0], ['elements', ~0], ['runs', 3], ['runs', 0], ['blocks', 0], ['blocks', 2];
damaged(rle_header() . $block . rle_end(%totals, kind => "\0" x $_ . "\1" . "\0" x (7 - $_)), '\w',
    "byte $_ of the end is not 0") for 1 .. 7;
damaged(rle_header() . $block . $block . rle_end(elements => 10, runs => 4, blocks => 1), '\d',
    'a block that is doubled');
damaged(rle_header() . $end, '\d', 'a block that is lost');
damaged(rle_header(size => 1 << 32, schema => 'all:bytes4294967296') . rle_block(two(width => 8, values => ['a'],
    counts => [1 << 40])) . $end, '\w', 'elements of 4 GiB that are not there');

# More than 2^64 elements or bytes in all.
my $quarter = rle_block(width => 8, values => ['a'], counts => [1 << 62]);
damaged_list(rle_header() . $quarter x 5 . rle_end(elements => 1 << 62, runs => 5, blocks => 5),
    'elements past 2^64');
damaged_list(rle_header(schema => 'a:bytes16', size => 16) . rle_block(width => 8, values => ['a' x 16],
    counts => [1 << 60]) . rle_end(elements => 1 << 60, runs => 1, blocks => 1), 'bytes past 2^64');
damaged_list(rle_header(schema => 'a:bytes16', size => 16) . rle_block(elements_are => 'x', elements => 1 << 60,
    runs => 1) . rle_end(elements => 1 << 60, runs => 1, blocks => 1), 'bytes of a block past 2^64');

# Damage that -d would find only after years of writing.
sub damaged_list
{
    my ($file, $name) = @_;
    my $run = tool(['-l'], $file);
    ok($run->{status} == 2 && $run->{err} =~ /^gpurle: standard input: .*byte \d+/, "-l: $name")
        or diag("status $run->{status}: $run->{err}");
}

# Bytes behind the end.
damaged($small . $_->[0], '\d', "$_->[1] behind the end")
    for ['x', 'a letter'], ["\0", 'a zero'], ["\0" x 512, 'zeros'], ["\n", 'a line feed'],
    [substr($rle_magic, 0, 5), 'half a magic'], [substr($small, 8), 'a container without its magic'],
    ["\x1f\x8b\x08\0", 'gzip'];
damaged($small . rle_small(version => 3), 'version 3', 'a version of the future behind it');
damaged($small . rle_small(crc => 'abcd'), 'CRC|check', 'a wrong CRC behind it');

# The offset is the place in the file.
sub place_of { my ($file) = @_; return tool(['-l'], $file)->{err} =~ /byte (\d+)/ ? $1 : undef }
is(place_of($small . 'x'), length $small, 'the place of what stands behind the end');
my $at = place_of(rle_header() . $block . rle_block(two(kind => 7)) . $end);
cmp_ok($at, '>=', length(rle_header() . $block), 'a block is named by its place');
cmp_ok($at, '<', length(rle_header() . $block) + 28, 'and by no other');
is(place_of(substr($small, 0, 50)), 50, 'the place of what is missing');

# Several files: the one that is damaged is named.
my $run = tool(['-d', '-o', path('keep'), path('small'), put('bad', rle_small(crc => 'abcd'))]);
ok($run->{status} == 2 && $run->{err} =~ m{^gpurle: \S*/bad: }m, 'the file that is damaged is named');
is(get('keep'), 'old', 'and nothing was written');
$run = tool(['-d', put('bad.gz', substr($packed, 0, -9))]);
ok($run->{status} == 2 && $run->{err} =~ /bad.gz: /, 'gzip that is cut');

# ---- little memory ----

my $endless = rle_header(schema => 'u64', size => 8) . rle_block(width => 8, values => ['0123456x'],
    counts => [1 << 60]) . rle_end(elements => 1 << 60, runs => 1, blocks => 1);
put('endless', $endless);
$run = shell('gpurle -d "$1" | head -c 100003', path('endless'));
is($run->{out}, substr('0123456x' x 12501, 0, 100003), 'one value, 2^60 times');
is($run->{err}, '', 'silently');
$run = tool(['-l', path('endless')]);
ok($run->{status} == 0 && $run->{out} =~ /1152921504606846976/, 'is soon listed') or diag($run->{out} . $run->{err});

my $limit = 'ulimit -v 400000; exec gpurle --device=cpu "$@"';
my $works = shell($limit, '-d', path('small'));
SKIP: {
    skip('it does not start within 400 MB of address space', 1) unless $works->{out} eq $content;
    $run = shell("($limit) | head -c 20000000 | tail -c 8", '-d', path('endless'));
    is($run->{out} . $run->{err}, '0123456x', 'in little memory');
    my $twice = rle_header(schema => 'u64', size => 8) . rle_block(width => 8, values => ['0123456x', '87654321'],
        counts => [20_000_000, 1 << 59]) . rle_end(elements => 20_000_000 + (1 << 59), runs => 2, blocks => 1);
    put('twice', $twice);
    $run = shell("($limit) | head -c 160000008 | tail -c 16", '-d', path('twice'));
    is($run->{out} . $run->{err}, '0123456x87654321', 'a second value behind 160 MB of the first');

    # Lengths that the file does not justify. It must say that bytes are missing, not that memory is.
    my $big = 1 << 34;
    my ($bytes, $words) = (rle_header(), rle_header(schema => 'u64', size => 8));
    sub wide { my ($size) = @_; return rle_header(size => $size, schema => "a:bytes$size") }
    sub plain_head { return rle_block(elements_are => '', elements => $_[0], runs => 1, crc => '') }
    sub runs_head { return rle_block(payload => '', elements => ~0, runs => $_[0], crc => '') }
    my @lies = (
        ['a schema of 4 GiB', rle_header(schema_bytes => 0xffffffff, crc => '')],
        (map { ["a prefix of $_ bytes", rle_header(prefix_bytes => $_, crc => '')] } $big, 1 << 62, ~0, ~0 - 31,
            ~0 - 32, ~0 - 33),
        (map { ["$_ elements as they are", $bytes . plain_head($_)] } $big, 1 << 62, 1 << 63, ~0, ~0 - 3, ~0 - 27,
            ~0 - 28),
        (map { ["$_ elements of 8 bytes", $words . plain_head($_)] } $big, 1 << 60, 1 << 61, 1 << 62, ~0),
        (map { ["$_ runs", $bytes . runs_head($_)] } $big, 1 << 62, 1 << 63, ~0, ~0 >> 1),
        (map { ["$_ runs of 9 bytes", $words . runs_head($_)] } $big, 1 << 60, int(~0 / 9), int(~0 / 9) + 1, ~0),
        (map { ["elements of $_ bytes", wide($_) . plain_head(1)] } $big, 1 << 62, 1 << 63, ~0),
        (map { ["values of $_ bytes", wide($_) . runs_head(1)] } $big, 1 << 62, 1 << 63, ~0, ~0 - 7),
    );
    my $mebibytes = 5 << 20;
    my $there = 'x' x $mebibytes;
    for my $lie (@lies) {
        my ($name, $file) = @$lie;
        put('lie', $file . $there);
        for my $way ('-d', '-l') {
            my $run = shell($limit, $way, path('lie'));
            my $good = $run->{status} == 2 && $run->{signal} == 0 && $run->{err} =~ m{^gpurle: \S+/lie: .*\d}
                && $run->{err} !~ /memory/;
            ok($good, "$way, little memory: $name") 
                or diag("status $run->{status}, signal $run->{signal}: $run->{err}");
        }
    }
}

# ---- large ones: last, as each start of a tool takes longer once Perl has much memory ----

my $large = 12_000_000;
my $long = rle_header(schema => 'a:u8,b:bytes2', size => 3)
    . rle_block(width => 4, values => ['xyz', 'abc'], counts => [$large / 4, 1])
    . rle_end(elements => $large / 4 + 1, runs => 2, blocks => 1);
$run = tool(['-d'], $long);
ok($run->{status} == 0 && $run->{out} eq 'xyz' x ($large / 4) . 'abc', 'a run larger than a block');

my $pattern = join('', map { chr } 0 .. 250) x ($large / 251);
my $elements = length $pattern;
my $huge_block = rle_header() . rle_block(elements_are => $pattern, elements => $elements, runs => $elements)
    . rle_end(elements => $elements, runs => $elements, blocks => 1);
$run = tool(['-d'], $huge_block);
ok($run->{status} == 0 && $run->{out} eq $pattern, 'a block of 12 MB');

is(join(' ', leftovers()), '', 'no temporary is left');
done_testing();
