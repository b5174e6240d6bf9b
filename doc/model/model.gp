# Rates of sorts of 100-byte records by the number of nodes: the model's, the records', and what was measured.
csv = "measured.csv"
load "../figures/style.gp"
unset label 1
set terminal svg size 900, 560 dynamic enhanced font "sans-serif,14" background "#ffffff"
curve = "< python3 model.py --curve"
kind(name) = strcol(1) eq name ? $2 : NaN
set title "Sorting 100-byte records on many nodes"
set logscale x 10
set logscale y 10
set xlabel "nodes (measured: ranks of one core on one machine)"
set ylabel "GB/s"
set xrange [1:10000]
set yrange [0.3:100000]
set format y "%g"
set format x "%g"
set rmargin 4
set key at graph 0.02, 0.97 left top Left reverse
plot curve using (kind("model")):4 with lines linestyle 8 title "model, 100 GB a node: all resources at once", \
     curve using (kind("model")):3 with lines linestyle 2 title "model, 100 GB a node: one phase after the other", \
     curve using (kind("record")):3 with points linestyle 1 pointsize 1 title "published records, 100 TB", \
     curve using (kind("record")):3:5 with labels left offset 1, -0.3 noenhanced font ",12" notitle, \
     curve using (kind("measured")):3 with points linestyle 3 pointsize 1 title "gpusort over ranks, measured"
