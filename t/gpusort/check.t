#!/usr/bin/perl
# --check: its answer, the place, several inputs, --unique, blocks and pipes.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

sub says
{
    my ($arguments, $input, $status, $message, $name) = @_;
    my $run = gpusort($arguments, $input);
    ok($run->{status} == $status && $run->{out} eq '' && $run->{err} =~ /^$message$/, $name)
        or diag("status $run->{status}: $run->{out}$run->{err}");
}

my @u32 = ('-t', 'u32');
says([@u32, '-c'], pack('V*', 1, 2, 2, 3), 0, '', 'sorted');
says([@u32, '--check'], '', 0, '', 'empty');
says([@u32, '-c'], pack('V', 7), 0, '', 'one element');
says([@u32, '-c'], pack('V*', 1, 3, 2, 1), 1,
    qr/gpusort: standard input: element 2 \(at byte 8, counting both from 0\) is out of order\n/,
        'not sorted, and where');
says([@u32, '-C'], pack('V*', 1, 3, 2, 1), 1, '', '-C says nothing');
says([@u32, '--check-quietly'], pack('V*', 1, 3), 0, '', '--check-quietly');
says([@u32, '-cr'], pack('V*', 3, 2, 2), 0, '', 'descending');
says([@u32, '-cu'], pack('V*', 1, 2, 3), 0, '', 'unique');
says([@u32, '-cu'], pack('V*', 1, 2, 2, 3), 1, qr/.*element 2 .*not unique\n/, 'not unique');
says(['-f', 'a:u8,b:u8', '-k', 'b', '-c'], pack('C*', 9, 1, 3, 2, 7, 0), 1, qr/.*element 2 \(at byte 4.*\n/,
    'by a key');
says(['-f', 'a:u8,b:u8', '-k', 'b', '-cu'], pack('C*', 9, 1, 3, 2, 7, 2), 1, qr/.*element 2 .*\n/, 'unique by a key');
says([qw(-t f32 -c)], pack('f<*', -1, -0.0, 0.0, 1) . pack('V', 0x7fc00000), 0, '', 'floats');
says([qw(-t f32 -c)], pack('f<*', 0.0, -0.0), 1, qr/.*element 1 .*\n/, '0.0 before -0.0');
says([qw(-t f16 -c)], bytes_of('f16', -2, -0.0, 0.0, 3e-8, 1, 9**9**9) . pack('v', 0x7e00), 0, '', 'halves');
says([qw(-t f16 -c)], bytes_of('f16', 1, -1), 1, qr/.*element 1 .*\n/, '1.0 before -1.0');

my $a = put('a', pack('V*', 1, 5));
my $b = put('b', pack('V*', 4, 6));
my $c = put('c', pack('V*', 5, 6));
says([@u32, '-c', $a, $c], undef, 0, '', 'two files, one behind the other');
says([@u32, '-c', $a, $b], undef, 1, qr/gpusort: \Q$b\E: element 0 \(at byte 0, .*\n/, 'a file that begins too low');
says([@u32, '-c', $a, put('empty', ''), $b], undef, 1, qr/gpusort: \Q$b\E: element 0 .*\n/, 'an empty one between');
says([@u32, '-c', '--skip=3', put('s', 'abc' . pack('V*', 5, 4))], undef, 1, qr/.*element 1 \(at byte 7, .*\n/,
    'behind --skip');
says(['-c', put('n.npy', npy("'<u4'", 2, pack('V*', 5, 4)))], undef, 1, qr/.*element 1 \(at byte 132, .*\n/,
    'in a .npy');

# Past the first block, of 16 MiB: from a file and through a pipe.
my $n = 5_000_000;
my $long = pack('V*', 0 .. $n - 1);
put('long', $long);
says([@u32, '-c', path('long')], undef, 0, '', 'five million elements');
substr($long, 4 * 4_194_304, 4) = pack('V', 0); # the first element of the second block
put('long', $long);
says([@u32, '-c', path('long')], undef, 1, qr/.*element 4194304 \(at byte 16777216, .*\n/,
    'the first element of the second block');
my $run = shell('cat "$1" | gpusort -t u32 -c; echo $?; cat "$1" | gpusort -t u32 -cu; echo $?', path('long'));
is($run->{out}, "1\n1\n", 'through a pipe');
like($run->{err}, qr/element 4194304 .*\n.*element 4194304 .*not unique/, 'with the place');
$run = shell('gpusort -t u32 "$1" | gpusort -t u32 -c', path('long'));
is($run->{status}, 0, 'sorted and checked in a pipeline');
done_testing();
