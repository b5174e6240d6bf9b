# sorts-copy.awk - elements a second of a copy on the first device of the CSV file: of 2^24, or of the most below.
$1 == "copy" && $5 <= 2 ^ 24 && (device == "" || $3 == device) {
    device = $3
    rate = $8
}

END { print rate + 0 }
