#!/usr/bin/perl
# The manuals' examples do what they say: every "$ command" of their EXAMPLES prints the lines that follow it.
# And groff has no warnings about them.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";

put('array.npy', npy("'<i4'", 3, pack('l<*', 12, -7, 0)));
put('people.npy', npy("[('age', '<u2'), ('name', '|S6')]", 2, pack('v a6 v a6', 7, 'Ann', 70, 'Bob')));

put('readings.npy', npy("'<f8'", 5, pack('d<*', 0.5, 9**9**9 / 9**9**9, -3, -(9**9**9) / 9**9**9, 7.25)));

sub plain
{
    my ($text) = @_;
    my %escapes = ('-' => '-', 'e' => '\\', '&' => '', '(aq' => "'", '(ga' => '`', '(ha' => '^', '(ti' => '~');
    $text =~ s/\\(\((?:aq|ga|ha|ti)|[-e&])/$escapes{$1}/g;
    return $text;
}

# Of a page, each command, which may go on behind a "> ", and what it prints.
sub examples
{
    my ($page) = @_;
    my ($section) = get("$ENV{srcdir}/man/$page") =~ /^\.SH EXAMPLES\n(.*?)^\.SH /ms;
    my @blocks = $section =~ /^\.EX\n(.*?)^\.EE$/msg;
    my @found;
    for my $example (grep { $_ ne '' } map { split /^\$ /m, plain($_) } @blocks) {
        my ($command, $expected) = $example =~ /^([^\n]*\n(?:> [^\n]*\n)*)(.*)/s or die $example;
        $command =~ s/\n> */\n/g;
        chomp $command;
        push @found, [$command, $expected];
    }
    return @found;
}

my @pages = ('gpusort.1', 'gpucompact.1', 'gpurle.1', 'gpurle.5', 'gpuscan.1', 'gpuimg.1');
my %least = map { $_ => /5$/ ? 3 : 16 } @pages;
for my $page (@pages) {
    my @examples = examples($page);
    cmp_ok(scalar @examples, '>=', $least{$page}, "$page has at least $least{$page} examples");
    for my $example (@examples) {
        my ($command, $expected) = @$example;
        my $run = shell('cd "$1" && { eval "$2"; } 2>&1', path('.'), $command);
        is($run->{out}, $expected, $command =~ s/\n.*/ .../sr);
    }
}
is(get('people.npy'), npy("[('age', '<u2'), ('name', '|S6')]", 2, pack('v a6 v a6', 70, 'Bob', 7, 'Ann')),
    'people by age');

SKIP: {
    skip('there is no groff', scalar @pages) if shell('command -v groff')->{status} != 0;
    is(shell('groff -man -Tutf8 -ww -rLL=78n -z "$1" 2>&1', "$ENV{srcdir}/man/$_")->{out}, '',
        "groff has no warnings about $_")
        for @pages;
}
done_testing();
