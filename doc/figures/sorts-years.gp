# The speed of each sort of the gallery over the year of its source, all on the same machine.
if (!exists("csv")) csv = "sorts.csv"
load "style.gp"
points = sprintf("< awk -f sorts-years.awk sorts-sources.csv '%s'", csv)
copied = real(system(sprintf("awk -F, -f sorts-copy.awk '%s'", csv)))
set title "The speed of sorts on 16 Mi uniform u32, by the year of their source"
set terminal svg size 900, 560 dynamic enhanced font "sans-serif,14" background "#ffffff"
unset logscale x
set format x "%.0f"
set xlabel "year of the source"
set xrange [1940:2040]
set xtics 1940, 10, 2020
set rmargin 4
set logscale y
set format y "10^{%L}"
set ylabel "keys a second"
set yrange [5e6:1e12]
set key at graph 0.02, 0.86 left top Left reverse
device(name) = strcol(5) eq name ? $2 : NaN
side(name) = strcol(7) eq name ? $3 : NaN
set label 2 "a copy of the same bytes" at 1941, copied offset 0, 0.7 font ",12" textcolor rgb "#555555"
plot copied > 0 ? copied : NaN with lines linestyle 8 notitle, \
     points using 1:(device("cuda")) with points linestyle 2 pointsize 1 notitle, \
     points using 1:(device("cpu")) with points linestyle 5 pointsize 1.2 notitle, \
     keyentry with points linestyle 2 pointsize 1 title "GPU", \
     keyentry with points linestyle 5 pointsize 1.2 title "CPU", \
     points using (side("right")):4:6 with labels left noenhanced font ",12" notitle, \
     points using (side("left")):4:6 with labels right noenhanced font ",12" notitle
