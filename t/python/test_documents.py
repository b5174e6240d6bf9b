"""The examples in docstrings and in README.md give what they say; the types hold; every function has a docstring."""

import doctest
import importlib
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scankit

FOLDER = pathlib.Path(scankit.__file__).resolve().parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


class Documents(unittest.TestCase):
    def test_examples_of_docstrings(self):
        attempted = 0
        for name in MODULES:
            module = importlib.import_module(f"scankit.{name}")
            failed, count = doctest.testmod(module, extraglobs={"np": np, "scankit": scankit})
            self.assertEqual(failed, 0, name)
            attempted += count
        self.assertGreater(attempted, 15)

    def test_examples_of_the_readme(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                failed, count = doctest.testfile(str(FOLDER.parent / "README.md"), module_relative=False)
            finally:
                os.chdir(before)
        self.assertEqual(failed, 0)
        self.assertGreater(count, 5)

    def test_every_public_name_has_a_docstring(self):
        for name in scankit.__all__:
            found = getattr(scankit, name)
            self.assertTrue(isinstance(found, str) or inspect.getdoc(found), name)

    def test_versions(self):
        self.assertEqual(scankit.__version__, scankit.library_version)
        text = (FOLDER.parent / "pyproject.toml").read_text()
        self.assertIn(f'version = "{scankit.__version__}"', text)

    def test_mypy(self):
        if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True, check=False).returncode:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "mypy", "--cache-dir", cache, "--config-file", "pyproject.toml"]
            done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class Library(unittest.TestCase):
    def test_a_library_that_is_missing_or_too_old(self):
        for path, text in (("/nowhere/libscankit.so", "SCANKIT_LIBRARY"), ("libc.so.6", "too old")):
            environment = {**os.environ, "SCANKIT_LIBRARY": path}
            command = [sys.executable, "-c", "import scankit"]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("LibraryError", done.stderr)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
