#!/bin/sh
# gpusort.t - gpusort over MPI ranks gives the bytes of gpusort alone. A rank that is killed, and wrong input and options,
# leave the old output and no temporary.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu

head -c 1200000 /dev/urandom >"$folder/random"
head -c 16 /dev/urandom >"$folder/two"
: >"$folder/empty"
make_array "$folder/random" 300000
for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpusort "$folder/random" --mpi --type=u64
done
same 3 gpusort "$folder/random" --type=u16 -u -r
same 3 gpusort "$folder/random" --type=u16 -u --top=40000
same 3 gpusort "$folder/random" --format=a:u32,b:bytes5,c:f16,d:u8 -k c:desc,b
same 3 gpusort "$folder/random.npy"
same 3 gpusort "$folder/random.npy" --raw --top=1001
same 5 gpusort "$folder/two" --type=u64
same 3 gpusort "$folder/empty" --type=u64
same 3 gpusort "$folder/random" --type=u64 "$folder/two" "$folder/empty"

# Names without a folder, and of one letter.
cp "$folder/random" "$out/q"
gpusort --type=u64 "$out/q" -o "$folder/want"
(cd "$out" && over_ranks 2 gpusort --type=u64 q -o q)
cmp "$folder/want" "$out/q" >>"$log" 2>&1
report $? "2 ranks: a name of one letter, input and output" "$log"
rm -f "$out"/*

# Not as ranks: each process does the whole.
over_ranks 2 gpusort --no-mpi --type=u64 "$folder/random" -o "$out/alone"
cmp "$folder/want" "$out/alone" >>"$log" 2>&1
report $? "2 processes with --no-mpi" "$log"
rm -f "$out"/*

# Shards of different lengths.
for i in 0 1 2; do
    head -c $((80000 * (i + 1))) "$folder/random" | tail -c 160000 >"$folder/in.$i"
done
cat "$folder/in.0" "$folder/in.1" "$folder/in.2" | gpusort --type=u64 -o "$folder/want"
over_ranks 3 gpusort --type=u64 --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$out/shard.0" "$out/shard.1" "$out/shard.2" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: a file a rank" "$log"
gpusort --shards --type=u64 "$folder/two" >"$log" 2>&1
[ $? -eq 2 ]
report $? "--shards without ranks is refused" "$log"

mpirun -n 3 gpusort --type=u64 "$folder/random" -o "$out/got" --stats="$folder/stats" >"$log" 2>&1
python3 -c "
import json, sys
stats = json.load(open(sys.argv[1]))
ranks = stats['ranks']
assert [r['rank'] for r in ranks] == [0, 1, 2] and sum(r['elements'] for r in ranks) == stats['elements'] == 150000
assert stats['bytes_in'] == stats['bytes_out'] == 1200000
" "$folder/stats" 2>>"$log"
report $? "statistics have each rank" "$log"

refused "of a missing file" gpusort --type=u64 "$folder/none"
refused "of a part of an element" gpusort --format=a:bytes7 "$folder/random"
refused "--argsort" gpusort --type=u64 --argsort "$folder/random"
refused "of standard input" gpusort --type=u64

truncate -s 400000000 "$folder/large"
killed 0 gpusort --type=u64 "$folder/large"
killed 2 gpusort --type=u64 "$folder/large"
all_done
