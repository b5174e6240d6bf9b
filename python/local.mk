# The Python package. make install leaves it alone: pip install ./python installs it.
EXTRA_DIST += python/README.md python/pyproject.toml \
	python/scankit/__init__.py python/scankit/py.typed \
	python/scankit/_arrays.py python/scankit/_arrow.py python/scankit/_arrow_abi.py python/scankit/_arrow_export.py \
	python/scankit/arrow.py python/scankit/_context.py python/scankit/_dlpack.py python/scankit/_dtypes.py \
	python/scankit/_errors.py python/scankit/_frameworks.py python/scankit/_library.py \
	python/scankit/columns.py python/scankit/counting.py python/scankit/files.py python/scankit/partial.py python/scankit/runs.py python/scankit/scanning.py python/scankit/selecting.py \
	python/scankit/sorting.py
