# sorts-years.awk - joins sorts-sources.csv with the speeds of sorts.csv at 2^24 keys, or at the most keys below, and
# places a label beside each point, where it covers neither a label nor a point. Prints year, rate, x and y of the
# label's end next to the point, device, label, and the side of the point that the label lies on.
#
#     awk -f sorts-years.awk sorts-sources.csv sorts.csv
#
# Lengths are in pixels of the figure. A label is as wide as its letters, WIDTH each.

BEGIN {
    MOST = 2 ^ 24
    YEAR = 7.6
    DECADE = 75
    WIDTH = 7
    HEIGHT = 14
}

FNR == 1 { file++ }
/^#/ { next }
file == 1 && split($0, field, ";") == 6 && field[3] + 0 > 0 { year[field[1] "," field[2]] = field[3] }
file == 2 && split($0, field, ",") == 8 && field[1] == "sort" && field[5] <= MOST {
    rate[field[2] "," field[3]] = field[8]
}

function x_of(line) { return YEAR * (year[line] - 1940) }
function y_of(line) { return DECADE * log(rate[line]) / log(10) }

function covers(x, y, wide, left, right, middle) {
    return x < right && left < x + wide && y - HEIGHT < middle && middle < y + HEIGHT
}

# Is a label there free of other labels, and of points?
function is_free(x, y, wide,    i, other) {
    for (i = 1; i <= placed; i++)
        if (covers(x, y, wide, at_x[i], at_x[i] + width[i], at_y[i]))
            return 0
    for (other in rate)
        if (other in year && covers(x, y, wide, x_of(other) - 6, x_of(other) + 6, y_of(other)))
            return 0
    return 1
}

function name_of(line) { return substr(line, 1, index(line, ",") - 1) }
function device_of(line) { return substr(line, index(line, ",") + 1) }

# Right of the point or left of it, at its height or further and further up and down.
function place(line,    wide, step, side, up, x, y) {
    wide = WIDTH * length(name_of(line))
    for (step = 0; step < 12; step++)
        for (side = 0; side < 2; side++)
            for (up = 1; up >= -1; up -= 2) {
                x = x_of(line) + (side ? -9 - wide : 9)
                y = y_of(line) + up * step * HEIGHT / 2
                if (is_free(x, y, wide))
                    return keep(line, x, y, wide, side)
            }
    keep(line, x, y, wide, side)
}

function keep(line, x, y, wide, side) {
    placed++
    at_x[placed] = x
    at_y[placed] = y
    width[placed] = wide
    printf "%d,%.6g,%.6g,%.6g,%s,%s,%s\n", year[line], rate[line], 1940 + (x + side * wide) / YEAR, \
        10 ^ (y / DECADE), device_of(line), name_of(line), side ? "left" : "right"
}

END {
    while (1) {
        next_line = ""
        for (line in rate)
            if (line in year && !(line in done) && (next_line == "" || rate[line] > rate[next_line]))
                next_line = line
        if (next_line == "")
            exit
        done[next_line] = 1
        place(next_line)
    }
}
