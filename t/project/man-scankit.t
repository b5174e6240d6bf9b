#!/bin/sh
# man-scankit.t - scankit(3) and scankit_group(3) tell the truth: their examples compile, run and print what the pages
# say, the functions that they describe are the functions that the headers declare, and scankit(3) has every name of the
# lists of lib/.
srcdir=${srcdir:-.}
builddir=${builddir:-.}
# shellcheck source=t/support/tap.sh
. "$srcdir/t/support/tap.sh"

folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT

# A variable of the build's Makefile.
variable()
{
    sed -n "s/^$1 = //p" "$builddir/Makefile" | head -n 1
}

build_and_run()
{
    # shellcheck disable=SC2046 # lists of flags
    $(variable CC) $(variable CFLAGS) -Wall -Wextra -Werror -I"$srcdir/lib" -c "$folder/example.c" -o "$folder/example.o" &&
        "$builddir/libtool" --silent --tag=CC --mode=link $(variable CC) $(variable CFLAGS) $(variable LDFLAGS) \
            -o "$folder/example" "$folder/example.o" "$builddir/lib/libscankit.la" &&
        "$folder/example" >"$folder/output"
}

# Names of functions, from text with parentheses after them.
functions()
{
    grep -o 'scankit_[a-z0-9_]*(' | sort -u
}

# The table of gpusort --list-algorithms as items of the page: two equal rows of two devices are one item.
sorts()
{
    "$builddir/gpusort" --list-algorithms | sed -e '1,2d' -e 's/   */\t/g' -e 's/-/\\-/g' -e 's/\^/\\(ha/g' |
        awk -F '\t' '{
            text = "Work " $4 ", steps " $5 ", passes " $6 ".\nSource: " $8 "."
            item = $1 "\t" ($3 == "yes" ? "stable" : "unstable") "\t" text
            if (!(item in devices))
                order[++count] = item
            devices[item] = devices[item] (item in devices && devices[item] != "" ? ", " : "") $2
        } END {
            for (i = 1; i <= count; i++) {
                split(order[i], part, "\t")
                printf ".TP\n.BR %s \" (%s; %s)\"\n%s\n", part[1], devices[order[i]], part[2], part[3]
            }
        }'
}

# check_page NAME OUTPUT: its example, what that prints, its functions
check_page()
{
    page=$srcdir/man/$1.3
    header=$srcdir/lib/$1.h
    sed -e '1,/^\.\\" begin example$/d' -e '/^\.\\" end example$/,$d' "$page" |
        sed -e '/^\.E[XE]$/d' -e 's/\\e/\\/g' -e 's/\\-/-/g' >"$folder/example.c"
    build_and_run >"$folder/log" 2>&1
    report $? "the example of $1(3) compiles and runs"
    sed 's/^/# /' "$folder/log"

    [ "$(cat "$folder/output" 2>/dev/null)" = "$2" ] && grep -q "^\.BR \"$(echo "$2" | sed 's/-/\\\\-/')\" \?\.\$" "$page"
    report $? "it prints what the page says"

    # In the page, a function that is described has its opening parenthesis next to its name.
    grep '^\.BI\? "' "$page" | functions >"$folder/described"
    sed -n '/^SCANKIT_API/p' "$header" | functions >"$folder/declared"
    comm -3 "$folder/described" "$folder/declared" >"$folder/differences"
    [ -s "$folder/declared" ] && [ ! -s "$folder/differences" ]
    report $? "it describes the functions that $1.h declares"
    sed 's/^/# only in one of them: /' "$folder/differences"
}

echo 1..9

check_page scankit_group '1 2 3 | 4 5 6'
check_page scankit '-1 0.5 2 nan'

missing=0
sed -n 's/^ *X(\([A-Z][A-Z0-9_]*\), .*/SCANKIT_\1/p' "$header" >"$folder/names"
while read -r name; do
    grep -q "$name" "$page" || {
        echo "# not in the page: $name"
        missing=1
    }
done <"$folder/names"
[ -s "$folder/names" ] && [ $missing -eq 0 ]
report $? "it names every error, type, operator and algorithm"

missing=0
sed 's/\\-/-/g' "$page" >"$folder/plain"
sed -n 's/^ *X([A-Z][A-Z_]*, "\([^"]*\)", .*/\1/p' "$srcdir/lib/algorithms.h" >"$folder/algorithms"
while read -r name; do
    grep -q "^\.B \"$name\"\$" "$folder/plain" || {
        echo "# not in the page: $name"
        missing=1
    }
done <"$folder/algorithms"
[ -s "$folder/algorithms" ] && [ $missing -eq 0 ]
report $? "it names every algorithm that scankit_last_algorithm() returns"

sorts >"$folder/sorts"
sed -e '1,/^\.\\" begin sorts$/d' -e '/^\.\\" end sorts$/,$d' "$page" >"$folder/listed"
diff "$folder/sorts" "$folder/listed" >"$folder/differences" && [ -s "$folder/sorts" ]
report $? "it has the gallery's table of sorts"
sed 's/^/# /' "$folder/differences"
