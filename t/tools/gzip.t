#!/usr/bin/perl
# Reading and writing gzip, compared with gzip(1); every kind of damage.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

sub gz { my ($data, @options) = @_; put('gz', $data); return run(['gzip', '-cn', @options, path('gz')])->{out} }

my @u32 = ('-t', 'u32');
my @values = map { ($_ * 2654435761) & 0xffff } 1 .. 200000;
my $data = pack('V*', @values);
my $sorted = pack('V*', sort { $a <=> $b } @values);
sorts_to(\@u32, gz($data), $sorted, 'one member');
sorts_to([@u32, put('a.gz', gz($data))], '', $sorted, 'from a file');
sorts_to(\@u32, gz($data, '-1'), $sorted, 'of level 1');
sorts_to(\@u32, gz(substr($data, 0, 1001)) . gz(substr($data, 1001)), $sorted, 'two members that split an element');
sorts_to(\@u32, gz('') . gz($data) . gz(''), $sorted, 'empty members');
sorts_to(\@u32, gz(''), '', 'nothing in gzip');
sorts_to(\@u32, gz($data) . "\0" x $_, $sorted, "$_ zeros behind it") for 1, 3, 512, 300000;
my $many = join '', map { gz($_) } slice(pack('V*', reverse 1 .. 100), 7);
sorts_to(\@u32, $many, pack('V*', 1 .. 100), 'many members');
my $named = gz($data);
substr($named, 3, 1) = "\x08";
substr($named, 10, 0) = "a name\0";
sorts_to(\@u32, $named, $sorted, 'a member with a name');
sorts_to([@u32, '--skip=5'], gz("hello$data"), $sorted, '--skip counts decompressed bytes');
sorts_to([@u32, put('raw', pack('V', 0)), path('a.gz')], '', pack('V', 0) . $sorted, 'gzip and not');
sorts_to(['-t', 'u8'], "\x8b\x1f\x8b", "\x1f\x8b\x8b", 'what is only nearly gzip');
sorts_to(['-t', 'u8'], "\x8b", "\x8b", 'one byte');

for my $option ('-z', '-z0', '-z1', '-z6', '-z9', '--gzip', '--gzip=3') {
    my $run = gpusort([@u32, $option], $data);
    is(run(['gzip', '-dc'], $run->{out})->{out}, $sorted, "$option reads back with gzip");
    sorts_to(['-t', 'u32', '-c'], $run->{out}, '', 'and with gpusort');
}
my $noise = join '', map { pack('N', ($_ * 2654435761 ^ $_ << 7) & 0xffffffff) } 1 .. 100000;
my $run = gpusort(['-f', 'all:bytes400000', '-z9'], $noise);
is(run(['gzip', '-dc'], $run->{out})->{out}, $noise, 'what cannot be compressed');
my $empty = gpusort([@u32, '-z'], '')->{out};
is(unpack('H*', $empty), '1f8b08040000000000ff0600424302001b0003000000000000000000', 'nothing is the BGZF end marker');

# BGZF: every member holds its own length.
my $packed = gpusort([@u32, '-z'], $data)->{out};
my ($at, $members, $good) = (0, 0, 1);
while ($at < length $packed) {
    $good &&= substr($packed, $at, 4) eq "\x1f\x8b\x08\x04" && substr($packed, $at + 10, 6) eq "\6\0BC\2\0";
    last unless $good;
    $at += 1 + unpack('v', substr($packed, $at + 16, 2));
    $members++;
}
ok($good && $at == length $packed && $members > 10 && substr($packed, -28) eq $empty, 'the output is BGZF');

my $gz = gz($data);
sub damaged { my ($file, $message, $name) = @_; refuses([@u32, '-o', put('keep', 'old')], $file, $message,
    $name); is(get('keep'), 'old', 'the output is as it was') }
damaged(substr($gz, 0, $_), "ends too early, at byte $_", "cut at byte $_") for 5, 10, 1000, length($gz) - 8,
    length($gz) - 1;
my $wrong = $gz;
substr($wrong, -8, 4) ^= "\1\0\0\0";
damaged($wrong, 'damaged gzip data before byte \d+: incorrect data check', 'a wrong CRC');
$wrong = $gz;
substr($wrong, -4, 4) ^= "\1\0\0\0";
damaged($wrong, 'incorrect length check', 'a wrong length');
$wrong = $gz;
substr($wrong, 20000, 200) = "\xff" x 200;
damaged($wrong, 'damaged gzip data before byte \d+', 'overwritten in the middle');
damaged($gz . 'garbage', 'garbage behind the gzip data, at byte ' . length $gz, 'garbage behind it');
damaged($gz . "\0\0\0x", 'garbage behind the gzip data, at byte ' . (3 + length $gz), 'garbage behind zeros');
damaged($gz . "\x1f\x8b", 'garbage behind', 'half a magic behind it');
damaged($gz . substr($gz, 0, 100), 'ends too early, at byte ' . (100 + length $gz), 'half a member behind it');
damaged(gz($data . 'abc'), '800003 bytes are not a whole number', 'a length that does not fit');
done_testing();
