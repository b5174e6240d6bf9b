"""Contexts, threads, processes, and what a call costs."""

import multiprocessing
import threading
import time
import timeit
import unittest

import numpy as np
import scankit
from oracle import data, same_bits


class Recorder:
    """Stands for a context's library calls: records their order."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(handle, *arguments):
            self.calls.append((name.replace("scankit_", ""), *arguments))
            return 0

        return call


def sort_in_child(queue):
    a = data("u4", 1 << 21)
    queue.put(same_bits(scankit.sort(a), np.sort(a)))


class Contexts(unittest.TestCase):
    def test_explicit_context(self):
        with scankit.Context("cpu:1") as context:
            scankit.sort(data("u4", 100000))
            self.assertEqual(context.device, "cpu:1")
            self.assertNotEqual(context.last_algorithm, "")
            with scankit.Context("cpu:2") as inner:
                scankit.sort(data("u4", 100000))
                self.assertNotEqual(inner.last_algorithm, "")
            context.synchronize()
            context.set_deterministic()

    def test_workspace(self):
        a = data("u4", 100000)
        with scankit.Context("cpu:2") as context:
            with context.rehearsal() as need:
                scankit.argsort(a)
            self.assertGreater(need.bytes, 0)
            context.set_workspace(np.empty(need.bytes, np.uint8))
            self.assertTrue(same_bits(scankit.argsort(a), np.argsort(a, kind="stable")))
            context.set_workspace(np.empty(300, np.uint8))
            with self.assertRaisesRegex(scankit.OutOfMemoryError, "are needed"):
                scankit.argsort(a)
            with self.assertRaisesRegex(ValueError, "contiguous"):
                context.set_workspace(np.empty(600, np.uint8)[::2])
            context.set_workspace()
            self.assertTrue(same_bits(scankit.sort(a), np.sort(a)))

    def test_closed_context(self):
        context = scankit.Context("cpu:1")
        context.close()
        context.close()
        for use in (context.synchronize, context.__enter__, lambda: context.last_algorithm):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()
        with scankit.Context("cpu:1") as open_one, self.assertRaisesRegex(ValueError, "closed"):
            open_one.close()
            scankit.sort(data("u4", 3))

    def test_devices(self):
        self.assertGreaterEqual(scankit.device_count(), 0)
        with self.assertRaisesRegex(scankit.DescriptionError, "device 'gpu'"):
            scankit.Context("gpu")
        with self.assertRaises(scankit.NoDeviceError):
            scankit.Context(f"cuda:{scankit.device_count()}")

    def test_streams_are_ordered(self):
        from scankit import _context
        from scankit._arrays import View

        recorder, library = Recorder(), _context.library
        views = [View(None, 1, 1, np.dtype("u4"), "cuda:0", stream) for stream in (7, 7)]
        context = scankit.Context("cpu:1")
        _context.library = recorder
        try:
            context.ordered(recorder.work, views, ())
            context.ordered(recorder.work, [View(None, 1, 1, np.dtype("u4"), "cuda:0", None)], ())
        finally:
            _context.library = library
        expected = [("wait_stream", 7), ("work",), ("signal_stream", 7), ("work",), ("synchronize",)]
        self.assertEqual(recorder.calls, expected)


class Threads(unittest.TestCase):
    def test_threads_have_contexts_of_their_own(self):
        failures = []

        def work(seed):
            a = data("i8", 50000, seed)
            for _ in range(5):
                if not same_bits(scankit.sort(a), np.sort(a)):
                    failures.append(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_the_gil_is_released(self):
        a = data("u8", 1 << 24)
        done = threading.Event()

        def work():
            with scankit.Context("cpu:1"):
                scankit.sort(a)
            done.set()

        ticks = 0
        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            time.sleep(0.001)
            ticks += 1
        thread.join()
        self.assertGreater(ticks, 10)

    def test_a_forked_process(self):
        scankit.sort(data("u4", 1 << 21))
        fork = multiprocessing.get_context("fork")
        queue = fork.Queue()
        child = fork.Process(target=sort_in_child, args=(queue,))
        child.start()
        try:
            self.assertTrue(queue.get(timeout=60))
        finally:
            child.kill()
        child.join()


class Costs(unittest.TestCase):
    def test_a_call_costs_microseconds(self):
        a, mask = np.arange(16, dtype="u4"), np.ones(16, bool)
        calls = {
            "sort": lambda: scankit.sort(a),
            "cumsum": lambda: scankit.cumsum(a),
            "compact": lambda: scankit.compact(a, "x > 3"),
            "mask": lambda: scankit.compact(a, mask),
        }
        for name, call in calls.items():
            best = min(timeit.repeat(call, number=500, repeat=20)) / 500
            # 2 to 4 us on a free processor. Tests run side by side, so the limit is wide.
            self.assertLess(best, 50e-6, name)


if __name__ == "__main__":
    unittest.main()
