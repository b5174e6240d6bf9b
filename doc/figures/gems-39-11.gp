# After GPU Gems 3, figure 39-11: compaction by scan and scatter beside gather and search, and in a single pass.
load "style.gp"
set title "Time to compact u32 by flags, half of them kept"
set xrange [2**10:2**28]
set logscale y
set format y "10^{%L}"
set ylabel "milliseconds"
plot csv using (n("compact", "sequential", "cpu")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 7 title "one CPU core, sequential", \
     csv using (n("compact", "gather-search", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 4 title "gather and search (Horn)", \
     csv using (n("compact", "scan-scatter", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 5 title "scan and scatter", \
     csv using (n("compact", "CUB", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 2 title "CUB, a single pass", \
     csv using (n("compact", "scankit", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 1 title "scankit, a single pass"
