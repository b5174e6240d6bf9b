# After Merrill and Garland 2016, figures 7 to 9: the speed of scans beside a copy of the same bytes.
load "style.gp"
set title "Exclusive sum of u32"
set xrange [2**10:2**28]
set yrange [0:]
set ylabel "billions of items a second"
plot csv using (n("copy", "copy", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 8 title "a copy on the device", \
     csv using (n("scan", "scankit", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 1 title "scankit", \
     csv using (n("scan", "CUB", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 2 title "CUB", \
     csv using (n("scan", "Thrust", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 6 title "Thrust, its memory kept", \
     csv using (n("scan", "lookback-warp", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 3 title "look-back by a warp", \
     csv using (n("scan", "lookback-thread", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 4 title "look-back by a thread", \
     csv using (n("scan", "three-kernel", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 5 title "three kernels", \
     csv using (n("scan", "chained", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 7 title "chained"
