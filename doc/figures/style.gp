# style.gp - shared by all figures: reads lines from the CSV file, sets colours and frame.
# To draw a figure from gallery.csv, in this folder: gnuplot -d NAME.gp >NAME.svg
# To draw other numbers: gnuplot -e "csv='FILE'" NAME.gp
if (!exists("csv")) csv = "gallery.csv"
set datafile separator comma
set datafile missing NaN

# n(...) is the row's n if the row belongs to that line, else NaN:
# plot csv using (n("scan", "naive", "cuda")):7 smooth unique
# Columns: 1 series, 2 algorithm, 3 device, 4 type, 5 n, 6 bytes of the input, 7 seconds, 8 items a second.
is(series, algorithm, device) = strcol(1) eq series && strcol(2) eq algorithm && strcol(3) eq device
n(series, algorithm, device) = is(series, algorithm, device) ? column(5) : NaN
bytes(series, algorithm, device) = is(series, algorithm, device) ? column(6) : NaN
milliseconds(seconds) = 1e3 * seconds
billions(rate) = 1e-9 * rate

# The label: device, host and date of the measurement, from the head of the CSV file.
measured(what) = system(sprintf("sed -n 's/^# %s: //p' '%s'", what, csv))
set label 1 measured("device")."; ".measured("host")."; ".measured("date") \
    at screen 0.99, 0.03 right noenhanced font ",11" textcolor rgb "#555555"

# A white background, for light and dark pages. Colours by Okabe and Ito, distinct for colour-blind readers. Each line
# has its own mark.
set terminal svg size 900, 480 dynamic enhanced font "sans-serif,14" background "#ffffff"
set style line 1 linecolor rgb "#d55e00" linewidth 3 pointtype 7 pointsize 0.6
set style line 2 linecolor rgb "#0072b2" linewidth 2 pointtype 5 pointsize 0.5
set style line 3 linecolor rgb "#009e73" linewidth 2 pointtype 9 pointsize 0.6
set style line 4 linecolor rgb "#cc79a7" linewidth 2 pointtype 11 pointsize 0.6
set style line 5 linecolor rgb "#e69f00" linewidth 2 pointtype 13 pointsize 0.6
set style line 6 linecolor rgb "#56b4e9" linewidth 2 pointtype 4 pointsize 0.5
set style line 7 linecolor rgb "#000000" linewidth 2 pointtype 6 pointsize 0.5
set style line 8 linecolor rgb "#888888" linewidth 2 pointtype 1 pointsize 0.5 dashtype 2
set style line 9 linecolor rgb "#dddddd" linewidth 1

set border 3 linecolor rgb "#444444"
set tics nomirror out
set grid linestyle 9
set key outside right center vertical Left reverse samplen 2 spacing 1.3
set bmargin 5
set rmargin 40
set logscale x 2
set format x "2^{%L}"
set xlabel "elements"
