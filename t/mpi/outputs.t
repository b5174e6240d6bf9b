#!/bin/sh
# outputs.t - text and compressed outputs over MPI ranks: text has the bytes of the tool alone, and compressed files
# decompress to them.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu

head -c 1200000 /dev/urandom >"$folder/random"
: >"$folder/empty"
head -c 12 "$folder/random" >"$folder/three"
make_array "$folder/random" 300000
printf 'key,value\n7,a\n5,b\n5,c\n' >"$folder/table"

# ---- text ----

table="--format=key:u8,value:bytes1 --from-text --delimiter=, --header=keep --to-text"
for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpusort "$folder/random" --mpi --type=u32 --to-text
    # shellcheck disable=SC2086
    same "$ranks" gpusort "$folder/table" --mpi $table -k key
    same "$ranks" gpurle "$folder/random" --mpi --type=u8 --to-text
done
# shellcheck disable=SC2086
same 3 gpurle "$folder/table" $table -k key
same 3 gpucompact "$folder/random" --type=f32 --where='x > 0' --to-text
same 3 gpucompact "$folder/random" --type=f32 --where='x > 0' --to-text --index
same 3 gpucompact "$folder/random" --type=u32 --where='x % 3 == 0' --to-text -S 100K
same 3 gpuscan "$folder/random.npy" --to-text
same 3 gpuscan "$folder/random" --type=u64 --to-text -S 100K
same 3 gpurle "$folder/random" --type=u16 --to-text -u
same 8 gpurle "$folder/three" --type=u32 --to-text
same 3 gpusort "$folder/empty" --type=u32 --to-text
over_ranks 3 gpurle "$folder/random" --type=u8 --to-text --values="$out/values" --counts="$out/counts"
gpurle "$folder/random" --type=u8 --to-text --values="$folder/values" --counts="$folder/counts"
cmp "$folder/values" "$out/values" >>"$log" 2>&1 && cmp "$folder/counts" "$out/counts" >>"$log" 2>&1
report $? "3 ranks: columns as text" "$log"
rm -f "$out"/*

# ---- compressed ----

# packed RANKS TOOL FILE PROGRAM OPTION ARGUMENT...: the ranks' output, decompressed by PROGRAM, is that of the tool alone.
packed()
{
    ranks=$1 tool=$2 file=$3 program=$4 option=$5
    shift 5
    rm -f "$folder/want" "$out/got"
    "$tool" "$@" "$file" -o "$folder/want" && over_ranks "$ranks" "$tool" "$@" "$option" "$file" -o "$out/got" &&
        "$program" -dc <"$out/got" 2>>"$log" | cmp "$folder/want" - >>"$log"
    report $? "$ranks ranks: $tool ${file##*/} $option $*" "$log"
}
for ranks in $(some_of 1 2 3 5 8); do
    packed "$ranks" gpusort "$folder/random" gzip --gzip --mpi --type=u32
    packed "$ranks" gpurle "$folder/random" gzip --gzip --mpi --type=u8
done
packed 3 gpusort "$folder/random.npy" gzip --gzip=6
packed 3 gpusort "$folder/random" gzip --gzip --type=u32 --to-text
packed 3 gpucompact "$folder/random.npy" gzip --gzip --where='x % 3 == 0'
packed 3 gpucompact "$folder/random.npy" gzip --gzip --where='x % 3 == 0' -S 100K
packed 3 gpuscan "$folder/random" gzip --gzip --type=u64
packed 8 gpuscan "$folder/three" gzip --gzip --type=u32
packed 3 gpusort "$folder/empty" gzip --gzip --type=u32
if command -v zstd >/dev/null && gpusort --zstd --type=u32 "$folder/random" -o "$folder/random.zst" 2>/dev/null; then
    packed 3 gpusort "$folder/random" zstd --zstd --type=u32
    packed 8 gpurle "$folder/three" zstd --zstd --type=u32
fi
over_ranks 3 gpusort "$folder/random" --type=u32 --gzip -o "$out/packed.gz" &&
    over_ranks 2 gpusort "$out/packed.gz" --type=u32 -o "$out/again"
gpusort "$folder/random" --type=u32 | cmp - "$out/again" >>"$log" 2>&1
report $? "ranks read what ranks compressed" "$log"

# ---- shards ----

head -c 400000 "$folder/random" >"$folder/in.0"
: >"$folder/in.1"
tail -c 800000 "$folder/random" >"$folder/in.2"
gpusort --type=u32 "$folder/random" -o "$folder/want"
over_ranks 3 gpusort --type=u32 --gzip --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$out/shard.0" "$out/shard.1" "$out/shard.2" | gzip -dc 2>>"$log" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: compressed shards" "$log"
gpusort --type=u32 --to-text "$folder/random" -o "$folder/want"
over_ranks 3 gpusort --type=u32 --to-text --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$out/shard.0" "$out/shard.1" "$out/shard.2" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: shards of text" "$log"

gpurle --type=u32 "$folder/random" -o "$folder/random.rle"
refused "--decode --gzip" gpurle -d --gzip "$folder/random.rle"
refused "--decode --to-text" gpurle -d --to-text "$folder/random.rle"
truncate -s 400000000 "$folder/large"
killed 0 gpusort --type=u64 --to-text "$folder/large"
killed 1 gpusort --type=u64 --gzip "$folder/large"
all_done
