"""Content of a file piece by piece, unpacked if it is compressed."""

import bz2
import gzip
import zlib
from collections.abc import Iterator
from typing import IO, cast

from harness.model.errors import BadUsage

STEP = 1 << 18  # bytes
MAX_BYTES = 1 << 32  # bytes of an unpacked file


def unpacking(raw: IO[bytes], magic: bytes) -> IO[bytes]:
    """Return the stream that unpacks a file, chosen by its first bytes."""
    if magic[:2] == b"\x1f\x8b":
        return cast(IO[bytes], gzip.open(raw))
    return bz2.open(raw) if magic == b"BZh" else raw


def pieces(path: str) -> Iterator[bytes]:
    """Yield the content of a file, unpacked. Raises BadUsage."""
    left = MAX_BYTES
    try:
        with open(path, "rb") as raw:
            magic = raw.read(3)
            raw.seek(0)
            with unpacking(raw, magic) as file:
                while piece := file.read(STEP):
                    left -= len(piece)
                    if left < 0:
                        raise BadUsage(f"{path}: unpacks to more than {MAX_BYTES >> 30} GiB")
                    yield piece
    except (EOFError, gzip.BadGzipFile, zlib.error) as e:
        raise BadUsage(f"{path}: damaged: {e}") from e
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror or e}") from e
