"""Gives memory away by the Arrow C data interface.

A capsule owns the structure that it points to. A consumer may move the structure out of it, and calls its release at
any later time, from any thread. Until then the structure's private_data is a key of _kept.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np

from ._arrow_abi import RELEASE, Array, Schema, release

_FORMATS = {
    **{"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L"},
    **{"f2": "e", "f4": "f", "f8": "g"},
}
_kept: dict[int, Any] = {}
_numbers = itertools.count(1)

_new_capsule: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
# The capsule is being deleted. A reference to it, which py_object makes, would delete it twice.
_pointer_of_deleted: Any = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def format_of(dtype: np.dtype[Any]) -> bytes:
    """Arrow's format. TypeError if it has none with the same bytes."""
    if dtype.kind == "S" and dtype.itemsize:
        return f"w:{dtype.itemsize}".encode()
    if not dtype.isnative or dtype.str[1:] not in _FORMATS:
        raise TypeError(f"dtype {dtype} has no Arrow type with the same bytes")
    return _FORMATS[dtype.str[1:]].encode()


def _releaser(kind: Any) -> Any:
    def release_it(address: int) -> None:
        structure = kind.from_address(address)
        _kept.pop(structure.private_data, None)
        structure.release = None

    return RELEASE(release_it)


_release_schema, _release_array = _releaser(Schema), _releaser(Array)


def _destructor(kind: Any, name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        address = _pointer_of_deleted(capsule, name)
        release(kind.from_address(address))
        _kept.pop(-address, None)

    return ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(destroy)


_destroy_schema, _destroy_array = _destructor(Schema, b"arrow_schema"), _destructor(Array, b"arrow_array")


def _capsule(structure: Any, what: Any, name: bytes, destructor: Any) -> Any:
    """A capsule of the structure, whose release lets go of `what`."""
    structure.private_data = next(_numbers)
    _kept[structure.private_data] = what
    address = ctypes.addressof(structure)
    _kept[-address] = structure
    return _new_capsule(address, name, ctypes.cast(destructor, ctypes.c_void_p))


def capsule_of_schema(dtype: np.dtype[Any]) -> Any:
    """An "arrow_schema" of one array."""
    text = format_of(dtype)
    schema = Schema(format=text, name=b"", release=ctypes.cast(_release_schema, ctypes.c_void_p))
    # A structure that was moved out of the capsule still points to the text.
    return _capsule(schema, (text, schema._objects), b"arrow_schema", _destroy_schema)


def capsule_of_array(values: np.ndarray[Any, Any]) -> Any:
    """An "arrow_array" over the memory of a contiguous array, without nulls."""
    buffers = (ctypes.c_void_p * 2)(None, values.ctypes.data)
    array = Array(length=values.size, n_buffers=2, release=ctypes.cast(_release_array, ctypes.c_void_p))
    array.buffers = ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p))
    return _capsule(array, (values, buffers), b"arrow_array", _destroy_array)
