# The Python package, where there is Python with numpy, and a shared library.
PYTHON_TESTS = t/python/python.t
TESTS += $(PYTHON_TESTS)
EXTRA_DIST += $(PYTHON_TESTS) t/python/oracle.py t/python/tap.py \
	t/python/test_arrays.py t/python/test_arrow.py t/python/test_context.py t/python/test_documents.py t/python/test_files.py t/python/test_gpu.py \
	t/python/test_columns.py t/python/test_counting.py t/python/test_partial.py t/python/test_random.py t/python/test_scanning.py t/python/test_selecting.py t/python/test_sorting.py
