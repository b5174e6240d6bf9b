#!/usr/bin/perl
# debian.t - the packages of debian/ have the version of configure.ac and of the Python package, and are built with the
# libraries that quickstart installs. Releases have no debian/.
use strict;
use warnings;
use Test::More;

my $srcdir = $ENV{srcdir} // '.';
plan skip_all => 'there is no debian/' unless -d "$srcdir/debian";

sub text_of {
    my ($file) = @_;
    open my $handle, '<', "$srcdir/$file" or die "$file: $!\n";
    local $/;
    return scalar <$handle>;
}

my ($version) = text_of('configure.ac') =~ /^AC_INIT\(\[scankit\], \[(.*?)\]\)/m;
my ($packaged) = text_of('debian/changelog') =~ /^scankit \((.*)-[^-]*\) /;
is($packaged, $version, 'debian/changelog begins with the version of configure.ac');

my ($python) = text_of('python/pyproject.toml') =~ /^version = "(.*)"$/m;
is($python, $version, 'the Python package has it too');

my ($wanted) = text_of('.ci/configure.sh') =~ /^need_for_build\(\)\n\{\n(.*?)^\}/ms;
my ($listed) = text_of('debian/control') =~ /^Build-Depends:\n((?: .*\n)+)/m;
my %builds = map { $_ => 1 } $listed =~ /^ ([a-z0-9.+-]+)/mg;
my @libraries = grep { /-dev$/ && $_ ne 'libc6-dev' } $wanted =~ /^\s+(?:need|want) (\S+)/mg;
ok(@libraries > 3, 'quickstart installs libraries');
ok($builds{$_}, "debian/control lists $_") for @libraries;

my %symbols = map { $_ => 1 } text_of('debian/libscankit0.symbols') =~ /^ (scankit_\w+)\@/mg;
my $headers = join '', map { text_of("lib/$_") } 'scankit.h', 'scankit_group.h';
my %declared = map { $_ => 1 } $headers =~ /^SCANKIT_API\b[^;]*?\b(scankit_\w+)\(/mg;
is_deeply([sort keys %symbols], [sort keys %declared], "debian/libscankit0.symbols lists the headers' functions");
done_testing();
