#!/bin/sh
# external.t - gpusort over MPI ranks whose memory does not hold their parts gives the bytes of gpusort alone. A full
# disk, a rank that is killed and damaged input leave the old output, and no temporary.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu
runs=$folder/runs
mkdir "$runs"

head -c 1200000 /dev/urandom >"$folder/random"
head -c 16 /dev/urandom >"$folder/two"
: >"$folder/empty"
head -c 400000 /dev/zero >"$folder/equal"
make_array "$folder/random" 300000

# same_runs RANKS FILE ARGUMENT...: as same(), but ranks have $memory each.
same_runs()
{
    ranks=$1 file=$2
    shift 2
    rm -f "$folder/want" "$out/got"
    gpusort "$@" "$file" -o "$folder/want" &&
        over_ranks "$ranks" gpusort -S "$memory" -T "$runs" "$@" "$file" -o "$out/got" &&
        cmp "$folder/want" "$out/got" >>"$log" && [ -z "$(ls -A "$runs")" ]
    report $? "$ranks ranks, $memory: ${file##*/} $*" "$log"
}
memory=50K
for ranks in $(some_of 1 2 5 8); do
    same_runs "$ranks" "$folder/random" --mpi --type=u64
done
same_runs 3 "$folder/random" --type=u16 -u -r
same_runs 3 "$folder/random.npy" -u --top=40000
same_runs 3 "$folder/random" --type=u64 --top=1001 --compress-temporaries=fast
same_runs 3 "$folder/equal" --type=u32
same_runs 5 "$folder/equal" --type=u32 -u
# Few keys, so that the rest of the record shows the order of the input.
same_runs 3 "$folder/random" --format=key:u8,rest:bytes7 -k key
same_runs 5 "$folder/random" --format=a:u32,b:bytes5,c:f16,d:u8 -k c:desc,b
same_runs 3 "$folder/random" --type=u64 --to-text "$folder/two" "$folder/empty"

# The first rank reads for all.
gzip -k "$folder/random"
gpusort --type=u64 --to-text "$folder/random" >"$folder/lines"
for ranks in 2 5; do
    same_runs "$ranks" "$folder/random.gz" --type=u64
    same_runs "$ranks" "$folder/lines" --type=u64 --from-text -r
done
same_runs 3 "$folder/random.gz" --format=key:u8,rest:bytes7 -k key "$folder/two" "$folder/random" "$folder/random.gz"
same_runs 3 "$folder/random.gz" --type=u16 -u
same_runs 3 "$folder/lines" --type=u64 --from-text --top=1001

memory=16
same_runs 5 "$folder/two" --type=u64
gzip -c "$folder/two" >"$folder/two.gz"
same_runs 3 "$folder/two.gz" --type=u64
same_runs 5 "$folder/two" --type=u16 -u
same_runs 3 "$folder/empty" --type=u64

# An oracle that shares no code with gpusort.
perl -0777 -ne 'print pack "Q<*", sort { $a <=> $b } unpack "Q<*", $_' "$folder/random" >"$folder/want"
over_ranks 3 gpusort --type=u64 -S 50K "$folder/random" -o "$out/got" --stats="$folder/stats"
cmp "$folder/want" "$out/got" >>"$log" 2>&1
report $? "3 ranks: as sorted by perl" "$log"
perl -0777 -ne 'exit !(/"elements": 150000, "bytes_in": 1200000, "bytes_out": 1200000/ && !/"bytes_sent": 0/)' \
    "$folder/stats"
report $? "statistics have the bytes that ranks sent" "$folder/stats"

# Shards of different lengths, one of them empty.
for i in 0 1 2; do
    head -c $((80000 * i)) "$folder/random" >"$folder/in.$i"
done
cat "$folder/in.0" "$folder/in.1" "$folder/in.2" | gpusort --type=u64 -o "$folder/want"
over_ranks 3 gpusort --type=u64 -S 50K --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$out/shard.0" "$out/shard.1" "$out/shard.2" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: a file a rank" "$log"

# ends NAME MESSAGE ARGUMENT...: status 2, this message, the old output, and nothing beside it.
ends()
{
    name=$1 message=$2
    shift 2
    rm -f "$out"/*
    echo old >"$out/old"
    over_ranks 3 gpusort "$@" -o "$out/old"
    [ $? -eq 2 ] && grep -q "^gpusort: .*$message" "$log" && [ "$(cat "$out/old")" = old ] &&
        [ "$(ls -A "$out")" = old ] && [ -z "$(ls -A "$runs")" ]
    report $? "$name: the old output, and no temporary" "$log"
}
ends "no folder for temporaries" "cannot" --type=u64 -S 50K -T "$folder/none" "$folder/random"
ends "a part of an element" "" --format=a:bytes7 -S 50K "$folder/random"
head -c 600000 "$folder/random.gz" >"$folder/short.gz"
ends "damaged compressed input" "" --type=u64 -S 50K "$folder/short.gz"

# A small file system, which only these ranks see.
small="mount -t tmpfs -o size=64k none '$runs'"
if unshare -rm sh -c "$small" 2>/dev/null; then
    rm -f "$out"/*
    echo old >"$out/old"
    timeout 30 unshare -rm sh -c "$small && exec \"\$@\"" full mpirun -n 3 gpusort --type=u64 -S 50K -T "$runs" \
        "$folder/random" -o "$out/old" >"$log" 2>&1
    [ $? -eq 2 ] &&
        grep -q "^gpusort: $runs: cannot write a temporary file, at byte [0-9]*: No space left" "$log" &&
        [ "$(cat "$out/old")" = old ] &&
        [ "$(ls -A "$out")" = old ]
    report $? "a full disk of temporaries: the old output" "$log"
fi

truncate -s 200000000 "$folder/large"
killed 1 gpusort --type=u64 -S 1M -T "$runs" "$folder/large"
[ -z "$(ls -A "$runs")" ]
report $? "a rank is killed: no temporary" "$log"
all_done
