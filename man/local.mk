dist_man_MANS += man/gpucompact.1 man/gpusort.1 man/scankit.3
