# Every sort of the gallery on the first device of the CSV file, beside production, rivals and a copy.
if (!exists("csv")) csv = "sorts.csv"
load "style.gp"
shown = system(sprintf("awk -F, '$1 == \"sort\" { print $3; exit }' '%s'", csv))
names = system(sprintf("awk -F, -v series=sort -v device='%s' -f sorts-order.awk '%s'", shown, csv))
set title "Time to sort uniform u32"
set terminal svg size 900, 620 dynamic enhanced font "sans-serif,14" background "#ffffff"
set xrange [2**10:2**28]
set logscale y
set yrange [1e-3:1e3]
set format y "10^{%L}"
set ylabel "milliseconds"

# Colour: the family. Mark and dashes: its member.
looks = "split #e69f00 4 2 split-radix #e69f00 8 3 gems #e69f00 13 1 bitonic #cc79a7 5 1 odd-even-merge #cc79a7 4 2 ". \
    "merge-path #009e73 9 1 chunk-merge #009e73 8 2 merge #009e73 10 3 sample #000000 6 1 digit-sort #56b4e9 4 2 ". \
    "onesweep #56b4e9 13 1 radix #56b4e9 12 3 lsd-radix #56b4e9 6 1 american-flag #8a6d3b 7 1 hybrid-radix #8a6d3b 11 1 ". \
    "hybrid #8a6d3b 10 3 CUB #0072b2 5 1 Thrust #0072b2 4 2 vqsort #0072b2 6 1 std::sort #0072b2 8 2 scankit #d55e00 7 1"
at(name, i) = i > words(looks) ? 0 : word(looks, i) eq name ? i : at(name, i + 4)
look(name, which, other) = at(name, 1) ? word(looks, at(name, 1) + which) : other
colour(name) = look(name, 1, "#777777")
mark(name) = int(look(name, 2, "2"))
dashes(name) = int(look(name, 3, "1"))

set rmargin 22
set key title "slowest first" left maxrows 30 spacing 1.2
plot for [name in names] csv using (n("sort", name, shown)):(milliseconds($7)) smooth unique \
         with linespoints linecolor rgb colour(name) linewidth (name eq "scankit" ? 3 : 2) pointtype mark(name) \
         dashtype dashes(name) pointsize 0.6 title name noenhanced, \
     csv using (n("copy", "copy", shown)):(milliseconds($7)) smooth unique \
         with linespoints linestyle 8 title "copy"
