#!/bin/sh
# ranks.t - the tests of groups, with MPI ranks as members: 1 to 8 of them on this machine. A rank that fails, and a rank
# that dies.
builddir=${builddir:-.}
srcdir=${srcdir:-.}
# shellcheck source=t/mpi/over_ranks.sh
. "$srcdir/t/mpi/over_ranks.sh"

# run_program RANKS PROGRAM NAME
run_program()
{
    SCANKIT_TEST_EVERY=${SCANKIT_MPI_EVERY:-20} timeout 300 mpirun -n "$1" "$builddir/t/mpi/$2" >"$folder/output" 2>&1
    status=$?
    grep -q '^1\.\.' "$folder/output" && [ $status -eq 0 ]
    report $? "$3" "$folder/output"
}

for ranks in $(some_of 1 2 3 5 8); do
    for program in scan compact runs moves sort order; do
        run_program "$ranks" $program "$ranks ranks: $program"
    done
done
for program in runs moves sort; do
    SCANKIT_MPI_STAGE=1000 run_program 3 $program "3 ranks: $program, through the host in pieces of 1000 bytes"
done

# One rank a GPU goes by NCCL if that is found; two ranks on one GPU, and SCANKIT_NCCL=off, through the host.
if [ "${SCANKIT_TEST_DEVICE:-cuda}" = cuda ] && command -v nvidia-smi >/dev/null && nvidia-smi >/dev/null 2>&1; then
    for program in scan compact runs moves sort order; do
        SCANKIT_TEST_RANK_DEVICE=cuda run_program 2 $program "2 ranks on GPUs: $program"
        SCANKIT_TEST_RANK_DEVICE=cuda run_program 3 $program "3 ranks on GPUs: $program"
        SCANKIT_NCCL=off SCANKIT_TEST_RANK_DEVICE=cuda run_program 2 $program "2 ranks on GPUs, without NCCL: $program"
    done
else
    number=$((number + 1))
    echo "ok $number - ranks on GPUs # SKIP no GPU"
fi

for ranks in 2 4; do
    timeout 60 mpirun -n $ranks "$builddir/t/mpi/failing" >"$folder/output" 2>&1
    report $? "$ranks ranks: what fails on one fails on all, and the group goes on" "$folder/output"
    timeout 60 mpirun -n $ranks "$builddir/t/mpi/failing" die >"$folder/output" 2>&1
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] && grep -q -i 'signal 9\|killed' "$folder/output"
    report $? "$ranks ranks: a rank that is killed ends the job" "$folder/output"
done
echo "1..$number"
