"""Files of a corpus that can't be read: each is a row of the run, beside the instances of the other files."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from puzzles.errors import BadInput, plural, printable_path

SHOWN = 3  # reasons for which a message names a file
VARYING = re.compile(r"\bcolumn [0-9]+: |'[^']*'|\"[^\"]*\"|[0-9]+")  # in a reason
PLACE = re.compile(r":([1-9][0-9]*)((?::[0-9]+)?: .*)", re.DOTALL)


class MalformedFile(NamedTuple):
    """A file that can't be read, by its name among the instances of its corpus.

    line  where the error is, 0 for the whole file      reason  the error, with its column if that is known
    """

    name: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.name}{f':{self.line}' if self.line else ''}: {self.reason}"


def malformed(name: str, path: Path, error: BadInput, read: int) -> MalformedFile:
    """Return the row of a file with an error, before which `read` instances were read, which are run."""
    text = str(error).removeprefix(printable_path(path))
    line, reason = (int(found[1]), found[2]) if (found := PLACE.fullmatch(text)) else (0, text)
    reason = reason.removeprefix(": ") if reason.startswith(": ") else re.sub(r"^:([0-9]+): ", r"column \1: ", reason)
    kept = f" (the {read} instances before it are run)" if read > 1 else " (the instance before it is run)"
    return MalformedFile(name, line, reason + kept if read else reason)


def like(more: int) -> str:
    """Return the number of other files with the same error in words, '' without any."""
    return f" ({plural(more, 'more file')} like this)" if more else ""


def shown(texts: Sequence[str]) -> list[str]:
    """Return a message on the first file of each of SHOWN reasons, with the number of its like, and one on the rest.

    Reasons that differ only in numbers and in what they quote are one.
    """
    reasons: dict[str, list[str]] = {}
    for text in texts:
        reasons.setdefault(VARYING.sub("", text.partition(": ")[2]), []).append(text)
    groups = list(reasons.values())
    told = [
        f"{first} ({plural(len(more), 'more file')} like this)" if more else first for first, *more in groups[:SHOWN]
    ]
    left = groups[SHOWN:]
    others = "another error" if len(left) == 1 else f"{len(left)} other errors"
    return [*told, *([f"{plural(sum(map(len, left)), 'more file')} with {others}"] if left else [])]
