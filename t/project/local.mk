# Tests of the documents and of the project's structure.
PROJECT_TESTS = \
	t/project/bench-files.t \
	t/project/call-circles.t \
	t/project/debian.t \
	t/project/documents.t \
	t/project/english.t \
	t/project/figures.t \
	t/project/gendata.t \
	t/project/kernel-flags.t \
	t/project/layers.t \
	t/project/man-examples.t \
	t/project/man-scankit.t \
	t/project/site.t
EXTRA_DIST += .ci/run .ci/aarch64.sh .ci/configure.sh .ci/packages.sh .ci/results.sh
