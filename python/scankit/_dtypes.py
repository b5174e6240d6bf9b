"""NumPy's dtypes as the library's element types, operators, keys and layouts."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ._errors import ArgumentError, error_of
from ._library import Key, enumerator, library, text_of

# SCANKIT_BYTES. Only types have a name.
BYTES = next(value for value in range(256) if library.scankit_type_name(value) == b"bytes")


def _name_of(dtype: np.dtype[Any]) -> str:
    """The name of the library's type; of a bool, u8."""
    return "u8" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"


def _all_types() -> dict[Any, int]:
    names = ("?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "longlong", "ulonglong")
    return {np.dtype(name): enumerator("type", _name_of(np.dtype(name))) for name in names}


_TYPES = _all_types()


def type_of(dtype: np.dtype[Any]) -> int:
    """The library's type. TypeError if it has none, or if the bytes are swapped."""
    found = _TYPES.get(dtype)
    if found is not None:
        return found
    if dtype.newbyteorder("=") in _TYPES:
        raise TypeError(f"dtype {dtype} is byte-swapped; convert it: a.astype(a.dtype.newbyteorder('='))")
    hint = "; sort its integers: a.view('i8')" if dtype.kind in "mM" else ""
    hint = hint or ("; for structured dtypes see sort_records()" if dtype.names else "")
    raise TypeError(f"dtype {dtype} is no element type of scankit{hint}")


def size_of(dtype: np.dtype[Any]) -> int:
    """The size of an element that is only moved or compared by its bytes. TypeError for Python objects."""
    if dtype.hasobject:
        raise TypeError(f"dtype {dtype} holds Python objects")
    return dtype.itemsize


_OPERATORS: dict[str, int] = {}
_OPERATORS_OF_BOOL = ("min", "max", "and", "or", "xor")


def operator_of(name: str, dtype: np.dtype[Any]) -> int:
    """The library's operator. TypeError for arithmetic on bools."""
    if dtype.kind == "b" and name not in _OPERATORS_OF_BOOL:
        raise TypeError(f"{name} of bools; convert them: a.view('u1') or a.astype('i8')")
    if name not in _OPERATORS:
        _OPERATORS[name] = enumerator("operator", name)
    return _OPERATORS[name]


def _key_of(dtype: np.dtype[Any], offset: int, descending: bool, what: str) -> Key:
    """A key that is one value of a record. Byte-swapped numbers are keys as they are."""
    if dtype.kind in "SV" and not dtype.names and not dtype.subdtype:
        return Key(offset, BYTES, dtype.itemsize, 0, descending)
    native = dtype.newbyteorder("=")
    if native not in _TYPES:
        raise TypeError(f"{what} of dtype {dtype} cannot be a key")
    swapped = dtype.itemsize > 1 and (dtype.str[0] == ">")
    return Key(offset, _TYPES[native], dtype.itemsize, swapped, descending)


def whole_key(dtype: np.dtype[Any], descending: bool) -> Any:
    """The array of keys whose only key is the whole element."""
    return (Key * 1)(_key_of(dtype, 0, descending, "an element"))


def _field_of(dtype: np.dtype[Any], path: str) -> tuple[np.dtype[Any], int]:
    """The dtype and the offset of a field, or of a field of a field by "outer.inner"."""
    offset = 0
    if dtype.fields is not None and path in dtype.fields:
        return dtype.fields[path][0], dtype.fields[path][1]
    for name in path.split("."):
        if dtype.fields is None or name not in dtype.fields:
            raise ArgumentError(f"there is no field {path!r}; the fields are {', '.join(dtype.names or ())}")
        dtype, more = dtype.fields[name][:2]
        offset += more
    return dtype, offset


def keys_of(dtype: np.dtype[Any], keys: str | list[str] | tuple[str, ...] | None) -> Any:
    """The keys "name", "name:asc" or "name:desc", as an array of scankit_key. None: all fields, in their order."""
    if dtype.names is None:
        raise TypeError(f"dtype {dtype} has no fields; see sort()")
    names = keys.split(",") if isinstance(keys, str) else list(dtype.names if keys is None else keys)
    found = []
    for name in names:
        path, _, order = name.strip().rpartition(":")
        if order not in ("asc", "desc") or not path:
            path, order = name.strip(), "asc"
        field, offset = _field_of(dtype, path)
        found.append(_key_of(field, offset, order == "desc", f"the field {path!r}"))
    return (Key * len(found))(*found)


class Layout:
    """A scankit_layout with the fields of a structured dtype. Gaps become fields without a name."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.handle = ctypes.c_void_p()
        self._check(library.scankit_layout_create(ctypes.byref(self.handle)))
        fields: Any = dtype.fields or {}
        end = 0
        for name in sorted(dtype.names or (), key=lambda name: fields[name][1]):
            field, offset = fields[name][:2]
            if offset < end:
                raise TypeError(f"the field {name!r} overlaps another one")
            self._pad(offset - end)
            self._append(name, field)
            end = offset + field.itemsize
        self._pad(dtype.itemsize - end)

    def _check(self, code: int) -> None:
        if code:
            raise error_of(code, text_of(code))

    def _pad(self, size: int) -> None:
        if size:
            self._check(library.scankit_layout_append(self.handle, b"", BYTES, size, 0))

    def _append(self, name: str, field: np.dtype[Any]) -> None:
        kind = _TYPES.get(field.newbyteorder("="), BYTES)
        swapped = kind != BYTES and field.itemsize > 1 and field.str[0] == ">"
        self._check(library.scankit_layout_append(self.handle, name.encode(), kind, field.itemsize, swapped))

    def __del__(self) -> None:
        library.scankit_layout_destroy(self.handle)
