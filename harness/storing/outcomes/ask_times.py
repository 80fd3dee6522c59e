"""Times of the asks of query scripts in the journal."""

import zlib

import numpy as np

from harness.storing.connection import Connection
from harness.storing.schema import MAX_BYTES
from harness.storing.side_tables import ASK_TIMES
from puzzles.problem.arrays import Int64Array


class AskTimes:
    """CPU times of asks, from outside."""

    def __init__(self, connection: Connection) -> None:
        self.db = connection.db

    def of(self, contender: int, puzzle: int) -> list[Int64Array]:
        """Return the nanoseconds of each ask of a script, int64[asks], by repeat of a contender; 0: not reached."""
        query = f"select times from {ASK_TIMES} where contender = ? and puzzle = ? order by repeat"
        return [unpacked(blob) for (blob,) in self.db.execute(query, (contender, puzzle))]


def unpacked(blob: bytes) -> Int64Array:
    """Return stored times. Raises ValueError, zlib.error."""
    return np.frombuffer(zlib.decompressobj().decompress(blob, MAX_BYTES), "<i8").astype(np.int64)
