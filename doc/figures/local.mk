# The figures of the pages: `make gallery` measures the numbers, `make figures` draws them
# and the diagrams. Both write into the source tree.
FIGURES = course gems-39-7 gems-39-8 gems-39-11 merrill-7-9 sorts sorts-years
RESULT_FIGURES = cpu-scaling
DIAGRAMS = data-path
FIGURES_CSV = doc/figures/gallery.csv
SORTS_CSV = doc/figures/sorts.csv

# $(call draw_figures,FOLDER,NAMES)
draw_figures = cd '$(srcdir)/$(1)' && for figure in $(2); do \
		'$(GNUPLOT)' -d $$figure.gp >$$figure.tmp && mv $$figure.tmp $$figure.svg || { rm -f $$figure.tmp; exit 1; }; \
	done

.PHONY: figures diagrams gallery gallery-sorts
figures: diagrams
	@test -n '$(GNUPLOT)' || { echo 'make figures: gnuplot is missing: install it (Debian: gnuplot-nox), run configure again' >&2; \
		exit 1; }
	$(AM_V_GEN)$(call draw_figures,doc/figures,$(FIGURES))
	$(AM_V_at)$(call draw_figures,bench/results,$(RESULT_FIGURES))

diagrams:
	$(AM_V_GEN)cd '$(srcdir)/doc/figures' && for diagram in $(DIAGRAMS); do \
		python3 $$diagram.py >$$diagram.tmp && mv $$diagram.tmp $$diagram.svg || { rm -f $$diagram.tmp; exit 1; }; \
	done

# Need a GPU with 16 GiB of memory. Without one: GALLERY_FLAGS='--max-log2=24 --device=cpu'.
# $(call measure_gallery,PRIMITIVE,LARGEST,FILE)
measure_gallery = bench/bench$(EXEEXT) --primitive=$(1) --min-log2=10 --max-log2=$(2) --step-log2=1 --patience=1 \
		$(GALLERY_FLAGS) --figures=gallery.tmp || { rm -f gallery.tmp; exit 1; }; \
	mv gallery.tmp '$(srcdir)/$(3)'
gallery: bench/bench$(EXEEXT)
	$(call measure_gallery,gallery,29,$(FIGURES_CSV))
	$(call measure_gallery,gallery-sorts,28,$(SORTS_CSV))
gallery-sorts: bench/bench$(EXEEXT)
	$(call measure_gallery,gallery-sorts,28,$(SORTS_CSV))

EXTRA_DIST += $(DIAGRAMS:%=doc/figures/%.py) $(DIAGRAMS:%=doc/figures/%.svg)
EXTRA_DIST += $(FIGURES_CSV) $(FIGURES:%=doc/figures/%.gp) $(FIGURES:%=doc/figures/%.svg) doc/figures/faster.awk doc/figures/style.gp
EXTRA_DIST += doc/gallery-of-sorts.md $(SORTS_CSV) doc/figures/sorts-sources.csv doc/figures/sorts-copy.awk doc/figures/sorts-order.awk \
	doc/figures/sorts-table.awk doc/figures/sorts-years.awk
