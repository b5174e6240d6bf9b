# The documentation as a site: `make docs` writes doc/html/index.html in the build tree. It needs Sphinx, MyST and
# mandoc, and no network. configure does not look for them: nothing else needs them.
SPHINX_BUILD = sphinx-build
DOCS_PAGES = index.md gallery-of-scans.md manuals.md contributing.md performance.md python.md
DOCS_GUIDE = install.md gpusort.md gpucompact.md gpurle.md gpuscan.md gpuimg.md text.md arrow.md library.md data-path.md \
	how-it-works.md what-is-where.md
DOCS_COOKBOOK = index.md kmers.md edges.md timestamps.md points.md
DOCS_TUTORIAL = index.md scans.md devices.md uses.md
DOCS_REFERENCE = scankit.md scankit_group.md scankit_mpi.md
DOCS_SITE = conf.py header.py manuals.py static/scankit.css

.PHONY: docs
docs:
	@for program in $(SPHINX_BUILD) mandoc; do command -v $$program >/dev/null || { \
		echo "make docs: $$program is missing (Debian: python3-sphinx, python3-myst-parser, mandoc)" >&2; exit 1; }; done
	$(AM_V_GEN)$(SPHINX_BUILD) -E -a -q -W --keep-going -b html -c '$(srcdir)/doc/site' -d doc/html.cache \
		'$(srcdir)/doc' doc/html || { \
		echo 'make docs: Sphinx stopped; if it has no myst_parser, install that (Debian: python3-myst-parser)' >&2; exit 1; }
	@echo 'The site is in doc/html/index.html'

.PHONY: clean-docs
clean-docs:
	rm -rf doc/html doc/html.cache
clean-local: clean-docs

EXTRA_DIST += $(DOCS_PAGES:%=doc/%) $(DOCS_GUIDE:%=doc/guide/%) $(DOCS_COOKBOOK:%=doc/cookbook/%) \
	$(DOCS_TUTORIAL:%=doc/tutorial/%) $(DOCS_REFERENCE:%=doc/reference/%) $(DOCS_SITE:%=doc/site/%)

# Programs of the cookbook.
noinst_PROGRAMS += doc/examples/kmers doc/examples/count doc/examples/morton
doc_examples_kmers_SOURCES = doc/examples/kmers.c
doc_examples_count_SOURCES = doc/examples/count.c
doc_examples_count_LDADD = lib/libscankit.la
doc_examples_morton_SOURCES = doc/examples/morton.c
