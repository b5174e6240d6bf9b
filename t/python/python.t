#!/bin/sh
# python.t - the Python package agrees with NumPy, keeps to the protocols of arrays, and reports errors as exceptions.
# Runs the tests of this folder against the library that was just built. Needs Python with numpy; uses hypothesis and
# mypy where they are installed.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}

skip()
{
    printf '1..0 # SKIP %s\n' "$1"
    exit 0
}

# The first Python that has these modules.
python_with()
{
    for python in ${PYTHON:-} python3 /usr/bin/python3; do
        if "$python" -c "import sys, $1; sys.exit(sys.version_info < (3, 9))" >/dev/null 2>&1; then
            printf '%s\n' "$python"
            return 0
        fi
    done
    return 1
}

[ -e "$builddir/lib/.libs/libscankit.so" ] || skip "this build has no shared library (--disable-shared)"
python=$(python_with "numpy, hypothesis") || python=$(python_with numpy) || skip "there is no Python 3.9 with numpy"

PYTHONPATH=$srcdir/python:$srcdir/t/python
PYTHONDONTWRITEBYTECODE=1
SCANKIT_LIBRARY=$builddir/lib/.libs/libscankit.so
export PYTHONPATH PYTHONDONTWRITEBYTECODE SCANKIT_LIBRARY srcdir
exec "$python" "$srcdir/t/python/tap.py"
