"""Reads arrays by the DLPack protocol, without a copy (https://dmlc.github.io/dlpack, ABI version 0.x).

Only the description is read here. The capsule stays unconsumed and is kept as long as the memory is used.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
_LEGACY_STREAM = 1


class _Tensor(ctypes.Structure):
    """DLTensor; DLManagedTensor begins with it."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Described(NamedTuple):
    """An array of some package. strides: in bytes, or None for C order."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: np.dtype[Any]
    place: str
    stream: int | None
    writable: bool
    owner: Any


# DLDataTypeCode, as letters of NumPy's kinds.
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}


def _pointer_of(capsule: Any) -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, b"dltensor"))


def _dtype_of(tensor: _Tensor) -> np.dtype[Any]:
    kind = _KINDS.get(tensor.code)
    if kind is None or tensor.lanes != 1 or tensor.bits % 8:
        raise TypeError(f"DLPack: elements of code {tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes")
    return np.dtype(f"{kind}{tensor.bits // 8}")


def place_of(device: int, number: int) -> str:
    """The place of a device by its DLDeviceType, which Arrow uses too, and its number."""
    if device in (CPU, CUDA_HOST):
        return "cpu"
    if device in (CUDA, CUDA_MANAGED):
        return f"cuda:{number}"
    raise TypeError(f"arrays of device type {device} are not supported")


def describe(array: Any) -> Described:
    """What __dlpack__() says. On a GPU, the exporter orders its work before the legacy default stream."""
    device, number = array.__dlpack_device__()
    place = place_of(int(device), int(number))
    stream = None if place == "cpu" else _LEGACY_STREAM
    try:
        capsule = array.__dlpack__() if stream is None else array.__dlpack__(stream=stream)
    except (BufferError, RuntimeError) as error:
        raise TypeError(f"{type(array).__name__}: {error}") from error
    tensor = _Tensor.from_address(_pointer_of(capsule))
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    dtype = _dtype_of(tensor)
    strides = tuple(tensor.strides[k] * dtype.itemsize for k in range(tensor.ndim)) if tensor.strides else None
    pointer = (tensor.data or 0) + tensor.byte_offset
    return Described(pointer, shape, strides, dtype, place, stream, True, capsule)
