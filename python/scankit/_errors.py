"""The exceptions of the package. Each carries the library's line of detail."""

from __future__ import annotations


class Error(Exception):
    """The base of all exceptions of the library."""


class ArgumentError(Error, ValueError):
    """The library refused an argument."""


class DescriptionError(Error, ValueError):
    """A text (a predicate, a device, a key) is malformed.

    Attributes:
        text: the text.
        where: the offset of the error in it, or None.
    """

    def __init__(self, message: str, text: str = "", where: int | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.where = where


class OutOfMemoryError(Error, MemoryError):
    """The device has too little memory."""


class NoDeviceError(Error, RuntimeError):
    """There is no such device, or the library was built without CUDA."""


class DeviceError(Error, RuntimeError):
    """The device failed."""


class LibraryError(Error, ImportError):
    """libscankit was not found, or is too old."""


class ToolError(Error, RuntimeError):
    """A tool failed.

    Attributes:
        status: its exit status.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


# In the order of SCANKIT_ERRORS in scankit.h; 0 is success.
_CLASSES: tuple[type[Error], ...] = (
    Error,
    ArgumentError,
    DescriptionError,
    OutOfMemoryError,
    NoDeviceError,
    DeviceError,
)


def error_of(code: int, message: str) -> Error:
    """The exception for a scankit_error."""
    return (_CLASSES[code] if code < len(_CLASSES) else Error)(message)
