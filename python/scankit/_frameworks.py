"""What the packages of arrays do in their own way: new arrays, contiguous copies, the current stream."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

_LEGACY_STREAM = 1


class Framework:
    """A package without special support: the caller gives outputs, and contiguous inputs."""

    name = "this package"

    def stream(self, array: Any, number: int, protocol: int | None) -> int | None:
        """The stream on which the caller works with the array; None: no work is pending. protocol: the array's own."""
        return protocol

    def empty(self, size: int, dtype: np.dtype[Any], like: Any, place: str) -> Any:
        """A new array on the device."""
        if place == "cpu":
            return np.empty(size, dtype)
        raise ValueError(f"{type(like).__name__}: new arrays of {self.name} are not supported; pass out=")

    def contiguous(self, array: Any) -> Any:
        """The array or a copy, in C order."""
        raise ValueError(f"{type(array).__name__}: the array is not contiguous")


class Cupy(Framework):
    """CuPy."""

    name = "CuPy"

    def stream(self, array: Any, number: int, protocol: int | None) -> int | None:
        cupy = sys.modules["cupy"]
        with cupy.cuda.Device(number):
            return int(cupy.cuda.get_current_stream().ptr) or _LEGACY_STREAM

    def empty(self, size: int, dtype: np.dtype[Any], like: Any, place: str) -> Any:
        cupy = sys.modules["cupy"]
        with like.device:
            return cupy.empty(size, dtype)

    def contiguous(self, array: Any) -> Any:
        with array.device:
            return sys.modules["cupy"].ascontiguousarray(array)


class Torch(Framework):
    """PyTorch."""

    name = "PyTorch"

    def stream(self, array: Any, number: int, protocol: int | None) -> int | None:
        return int(sys.modules["torch"].cuda.current_stream(array.device).cuda_stream) or _LEGACY_STREAM

    def empty(self, size: int, dtype: np.dtype[Any], like: Any, place: str) -> Any:
        torch = sys.modules["torch"]
        kind = getattr(torch, dtype.name, None)
        if kind is None:
            raise TypeError(f"this PyTorch has no dtype {dtype}")
        return torch.empty(size, dtype=kind, device=like.device)

    def contiguous(self, array: Any) -> Any:
        return array.contiguous()


_OTHERS = Framework()
_FRAMEWORKS: dict[str, Framework] = {"cupy": Cupy(), "torch": Torch()}


def framework_of(array: Any) -> Framework:
    """The package of an array, by the module of its class."""
    for kind in type(array).__mro__:
        found = _FRAMEWORKS.get(kind.__module__.partition(".")[0])
        if found is not None:
            return found
    return _OTHERS
