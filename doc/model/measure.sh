#!/bin/sh
# measure.sh - measures what model.py needs, on this machine: measure.sh FOLDER-OF-TOOLS >measured.csv
# It needs mpirun, python3, and 4 GB in memory under /dev/shm.
PATH=$1:$PATH
export SCANKIT_DEVICE=cpu OMP_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism=none
folder=$(mktemp -d /dev/shm/model.XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT
bytes=1000000000

# gpusort with statistics. Its output exists before: new pages of memory would count as writing.
sort_records()
{
    "$@" --format=key:bytes10,rest:bytes90 -k key --quiet --stats="$folder/stats"
}

# seconds PHASE: of the last sort.
seconds()
{
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["seconds"][sys.argv[2]])' "$folder/stats" "$1"
}

median()
{
    sort -g | sed -n 3p
}

# line PHASE RANKS SECONDS
line()
{
    echo "$1,$2,$(python3 -c "print('%.4g' % ($bytes / $3))")"
}

head -c $bytes /dev/urandom >"$folder/in"
for part in 0 1 2 3 4 5 6 7; do
    tail -c +$((part * (bytes / 8) + 1)) "$folder/in" | head -c $((bytes / 8)) >"$folder/part"
    sort_records gpusort "$folder/part" -o "$folder/run.$part"
done

echo '# Random records of 100 bytes with a key of 10, 1 GB in memory, medians of 5.'
echo '# sort, merge: one core. ranks: gpusort over that many ranks of one core each, from file to file in memory.'
echo "# $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc --all) cores, $(date +%F)"
echo phase,ranks,bytes_a_second
line sort 1 "$(for _ in 1 2 3 4 5; do
    sort_records gpusort --parallel=1 "$folder/in" -o "$folder/out" && seconds sort
done | median)"
line merge 1 "$(for _ in 1 2 3 4 5; do
    sort_records gpusort --parallel=1 --merge "$folder"/run.? -o "$folder/out" && seconds total
done | median)"
for ranks in 1 2 4 8; do
    line ranks $ranks "$(for _ in 1 2 3 4 5; do
        sort_records mpirun --bind-to none -n $ranks gpusort --mpi "$folder/in" -o "$folder/out" && seconds total
    done | median)"
done
