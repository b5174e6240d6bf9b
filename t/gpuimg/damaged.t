#!/usr/bin/perl
# Damaged, truncated and lying files are refused with a message, and leave the output as it was.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/gpuimg/image.pl";

our $dir;
my $old = put('old.npy', 'old');

# 1 GiB of address space. A build with a sanitizer needs more, and goes without a limit.
my $limit = 'ulimit -v 1048576;';
$limit = '' if shell("$limit gpuimg --version")->{status} != 0;

sub read_limited
{
    my ($file, @more) = @_;
    my $in = put('in', $file);
    return shell("$limit OMP_NUM_THREADS=1 gpuimg mipmap --level=0 --to=npy --parallel=1 \"\$1\" \"\$2\"", $in, $old);
}

sub is_refused
{
    my ($file, $message, $name) = @_;
    my $run = read_limited($file);
    my $good = $run->{status} == 2 && $run->{out} eq '' && $run->{err} =~ /^gpuimg: \Q$dir\E\/in: .*$message/;
    ok($good && get($old) eq 'old', $name) or diag("status $run->{status}: $run->{err}");
}
my %small = (
    'binary PGM' => pgm(3, 2, 'abcdef'),
    '16-bit PPM' => ppm(2, 1, 'abcdefghijkl', 65535),
    'PFM' => pfm(2, 1, 1, 2),
    'PAM' => pam(2, 1, 2, 'abcd'),
    '.npy' => array('u16', 2, 1, 3, 'abcdefghijkl'),
);
$small{PNG} = png(3, 2, 8, 0, 'abcdef') if has_png();

for my $name (sort keys %small) {
    my $file = $small{$name};
    is_refused('', 'is empty', "$name: nothing") if $name eq 'PAM';
    my @wrong = grep {
        my $run = tool(['info', '-'], substr($file, 0, $_));
        $run->{status} != 2 || $run->{out} ne '' || $run->{err} !~ /^gpuimg: standard input: ./
    } some(1 .. length($file) - 1);
    is("@wrong", '', "$name: no part of it is taken");
    is_refused($file . "\0", 'goes on behind', "$name: a byte too many");
}

# In PNG, checksums find all damage. In the others, no damage ends a process by a signal.
for my $name (sort keys %small) {
    my (@taken, @crashed);
    for my $bit (some(grep { $name eq 'PNG' || $_ % 3 == 0 } 0 .. 8 * length($small{$name}) - 1)) {
        my $file = $small{$name};
        vec($file, $bit, 1) ^= 1;
        my $run = tool(['info', '-'], $file);
        push @taken, $bit if $run->{status} == 0;
        push @crashed, $bit if $run->{signal} != 0 || $run->{status} > 2;
    }
    is("@crashed", '', "$name: flipped bits are survived");
    is("@taken", '', 'PNG: all of them are found') if $name eq 'PNG';
}

my $huge = 2147483647;
my $too_large = 'claims .* more than there can be';
is_refused(pgm($huge, $huge, ''), 'ends early', 'a huge PGM');
is_refused("P2 $huge $huge 255 1 2 3", 'ends early', 'a huge plain PGM');
is_refused(pfm(1, 1, 1) =~ s/1 1/$huge $huge/r, $too_large, 'a huge PFM');
is_refused(pam($huge, $huge, 3, 'abc'), $too_large, 'a huge PAM');
is_refused(npy("'<f4'", 0, 'abcd', shape => "($huge, $huge)"), $too_large, 'a huge .npy');
is_refused(pgm('99999999999999999999', 1, 'a'), 'too large', 'more than 2^64');
is_refused(pgm('9999999999999999999', '9999999999', 'a'), 'more than there can be', 'more than an address space');
my $piped = shell("$limit printf 'P5 2147483647 2147483647 255 ' | OMP_NUM_THREADS=1 gpuimg info -");
like($piped->{err}, qr/ends early/, 'a huge PGM from a pipe');

is_refused(pgm(0, 5, ''), 'has no pixels', 'no width');
is_refused(pgm(5, 0, ''), 'has no pixels', 'no height');
is_refused(npy("'|u1'", 0, '', shape => '(0, 5)'), 'has no pixels', '.npy without rows');
is_refused(pgm(1, 1, 'a', 0), 'largest value is 0', 'a maxval of 0');
is_refused(pgm(1, 1, 'a', 65536), 'largest value is 65536', 'a maxval of 65536');
is_refused(pgm(1, 1, 'a', 96), 'a value is 97, above the largest value 96', 'a value above maxval');
is_refused('P2 1 1 9 10', 'a value is 10, above the largest value 9', '... in text');
is_refused('P2 1 1 9 -1', 'a number holds the byte 45', 'a negative number');
is_refused('P2 2 1 9 1 1 1', 'goes on behind', 'a number too many');
is_refused('P5 x 1 9 1', 'a number holds', 'letters for a size');
is_refused("P4\n1 1\na", 'is no picture of a known format', 'PBM');
is_refused("Pf\n1 1\n0\nabcd", 'the scale is', 'PFM with a scale of 0');
is_refused("Pf\n1 1\nnan\nabcd", 'the scale is', '... of NaN');
is_refused("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde", 'has 5 channels', 'PAM with 5 channels');
is_refused("P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\na", 'has no DEPTH', 'PAM without a depth');
is_refused("P7\nWIDTH 1\nWIDTH 1\nENDHDR\na", 'damaged header', 'PAM with two widths');
is_refused("P7\nCOLOR 1\nENDHDR\na", 'damaged header', 'PAM with another line');
is_refused(npy("'|u1'", 4, 'abcd'), 'array of 1 dimensions', '.npy of one dimension');
is_refused(npy("'|u1'", 0, 'abcde', shape => '(1, 1, 5)'), 'has 5 channels', '.npy with 5 channels');
is_refused(npy("'|u1'", 0, 'a', shape => '(1, 1, 1, 1)'), 'array of 4 dimensions', '.npy of four dimensions');
is_refused(npy("'|u1'", 0, 'abcd', shape => '(2, 2)', order => 'True'), 'Fortran order', 'Fortran order');
is_refused(npy("'<i2'", 0, 'abcd', shape => '(2, 1)'), 'no pixels', 'signed integers');
is_refused(npy("[('a', '<u2')]", 0, 'abcd', shape => '(2, 1)'), 'no pixels', 'records');
is_refused('GIF89a..........', 'is no picture of a known format', 'another format');

SKIP: {
    skip('this build has no libpng', 1) unless has_png();
    is_refused(png(3, 2, 8, 0, 'abcdef', bad => 1), 'damaged PNG: .*CRC', 'a wrong CRC');
    is_refused(png($huge, $huge, 8, 0, 'a', lines => "\0a"), 'ends early', 'a huge PNG');
    is_refused(png(1000000, 1, 8, 0, 'a', lines => "\0a"), 'ends early', 'a long row');
    is_refused(png(3, 2, 8, 0, '', lines => "\0abc"), 'damaged PNG', 'too few rows');
    is_refused(png(0, 2, 8, 0, '', lines => ''), 'damaged PNG', 'no width');
    is_refused(png(2, 2, 8, 3, 'abcd'), 'damaged PNG', 'no palette');
    is_refused(png(3, 2, 8, 0, '', lines => "\7abc\0def"), 'damaged PNG', 'an unknown filter');
}
is(join(' ', leftovers()), '', 'no temporaries are left');
done_testing();
