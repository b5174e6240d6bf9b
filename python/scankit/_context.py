"""Contexts: one for each device and thread, opened at the first call."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ._arrays import View, view_of
from ._errors import Error, error_of
from ._library import library, text_of

# The library asks for this alignment of a workspace; arrays may have less.
_ALIGNMENT = 256

_local = threading.local()

# The device that a thread opens for arrays on the CPU.
_cpu = "cpu"


class Rehearsal:
    """What a rehearsal found: see Context.rehearsal()."""

    def __init__(self) -> None:
        #: Bytes of an array for Context.set_workspace().
        self.bytes = 0


class Context:
    """A device with a workspace that grows as calls need it.

    No function needs one: each thread opens a context for each device that it uses, with all cores of a CPU. An
    explicit context chooses the number of threads, or keeps a workspace apart. As a context manager it serves all calls
    of this thread on its device:

        >>> import numpy as np, scankit
        >>> with scankit.Context("cpu:1") as context:
        ...     print(context.device, scankit.sort(np.array([3, 1, 2])))
        cpu:1 [1 2 3]

    A context may be used by one thread at a time.
    """

    def __init__(self, device: str = "auto") -> None:
        """Opens "cpu" (all cores), "cpu:THREADS", "cuda", "cuda:N" or "auto" (the first GPU, or the CPU).

        Raises:
            DescriptionError: any other text.
            NoDeviceError: there is no such GPU, or the library was built without CUDA.
            DeviceError: the device fails to start.
        """
        self.handle: int | None = None
        self._workspace: Any = None
        self._before: list[Context | None] = []
        handle = ctypes.c_void_p()
        if code := library.scankit_open(ctypes.byref(handle), device.encode()):
            raise error_of(code, f"{text_of(code)}: device {device!r}")
        self.handle = handle.value
        self._process = os.getpid()
        #: "cpu:2", "cuda:0 (NVIDIA H100 80GB HBM3)"
        self.device = str(library.scankit_device_name(self.handle).decode())
        self._place = "cpu" if self.device.startswith("cpu") else self.device.split(" ")[0]

    def __enter__(self) -> Context:
        if self.handle is None:
            raise ValueError("the context is closed")
        self._before.append(_local.__dict__.get(self._place))
        _local.__dict__[self._place] = self
        return self

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before is None:
            del _local.__dict__[self._place]
        else:
            _local.__dict__[self._place] = before

    def __repr__(self) -> str:
        return f"<scankit.Context {self.device}{'' if self.handle else ', closed'}>"

    def close(self) -> None:
        """Waits for queued work and frees the workspace. Later calls must not use the context."""
        handle, self.handle = self.handle, None
        if handle is not None:
            library.scankit_close(handle)

    def __del__(self) -> None:
        # A forked process has contexts of threads that it does not have. Closing them could wait for ever.
        if getattr(self, "handle", None) is not None and self._process == os.getpid():
            self.close()

    def synchronize(self) -> None:
        """Waits until all queued work is complete. Raises DeviceError if it failed."""
        self._check(library.scankit_synchronize(self.handle))

    def set_deterministic(self, on: bool = True) -> None:
        """Gives sums and products of floats the same bits on every run of a GPU, at some cost in speed."""
        self._check(library.scankit_set_deterministic(self.handle, on))

    @contextlib.contextmanager
    def rehearsal(self) -> Iterator[Rehearsal]:
        """Calls within it compute nothing. Afterwards its `bytes` are the workspace that the largest of them needs.

            >>> keys = np.arange(1000, dtype=np.uint32)
            >>> with scankit.Context("cpu:1") as context:
            ...     with context.rehearsal() as need:
            ...         _ = scankit.argsort(keys)
            ...     context.set_workspace(np.empty(need.bytes, np.uint8))
            ...     scankit.argsort(keys)[:3]
            array([0, 1, 2])
        """
        found, need = Rehearsal(), ctypes.c_size_t()
        self._check(library.scankit_workspace_begin(self.handle))
        try:
            yield found
        finally:
            self._check(library.scankit_workspace_end(self.handle, ctypes.byref(need)))
            found.bytes = need.value + _ALIGNMENT - 1 if need.value else 0

    def set_workspace(self, memory: Any = None) -> None:
        """Takes the workspace from an array alone, such as one of PyTorch's; None returns to the context's own.

        The context keeps the array, which nothing else may use. A call that needs more raises OutOfMemoryError.

        Raises:
            ValueError: an array of another device, or one that is not contiguous.
        """
        pointer = size = 0
        if memory is not None:
            view = view_of(memory)
            if view.place != self._place or view.array is not memory:
                raise ValueError(f"the workspace is not a contiguous array of {self._place}")
            if view.stream is not None:
                self._check(library.scankit_wait_stream(self.handle, view.stream))
            lead = -view.pointer % _ALIGNMENT
            pointer, size = view.pointer + lead, max(view.size * view.dtype.itemsize - lead, 0)
        self._check(library.scankit_set_workspace(self.handle, pointer or None, size))
        self._workspace = memory

    @property
    def last_algorithm(self) -> str:
        """The algorithm of the last sort, split, merge or scan: "hybrid"."""
        if self.handle is None:
            raise ValueError("the context is closed")
        return str(library.scankit_last_algorithm(self.handle).decode())

    def error(self, code: int) -> Error:
        """The exception for an error of this context's last call, with the library's detail."""
        detail = library.scankit_error_detail(self.handle).decode()
        return error_of(code, f"{text_of(code)}: {detail}" if detail else text_of(code))

    def _check(self, code: int) -> None:
        if self.handle is None:
            raise ValueError("the context is closed")
        if code:
            raise self.error(code)

    def ordered(self, function: Callable[..., int], views: Sequence[View], arguments: Sequence[Any]) -> int:
        """Calls a function after all work that the arrays' streams have, and before all that they get from now on."""
        streams = {view.stream for view in views}
        for stream in streams - {None}:
            self._check(library.scankit_wait_stream(self.handle, stream))
        if code := function(self.handle, *arguments):
            return code
        for stream in streams - {None}:
            self._check(library.scankit_signal_stream(self.handle, stream))
        if None in streams:
            self._check(library.scankit_synchronize(self.handle))
        return 0


def current(place: str) -> Context:
    """This thread's context for "cpu" or "cuda:N"."""
    found: Context | None = _local.__dict__.get(place)
    if found is None:
        found = _local.__dict__[place] = Context(_cpu if place == "cpu" else place)
    elif found.handle is None:
        raise ValueError(f"the context of {place} is closed")
    return found


def call(function: Callable[..., int], views: Sequence[View], *arguments: Any) -> None:
    """Calls a function of the library on the views' device. The GIL is released during the call."""
    place = views[0].place
    for view in views:
        if view.place != place:
            raise ValueError(f"arrays of two devices: {place} and {view.place}")
    context = current(place)
    if place == "cpu":
        code = function(context.handle, *arguments)
    else:
        code = context.ordered(function, views, arguments)
    if code:
        raise context.error(code)


def device_count() -> int:
    """The number of GPUs that a context can open; 0 without a driver, or with a library built without CUDA."""
    return int(library.scankit_cuda_device_count())


def _forget() -> None:
    """In a forked process: the threads of the parent's contexts are not there. Their memory is not freed.

    GNU OpenMP waits for its lost threads for ever, so new contexts work with the calling thread alone.
    """
    global _cpu
    _cpu = "cpu:1"
    for found in _local.__dict__.values():
        found.handle = None
    _local.__dict__.clear()


os.register_at_fork(after_in_child=_forget)
