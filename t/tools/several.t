#!/bin/sh
# shellcheck disable=SC2154 # make check sets srcdir and builddir
# several.t - gpucompact, gpurle and gpuscan on several devices: the bytes of one device, for types, records, options and
# inputs; work that the first device does alone; failures; lists that name no devices.
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
gendata=$builddir/bench/gendata
# shellcheck source=t/support/tap.sh
. "$srcdir/t/support/tap.sh"

# same NAME LIST TOOL OPTION... FILE...: $one, a device, and the list give the same standard output, and the same files
# out.*.
one=cpu:1
same()
{
    name=$1 list=$2 tool=$3
    shift 3
    rm -f "$folder"/out.*
    "$tool" --device="$one" "$@" >"$folder/one" 2>"$folder/errors" && keep one &&
        "$tool" --device="$list" "$@" >"$folder/several" 2>>"$folder/errors" && keep several &&
        cmp "$folder/one" "$folder/several" >>"$folder/errors" 2>&1
    report $? "$list: $tool: $name" "$folder/errors"
}

# keep NAME: adds what the tool wrote beside its output.
keep()
{
    for file in "$folder"/out.*; do
        [ -e "$file" ] || continue
        cat "$file" >>"$folder/$1"
        rm "$file"
    done
}

# refused NAME MESSAGE TOOL OPTION...: exit 2 with the message, and no output.
refused()
{
    name=$1 message=$2 tool=$3
    shift 3
    rm -f "$folder/none"
    "$tool" "$@" -o "$folder/none" >"$folder/errors" 2>&1
    [ $? -eq 2 ] && grep -q -- "$message" "$folder/errors" && [ ! -e "$folder/none" ]
    report $? "$name" "$folder/errors"
}

# by DEVICES NAME LIST TOOL OPTION... FILE: the statistics name these devices, a pattern.
by()
{
    devices=$1 name=$2 list=$3 tool=$4
    shift 4
    "$tool" --device="$list" --stats "$@" 2>"$folder/errors" >/dev/null
    grep -q "\"device\": \"$devices" "$folder/errors"
    report $? "$list: $tool: $name by $devices" "$folder/errors"
}
alone='[^,"]*"'

# Blocks of a CPU have up to 16 MiB: several of them, and a part.
for type in u8 u16 u32 u64 i64 f32 f64; do
    "$gendata" zipf "$type" 1500007 --seed=7 >"$folder/$type" || exit 99
done
"$gendata" records bytes100 50000 --seed=3 >"$folder/records" || exit 99
: >"$folder/empty"
printf '\001\000\000\000' >"$folder/single"
head -c 8000000 /dev/zero >"$folder/zeros"
printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<u4', 'fortran_order': False, 'shape': (1500007,), }" >"$folder/u32.npy"
cat "$folder/u32" >>"$folder/u32.npy"
gzip -1 -c "$folder/u32" >"$folder/u32.gz"
head -c 100000 "$folder/u32.gz" >"$folder/damaged.gz"

