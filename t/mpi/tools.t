#!/bin/sh
# tools.t - gpucompact and gpuscan over MPI ranks give the bytes of the tool alone.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu

head -c 1200000 /dev/urandom >"$folder/random"
: >"$folder/empty"
head -c 12 "$folder/random" >"$folder/three"
printf "\001\000\001" >"$folder/three_flags"
make_array "$folder/random" 300000
halves='x >= 2147483648'

# ---- gpucompact ----

for ranks in $(some_of 1 2 5 8); do
    same "$ranks" gpucompact "$folder/random" --mpi --type=u32 --where="$halves"
done
same 3 gpucompact "$folder/random" --type=u32 --where="$halves" -v
same 3 gpucompact "$folder/random" --type=u32 --where='i % 7 == 3' --index
same 3 gpucompact "$folder/random.npy" --where="$halves"
same 3 gpucompact "$folder/random.npy" --where="$halves" --index
same 3 gpucompact "$folder/random" --type=u32 --where='x != x'
same 3 gpucompact "$folder/random" --format=a:u32,b:bytes5,c:f16,d:u8 --where='d > 100 && a < 3000000000'
same 3 gpucompact "$folder/empty" --type=u32 --where="$halves"
same 3 gpucompact "$folder/random" --type=u32 --where='i > 310000' "$folder/random"

# text RANKS ARGUMENT...: standard output is that of the tool alone.
text()
{
    ranks=$1
    shift
    "$@" >"$folder/want" && over_ranks "$ranks" "$@" && cmp "$folder/want" "$log"
    report $? "$ranks ranks: $1 ${2##*/} $3" "$log"
}
text 3 gpucompact "$folder/random" --count --type=u32 --where="$halves"
over_ranks 3 gpucompact --error-exit --count --type=u32 --where='x != x' "$folder/random"
[ $? -eq 1 ]
report $? "3 ranks: --error-exit" "$log"

cp "$folder/random" "$folder/in.1"
head -c 4000 "$folder/random" >"$folder/in.0"
over_ranks 2 gpucompact --type=u32 --where='i % 3 == 0' --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$folder/in.0" "$folder/in.1" | gpucompact --type=u32 --where='i % 3 == 0' -o "$folder/want"
cat "$out/shard.0" "$out/shard.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpucompact, a file a rank" "$log"

# rejects RANKS FILE ARGUMENT...: the tool alone writes the same two outputs.
rejects()
{
    ranks=$1 file=$2
    shift 2
    rm -f "$out"/*
    gpucompact "$@" "$file" -o "$folder/want" --rejects="$folder/others" &&
        over_ranks "$ranks" gpucompact "$@" "$file" -o "$out/got" --rejects="$out/others" &&
        cmp "$folder/want" "$out/got" >>"$log" && cmp "$folder/others" "$out/others" >>"$log" &&
        [ "$(find "$out" -mindepth 1 | wc -l)" -eq 2 ]
    report $? "$ranks ranks: gpucompact ${file##*/} $* --rejects" "$log"
}
for ranks in $(some_of 1 2 5 8); do
    rejects "$ranks" "$folder/random" --mpi --type=u32 --where="$halves"
done
rejects 3 "$folder/random.npy" --where='x % 5 == 0'
rejects 3 "$folder/random.npy" --where='x != x' --raw
rejects 3 "$folder/empty" --type=u32 --where="$halves"
over_ranks 2 gpucompact --type=u32 --where='i % 3 == 0' --shards "$folder/in.%r" -o "$out/shard.%r" \
    --rejects="$out/others.%r"
cat "$folder/in.0" "$folder/in.1" | gpucompact --type=u32 --where='i % 3 == 0' -v -o "$folder/want"
cat "$out/others.0" "$out/others.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpucompact --rejects, a file a rank" "$log"

refused "--rejects to the output" gpucompact --type=u32 --where="$halves" --rejects="$out/old" "$folder/random"
refused "--rejects to a folder that is not there" gpucompact --type=u32 --where="$halves" \
    --rejects="$out/none/others" "$folder/random"
refused "a wrong expression" gpucompact --type=u32 --where='x >' "$folder/random"

# Without room for a part, ranks work in pieces.
gzip -k "$folder/random" "$folder/random.npy"
for ranks in $(some_of 1 2 5 8); do
    same "$ranks" gpucompact "$folder/random" --mpi --type=u32 --where="$halves" -S 100K
done
same 3 gpucompact "$folder/random.npy" --where='i % 7 == 3' --index -S 100K
same 3 gpucompact "$folder/random.npy" --where='x != x' -S 100K
same 3 gpucompact "$folder/random" --format=a:u32,b:bytes5,c:f16,d:u8 --where='d > 100' -v -S 100K "$folder/random"
same 3 gpucompact "$folder/random.npy.gz" --where='x % 5 == 0' -S 100K
rejects 3 "$folder/random.npy" --where='x % 5 == 0' -S 100K
rejects 3 "$folder/random.gz" --type=u32 --where='x % 5 == 0' -S 100K
text 3 gpucompact "$folder/random" --count --type=u32 --where="$halves" -S 100K
over_ranks 2 gpucompact --type=u32 --where='i % 3 == 0' --shards "$folder/in.%r" -o "$out/shard.%r" -S 10K
cat "$folder/in.0" "$folder/in.1" | gpucompact --type=u32 --where='i % 3 == 0' -o "$folder/want"
cat "$out/shard.0" "$out/shard.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpucompact in pieces, a file a rank" "$log"

# ---- gpuscan ----

for ranks in $(some_of 1 2 5 8); do
    same "$ranks" gpuscan "$folder/random" --mpi --type=u32
