# After GPU Gems 3, figure 39-8: the hierarchical scan with different block scans.
load "style.gp"
set title "Block scans within the same three kernels, exclusive sum of u32"
set xrange [2**10:2**28]
set yrange [0:]
set ylabel "billions of items a second"
plot csv using (n("scan", "vectorised", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 1 title "no conflicts, vectors, unrolled", \
     csv using (n("scan", "warp-shuffle", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 6 title "warp shuffles", \
     csv using (n("scan", "conflict-free", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 3 title "no bank conflicts", \
     csv using (n("scan", "work-efficient", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 5 title "bank conflicts", \
     csv using (n("scan", "double-buffered", "cuda")):(billions($8)) smooth unique \
         with linespoints linestyle 4 title "naive, in one block"
