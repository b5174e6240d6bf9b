"""Functions on files, by the tools."""

import os
import tempfile
import unittest

import numpy as np
import scankit
from oracle import data, same_bits


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, array):
        array.tofile(self.path(name))
        return self.path(name)

    def test_sort(self):
        a = data("f4", 5000)
        source = self.write("-a", a)
        self.assertIsNone(scankit.sort_file(source, self.path("out"), dtype="f4"))
        self.assertTrue(same_bits(np.fromfile(self.path("out"), "f4"), scankit.sort(a)))
        self.assertTrue(scankit.is_sorted_file(self.path("out"), dtype="f4"))
        self.assertFalse(scankit.is_sorted_file(source, dtype="f4"))

    def test_swapped_bytes_and_several_files(self):
        a = data("i4", 500)
        one, two = self.write("one", a[:200].astype(">i4")), self.write("two", a[200:].astype(">i4"))
        scankit.sort_file([one, two], self.path("out"), dtype=">i4", descending=True, unique=True)
        self.assertEqual(np.fromfile(self.path("out"), ">i4").tolist(), np.unique(a)[::-1].tolist())

    def test_npy_and_more_options(self):
        a = data("u2", 1000)
        np.save(self.path("a.npy"), a)
        scankit.sort_file(self.path("a.npy"), self.path("b.npy"), top=10, device="cpu")
        self.assertTrue(same_bits(np.load(self.path("b.npy")), np.sort(a)[:10]))

    def test_records(self):
        kind = np.dtype([("key", "S3"), ("n", "<u4")])
        a = np.zeros(300, kind)
        a["key"], a["n"] = data("u1", 300).astype("S3"), np.arange(300)
        scankit.sort_file(self.write("a", a), self.path("out"), dtype=kind, keys=["key:desc", "n"])
        expected = scankit.sort_records(a, "key:desc,n")
        self.assertTrue(same_bits(np.fromfile(self.path("out"), kind), expected))
        with self.assertRaisesRegex(TypeError, "gaps"):
            scankit.sort_file(self.path("a"), self.path("out"), dtype=np.dtype("u1,u4", align=True))

    def test_arrow_table(self):
        source = os.path.join(os.environ.get("srcdir", "."), "t/tools/arrow/table.arrow")
        try:
            scankit.sort_file(source, self.path("out.arrow"), by="few:desc,text", nulls="first")
        except scankit.ToolError as error:
            if "configured without it" in str(error):
                self.skipTest("the tools do not read Arrow")
            raise
        self.assertTrue(scankit.is_sorted_file(self.path("out.arrow"), by="few:desc,text", nulls="first"))
        self.assertFalse(scankit.is_sorted_file(source, by="few"))

    def test_compact_scan_and_runs(self):
        a = np.repeat(data("u4", 500), 4)
        source, out = self.write("a", a), self.path("out")
        scankit.compact_file(source, out, "x > 9 && i % 2 == 0", dtype="u4")
        expected = scankit.compact(a, "x > 9 && i % 2 == 0")
        self.assertTrue(same_bits(np.fromfile(out, "u4"), expected))
        self.assertEqual(scankit.count_file(source, "x > 9 && i % 2 == 0", dtype="u4"), expected.size)
        scankit.scan_file(source, out, "max", dtype="u4")
        self.assertTrue(same_bits(np.fromfile(out, "u4"), scankit.cummax(a)))
        scankit.encode_file(source, self.path("runs"), dtype="u4")
        scankit.decode_file(self.path("runs"), out)
        self.assertTrue(same_bits(np.fromfile(out, "u4"), a))

    def test_errors(self):
        with self.assertRaisesRegex(scankit.ToolError, "No such file") as caught:
            scankit.sort_file(self.path("missing"), self.path("out"), dtype="u4")
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(scankit.ToolError, "--where"):
            scankit.compact_file(self.write("a", data("u4", 3)), self.path("out"), "x >", dtype="u4")
        self.assertFalse(os.path.exists(self.path("out")))
        with self.assertRaises(scankit.ToolError):
            scankit.is_sorted_file(self.path("a"), dtype="u8")

    def test_folder_of_the_tools(self):
        before = os.environ.get("SCANKIT_BINDIR")
        os.environ["SCANKIT_BINDIR"] = self.folder
        try:
            with self.assertRaisesRegex(scankit.ToolError, "gpusort was not found"):
                scankit.sort_file(self.path("a"), self.path("b"), dtype="u4")
        finally:
            os.environ.pop("SCANKIT_BINDIR") if before is None else os.environ.update(SCANKIT_BINDIR=before)


if __name__ == "__main__":
    unittest.main()
