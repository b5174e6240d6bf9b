#!/usr/bin/perl
# site.t - links between the documents name files, and where Sphinx is found, `make docs` writes the site without a warning.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $source = abs_path($ENV{srcdir} // '.');
my $build = abs_path($ENV{builddir} // '.');

sub links_of {
    my ($page) = @_;
    open my $file, '<', $page or die "$page: $!\n";
    my ($text, @links) = (join '', <$file>);
    $text =~ s/^```.*?^```//msg;
    $text =~ s/`[^`]*`//g;
    push @links, $1 while $text =~ /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;
    return @links;
}

my @pages = (map({ "$source/$_" } qw(README.md CONTRIBUTING.md python/README.md)), glob "$source/doc/*.md $source/doc/*/*.md");
for my $page (@pages) {
    my @lost = grep { !-e dirname($page) . "/$_" } links_of($page);
    is("@lost", '', substr($page, 1 + length $source) . ' links to files');
}

SKIP: {
    skip 'Sphinx with MyST, or mandoc, is not installed', 2
        if system('exec >/dev/null 2>&1; command -v sphinx-build && command -v mandoc && sphinx-build --version && '
            . '$(head -n 1 "$(command -v sphinx-build)" | sed "s/^#!//") -c "import myst_parser"') != 0;
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
    my $printed = `make -s -C '$build' docs 2>&1`;
    is($?, 0, 'make docs') or diag($printed);
    ok(-s "$build/doc/html/index.html", 'it writes the first page');
}
done_testing();
