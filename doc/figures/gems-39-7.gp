# After GPU Gems 3, figure 39-7: the time of each scan of the chapter beside one CPU core and scankit.
load "style.gp"
set title "Time of an exclusive sum of u32"
set xrange [2**10:2**28]
set logscale y
set format y "10^{%L}"
set ylabel "milliseconds"
plot csv using (n("scan", "sequential", "cpu")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 7 title "one CPU core, sequential", \
     csv using (n("scan", "naive", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 4 title "naive: log n passes", \
     csv using (n("scan", "work-efficient", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 5 title "work-efficient, blocks", \
     csv using (n("scan", "conflict-free", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 3 title "the same, no bank conflicts", \
     csv using (n("scan", "scankit", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 1 title "scankit"
