#!/usr/bin/perl
# Which outputs are synced: those that replace a file, and with --sync all of them.
use strict;
use warnings;
use Test::More;
require "$ENV{srcdir}/t/tools/lib.pl";
require "$ENV{srcdir}/t/tools/inject.pl";

my $why = no_injection();
plan(skip_all => $why) if defined $why;

my $file = put('file', pack('V*', reverse 1 .. 1000));
my $flags = put('flags', "\1" x 1000);
my $encoded = put('encoded', shell('gpurle -t u32 "$1"', $file)->{out});
my $folder = path('') =~ s{/$}{}r =~ s{.*/}{}r;

# Runs a command. Returns its syncs of data and folders, and its renames, in their order.
sub syncs
{
    my ($command) = @_;
    my $run = injected(sub { shell('cd "$1" && ' . $command, path('.')) });
    is($run->{status}, 0, $command) or diag($run->{err});
    my $kind = sub { $_[0] =~ /^rename/ ? 'rename' : $_[0] =~ /^fsync \Q$folder\E$/ ? 'folder' : 'data' };
    return join ' ', map { $kind->($_) } logged('fsync', 'rename');
}

my @commands = ('gpusort -t u32 file -o OUT', "gpucompact -t u32 -w 'x > 5' file -o OUT", 'gpurle -t u32 file -o OUT',
    'gpurle -d encoded -o OUT', 'gpurle -t u32 -c file -o OUT', 'gpurle -t u32 -u file -o OUT',
    'gpuscan -t u32 file -o OUT', 'gpuscan -t u32 --reduce file -o OUT',
    'gpuscan -t u32 --reduce --segments=flags file -o OUT');
for (@commands) {
    my ($command, $synced) = (s/OUT/out/r, s/OUT/out --sync/r);
    unlink(path('out'));
    unlike(syncs($command), qr/data|folder/, 'a new file is not synced');
    is(syncs($command), 'data rename folder', 'a file that is replaced is: its data, then its folder');
    unlink(path('out'));
    like(syncs($synced), qr/^data( rename)? folder$/, 'a new file is with --sync');
    is(syncs($synced), 'data rename folder', 'and so is a replaced one');
}
is(syncs('gpusort -t u32 -i file'), 'data rename folder', '--in-place replaces a file');
is(syncs('gpuscan -t u32 -i file'), 'data rename folder', 'so does that of gpuscan');
is(syncs('gpucompact -t u32 -w "x > 0" -i file'), 'data rename folder', 'and that of gpucompact');

my $split = q{gpucompact -t u32 -w 'x > 5' file -o kept --rejects=others};
unlike(syncs($split), qr/data|folder/, 'two new files');
is(syncs($split), 'data data rename rename folder folder', 'two files that are replaced');
unlink(path('others'));
is(scalar(() = syncs($split) =~ /data/g), 1, 'one of them is new');

is(syncs('gpusort -t u32 file >stdout'), '', 'what the shell opened is not synced');
is(syncs('gpusort -t u32 --sync file >stdout'), 'data', 'but with --sync');
is(syncs('gpusort -t u32 --sync file | cat >stdout'), 'data', 'a pipe cannot be, which is no error');
is(syncs('gpusort -t u32 --sync file -o /dev/null'), 'data', 'nor can a device');
is(join(' ', grep { !/\.log$/ } leftovers()), '', 'no temporary is left');
done_testing();
