#!/usr/bin/perl
# english.t - comments, messages and documents avoid phrases that make a reader guess (CONTRIBUTING.md, Style). Each one found
# is listed with its file and line, even where it is broken over two lines.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Find;
use Test::More;

my @phrases = (
    'so many', 'what there is', 'what there are', 'who is to', 'comes to what', 'what it comes to', 'what they come to',
    'makes so', 'makes it so', 'than what', 'as many as there are', 'of which there are', 'those of', 'is of', 'is so once',
);
my $srcdir = $ENV{srcdir} // dirname($0) . '/../..';

# Between two words: white space, and what begins the next line of a comment or of a quoted string.
my $gap = qr{\s+(?:(?:\*|//|\#|\.\\")\s+)?|\\?"\s+"};
my $riddle = join '|', map { join "$gap", map { quotemeta } split / / } @phrases;
$riddle = qr/\b($riddle)\b/i;

sub riddles_in {
    my ($file) = @_;
    open my $handle, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$handle> };
    my @found;
    while ($text =~ /$riddle/g) {
        my $line = 1 + substr($text, 0, $-[0]) =~ tr/\n//;
        push @found, substr($file, length "$srcdir/") . ":$line: \"" . $1 =~ s/$gap/ /gr . '"';
    }
    return @found;
}

sub files_in {
    my ($place) = @_;
    my @found;
    my $is_text = qr{\.(?:c|h|inc|cc|hh|cu|cuh|t|pl|py|sh|mk|m4|md|gp|[1-9])$|/run$};
    find({no_chdir => 1, wanted => sub { push @found, $_ if -f && (-f $place || /$is_text/) }}, $place);
    return sort grep { !m{/english\.t$|/m4/(?:libtool|lt)} } @found;
}

like("/* Keys in so\n * many buckets. */", $riddle, 'a phrase is found over two lines');
for my $place (qw(lib cuda tools t bench python man doc m4 .ci quickstart configure.ac README.md NEWS CONTRIBUTING.md)) {
    next unless -e "$srcdir/$place";
    my @found = map { riddles_in($_) } files_in("$srcdir/$place");
    ok(!@found, "$place says what it means") or diag(map {"$_\n"} @found);
}
done_testing();
