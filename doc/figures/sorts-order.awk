# sorts-order.awk - the algorithms of one series and device, slowest first: by their time for each element of the largest
# array that they took.
#
#     awk -F, -v series=sort -v device=cuda -f sorts-order.awk sorts.csv

$1 == series && $3 == device { cost[$2] = $7 / $5 }

END {
    while (1) {
        slowest = ""
        for (name in cost)
            if (slowest == "" || cost[name] > cost[slowest])
                slowest = name
        if (slowest == "")
            exit
        print slowest
        delete cost[slowest]
    }
}
