#!/bin/sh
# gpurle.t - gpurle over MPI ranks gives the bytes of gpurle alone. Damaged containers, a rank that is killed, and wrong
# options leave the old output and no temporary.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu

# Blocks of a container have at most 4 MiB: several for each of 8 ranks. Long runs, of 2 and 4 bytes a count, lie among
# short ones.
head -c 9000000 /dev/urandom >"$folder/random"
{
    head -c 7000000 "$folder/random"
    head -c 300 /dev/zero
    tail -c 2000000 "$folder/random" | tr '\000-\377' 'a-d'
    head -c 70000 /dev/zero
    tail -c 9000000 "$folder/random" | tr '\000-\377' '[a*128][b*128]'
    head -c 12000000 "$folder/random"
} >"$folder/mixed"
# A long run lies near the end of a block. The next block has only short ones.
{
    yes ab | tr -d '\n' | head -c 1398000
    head -c 300 /dev/zero
    yes ab | tr -d '\n' | head -c 9000000
} >"$folder/edge"
truncate -s 3000000 "$folder/zeros"
head -c 12 "$folder/random" >"$folder/three"
: >"$folder/empty"
head -c 1200000 "$folder/mixed" >"$folder/part"
make_array "$folder/part" 300000

# ---- encoding ----

for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpurle "$folder/mixed" --mpi --type=u8
    same "$ranks" gpurle "$folder/edge" --mpi --type=u8
    same "$ranks" gpurle "$folder/zeros" --mpi --type=u32
    same "$ranks" gpurle "$folder/three" --mpi --type=u32
    same "$ranks" gpurle "$folder/random" --mpi --type=u32
done
same 3 gpurle "$folder/empty" --type=u32
same 3 gpurle "$folder/random" --format=a:u32,b:bytes2
same 3 gpurle "$folder/part.npy"
same 3 gpurle "$folder/part.npy" "$folder/part.npy"
same 3 gpurle "$folder/part.npy" --raw
same 3 gpurle "$folder/part" --type=u32 --skip=400
same 3 gpurle "$folder/zeros" --type=u32 "$folder/zeros" "$folder/empty" "$folder/three"

# ---- decoding ----

gpurle --type=u8 "$folder/mixed" -o "$folder/mixed.rle"
gpurle --type=u32 "$folder/zeros" -o "$folder/zeros.rle"
gpurle --type=u32 "$folder/empty" -o "$folder/empty.rle"
gpurle "$folder/part.npy" -o "$folder/npy.rle"
cat "$folder/mixed.rle" "$folder/zeros.rle" "$folder/empty.rle" >"$folder/joined.rle"
for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpurle "$folder/mixed.rle" --mpi -d
    same "$ranks" gpurle "$folder/joined.rle" --mpi -d
    same "$ranks" gpurle "$folder/zeros.rle" --mpi -d
done
same 3 gpurle "$folder/empty.rle" -d
same 3 gpurle "$folder/npy.rle" -d
same 3 gpurle "$folder/npy.rle" -d --raw "$folder/npy.rle"
same 3 gpurle "$folder/joined.rle" -d "$folder/mixed.rle"

# ---- columns and lines ----

for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpurle "$folder/part" --mpi --type=u8 -c
    same "$ranks" gpurle "$folder/zeros" --mpi --type=u16 -u
    same "$ranks" gpurle "$folder/zeros" --mpi --type=u16 -c
done
same 3 gpurle "$folder/part.npy" -u
same 3 gpurle "$folder/part" --format=a:u8,b:bytes2,c:u8 -u -k a
same 3 gpurle "$folder/part" --format=a:u8,b:bytes2,c:u8 -c -k a
same 5 gpurle "$folder/three" --type=u32 -c
same 3 gpurle "$folder/empty" --type=u32 -c
same 3 gpurle "$folder/empty" --type=u32 -u

