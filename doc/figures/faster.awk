# faster.awk - prints the sizes at which one line of gallery.csv is faster than another: "from 4 MB on", or the last
# such range: "from 4 MB to 64 MB".
#
#     awk -F, -v a=transfers,pinned,cuda -v b=scan,sequential,cpu -f faster.awk gallery.csv

function size(bytes) {
    return bytes < 2 ^ 20 ? bytes / 2 ^ 10 " KB" : bytes < 2 ^ 30 ? bytes / 2 ^ 20 " MB" : bytes / 2 ^ 30 " GB"
}

{ line = $1 "," $2 "," $3 }
line == a { seconds[$6] = $7 }
line == b { others[$6] = $7 }

END {
    for (bytes = 4; bytes <= 2 ^ 40; bytes *= 2) {
        if (!(bytes in seconds) || !(bytes in others))
            continue
        largest = bytes
        if (seconds[bytes] >= others[bytes])
            continue
        if (last != bytes / 2)
            first = bytes
        last = bytes
    }
    if (!first)
        print "at no size"
    else
        print "from " size(first) (last == largest ? " on" : " to " size(last))
}
