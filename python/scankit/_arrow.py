"""Columns of Arrow as arrays of NumPy over the same memory."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from ._arrow_abi import Array, Arrays, Schema, arrays_of
from ._dlpack import Described, place_of
from ._errors import DeviceError

# Formats of one buffer. Dates, times and durations are their integers.
_DTYPES = {
    **{"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"},
    **{"e": "f2", "f": "f4", "g": "f8"},
    **{"tdD": "i4", "tdm": "i8", "tts": "i4", "ttm": "i4", "ttu": "i8", "ttn": "i8"},
    **{"tDs": "i8", "tDm": "i8", "tDu": "i8", "tDn": "i8"},
}
_BOOL = "b"


class Column(NamedTuple):
    """values: elements, read-only; those at nulls are arbitrary. valid: False at nulls, or None without nulls."""

    values: np.ndarray[Any, Any]
    valid: np.ndarray[Any, Any] | None


def _dtype_of(schema: Schema) -> np.dtype[Any]:
    """The dtype of a column's elements. TypeError if they are not of fixed width."""
    text = schema.format.decode()
    if schema.dictionary:
        raise TypeError("Arrow: dictionaries are not supported; decode the column first")
    if text.startswith("+"):
        raise TypeError("Arrow: nested arrays are not supported; take a column of a table, or see argsort_table()")
    if text.startswith("ts"):
        return np.dtype("i8")
    if text.startswith("w:") and text != "w:0":
        return np.dtype(f"S{text[2:]}")
    if text == _BOOL:
        return np.dtype("?")
    if text not in _DTYPES:
        raise TypeError(f"Arrow: the format {text!r} has no fixed width, or is no number")
    return np.dtype(_DTYPES[text])


def _memory(address: int, size: int, owner: Any) -> np.ndarray[Any, Any]:
    """Read-only bytes at an address, which keep the owner alive."""
    if size == 0:
        return np.empty(0, "u1")
    buffer: Any = (ctypes.c_char * size).from_address(address)
    buffer.owner = owner
    found = np.frombuffer(buffer, "u1")
    found.flags.writeable = False
    return found


def _bits(address: int, begin: int, count: int, owner: Any) -> np.ndarray[Any, Any]:
    """A bitmap's bits as bools, in new memory."""
    first, skipped = divmod(begin, 8)
    packed = _memory(address + first, (skipped + count + 7) // 8 if count else 0, owner)
    return np.unpackbits(packed, count=skipped + count, bitorder="little")[skipped:].view("?")


def _part(array: Array, dtype: np.dtype[Any], begin: int, count: int, owner: Any) -> Column:
    """Elements of one array, from its element `begin` on."""
    begin += array.offset
    validity, data = array.buffers[0], array.buffers[1] or 0
    valid = None if not validity or array.null_count == 0 else _bits(validity, begin, count, owner)
    if dtype.kind == "b":
        values = _bits(data, begin, count, owner)
    else:
        values = _memory(data + begin * dtype.itemsize, count * dtype.itemsize, owner).view(dtype)
    return Column(values, None if valid is None or valid.all() else valid)


def _joined(parts: list[Column], dtype: np.dtype[Any]) -> Column:
    """The parts as one column. Two parts or more are copied."""
    parts = [part for part in parts if part.values.size] or [Column(np.empty(0, dtype), None)]
    if len(parts) == 1:
        return parts[0]
    values = np.concatenate([part.values for part in parts])
    if all(part.valid is None for part in parts):
        return Column(values, None)
    flags = [np.ones(part.values.size, "?") if part.valid is None else part.valid for part in parts]
    return Column(values, np.concatenate(flags))


def columns_of(table: Any, names: list[str]) -> list[Column]:
    """The columns of a table with these names. Columns of several chunks are joined by a copy.

    Raises:
        TypeError: no table, not on the CPU, or a column whose elements have no fixed width.
        ValueError: there is no such column, or there are two.
    """
    arrays = arrays_of(table)
    if arrays.schema.format != b"+s":
        raise TypeError(f"{type(table).__name__} is no table")
    if place_of(arrays.device, arrays.number) != "cpu":
        raise TypeError("Arrow: tables on a GPU are not supported")
    schema = arrays.schema
    there = [(schema.children[k].contents.name or b"").decode() for k in range(schema.n_children)]
    for name in names:
        if there.count(name) != 1:
            raise ValueError(f"there {'are two columns' if name in there else 'is no column'} {name!r}")
    return [_column_of(arrays, there.index(name)) for name in names]


def _column_of(arrays: Arrays, number: int) -> Column:
    dtype = _dtype_of(arrays.schema.children[number].contents)
    parts = []
    for chunk in arrays.chunks:
        # Rows that are null as a whole have arbitrary elements in their columns.
        if chunk.buffers[0] and not _bits(chunk.buffers[0], chunk.offset, chunk.length, arrays.owner).all():
            raise ValueError("Arrow: a struct with nulls is no table")
        child = chunk.children[number].contents
        parts.append(_part(child, dtype, chunk.offset, chunk.length, arrays.owner))
    return _joined(parts, dtype)


def describe(array: Any) -> Described:
    """An array, or a column in chunks, without nulls.

    Raises:
        TypeError: the elements have no fixed width.
        ValueError: there are nulls.
    """
    arrays = arrays_of(array)
    dtype = _dtype_of(arrays.schema)
    place = place_of(arrays.device, arrays.number)
    if place != "cpu":
        return _on_gpu(arrays, dtype, place)
    column = _joined([_part(chunk, dtype, 0, chunk.length, arrays.owner) for chunk in arrays.chunks], dtype)
    if column.valid is not None:
        nulls = column.valid.size - int(column.valid.sum())
        raise ValueError(f"Arrow: the array has {nulls} nulls; drop or fill them, or see argsort_table()")
    values = np.require(column.values, requirements=["A"])
    return Described(values.ctypes.data, values.shape, None, dtype, "cpu", None, False, values)


def _on_gpu(arrays: Arrays, dtype: np.dtype[Any], place: str) -> Described:
    """An array in the memory of a GPU. Work on it that the producer has queued is waited for."""
    array = arrays.chunks[0]
    if dtype.kind == "b":
        raise TypeError("Arrow: packed bools on a GPU are not supported")
    if array.null_count != 0 and array.buffers[0]:
        raise ValueError("Arrow: an array with nulls on a GPU; drop or fill them")
    if arrays.event:
        _wait_for(arrays.event)
    pointer = (array.buffers[1] or 0) + array.offset * dtype.itemsize
    return Described(pointer, (array.length,), None, dtype, place, None, False, arrays.owner)


def _wait_for(event: int) -> None:
    """Waits for the event whose handle is at this address; events of CUDA's runtime are events of its driver."""
    handle = ctypes.c_void_p.from_address(event)
    if code := ctypes.CDLL("libcuda.so.1").cuEventSynchronize(handle):
        raise DeviceError(f"Arrow: cuEventSynchronize() failed with error {code}")