done
same 3 gpuscan "$folder/random" --type=i64 --op=max --exclusive
same 3 gpuscan "$folder/random.npy" --op=xor
same 3 gpuscan "$folder/random" --type=i16 --endian=big --op=min
same 3 gpuscan "$folder/random" --format=a:u32,b:bytes5,c:u16,d:u8 --value=c
same 3 gpuscan "$folder/empty" --type=u32
text 3 gpuscan "$folder/random" --reduce --type=u32
text 3 gpuscan "$folder/random" --reduce --format=a:u32,b:bytes5,c:u16,d:u8 --value=c --op=max
text 3 gpuscan "$folder/empty" --reduce --type=u32
over_ranks 2 gpuscan --type=u32 --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$folder/in.0" "$folder/in.1" | gpuscan --type=u32 -o "$folder/want"
cat "$out/shard.0" "$out/shard.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpuscan, a file a rank" "$log"

# Without room for a part.
for ranks in $(some_of 1 2 5 8); do
    same "$ranks" gpuscan "$folder/random" --mpi --type=u32 -S 100K
done
same 3 gpuscan "$folder/random" --type=i64 --op=max --exclusive -S 100K
same 3 gpuscan "$folder/random.npy.gz" --op=xor -S 100K
same 3 gpuscan "$folder/random" --format=a:u32,b:bytes5,c:u16,d:u8 --value=c -S 100K "$folder/empty" "$folder/random"
text 3 gpuscan "$folder/random" --reduce --type=u32 -S 100K
text 3 gpuscan "$folder/random" --reduce --type=f16 --op=max -S 100K
gpuscan --type=u32 "$folder/three" -o "$folder/want"
over_ranks 8 gpuscan --type=u32 -S 1 "$folder/three" -o "$out/got" && cmp "$folder/want" "$out/got" >>"$log" 2>&1
report $? "8 ranks: gpuscan of three elements in pieces" "$log"
over_ranks 2 gpuscan --type=u32 --shards "$folder/in.%r" -o "$out/shard.%r" -S 10K
cat "$folder/in.0" "$folder/in.1" | gpuscan --type=u32 -o "$folder/want"
cat "$out/shard.0" "$out/shard.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpuscan in pieces, a file a rank" "$log"

# Segments of some thousand elements, and of all; keys that change at the border of ranks; a flag a rank.
perl -e 'print map { chr($_ % 1777 == 5) } 0 .. 299999' >"$folder/flags"
perl -e 'print map { pack("v", $_ / 37500) } 0 .. 299999' >"$folder/keys"
make_array "$folder/keys" 150000
truncate -s 300000 "$folder/none"
gzip -k "$folder/flags"
records=--format=k:u8,b:bytes1,c:u16
for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpuscan "$folder/random" --mpi --type=u32 --segments="$folder/flags"
    same "$ranks" gpuscan "$folder/keys" --mpi $records --value=c --segments=k
    same "$ranks" gpuscan "$folder/keys" --mpi $records --value=c --segments=k --reduce
    same "$ranks" gpuscan "$folder/random" --mpi --type=u32 --segments="$folder/flags" --reduce
done
same 3 gpuscan "$folder/random" --type=u32 --segments="$folder/none" --exclusive
same 3 gpuscan "$folder/random" --type=u32 --segments="$folder/none" --reduce --op=max
same 3 gpuscan "$folder/random" --type=u32 --segments="$folder/flags.gz" --op=xor
same 3 gpuscan "$folder/random" --format=a:u32,b:bytes5,c:u16,d:u8 --value=c --segments=d,b --reduce
same 3 gpuscan "$folder/random" --type=u64 --segments="$folder/keys.npy" --op=min
same 3 gpuscan "$folder/random.npy" --segments="$folder/flags" --reduce
same 3 gpuscan "$folder/empty" --type=u32 --segments="$folder/empty"
same 3 gpuscan "$folder/empty" --type=u32 --segments="$folder/empty" --reduce
same 8 gpuscan "$folder/three" --type=u32 --segments="$folder/three_flags" --reduce
for i in 0 1; do
    head -c $(($(wc -c <"$folder/in.$i") / 4)) "$folder/flags" >"$folder/flags.$i"
done
cat "$folder/flags.0" "$folder/flags.1" >"$folder/flags.all"
over_ranks 2 gpuscan --type=u32 --segments="$folder/flags.%r" --shards "$folder/in.%r" -o "$out/shard.%r"
cat "$folder/in.0" "$folder/in.1" | gpuscan --type=u32 --segments="$folder/flags.all" -o "$folder/want"
cat "$out/shard.0" "$out/shard.1" | cmp - "$folder/want" >>"$log" 2>&1
report $? "2 ranks: gpuscan --segments, a file a rank" "$log"

refused "a field that is not there" gpuscan $records --value=c --segments=z "$folder/keys"
refused "too few flags" gpuscan --type=u16 --segments="$folder/flags" "$folder/random"
refused "too many flags" gpuscan --type=u64 --segments="$folder/flags" "$folder/random"
head -c 599999 /dev/zero | gzip >"$folder/fewer.gz"
refused "too few compressed flags" gpuscan --type=u16 --segments="$folder/fewer.gz" "$folder/random"
refused "an operator" gpuscan --type=f32 --op=xor "$folder/random"
refused "segments without room" gpuscan --type=u32 --segments="$folder/flags" -S 100K "$folder/random.npy"

truncate -s 400000000 "$folder/large"
killed 0 gpucompact --type=u64 --where='i % 2 == 0' -S 4K "$folder/large"
killed 2 gpuscan --type=u64 -S 4K "$folder/large"
all_done
