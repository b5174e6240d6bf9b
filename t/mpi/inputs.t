#!/bin/sh
# inputs.t - compressed inputs and text over MPI ranks: each tool gives the bytes of the tool alone.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu

# More than one piece of 16 MiB a rank.
head -c 1200000 /dev/urandom >"$folder/random"
: >"$folder/empty"
make_array "$folder/random" 300000
truncate -s 70000000 "$folder/large"
gpusort --type=u64 --gzip "$folder/large" "$folder/random" -o "$folder/large.gz"
gzip -k "$folder/random" "$folder/random.npy" "$folder/empty"
gpusort --type=u32 --to-text "$folder/random" >"$folder/lines"
gpusort --type=u32 --to-text --gzip "$folder/random" >"$folder/lines.gz"
printf '7\n5\n5\n' >"$folder/three"
printf 'key,value\n7,a\n5,b\n5,c\n' >"$folder/table"

for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpusort "$folder/random.gz" --mpi --type=u32
    same "$ranks" gpusort "$folder/three" --mpi --type=u8 --from-text
    same "$ranks" gpucompact "$folder/lines.gz" --mpi --type=u32 --from-text --where='i % 3 == 1'
done
same 3 gpusort "$folder/large.gz" --type=u64 -r
same 3 gpusort "$folder/random.npy.gz"
same 3 gpusort "$folder/random.gz" --type=u32 "$folder/random" "$folder/empty" "$folder/empty.gz"
same 3 gpusort "$folder/empty.gz" --type=u32
same 3 gpusort "$folder/empty" --type=u32 --from-text
same 3 gpusort "$folder/table" --format=key:u8,value:bytes1 --from-text --delimiter=, --header=skip -k key
same 3 gpucompact "$folder/random.npy.gz" --where='x % 5 == 0'
same 3 gpuscan "$folder/lines" --type=u32 --from-text
same 3 gpuscan "$folder/random.gz" --type=u32
same 3 gpurle "$folder/lines" --type=u32 --from-text
same 3 gpurle "$folder/random.npy.gz"
same 3 gpurle "$folder/large.gz" --type=u64
if gpusort --zstd --type=u32 "$folder/random" -o "$folder/random.zst" 2>/dev/null; then
    same 3 gpusort "$folder/random.zst" --type=u32 -r
fi

# Shards of each kind.
gzip -c "$folder/large" >"$folder/in.0"
cp "$folder/random" "$folder/in.1"
: >"$folder/in.2"
cat "$folder/large" "$folder/random" | gpusort --type=u32 -o "$folder/want"
over_ranks 3 gpusort --type=u32 --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$out/shard.0" "$out/shard.1" "$out/shard.2" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: a compressed shard" "$log"

head -c 600000 "$folder/random.gz" >"$folder/short.gz"
printf '7\nx\n' >"$folder/wrong"
refused "of a damaged file" gpusort --type=u32 "$folder/short.gz"
refused "of text that is no number" gpucompact --type=u32 --from-text --where=x "$folder/wrong"
refused "of text without a type" gpuscan --from-text "$folder/three"
mkfifo "$folder/pipe"
(: >"$folder/pipe") &
refused "of a pipe" gpusort --type=u32 "$folder/pipe"
wait
killed 0 gpusort --type=u64 "$folder/large.gz" "$folder/large.gz" "$folder/large.gz"
killed 2 gpusort --type=u64 "$folder/large.gz" "$folder/large.gz" "$folder/large.gz"
all_done
