# shellcheck shell=sh
# tap.sh - the Test Anything Protocol for the test scripts in sh. Sourced.

number=0

# report STATUS NAME [FILE]: one line of TAP, and the file if it failed.
report()
{
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        [ -z "${3:-}" ] || head -n 40 "$3" | sed 's/^/# /'
    fi
}
