# What a sort over many nodes would take: `make model` prints the table of doc/model/README.md and draws its figure,
# `make measure-model` measures the rates of this machine that it starts from. Both write into the source tree.
.PHONY: model measure-model
model:
	@test -n '$(GNUPLOT)' || { echo 'make model: gnuplot is missing: install it (Debian: gnuplot-nox), run configure again' >&2; \
		exit 1; }
	@python3 '$(srcdir)/doc/model/model.py'
	$(AM_V_GEN)cd '$(srcdir)/doc/model' && '$(GNUPLOT)' -d model.gp >model.tmp && mv model.tmp model.svg

measure-model: all
	$(AM_V_GEN)'$(srcdir)/doc/model/measure.sh' . >model.tmp && mv model.tmp '$(srcdir)/doc/model/measured.csv'

EXTRA_DIST += doc/model/README.md doc/model/clusters.csv doc/model/measure.sh doc/model/measured.csv doc/model/model.gp \
	doc/model/model.py doc/model/model.svg
