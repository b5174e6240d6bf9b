# Tests of the documents, and the scripts around the code.
DOC_TESTS = t/figures.t t/man-scankit.t t/readme.t
EXTRA_DIST += .ci/run .ci/packages.sh .ci/results.sh
