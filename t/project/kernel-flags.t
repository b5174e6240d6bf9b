#!/usr/bin/perl
# kernel-flags.t - the CPU's kernels are optimised whatever CFLAGS say.
use strict;
use warnings;
use Test::More;

my ($srcdir, $builddir) = map { $ENV{$_} // '.' } qw(srcdir builddir);
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};

sub variable {
    my ($name) = @_;
    open my $makefile, '<', "$builddir/Makefile" or die "Makefile: $!\n";
    my ($value) = map { /^\Q$name\E = (.*)/ ? $1 : () } <$makefile>;
    return $value;
}

# The commands that would compile a file if it had changed.
sub commands_for {
    my ($source, $object) = @_;
    my $path = variable('srcdir') . "/$source";
    $path =~ s{^\./}{};
    return `make -n -C '$builddir' V=1 CFLAGS=-O0 -W '$path' '$object' 2>&1`;
}

my $wanted = variable('KERNEL_CFLAGS');
my %objects = (base => 'lib/cpu/kernel/sort/libbase_la-local.lo', 'the backend' => 'lib/cpu/libcpu_la-scan.lo');
$objects{$_} = "lib/cpu/kernel/sort/lib${_}_la-local.lo" for grep { -e "$builddir/lib/cpu/lib$_.la" } qw(avx2 avx512);
for my $name (sort keys %objects) {
    my $source = $objects{$name} =~ s/lib\w+_la-(\w+)\.lo/$1.c/r;
    my @levels = commands_for($source, $objects{$name}) =~ /\s(-O\S*)/g;
    is($levels[-1], (split ' ', $wanted)[-1], "$name: $objects{$name}") or diag("@levels");
}
done_testing();
