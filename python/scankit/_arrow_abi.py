"""The structures of the Arrow C data, stream and device interfaces, and how their capsules are read.

Specification: https://arrow.apache.org/docs/format/CDataInterface.html and its neighbours on streams, devices and the
PyCapsule interface. Whoever holds a structure whose release is not null calls it once. A capsule does so itself.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, NamedTuple

from ._dlpack import CPU


class Schema(ctypes.Structure):
    """ArrowSchema: the type of an array."""


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Array(ctypes.Structure):
    """ArrowArray: the buffers of an array."""


Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class DeviceArray(ctypes.Structure):
    """ArrowDeviceArray; sync_event points to an event of the device, or is null."""

    _fields_ = [
        ("array", Array),
        ("device_id", ctypes.c_int64),
        ("device_type", ctypes.c_int32),
        ("sync_event", ctypes.c_void_p),
        ("reserved", ctypes.c_int64 * 3),
    ]


class Stream(ctypes.Structure):
    """ArrowArrayStream: arrays of one type, one after the other."""

    _fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_pointer: Any = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Arrays(NamedTuple):
    """What an object gives: the type, and its arrays. owner: what keeps the memory."""

    schema: Schema
    chunks: list[Array]
    device: int
    number: int
    event: int | None
    owner: Any


def release(structure: Any) -> None:
    """Calls the structure's release, unless it was called or moved away."""
    if structure.release:
        RELEASE(structure.release)(ctypes.addressof(structure))


class _Held:
    """A structure of ours that a producer fills. It is released when nothing refers to it any more."""

    def __init__(self, kind: type[ctypes.Structure]) -> None:
        self.structure: Any = kind()
        weakref.finalize(self, release, self.structure).atexit = False


def has_arrow(array: Any) -> bool:
    """True if the object has one of the methods of Arrow."""
    return any(hasattr(array, f"__arrow_c_{name}__") for name in ("device_array", "array", "stream"))


def arrays_of(array: Any) -> Arrays:
    """The arrays of an object with one of the methods of Arrow. Nothing is copied.

    Raises:
        ValueError: the producer of a stream failed.
    """
    if hasattr(array, "__arrow_c_device_array__"):
        capsules = array.__arrow_c_device_array__()
        found = DeviceArray.from_address(_pointer(capsules[1], b"arrow_device_array"))
        return _of_capsules(capsules, found.array, found.device_type, found.device_id, found.sync_event)
    if hasattr(array, "__arrow_c_array__"):
        capsules = array.__arrow_c_array__()
        return _of_capsules(capsules, Array.from_address(_pointer(capsules[1], b"arrow_array")), CPU, 0, None)
    return _of_stream(array.__arrow_c_stream__())


def _of_capsules(capsules: Any, array: Array, device: int, number: int, event: int | None) -> Arrays:
    """The capsules stay unconsumed, and release their structures when they are deleted."""
    schema = Schema.from_address(_pointer(capsules[0], b"arrow_schema"))
    return Arrays(schema, [array], device, number, event, capsules)


def _of_stream(capsule: Any) -> Arrays:
    address = _pointer(capsule, b"arrow_array_stream")
    stream = Stream.from_address(address)
    held = [_Held(Schema)]
    _next(stream, address, stream.get_schema, held[0])
    while True:
        chunk = _Held(Array)
        _next(stream, address, stream.get_next, chunk)
        if not chunk.structure.release:
            break
        held.append(chunk)
    return Arrays(held[0].structure, [chunk.structure for chunk in held[1:]], CPU, 0, None, held)


def _next(stream: Any, address: int, function: Any, held: _Held) -> None:
    if code := function(address, ctypes.addressof(held.structure)):
        detail = stream.get_last_error(address)
        raise ValueError(f"the Arrow stream failed: {detail.decode(errors='replace') if detail else f'error {code}'}")
