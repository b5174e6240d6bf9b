dist_man_MANS += man/gpucompact.1 man/gpuimg.1 man/gpurle.1 man/gpurle.5 man/gpuscan.1 man/gpusort.1 man/scankit.3 man/scankit_group.3
if MPI
dist_man_MANS += man/scankit_mpi.3
else
EXTRA_DIST += man/scankit_mpi.3
endif
