# sorts-table.awk - the table of doc/gallery-of-sorts.md: what the sources reported, and what the methods reach here, at
# 2^28 keys or at the most that the method took.
#
#     awk -f sorts-table.awk sorts-sources.csv sorts.csv

BEGIN {
    print "| method | on | source | the source reported | machine and data of the source | here, billion keys a second |"
    print "| --- | --- | --- | --- | --- | --- |"
}

FNR == 1 { file++ }
/^#/ { next }
file == 1 && split($0, field, ";") == 6 && field[3] + 0 > 0 {
    line[++lines] = $0
}
file == 2 && split($0, field, ",") == 8 && field[1] == "sort" {
    rate[field[2], field[3]] = field[8]
    most[field[2], field[3]] = field[5]
}

function here(name, device,    n) {
    n = most[name, device]
    return n ? sprintf("%.3g at 2^%d", 1e-9 * rate[name, device], log(n) / log(2) + 0.5) : "not measured"
}

END {
    for (i = 1; i <= lines; i++) {
        split(line[i], field, ";")
        printf "| %s | %s | %s | %s | %s | %s |\n", field[1], field[2] == "cuda" ? "GPU" : "CPU", field[4], field[5], \
            field[6], here(field[1], field[2])
    }
}
