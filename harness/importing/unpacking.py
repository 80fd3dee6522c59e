"""Content of a file of results, unpacked if it is compressed, by the rules for instances: regular files alone, and no
decompression bombs.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from harness.model.errors import BadUsage
from puzzles.errors import BadInput
from puzzles.files import NOT_REGULAR
from puzzles.readers.compressed import open_binary
from puzzles.readers.source import may_be_file

STEP = 1 << 18  # bytes
MAX_BYTES = 1 << 32  # bytes of an unpacked file that is read piece by piece
MAX_WHOLE = 1 << 28  # bytes of one that is read whole


@contextmanager
def unpacked(path: str) -> Iterator[BinaryIO]:
    """Open a file. Raises BadUsage, also for errors of the system and damaged content in the block."""
    try:
        if not may_be_file(Path(path)):
            raise BadUsage(f"{path}: {NOT_REGULAR}")
        with open_binary(Path(path)) as file:
            yield file
    except BadInput as e:
        raise BadUsage(str(e)) from e
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror or e}") from e


def pieces(path: str, most: int = MAX_BYTES) -> Iterator[bytes]:
    """Yield the content of a file, unpacked. Raises BadUsage."""
    left = most
    with unpacked(path) as file:
        while piece := file.read(STEP):
            left -= len(piece)
            if left < 0:
                raise BadUsage(f"{path}: more than {most >> 20:,} MiB")
            yield piece


def text_of(path: str) -> str:
    """Return the text of a file, unpacked. Raises BadUsage if it can't be read, is too large, or not UTF-8."""
    content = b"".join(pieces(path, MAX_WHOLE))
    try:
        return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig").read()
    except UnicodeDecodeError as e:
        raise BadUsage(f"{path}: not UTF-8 text") from e
