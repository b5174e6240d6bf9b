#!/bin/sh
# arrow.t - Arrow files and streams over MPI ranks: each tool gives the bytes of the tool alone.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"
export SCANKIT_DEVICE=cpu
samples=$srcdir/t/tools/arrow

if gpusort "$samples/one.arrow" 2>&1 | grep -q 'configured without it'; then
    echo '1..0 # SKIP this build does not read Arrow'
    exit 0
fi

# One batch, several batches, no batch, and fewer elements than ranks.
for ranks in $(some_of 1 2 3 5 8); do
    same "$ranks" gpusort "$samples/one.arrow" --mpi
    same "$ranks" gpusort "$samples/types.arrow" --mpi --column=uint32
    same "$ranks" gpusort "$samples/types.arrows" --mpi --column=double -r
    same "$ranks" gpusort "$samples/none.arrow" --mpi --column=uint8
done
same 3 gpusort "$samples/one.arrow" "$samples/one.arrows"
same 3 gpucompact "$samples/types.arrow" --column=uint32 --where='x > 50'
same 3 gpuscan "$samples/types.arrows" --column=uint32
same 3 gpurle "$samples/types.arrow" --column=uint8

# An oracle that shares no code with gpusort: the column has x * 37 % 101 for x of 0 to 27.
perl -e 'print pack "L<*", sort { $a <=> $b } map { $_ * 37 % 101 } 0 .. 27' >"$folder/want"
over_ranks 3 gpusort --raw --column=uint32 "$samples/types.arrow" -o "$out/got" &&
    cmp "$folder/want" "$out/got" >>"$log" 2>&1
report $? "3 ranks: as sorted by perl" "$log"

head -c 300 "$samples/one.arrow" >"$folder/short.arrow"
refused "of a damaged Arrow file" gpusort "$folder/short.arrow"
refused "of several columns and no name" gpusort "$samples/types.arrow"
refused "of a column that is not there" gpusort --column=none "$samples/types.arrow"
refused "of a whole table" gpusort --by=uint32 "$samples/types.arrow"
all_done
