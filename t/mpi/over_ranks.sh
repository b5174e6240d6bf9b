# shellcheck shell=sh
# over_ranks.sh - MPI ranks on this machine, for the test scripts; and the tools over them. Sourced. Makes $folder for the
# script's files, and $log for what a command says. The script ends with all_done.

builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/support/tap.sh
. "$srcdir/t/support/tap.sh"

if [ ! -x "$builddir/t/mpi/sort" ]; then
    echo '1..0 # SKIP built without MPI'
    exit 0
fi
if ! command -v mpirun >/dev/null; then
    echo '1..0 # SKIP there is no mpirun'
    exit 0
fi
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
log=$folder/log

# Open MPI's way to run as root, with more ranks than processors, on the loopback alone.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
# Without a search for networks, which takes half of the time of a start.
export OMPI_MCA_pml=ob1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# Its folder of sessions is the script's own: mpirun removes that of all sessions when it is the last to end, while that of
# another script may begin there.
mkdir "$folder/sessions"
export OMPI_MCA_orte_tmpdir_base="$folder/sessions" PRTE_MCA_prte_tmpdir_base="$folder/sessions"

# The tools' outputs, and nothing else.
out=$folder/out
mkdir "$out"

# some_of NUMBER...: all of them; with SCANKIT_TEST_EVERY=3 or more the last but one. Scripts have 2, 3 and 8
# elsewhere too.
some_of()
{
    if [ "${SCANKIT_TEST_EVERY:-1}" -ge 3 ]; then
        while [ $# -gt 2 ]; do
            shift
        done
        set -- "$1"
    fi
    echo "$@"
}

# over_ranks RANKS TOOL ARGUMENT...
over_ranks()
{
    ranks=$1
    shift
    timeout 60 mpirun -n "$ranks" "$@" >"$log" 2>&1
}

# same RANKS TOOL FILE ARGUMENT...: the ranks' output is that of the tool alone.
same()
{
    ranks=$1 tool=$2 file=$3
    shift 3
    rm -f "$folder/want" "$out/got"
    "$tool" "$@" "$file" -o "$folder/want" && over_ranks "$ranks" "$tool" "$@" "$file" -o "$out/got" &&
        cmp "$folder/want" "$out/got" >>"$log"
    report $? "$ranks ranks: $tool ${file##*/} $*" "$log"
}

# refused NAME TOOL ARGUMENT...: status 2, one message, the old output, and nothing beside it.
refused()
{
    name=$1 tool=$2
    shift 2
    rm -f "$out"/*
    echo old >"$out/old"
    over_ranks 3 "$tool" "$@" -o "$out/old"
    [ $? -eq 2 ] && [ "$(grep -c "^$tool: " "$log")" -eq 1 ] && [ "$(cat "$out/old")" = old ] &&
        [ "$(ls -A "$out")" = old ]
    report $? "refused: $tool $name" "$log"
}

# True if all three ranks catch SIGTERM (bit 14): they do once they know the temporary, which each removes then. Each rank
# has left its process in a file.
know_temporary()
{
    for one in 0 1 2; do
        process=$(cat "$folder/process.$one" 2>/dev/null) || return 1
        grep -q '^SigCgt:.*[4-7c-f][0-9a-f]\{3\}$' "/proc/$process/status" 2>/dev/null || return 1
    done
}

# killed RANK TOOL ARGUMENT...: the rank is killed once all know the temporary. The old output stays, and nothing else.
killed()
{
    rank=$1 tool=$2
    shift 2
    rm -f "$out"/* "$folder"/process.*
    echo old >"$out/old"
    # shellcheck disable=SC2016 # the ranks' shells expand it
    timeout 60 mpirun -n 3 sh -c 'echo $$ >"$0.$OMPI_COMM_WORLD_RANK" && exec "$@"' "$folder/process" \
        "$tool" "$@" -o "$out/old" >"$log" 2>&1 &
    job=$!
    tries=0
    until know_temporary || [ $tries -ge 1000 ]; do
        tries=$((tries + 1))
        sleep 0.02
    done
    kill -KILL "$(cat "$folder/process.$rank")"
    wait $job
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] && grep -q -i 'signal 9\|killed' "$log" &&
        [ "$(cat "$out/old")" = old ] && [ "$(ls -A "$out")" = old ]
    report $? "$tool, rank $rank is killed: the old output stays, and no temporary" "$log"
}

# make_array FILE COUNT: turns 4-byte numbers into a .npy file, FILE.npy.
make_array()
{
    {
        printf '\223NUMPY\001\000\166\000'
        printf '%-117s\n' "{'descr': '<u4', 'fortran_order': False, 'shape': ($2,), }"
        cat "$1"
    } >"$1.npy"
}

all_done()
{
    echo "1..$number"
}
