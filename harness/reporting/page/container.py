"""Container of the page's data: header and texts in JSON, then columns of numbers (docs/reference/report-page.md).

A column holds whole numbers from 0 to 2**53. It is stored as planes: the lowest byte of every number, then the next
byte of every number, up to the highest that is not 0 everywhere. Times differ in their low bytes and share their high
ones, so planes compress far better than numbers, and a column of zeros takes no room.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

LEVEL = 5  # compression level of gzip: level 6 saves 1 % and takes twice as long for text
GZIP_HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"  # deflate, no name, no time, unknown system
Column = list[int]  # offset, number of values, planes
Text = list[int]  # offset among the texts, number of bytes


class Container:
    """Columns that are added one by one; each gets an index, for the header."""

    def __init__(self) -> None:
        self.planes: list[bytes] = []
        self.texts: list[bytes] = []
        self.size = self.text_size = 0

    def add(self, values: npt.ArrayLike) -> Column:
        """Add a column of whole numbers from 0; return its index."""
        numbers = np.ascontiguousarray(values, np.int64)
        assert numbers.min(initial=0) >= 0
        count = (int(numbers.max(initial=0)).bit_length() + 7) // 8
        place = [self.size, len(numbers), count]
        self.planes += [((numbers >> 8 * k) & 0xFF).astype(np.uint8).tobytes() for k in range(count)]
        self.size += len(numbers) * count
        return place

    def add_texts(self, texts: Sequence[str]) -> Text:
        """Add texts, which the page reads when it first needs one of them; return their index, for the header."""
        stored = as_json(texts)
        place = [self.text_size, len(stored)]
        self.texts.append(stored)
        self.text_size += len(stored)
        return place

    def packed(self, header: dict[str, Any]) -> bytes:
        """Return header, texts and columns, compressed: the same bytes for the same data."""
        first = as_json(header | {"texts": self.text_size})
        return zipped(b"".join([len(first).to_bytes(4, "little"), first, *self.texts]), b"".join(self.planes))


def as_json(value: object) -> bytes:
    """Return a value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def zipped(text: bytes, planes: bytes) -> bytes:
    """Return gzip of a text and planes, as one member of two parts: planes have runs, but hardly words that recur."""
    first = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    second = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, strategy=zlib.Z_RLE)
    check, size = zlib.crc32(planes, zlib.crc32(text)), (len(text) + len(planes)) & 0xFFFFFFFF
    return b"".join(
        [
            GZIP_HEADER,
            *(first.compress(text), first.flush(zlib.Z_SYNC_FLUSH)),
            *(second.compress(planes), second.flush()),
            *(check.to_bytes(4, "little"), size.to_bytes(4, "little")),
        ]
    )


def zigzag(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return natural numbers for integers: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    result: npt.NDArray[np.int64] = (numbers << 1) ^ (numbers >> 63)
    return result