# columns RANKS FILE ARGUMENT...: gpurle alone writes the same two columns.
columns()
{
    ranks=$1 file=$2
    shift 2
    rm -f "$out"/*
    gpurle "$@" "$file" --values="$folder/values" --counts="$folder/counts" &&
        over_ranks "$ranks" gpurle "$@" "$file" --values="$out/values" --counts="$out/counts" &&
        cmp "$folder/values" "$out/values" >>"$log" && cmp "$folder/counts" "$out/counts" >>"$log" &&
        [ "$(find "$out" -mindepth 1 | wc -l)" -eq 2 ]
    report $? "$ranks ranks: gpurle ${file##*/} $* --values --counts" "$log"
}
for ranks in $(some_of 1 2 3 5 8); do
    columns "$ranks" "$folder/mixed" --mpi --type=u8
done
columns 3 "$folder/part.npy"
columns 8 "$folder/zeros" --type=u32
gpurle --type=u8 "$folder/mixed" --counts="$folder/counts" &&
    over_ranks 3 gpurle --type=u8 "$folder/mixed" --counts="$out/alone" && cmp "$folder/counts" "$out/alone" >>"$log" 2>&1
report $? "3 ranks: --counts alone" "$log"
rm -f "$out"/*

# ---- shards ----

# A shard becomes what gpurle alone makes of it.
for i in 0 1 2; do
    head -c $((400000 * (i + 1))) "$folder/mixed" | tail -c 800000 >"$folder/in.$i"
done
: >"$folder/in.1"
over_ranks 3 gpurle --type=u32 --shards "$folder/in.%r" -o "$out/shard.%r"
status=$?
for i in 0 1 2; do
    gpurle --type=u32 "$folder/in.$i" | cmp - "$out/shard.$i" >>"$log" 2>&1 || status=1
done
report $status "3 ranks: a container a rank" "$log"
over_ranks 3 gpurle -d --shards "$out/shard.%r" -o "$out/back.%r"
status=$?
for i in 0 1 2; do
    cmp "$folder/in.$i" "$out/back.$i" >>"$log" 2>&1 || status=1
done
report $status "3 ranks: a container a rank, decoded" "$log"
for i in 0 1 2; do
    cp "$folder/zeros" "$folder/in.$i"
done
cat "$folder/zeros" "$folder/zeros" "$folder/zeros" | gpurle --type=u32 -c -o "$folder/want"
over_ranks 3 gpurle --type=u32 -c --shards "$folder/in.%r" -o "$out/lines.%r"
cat "$out/lines.0" "$out/lines.1" "$out/lines.2" | cmp - "$folder/want" >>"$log" 2>&1
report $? "3 ranks: a run across shards is listed once" "$log"

# ---- refusals ----

head -c 2000000 "$folder/mixed.rle" >"$folder/short.rle"
{
    head -c 9000000 "$folder/mixed.rle"
    printf 'x\001y'
    tail -c +9000004 "$folder/mixed.rle"
} >"$folder/damaged.rle"
gzip -k "$folder/zeros.rle"
refused "of a damaged block" gpurle -d "$folder/damaged.rle"
refused "of a container without its end" gpurle -d "$folder/short.rle"
refused "of no container" gpurle -d "$folder/zeros"
refused "of a compressed container" gpurle -d "$folder/zeros.rle.gz"
refused "of two .npy files" gpurle -d "$folder/npy.rle" "$folder/npy.rle"
refused "--decode --from-text" gpurle -d --from-text --type=u8 "$folder/zeros"
refused "of a part of an element" gpurle --format=a:bytes7 "$folder/random"
refused "of standard input" gpurle --type=u8

# ---- a rank is killed ----

truncate -s 400000000 "$folder/large"
killed 0 gpurle --type=u8 "$folder/large"
killed 2 gpurle --type=u8 "$folder/large"
gpurle --type=u8 "$folder/large" "$folder/mixed" "$folder/large" -o "$folder/large.rle"
killed 1 gpurle -d "$folder/large.rle"
all_done
