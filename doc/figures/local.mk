# The figures of the README: `make gallery` measures the numbers, `make figures` draws them and the diagrams. Both write
# into the source tree.
FIGURES = course gems-39-7 gems-39-8 gems-39-11 merrill-7-9
DIAGRAMS = data-path
FIGURES_CSV = doc/figures/gallery.csv

.PHONY: figures diagrams gallery
figures: diagrams
	@test -n '$(GNUPLOT)' || { echo 'make figures: gnuplot is missing: install it (Debian: gnuplot-nox), run configure again' >&2; \
		exit 1; }
	$(AM_V_GEN)cd '$(srcdir)/doc/figures' && for figure in $(FIGURES); do \
		'$(GNUPLOT)' -d $$figure.gp >$$figure.tmp && mv $$figure.tmp $$figure.svg || { rm -f $$figure.tmp; exit 1; }; \
	done

diagrams:
	$(AM_V_GEN)cd '$(srcdir)/doc/figures' && for diagram in $(DIAGRAMS); do \
		python3 $$diagram.py >$$diagram.tmp && mv $$diagram.tmp $$diagram.svg || { rm -f $$diagram.tmp; exit 1; }; \
	done

# Needs a GPU with 16 GiB of memory. Without one: GALLERY_FLAGS='--max-log2=24 --device=cpu'.
gallery: bench/bench$(EXEEXT)
	bench/bench$(EXEEXT) --primitive=gallery --min-log2=10 --max-log2=29 --step-log2=1 --patience=1 $(GALLERY_FLAGS) \
		--figures=gallery.tmp || { rm -f gallery.tmp; exit 1; }
	mv gallery.tmp '$(srcdir)/$(FIGURES_CSV)'

EXTRA_DIST += $(DIAGRAMS:%=doc/figures/%.py) $(DIAGRAMS:%=doc/figures/%.svg)
EXTRA_DIST += $(FIGURES_CSV) $(FIGURES:%=doc/figures/%.gp) $(FIGURES:%=doc/figures/%.svg) doc/figures/faster.awk doc/figures/style.gp
