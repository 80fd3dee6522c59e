"""Container of the page's data: a header in JSON, then columns of numbers; docs/report-page.md has the format.

A column holds whole numbers from 0 to 2**53. It is stored as planes: the lowest byte of every number, then the next
byte of every number, up to the highest that is not 0 everywhere. Times differ in their low bytes and share their high
ones, so planes compress far better than numbers, and a column of zeros takes no room.
"""

import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

LEVEL = 6  # compression level of gzip: level 9 saves 1 % and takes three times as long
GZIP = 31  # window bits that ask zlib for gzip's header, without a time
Column = list[int]  # offset, number of values, planes


class Container:
    """Columns that are added one by one; each gets an index, for the header."""

    def __init__(self) -> None:
        self.planes: list[bytes] = []
        self.size = 0

    def add(self, values: npt.ArrayLike) -> Column:
        """Add a column of whole numbers from 0; return its index."""
        numbers = np.ascontiguousarray(values, np.int64)
        assert numbers.min(initial=0) >= 0
        count = (int(numbers.max(initial=0)).bit_length() + 7) // 8
        place = [self.size, len(numbers), count]
        self.planes += [((numbers >> 8 * k) & 0xFF).astype(np.uint8).tobytes() for k in range(count)]
        self.size += len(numbers) * count
        return place

    def packed(self, header: dict[str, Any]) -> bytes:
        """Return header and columns, compressed: the same bytes for the same data."""
        text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
        packer = zlib.compressobj(LEVEL, wbits=GZIP)
        parts = (len(text).to_bytes(4, "little"), text, *self.planes)
        return b"".join([*map(packer.compress, parts), packer.flush()])


def zigzag(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return natural numbers for integers: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    result: npt.NDArray[np.int64] = (numbers << 1) ^ (numbers >> 63)
    return result
