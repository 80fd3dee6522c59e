"""Files that may be compressed, opened for reading bytes. Content decides, not the file's name.

gzip, bzip2, xz, the older lzma, and zstd where Python has it. A file that grows without end is a decompression bomb:
reading stops at MAX_RATIO times its size.
"""

import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from puzzles.errors import BadInput, printable_path

ENDINGS = (".gz", ".bz2", ".xz", ".lzma", ".zst")
HEAD_BYTES = 1 << 20  # read at once, in which the comments before a header must end
MAX_RATIO = 100  # greatest ratio of decompressed to compressed size; text seldom reaches 50
USUAL_RATIO = 4
ALLOWANCE = 64 << 20  # bytes that any file may have
MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"]\0\0", "lzma"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
MODULES = {"gzip": "gzip", "bz2": "bz2", "xz": "lzma", "lzma": "lzma", "zstd": "compression.zstd"}
FAULTS = (("zlib", "error"), ("lzma", "LZMAError"), ("compression.zstd", "ZstdError"))


def open_binary(path: Path) -> "io.BufferedReader[Any]":
    """Open a file, decompressed if it is compressed; its `peek` shows up to HEAD_BYTES. Raises OSError, BadInput."""
    file = io.BufferedReader(io.FileIO(path), HEAD_BYTES)
    try:
        kind = compression(file.peek(6))
        if kind is None:
            return file
        size = os.fstat(file.fileno()).st_size
        unpacked = Decompressed(path, file, decompressor(kind, path), MAX_RATIO * size + ALLOWANCE)
    except BaseException:
        file.close()
        raise
    return io.BufferedReader(unpacked, HEAD_BYTES)


def about_bytes(file: "io.BufferedReader[Any]") -> int:
    """Return about how many bytes a file has when unpacked; 0 for a pipe."""
    if isinstance(file.raw, Decompressed):
        return USUAL_RATIO * os.fstat(file.raw.file.fileno()).st_size
    return os.fstat(file.fileno()).st_size


def compression(start: bytes) -> str | None:
    """Return the compression of a file with this beginning, None if it is not compressed."""
    return next((kind for magic, kind in MAGIC if start.startswith(magic)), None)


def is_compressed(path: Path) -> bool:
    """Return True if a file is compressed. Raises OSError."""
    with path.open("rb", buffering=0) as file:
        return compression(file.read(6)) is not None


def decompressor(kind: str, path: Path) -> Callable[[BinaryIO], Any]:
    """Return the function that unpacks a file of this compression. Raises BadInput if this Python has none."""
    try:
        return cast(Callable[[BinaryIO], Any], import_module(MODULES[kind]).open)
    except ImportError:
        lacking = "needs Python 3.14" if kind == "zstd" else "this Python was built without"
        how = f"`{'bzip2' if kind == 'bz2' else kind} -d {printable_path(path.name)}` unpacks it"
        raise BadInput(f"{printable_path(path)}: is compressed by {kind}, which {lacking}: {how}") from None


def damaged() -> tuple[type[Exception], ...]:
    """Return the errors that unpacking damaged data raises, of the modules that are loaded."""
    loaded = [(sys.modules.get(module), name) for module, name in FAULTS]
    return (EOFError, ValueError, OSError, *(getattr(module, name) for module, name in loaded if module))


class Decompressed(io.RawIOBase):
    """The decompressed bytes of a file, at most `limit` of them. Reading raises BadInput for damaged or longer data."""

    def __init__(self, path: Path, file: BinaryIO, unpack: Callable[[BinaryIO], Any], limit: int) -> None:
        self.path, self.file, self.stream, self.left = path, file, unpack(file), limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self.stream.read(len(buffer))
        except damaged() as e:
            if isinstance(e, OSError) and e.errno is not None:  # of the file itself, not of its content
                raise
            raise BadInput(f"{printable_path(self.path)}: is damaged: {e}") from None
        self.left -= len(data)
        if self.left < 0:
            raise BadInput(f"{printable_path(self.path)}: grows more than {MAX_RATIO}-fold when unpacked: refused")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.stream.close()
        self.file.close()
        super().close()


def ending(path: Path) -> str:
    """Return the ending of a file's name in lower case, without that of a compression."""
    last = path.suffix.lower()
    return Path(path.stem).suffix.lower() if last in ENDINGS else last
