#!/usr/bin/perl
# --in-place replaces each file as a whole, or not at all, even if it is interrupted.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

my @u8 = ('-t', 'u8', '-i');
my @files = map { put("f$_", "cab$_") } 1 .. 3;
chmod 0600, $files[0];
sorts_to([@u8, @files], '', '', 'three files');
is(get("f$_"), "${_}abc", "file $_") for 1 .. 3;
is((stat $files[0])[2] & 07777, 0600, 'the mode is kept');
put('head', 'HEADzyx');
sorts_to([@u8, '--skip=4', path('head')], '', '', 'with --skip');
is(get('head'), 'HEADxyz', 'the header is kept');
put('u', 'abcabc');
sorts_to([@u8, '-ur', path('u')], '', '', 'with -u and -r');
is(get('u'), 'cba', 'the first of equals');
sorts_to([@u8, put('empty', '')], '', '', 'an empty file');
is(get('empty'), '', 'stays empty');
symlink('f1', path('link'));
put('f1', 'ba');
sorts_to([@u8, path('link')], '', '', 'through a link');
ok(-l path('link') && get('f1') eq 'ab', 'what it leads to is sorted');

put('plain', 'hello');
shell('gzip -c "$1" >"$1.gz"', path('plain'));
sorts_to([@u8, path('plain.gz')], '', '', 'a gzip file');
my $run = shell('gzip -dc "$1"', path('plain.gz'));
is($run->{out}, 'ehllo', 'stays a gzip file');
sorts_to([@u8, '-z', path('plain')], '', '', 'with -z');
is(shell('gzip -dc <"$1"', path('plain'))->{out}, 'ehllo', 'it becomes one');
put('x.npy', npy("'|u1'", 3, 'cab'));
sorts_to(['-i', path('x.npy')], '', '', 'a .npy file');
is(get('x.npy'), npy("'|u1'", 3, 'abc'), 'stays one');
sorts_to(['-iu', put('y.npy', npy("'|u1'", 4, 'caba'))], '', '', 'with -u');
is(get('y.npy'), npy("'|u1'", 3, 'abc'), 'the header has the new count');

put('good', 'ba');
put('bad', 'abc');
refuses(['-t', 'u16', '-i', path('good'), path('bad')], '', 'bad: 3 bytes are not', 'a bad file behind a good one');
is(get('bad'), 'abc', 'is as it was');
refuses([@u8, path('missing')], '', 'missing: cannot open', 'a missing file');
refuses([@u8, '/dev/null'], '', 'is not a regular file', 'a device');
refuses([@u8, '-'], '', 'needs files', 'standard input');
is(join(' ', leftovers()), '', 'no temporary is left');

# Interrupted while it writes. Compression makes it slow enough for that.
my $n = 16_000_000;
my $before = join '', map { pack('N', ($_ * 2654435761) & 0xffffffff) } 1 .. $n / 64;
$before x= 16;
for my $signal (qw(INT TERM HUP)) {
    put('victim', $before);
    my $child = fork();
    if ($child == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        exec('gpusort', '-t', 'u32', '-i', '-z9', path('victim')) or POSIX::_exit(127);
    }
    my $seen = 0;
    for (1 .. 12000) {
        $seen = writes($child);
        last if $seen;
        select(undef, undef, undef, 0.005);
    }
    ok($seen, "there is a temporary while it writes");
    kill($signal, $child);
    waitpid($child, 0);
    is($? & 127, { INT => 2, TERM => 15, HUP => 1 }->{$signal}, "SIG$signal ends it as a signal does");
    ok(get('victim') eq $before, 'the old file is intact');
    is(join(' ', leftovers()), '', 'no temporary is left');
}
done_testing();
