"""Silence for a library that prints to standard output before it can be told not to."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

STDOUT = 1
C = ctypes.CDLL(None)


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what compiled code prints to standard output in the block."""
    C.fflush(None)
    kept, null = os.dup(STDOUT), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, STDOUT)
    try:
        yield
    finally:
        C.fflush(None)
        os.dup2(kept, STDOUT)
        os.close(kept)
        os.close(null)
