"""Logs of a place of a cluster, as they travel to the client with the outcomes: compressed, and bounded."""

import gzip
from collections.abc import Iterator
from dataclasses import replace

from backends.programs.logs import ERR, OUT, read_log
from harness.model.outcome import Outcomes

LEVEL = 4  # of compression: twice as fast as the default, and 5 % larger
HALF = 1 << 19  # bytes of an output from its beginning, and as many from its end: statistics stand there
LEASE = 64 << 20  # most bytes of a lease


def shortened(text: bytes) -> bytes:
    """Return the beginning and the end of a long output, with a line on what is left out."""
    left = len(text) - 2 * HALF
    if left <= 0:
        return text
    return b"%s\n... %d bytes are left out: too long for a cluster\n%s" % (text[:HALF], left, text[-HALF:])


def packed(text: bytes) -> bytes:
    """Return an output as it travels."""
    return gzip.compress(shortened(text), LEVEL, mtime=0)


def printed_here(outcomes: Outcomes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield position, standard output and error of each outcome whose programs have printed on this machine."""
    for i, stem in outcomes.logs.items():
        if (out := read_log(stem, OUT)) is not None:
            yield i, out, read_log(stem, ERR) or b""


class PackedLogs:
    """Outputs of the programs of a lease, as they travel; after LEASE bytes no more are sent."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin a lease."""
        self.left = LEASE

    def pack(self, outcomes: Outcomes) -> Outcomes:
        """Return the outcomes with their logs as these travel."""
        printed = dict[int, tuple[bytes, bytes]]()
        for i, out, err in printed_here(outcomes):
            both = packed(out), packed(err)
            if sum(map(len, both)) <= self.left:
                self.left -= sum(map(len, both))
                printed[i] = both
        return replace(outcomes, logs={}, printed=printed)
