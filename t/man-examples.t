#!/usr/bin/perl
# The manual's examples do what it says: every "$ command" of its EXAMPLES prints the lines that follow it.
# And groff has no warnings about it.
use strict;
use warnings;
require "$ENV{srcdir}/t/lib.pl";

my $manual = get("$ENV{srcdir}/man/gpusort.1");
my ($section) = $manual =~ /^\.SH EXAMPLES\n(.*?)^\.SH /ms;
my @blocks = $section =~ /^\.EX\n(.*?)^\.EE$/msg;
put('array.npy', npy("'<i4'", 3, pack('l<*', 12, -7, 0)));
put('people.npy', npy("[('age', '<u2'), ('name', '|S6')]", 2, pack('v a6 v a6', 7, 'Ann', 70, 'Bob')));

sub plain
{
    my ($text) = @_;
    my %escapes = ('-' => '-', 'e' => '\\', '(aq' => "'", '&' => '');
    $text =~ s/\\(\(aq|[-e&])/$escapes{$1}/g;
    return $text;
}

cmp_ok(scalar @blocks, '>=', 8, 'there are at least 8 examples');
for my $block (map { plain($_) } @blocks) {
    for my $example (split /^\$ /m, $block) {
        next if $example eq '';
        my ($command, $expected) = split /\n/, $example, 2;
        my $run = shell('cd "$1" && { eval "$2"; } 2>&1', path('.'), $command);
        is($run->{out}, $expected, $command);
    }
}
is(get('people.npy'), npy("[('age', '<u2'), ('name', '|S6')]", 2, pack('v a6 v a6', 70, 'Bob', 7, 'Ann')),
    'people by age');

SKIP: {
    skip('there is no groff', 1) if shell('command -v groff')->{status} != 0;
    is(shell('groff -man -Tutf8 -ww -rLL=78n -z "$1" 2>&1', "$ENV{srcdir}/man/gpusort.1")->{out}, '',
        'groff has no warnings');
}
done_testing();
