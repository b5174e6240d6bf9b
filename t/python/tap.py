"""Runs the tests of this folder and prints the results as TAP. They also run by pytest."""

import os
import sys
import traceback
import unittest


class Results(unittest.TestResult):
    """A line for each test, and the trace of each failure as comments."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def line(self, is_good, test, remark=""):
        self.count += 1
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {test.id()}{remark}", flush=True)

    def addSuccess(self, test):
        self.line(True, test)

    def addSkip(self, test, reason):
        self.line(True, test, f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(False, test)
        for text in "".join(traceback.format_exception(*err)).splitlines():
            print(f"# {text}")

    def addError(self, test, err):
        self.addFailure(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addFailure(subtest, err)


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    results = Results()
    unittest.defaultTestLoader.discover(folder, "test_*.py", folder).run(results)
    print(f"1..{results.count}")
    sys.exit(0 if not results.failures else 1)


main()
