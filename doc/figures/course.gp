# When a GPU is faster than the CPU: its scan alone, and with the transfers over the bus.
load "style.gp"
set title "Exclusive sum of u32, from 4 MB to 2 GB"
set xrange [0.95 * 2**22:1.05 * 2**31]
set xlabel "bytes of the array"
set xtics ("4 MB" 2**22, "16 MB" 2**24, "64 MB" 2**26, "256 MB" 2**28, "1 GB" 2**30, "2 GB" 2**31)
set logscale y
set yrange [1e-3:1e4]
set format y "10^{%L}"
set ylabel "milliseconds"

faster(line, other) = system(sprintf("awk -F, -v a='%s' -v b='%s' -f faster.awk '%s'", line, other, csv))
pinned = "transfers,pinned,cuda"
set label 2 "Both ways, from and to pinned memory, the GPU is faster\nthan one core ". \
    faster(pinned, "scan,sequential,cpu")."\nthan all cores ". \
    faster(pinned, "scan,reduce-then-scan,cpu") at graph 0.03, 0.95 font ",12"

plot csv using (bytes("scan", "sequential", "cpu")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 7 title "one CPU core, sequential", \
     csv using (bytes("transfers", "pageable", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 5 title "GPU, pageable, both ways", \
     csv using (bytes("transfers", "pinned", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 3 title "GPU, pinned, both ways", \
     csv using (bytes("scan", "two-pass", "cpu")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 6 title "all CPU cores, two passes", \
     csv using (bytes("scan", "reduce-then-scan", "cpu")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 2 title "all CPU cores, vectors", \
     csv using (bytes("scan", "scankit", "cuda")):(milliseconds($7)) smooth unique \
         with linespoints linestyle 1 title "GPU, data already there"
