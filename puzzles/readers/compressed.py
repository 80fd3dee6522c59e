"""Files that may be compressed, opened for reading bytes. Content decides, not the file's name.

gzip, bzip2, xz, the older lzma, and zstd where Python has it. A file that grows without end is a decompression bomb:
reading stops at MAX_RATIO times its size.
"""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, cast

from puzzles.readers.source import BadInput, printable_path

ENDINGS = (".gz", ".bz2", ".xz", ".lzma", ".zst")
MAX_RATIO = 250  # of the decompressed size to the size of the file; text seldom reaches 50
ALLOWANCE = 64 << 20  # bytes that any file may have
MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"]\0\0", "lzma"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, ValueError)


def open_binary(path: Path) -> BinaryIO:
    """Open a file, decompressed if it is compressed. Raises OSError, BadInput."""
    file = path.open("rb")
    kind = next((kind for magic, kind in MAGIC if file.peek(6).startswith(magic)), None)
    if kind is None:
        return file
    file.close()
    size = path.stat().st_size
    return cast(BinaryIO, io.BufferedReader(Decompressed(path, opener(kind, path)(path), MAX_RATIO * size + ALLOWANCE)))


def opener(kind: str, path: Path) -> Callable[[Path], Any]:
    """Return the function that opens a file of this compression. Raises BadInput."""
    if kind == "zstd":
        if not find_spec("compression.zstd" if find_spec("compression") else "compression"):
            raise BadInput(f"{printable_path(path)}: is compressed by zstd, which needs Python 3.14: unpack it first")
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        return cast(Callable[[Path], Any], zstd.open)
    openers: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open, "lzma": lzma.open}
    return cast(Callable[[Path], Any], openers[kind])


class Decompressed(io.RawIOBase):
    """The decompressed bytes of a file, at most `limit` of them. Reading raises BadInput on damage and beyond it."""

    def __init__(self, path: Path, stream: BinaryIO, limit: int) -> None:
        self.path, self.stream, self.left = path, stream, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self.stream.read(len(buffer))
        except DAMAGED as e:
            raise BadInput(f"{printable_path(self.path)}: is damaged: {e}") from None
        self.left -= len(data)
        if self.left < 0:
            raise BadInput(f"{printable_path(self.path)}: grows more than {MAX_RATIO}-fold when unpacked: refused")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.stream.close()
        super().close()


def head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, decompressed; none if it can't be read. Raises BadInput if damaged."""
    try:
        with open_binary(path) as file:
            return file.read(size)
    except OSError:
        return b""


def ending(path: Path) -> str:
    """Return the ending of a file's name in lower case, without that of a compression."""
    last = path.suffix.lower()
    return Path(path.stem).suffix.lower() if last in ENDINGS else last
