#!/bin/sh
# shellcheck disable=SC2154 # make check sets srcdir and builddir
# devices.t - gpusort on several devices: the bytes of one device's sort, for every type, records, options and inputs;
# lists that name no devices; inputs that several devices do not take together.
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
gendata=$builddir/bench/gendata
# shellcheck source=t/support/tap.sh
. "$srcdir/t/support/tap.sh"

# same NAME LIST OPTION... FILE...: one device and the list give the same bytes.
same()
{
    name=$1 list=$2
    shift 2
    gpusort -d cpu "$@" -o "$folder/one" 2>"$folder/errors" &&
        gpusort -d "$list" "$@" -o "$folder/several" 2>>"$folder/errors" &&
        cmp "$folder/one" "$folder/several" >>"$folder/errors" 2>&1
    report $? "$list: $name" "$folder/errors"
}

# refused NAME MESSAGE OPTION...: exit 2 with the message, and no output.
refused()
{
    name=$1 message=$2
    shift 2
    rm -f "$folder/none"
    gpusort "$@" "$folder/u32" -o "$folder/none" >"$folder/errors" 2>&1
    [ $? -eq 2 ] && grep -q -- "$message" "$folder/errors" && [ ! -e "$folder/none" ]
    report $? "$name" "$folder/errors"
}

for type in u8 u32 u64 i16 f32 f64; do
    "$gendata" zipf "$type" 100003 --seed=7 >"$folder/$type" || exit 99
done
"$gendata" records bytes100 5000 --seed=3 >"$folder/records" || exit 99
: >"$folder/empty"
printf '\001\000\000\000' >"$folder/single"
printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<u4', 'fortran_order': False, 'shape': (100003,), }" >"$folder/u32.npy"
cat "$folder/u32" >>"$folder/u32.npy"
gzip -c "$folder/u32" >"$folder/u32.gz"

lists="cpu:1,1 cpu:1,2,1,1,1"
gpusort -t u32 -d cuda "$folder/single" >/dev/null 2>&1 && lists="$lists cuda:0,0 cuda:all"
count=0
for list in $lists; do
    count=$((count + 1))
    for type in u8 u32 u64 i16 f32 f64; do
        same "$type" "$list" -t "$type" "$folder/$type"
    done
    gpusort -d "$list" -t u32 --stats "$folder/u32" 2>"$folder/errors" >"$folder/several"
    grep -q "\"device\": \"$list, " "$folder/errors"
    report $? "$list: it sorts on all of them" "$folder/errors"
    same "descending" "$list" -r -t u32 "$folder/u32"
    same "the first" "$list" --top=1000 -t u64 "$folder/u64"
    same "unique" "$list" -u -t u32 "$folder/u32"
    same "the first of unique ones" "$list" -u --top=10 -t f32 "$folder/f32"
    same "records" "$list" -f key:bytes10,rest:bytes90 -k key "$folder/records"
    same "unique records by part of them" "$list" -u -f a:u8,b:bytes99 -k a:desc "$folder/records"
    same "several files" "$list" -t u32 "$folder/u32" "$folder/single" "$folder/empty" "$folder/u32"
    same "nothing" "$list" -t u32 "$folder/empty"
    same "one element" "$list" -t u32 "$folder/single"
    same ".npy" "$list" "$folder/u32.npy"
    same "a gzip file" "$list" -t u32 "$folder/u32.gz"
    same "positions" "$list" --argsort -t u32 "$folder/u32"
    same "less memory than it needs" "$list" -S 1M -t u64 "$folder/u64"

    gpusort -d "$list" -t u32 <"$folder/u32" >"$folder/several" 2>"$folder/errors" &&
        gpusort -d cpu -t u32 "$folder/u32" | cmp - "$folder/several" >>"$folder/errors" 2>&1
    report $? "$list: standard input, which is a file" "$folder/errors"
    # shellcheck disable=SC2002 # a pipe has no size
    cat "$folder/u32" | gpusort -d "$list" -t u32 2>"$folder/errors" | cmp - "$folder/several" >>"$folder/errors" 2>&1
    report $? "$list: a pipe" "$folder/errors"
    cp "$folder/u32" "$folder/place"
    gpusort -d "$list" -i -t u32 "$folder/place" 2>"$folder/errors" && cmp "$folder/place" "$folder/several" >>"$folder/errors" 2>&1
    report $? "$list: in place" "$folder/errors"
    gpusort -c -d "$list" -t u32 "$folder/several" 2>"$folder/errors"
    report $? "$list: a check" "$folder/errors"
done

refused "an empty item" "no list of devices" -t u32 -d cpu:1,,1
refused "no number" "no list of devices" -t u32 -d cpu:1,x
if [ $count -eq 2 ]; then
    refused "no GPU" "cannot start the devices cuda:all: no such device" -t u32 -d cuda:all
else
    refused "no such GPU" "cannot start the devices cuda:0,9999: no such device" -t u32 -d cuda:0,9999
fi
echo "1..$number"
