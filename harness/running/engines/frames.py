"""Frames between a Dask worker and the process of a place: a number, a size, and a pickle of that size."""

import os
import pickle
import struct
from typing import Any

HEAD = struct.Struct("<QQ")


def write(fd: int, number: int, value: Any) -> None:
    """Write a frame. Raises OSError."""
    data = pickle.dumps(value)
    left = memoryview(HEAD.pack(number, len(data)) + data)
    while left:
        left = left[os.write(fd, left) :]


def read(fd: int) -> tuple[int, Any]:
    """Read a frame. Raises EOFError, OSError."""
    number, size = HEAD.unpack(exactly(fd, HEAD.size))
    return number, pickle.loads(exactly(fd, size))


def exactly(fd: int, size: int) -> bytes:
    """Read so many bytes. Raises EOFError, OSError."""
    found = bytearray()
    while len(found) < size:
        if not (data := os.read(fd, min(size - len(found), 1 << 20))):
            raise EOFError
        found += data
    return bytes(found)
