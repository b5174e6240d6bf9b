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

sub command_of
{
    my ($name) = @_;
    my %paths = (FIRST => path('first'), SECOND => path('second'));
    return $command{$name} =~ s/(FIRST|SECOND)/$paths{$1}/gr;
}

sub line
{
    my ($name) = @_;
    return shell('cat "$1" | ' . command_of($name), $file);
}

# The same, where a folder takes the place of a path once both outputs are open.
sub line_meets_folder
{
    my ($name, $path) = @_;
    my $bytes = get('file');
    my $child = open(my $pipe, '|-', 'sh', '-c', 'exec ' . command_of($name) . ' 2>"$1"', 'sh', path('said')) or die;
    binmode $pipe;
    syswrite($pipe, $bytes, 400); # the tool looks at these before it opens its outputs
    for (1 .. 4000) {
        my @nameless = grep { (readlink($_) // '') =~ / \(deleted\)$/ } glob("/proc/$child/fd/*");
        last if @nameless + grep({ !/\.log$/ } leftovers()) == 2;
        select(undef, undef, undef, 0.005);
    }
    unlink($path);
    mkdir($path);
    print $pipe substr($bytes, 400);
    close($pipe);
    return { status => $? >> 8, err => get('said') };
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
        my $run = line_meets_folder($name, $path);
        my $refused = $run->{status} == 2 && $run->{err} =~ /$blocked: cannot be replaced: Is a directory/;
        ok($refused, "$case; $blocked becomes a folder") or diag("$run->{status} $run->{err}");
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
# A signal comes before either rename: it ends the tool, with both outputs replaced or neither.
SKIP: {
    skip($why, 1) if defined $why;
    local $SIG{TERM} = 'DEFAULT';
    for my $name (sort keys %command) {
        for my $number (1, 2) {
            put($_, "old $_") for 'first', 'second';
            my $run = injected(sub { shell('sh -c "$2" sh "$1"; echo $? >"$3"', $file, command_of($name) . ' <"$1"',
                path('status')) }, SIGNAL => $number);
            is(get('status'), 128 + 15 . "\n", "$name: SIGTERM before rename $number ends it");
            my ($first, $second) = state();
            my $new = $first eq $expected{$name}[0] && $second eq $expected{$name}[1];
            ok($new || ($first eq 'old first' && $second eq 'old second'), 'both outputs are replaced, or neither');
            is(temporaries(), '', 'no temporary is left');
        }
    }
}
done_testing();
