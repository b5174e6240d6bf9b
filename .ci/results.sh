# shellcheck shell=sh
# results.sh - counts test results, for quickstart and .ci/run. Sourced.

# count_results DIRECTORY: prints "PASSED FAILED SKIPPED", from the files that Automake's TAP driver leaves in t/.
count_results()
{
    cat "$1"/t/*/*.trs 2>/dev/null | awk '
        /^:test-result: (PASS|XFAIL)/ { passed++ }
        /^:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
        /^:test-result: SKIP/ { skipped++ }
        END { print passed + 0, failed + 0, skipped + 0 }'
}

# list_failures DIRECTORY: the results that failed, each after the name of its test.
list_failures()
{
    grep -H '^:test-result: \(FAIL\|XPASS\|ERROR\)' "$1"/t/*/*.trs 2>/dev/null | sed 's/\.trs::test-result: /.t: /'
}

# print_results PASSED FAILED SKIPPED
print_results()
{
    printf '%d passed, %d failed' "$1" "$2"
    [ "$3" -eq 0 ] || printf ', %d skipped' "$3"
    printf '\n'
}
