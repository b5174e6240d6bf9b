dist_man_MANS += man/gpusort.1 man/scankit.3
