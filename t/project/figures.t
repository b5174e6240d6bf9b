#!/usr/bin/perl
# figures.t - the figures of the documents and the numbers that they are drawn from belong together: each script has its drawing,
# which says where and when its CSV file was measured; each line has numbers; and where the same gnuplot is there, drawing them
# once more gives the same bytes. A diagram is what its script draws of the parts that the sources have.
use strict;
use warnings;
use File::Basename qw(basename);
use Test::More;

my $source = $ENV{srcdir} // '.';
my $folder = "$source/doc/figures";

sub contents {
    my ($file) = @_;
    open my $handle, '<', $file or return;
    local $/;
    return scalar <$handle>;
}

# ---- the numbers ----

# By the name of the CSV file: where and when it was measured, and its lines.
my (%measured, %lines);
for my $name (qw(gallery.csv sorts.csv)) {
    my $csv = contents("$folder/$name") // '';
    my %head = $csv =~ /^# (device|host|date): (.+)$/mg;
    my @rows = map { [split /,/] } grep { !/^(?:#|series,)/ } split /\n/, $csv;
    like($head{device}, qr/^\w+:\d+/, "$name says which device");
    like($head{date}, qr/^\d{4}-\d\d-\d\d$/, 'and when');

    my @odd = grep { @$_ != 8 || $_->[5] != 4 * $_->[4] || abs($_->[7] * $_->[6] / $_->[4] - 1) > 1e-4 } @rows;
    ok(@rows > 0 && !@odd, 'bytes and items a second follow from n and seconds in each row')
        or diag(map { join(',', @$_) . "\n" } @odd);
    $measured{$name} = \%head;
    $lines{$name}{join ',', @$_[0 .. 2]}++ for @rows;
}

# Every textbook sort has a year, and a source that names it.
my $table = contents("$source/lib/gallery.h") // '';
my %year = (contents("$folder/sorts-sources.csv") // '') =~ /^([\w-]+;c\w+);(\d{4});/mg;
for my $device (qw(cuda cpu)) {
    my ($list) = $table =~ /#define SK_GALLERY_\U$device\E_SORTS\(X\)(.*?)\n\n/s;
    my %source = ($list // '') =~ /X\(\w+, "([\w-]+)", (.*?\d{4}.*?"\))/sg;
    ok(scalar %source, "there are sorts of $device");
    for my $name (sort keys %source) {
        my $year = $year{"$name;$device"} // 'nothing';
        like($source{$name}, qr/\b$year\b/, "sorts-sources.csv has the year of $name on $device");
    }
}

# ---- the drawings ----

# A line's place in a script: n("scan", "naive", "cuda").
sub lines_of {
    my ($script) = @_;
    my @found;
    push @found, "$1,$2,$3" while $script =~ /(?:n|bytes)\("([\w-]+)", "([\w-]+)", "(\w+)"\)/g;
    return @found;
}

sub unescaped {
    my ($text) = @_;
    my %characters = (lt => '<', gt => '>', amp => '&', quot => '"', apos => "'");
    return $text =~ s/&(lt|gt|amp|quot|apos);/$characters{$1}/gr;
}

chomp(my $version = `gnuplot --version 2>/dev/null` // '');
my @scripts = grep { basename($_) ne 'style.gp' } glob "$folder/*.gp";
cmp_ok(scalar @scripts, '>', 0, 'there are scripts');
for my $file (@scripts) {
    my $name = basename($file, '.gp');
    my $script = contents($file);
    my $drawing = contents("$folder/$name.svg") // '';
    my $text = unescaped($drawing);
    like($drawing, qr/^<\?xml .*<\/svg>\s*$/s, "$name.svg is whole");
    my ($csv) = ($script =~ /csv = "([\w.-]+)"/, 'gallery.csv');
    my @missing = grep { index($text, $_ // 'nothing') < 0 } @{$measured{$csv}}{qw(device host date)};
    is("@missing", '', "$name.svg says where and when $csv was measured");
    my @lines = lines_of($script);
    my @titles = $script =~ /title "([^"]+)"/g;
    is(join(' ', grep { !$lines{$csv}{$_} } @lines), '', "$name: each of its lines has numbers");
    is(join('; ', grep { index($text, $_) < 0 } @titles), '', "$name.svg has every line of $name.gp");
  SKIP: {
        my ($drawn_by) = lc($drawing) =~ /produced by (gnuplot [\w .]+\w)/;
        skip 'not the gnuplot that drew it', 1 if $version eq '' || lc $version ne ($drawn_by // '');
        is(`cd '$folder' && gnuplot -d $name.gp`, $drawing, "$name.svg is what its script draws");
    }
}

# ---- the sorts ----

# Its script draws every sort of the first device, by whatever name.
my ($shown) = map { /^sort,.*,(\w+)$/ } grep { /^sort,.*,cuda$/ } sort keys %{$lines{'sorts.csv'}};
$shown //= 'cpu';
my $sorts = unescaped(contents("$folder/sorts.svg") // '');
my @left_out = grep { index($sorts, ">$_<") < 0 } map { /^sort,(.*),$shown$/ } sort keys %{$lines{'sorts.csv'}};
is("@left_out", '', 'sorts.svg has every sort of sorts.csv');

my $awk = `awk 'BEGIN { print "yes" }' 2>/dev/null` ne '';
my $page = contents("$source/doc/gallery-of-sorts.md") // '';
my ($pasted) = $page =~ /^(\| method \|.*\|\n)/ms;
SKIP: {
    skip 'no awk', 1 if !$awk;
    is($pasted, `cd '$folder' && awk -f sorts-table.awk sorts-sources.csv sorts.csv`, 'gallery-of-sorts.md has the table of sorts.csv');
}

# ---- the diagrams ----

# Each script names the headers that declare its parts, and stops if one is missing.
my $python = `python3 --version 2>/dev/null` ne '';
my @diagrams = glob "$folder/*.py";
cmp_ok(scalar @diagrams, '>', 0, 'there are diagrams');
for my $file (@diagrams) {
    my $name = basename($file, '.py');
    my $drawing = contents("$folder/$name.svg") // '';
    like($drawing, qr/^<svg .*<\/svg>\s*$/s, "$name.svg is whole");
  SKIP: {
        skip 'no python3', 1 if !$python;
        is(`python3 '$file'`, $drawing, "$name.svg is what its script draws");
    }
}
done_testing();