lists="cpu:1,1 cpu:1,2,1,1,1" types="u8 u16 u32 u64 i64 f32 f64"
# A build that repeats the tests of another.
[ "${SCANKIT_TEST_EVERY:-1}" -lt 24 ] || lists=cpu:1,2,1 types="u8 i64 f32"
gpu=
gpuscan -t u32 --device=cuda "$folder/single" >/dev/null 2>&1 && gpu=yes lists="$lists cuda:0,0 cuda:all"
for list in $lists; do
    # Small blocks: the devices take many turns.
    small="-S 1M"
    for type in $types; do
        # shellcheck disable=SC2086 # two words
        same "$type" "$list" gpucompact $small -t "$type" -w 'x > 2' "$folder/$type"
        # shellcheck disable=SC2086
        same "$type" "$list" gpurle $small -t "$type" "$folder/$type"
        same "maxima of $type" "$list" gpuscan -t "$type" --op=max "$folder/$type"
        # Sums of floats are the same on devices of one kind.
        one=${list%%,*}
        one=${one%:all}
        same "sums of $type" "$list" gpuscan -t "$type" --deterministic "$folder/$type"
        same "the sum of $type" "$list" gpuscan -t "$type" --deterministic --reduce "$folder/$type"
        one=cpu:1
    done

    same "others" "$list" gpucompact -S 1M -t u32 -w 'x > 2' --rejects="$folder/out.rejects" "$folder/u32"
    same "positions" "$list" gpucompact -S 1M -t u32 -w 'x > 2' --index "$folder/u32"
    same "by position" "$list" gpucompact -S 1M -t u64 -w 'i % 1000 < 3' "$folder/u64"
    same "inverted" "$list" gpucompact -S 1M -t u32 -v -w 'i % 1000 < 3' "$folder/u32"
    same "a count" "$list" gpucompact -S 1M -t u32 -c -w 'x > 2' "$folder/u32"
    same "all" "$list" gpucompact -S 1M -t u32 -w 1 "$folder/u32"
    same "none" "$list" gpucompact -S 1M -t u32 -w 0 "$folder/u32"
    same "records" "$list" gpucompact -S 1M -f a:u8,b:bytes99 -w 'a < 100' "$folder/records"
    same "to gzip" "$list" gpucompact -t u32 -w 'x > 2' --gzip "$folder/u32"

    same "lines" "$list" gpurle -S 1M -t u32 -c "$folder/u32"
    same "first elements of runs" "$list" gpurle -S 1M -t u32 -u "$folder/u32"
    same "columns" "$list" gpurle -S 1M -t u64 --values="$folder/out.values" --counts="$folder/out.counts" "$folder/u64"
    same "one long run" "$list" gpurle -S 1M -t u32 "$folder/zeros"
    same "runs across files" "$list" gpurle -S 1M -t u32 "$folder/zeros" "$folder/zeros" "$folder/u32"
    same "records by a key" "$list" gpurle -S 1M -u -f a:u8,b:bytes99 -k a "$folder/records"

    same "exclusive" "$list" gpuscan -S 1M -t u32 --exclusive "$folder/u32"
    same "exclusive products of i64" "$list" gpuscan -S 1M -t i64 --exclusive --op=prod "$folder/i64"
    same "the minimum" "$list" gpuscan -S 1M -t f64 --op=min --reduce "$folder/f64"

    for tool in "gpucompact -w x>2" gpurle gpuscan; do
        # shellcheck disable=SC2086 # a tool and its option
        set -- $tool
        same "several files" "$list" "$@" -t u32 "$folder/u32" "$folder/single" "$folder/empty" "$folder/u32"
        same "nothing" "$list" "$@" -t u32 "$folder/empty"
        same "one element" "$list" "$@" -t u32 "$folder/single"
        same "a gzip file" "$list" "$@" -t u32 "$folder/u32.gz"
        same ".npy" "$list" "$@" "$folder/u32.npy"
        # shellcheck disable=SC2002 # a pipe has no size
        cat "$folder/u32" | "$@" --device="$list" -t u32 2>"$folder/errors" >"$folder/several"
        "$@" --device=cpu:1 -t u32 "$folder/u32" | cmp - "$folder/several" >>"$folder/errors" 2>&1
        report $? "$list: $1: a pipe" "$folder/errors"
        by "$list, the first is " "work" "$list" "$@" -t u32 "$folder/u32"
        refused "$list: $1: a damaged file" "" "$@" -t u32 --device="$list" "$folder/damaged.gz"
        "$@" -t u32 --device="$list" "$folder/u32" >/dev/full 2>"$folder/errors"
        [ $? -eq 2 ] && grep -q "No space left" "$folder/errors"
        report $? "$list: $1: a full disk" "$folder/errors"
    done

    gpurle -t u32 "$folder/u32" >"$folder/runs"
    same "decoding" "$list" gpurle -d "$folder/runs"
    by "$alone" "decoding" "$list" gpurle -d "$folder/runs"
    same "sums of a field" "$list" gpuscan -f a:u8,b:bytes99 --value=a "$folder/records"
    by "$alone" "sums of a field" "$list" gpuscan -f a:u8,b:bytes99 --value=a "$folder/records"
    same "segments" "$list" gpuscan -f a:u8,b:u8,c:bytes98 --value=b --segments=a "$folder/records"
    same "bins" "$list" gpuscan -t f32 --histogram=7 "$folder/f32"
    by "$alone" "bins" "$list" gpuscan -t f32 --histogram=7 "$folder/f32"
    cp "$folder/u32" "$folder/place"
    by "$alone" "in place" "$list" gpucompact -t u32 -w 'x > 2' --in-place=overwrite "$folder/place"
    gpucompact --device=cpu:1 -t u32 -w 'x > 2' "$folder/u32" 2>"$folder/errors" | cmp - "$folder/place" >>"$folder/errors" 2>&1
    report $? "$list: gpucompact: in place" "$folder/errors"
done

for tool in "gpucompact -w x" gpurle gpuscan; do
    # shellcheck disable=SC2086 # a tool and its option
    set -- $tool
    refused "$1: an empty item" "no list of devices" "$@" -t u32 --device=cpu:1,,1 "$folder/u32"
    refused "$1: no number" "no list of devices" "$@" -t u32 --device=cpu:1,x "$folder/u32"
    if [ -z "$gpu" ]; then
        refused "$1: no GPU" "cannot start the devices cuda:all: no such device" "$@" -t u32 --device=cuda:all "$folder/u32"
    else
        refused "$1: no such GPU" "cannot start the devices cuda:0,9999: no such device" "$@" -t u32 --device=cuda:0,9999 "$folder/u32"
    fi
done
echo "1..$number"
