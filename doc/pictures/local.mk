# The pictures of the pages: `make pictures` draws them into the source tree, with the project's own programs.
PICTURES = near middle far ramp pyramid nearest trilinear

.PHONY: pictures
pictures: gpuimg$(EXEEXT) bench/scene/scene$(EXEEXT)
	$(AM_V_GEN)PATH="`pwd`:`pwd`/bench/scene:$$PATH" '$(srcdir)/doc/pictures/draw.sh'

EXTRA_DIST += doc/pictures.md doc/pictures/draw.sh $(PICTURES:%=doc/pictures/%.png)
