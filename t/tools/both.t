#!/usr/bin/perl
# Two outputs are replaced both or not at all, whatever is in the way of either.
use strict;
use warnings;
use Test::More;
our $tool = 'gpucompact';
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/tools/inject.pl";

my $why = no_injection();
my $file = put('file', pack('V*', 1 .. 1000));
my ($kept, $others) = (pack('V*', 501 .. 1000), pack('V*', 1 .. 500));
my %command = (
    gpucompact => 'gpucompact -t u32 -w "x > 500" -o FIRST --rejects=SECOND',
    gpurle => 'gpurle -t u32 --values=FIRST --counts=SECOND',
);
my %expected = (gpucompact => [$kept, $others], gpurle => [get('file'), pack('Q<*', (1) x 1000)]);

sub line
{
    my ($name, $input) = @_;
    my %paths = (FIRST => path('first'), SECOND => path('second'));
    return shell(($input // 'cat "$1"') . ' | ' . $command{$name} =~ s/(FIRST|SECOND)/$paths{$1}/gr, $file);
}

sub state { return map { -d path($_) ? 'folder' : get($_) // 'none' } 'first', 'second' }
sub temporaries { return join ' ', grep { !/\.log$/ } leftovers() }

# Every combination of targets that are there and that are not.
sub each_case
{
    my ($code) = @_;
    for my $name (sort keys %command) {
        for my $there ([], ['first'], ['second'], ['first', 'second']) {
            unlink(path('first'), path('second'));
            put($_, "old $_") for @$there;
            $code->($name, join ' and ', "$name, there: " . (@$there ? "@$there" : 'none'));
            is(temporaries(), '', 'no temporary is left');
        }
    }
}

each_case(sub {
    my ($name, $case) = @_;
    is(line($name)->{status}, 0, $case);
    ok(get('first') eq $expected{$name}[0] && get('second') eq $expected{$name}[1], 'both are written');
});

# A folder comes in the way of either while the tool runs.
for my $blocked ('first', 'second') {
    each_case(sub {
        my ($name, $case) = @_;
        my $other = $blocked eq 'first' ? 'second' : 'first';
        my $before = get($other) // 'none';
        my $path = path($blocked);
        my $run = line($name, "(sleep 0.5; cat \"\$1\"; rm -f $path; mkdir $path)");
        ok($run->{status} == 2 && $run->{err} =~ /$blocked: cannot be replaced: Is a directory/, "$case; $blocked a folder")
            or diag("$run->{status} $run->{err}");
        my %state;
        @state{'first', 'second'} = state();
        is($state{$other}, $before, 'the other is as it was');
        rmdir($path);
    });
}

# Either rename fails.
SKIP: {
    skip($why, 1) if defined $why;
    for my $named (0, 1) {
        for my $number (1, 2) {
            each_case(sub {
                my ($name, $case) = @_;
                my @before = state();
                my $run = injected(sub { line($name) }, RENAME => $number, NAMED => $named);
                my $refused = $run->{status} == 2 && $run->{err} =~ /cannot be replaced: Input/;
                my $done = $run->{status} == 0 && !$named; # a new file needs no rename
                ok($refused || $done, "$case; rename $number fails") or diag("$run->{status} $run->{err}");
                my @after = $done ? @{$expected{$name}} : @before;
                ok(join('|', state()) eq join('|', @after), 'both outputs are as they were') if $refused;
                ok(join('|', state()) eq join('|', @after), 'or both are there') if $done;
            });
        }
    }
}
done_testing();
