# Sorts on a CPU by 1 to 16 threads, from cpu-scaling.csv: make figures, or, in this folder, gnuplot -d cpu-scaling.gp
csv = "cpu-scaling.csv"
load "../../doc/figures/style.gp"
set title "Sorts of uniform keys, by threads"
threads(series, keys) = strcol(1) eq series && strcol(2) eq keys ? column(3) : NaN
set xrange [1:16]
set format x "%g"
set xlabel "threads"
set logscale y 2
set yrange [64:4096]
set ylabel "million keys a second"
plot csv using (threads("cached", "u32")):4 smooth unique \
         with linespoints linestyle 8 title "u32, 2^{16} a thread, in caches", \
     csv using (threads("now", "u32")):4 smooth unique \
         with linespoints linestyle 1 title "u32, 2^{26}", \
     csv using (threads("now", "f32")):4 smooth unique \
         with linespoints linestyle 5 title "f32, 2^{26}", \
     csv using (threads("before", "u32")):4 smooth unique \
         with linespoints linestyle 7 title "u32, 2^{26}, before", \
     csv using (threads("cached", "u64")):4 smooth unique \
         with linespoints linestyle 8 title "u64, 2^{16} a thread, in caches", \
     csv using (threads("now", "u64")):4 smooth unique \
         with linespoints linestyle 2 title "u64, 2^{26}", \
     csv using (threads("before", "u64")):4 smooth unique \
         with linespoints linestyle 6 title "u64, 2^{26}, before"
