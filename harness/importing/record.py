"""Results read from a file of any format, and the numbers and words in them.

Unknown parts of a result are None.
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from backends.contract.answer import Reason, Status
from harness.model.errors import BadUsage
from harness.model.outcome import NANO
from harness.model.settings import Limits
from puzzles.readers.malformed import MalformedFile

MAX_SECONDS = 10**9
MAX_NUMBER = (1 << 62) - 1  # greatest number that a journal stores
NUMBER = re.compile(r"([0-9]{1,30})(?:\.([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,3}))?")
DECIMAL = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")  # seconds, as most times are
UNITS = {"": 1, "s": 1, "min": 60, "h": 3600}
MAX_NAME = 10_000  # characters
MAX_RESULTS = 10_000_000  # of a file


class StatedSearch(NamedTuple):
    """A search for the best solution, as a file states it. Values have the sign of the source.

    maximise  the sense of the objective       value  of the best solution, None without one
    steps     nanoseconds and values of improvements, in order of time
    proved    it showed that none is better, or that there is none
    best      value that some solution is known to have, None if the file states none
    """

    maximise: bool
    value: int | None = None
    steps: tuple[tuple[int, int], ...] = ()
    proved: bool = False
    best: int | None = None


class Result(NamedTuple):
    """Result of a contender on an instance.

    claim         True if the file states that the instance is satisfiable, False if it is not
    called_wrong  the file calls the answer wrong, without a claim that shows it
    wall, cpu     nanoseconds                                   peak  bytes
    note          text of the file that Status and Reason can't express
    search        of an instance with an objective
    repeat        number, name of the worker, and seed, as the file states them
    """

    contender: str
    version: str
    instance: str
    status: Status
    reason: Reason = Reason.NONE
    claim: bool | None = None
    called_wrong: bool = False
    wall: int | None = None
    cpu: int | None = None
    peak: int | None = None
    note: str = ""
    search: StatedSearch | None = None
    repeat: int | None = None
    worker: str = ""
    seed: int | None = None


@dataclass
class ResultsFile:
    """A file with its results; `began` is in nanoseconds since the epoch.

    limits  seconds per instance that the file states    hosts  processor and number of cores of the machines
    notes   lines on what was taken for what            malformed  files that those who ran them could not read
    families  by instance, where a column states them
    """

    path: str
    results: list[Result] = field(default_factory=list)
    limits: Limits = field(default_factory=lambda: Limits(None))
    memory: int = 0
    corpus: str = ""
    began: int = 0
    hosts: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    malformed: list[MalformedFile] = field(default_factory=list)
    families: dict[str, str] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        """Add a result. Raises MalformedResults if there are too many."""
        if len(self.results) >= MAX_RESULTS:
            raise MalformedResults(f"more than {MAX_RESULTS:,} results")
        self.results.append(result)


class MalformedResults(ValueError):
    """A file, or a line of it, violates its format. The text is one line."""


def at(path: str, line: int, error: object) -> BadUsage:
    """Return an error with the line of a file."""
    return BadUsage(f"{path}:{line}: {error}")


def nanoseconds(text: str) -> int:
    """Return a time such as 1.5, 1.5s or 2 min. Raises MalformedResults on anything else, also on negative times."""
    if plain := DECIMAL.fullmatch(text):
        return int(plain[1]) * NANO + int(plain[2].ljust(9, "0"))
    word = text.strip()
    unit = next((u for u in ("min", "h", "s") if word.endswith(u)), "")
    found = NUMBER.fullmatch(word.removesuffix(unit).rstrip())
    if not found:
        raise MalformedResults(f"{shortened(text)} is not a time from 0 in seconds")
    whole, fraction, power = found[1], found[2] or "", int(found[3] or 0)
    digits = int(whole + fraction) * UNITS[unit]
    shift = power - len(fraction) + 9
    if digits and (math.log10(digits) + shift > 19 or shift > 60):
        raise MalformedResults(f"{shortened(text)} is longer than {MAX_SECONDS} s")
    part: int = 10 ** abs(shift)
    exact = digits * part if shift >= 0 else (2 * digits + part) // (2 * part)
    if exact > MAX_SECONDS * NANO:
        raise MalformedResults(f"{shortened(text)} is longer than {MAX_SECONDS} s")
    return exact


def whole_number(text: str) -> int:
    """Return a number such as 12. Raises MalformedResults on anything else."""
    if not re.fullmatch(r"[0-9]{1,19}", text.strip()) or int(text) > MAX_NUMBER:
        raise MalformedResults(f"{shortened(text)} is not a whole number from 0 to {MAX_NUMBER}")
    return int(text)


def timed(result: Result) -> Result:
    """Return the result. Raises MalformedResults if it has an answer but no time."""
    if result.status != Status.UNKNOWN and result.wall is None and result.cpu is None:
        raise MalformedResults(
            f"{shortened(result.contender)} has an answer to {shortened(result.instance)}, but no time"
        )
    return result


def in_time(result: Result, limits: Limits) -> Result:
    """Return the result, without its answer if it came after a limit of wall or CPU time.

    What was proved too late is not, but its solution counts: files state the time of the end alone.
    """
    spent = ((result.wall, limits.wall), (result.cpu, limits.cpu))
    late = any(None not in pair and pair[0] > pair[1] * NANO for pair in spent)  # type: ignore[operator]
    if not late or result.status == Status.UNKNOWN:
        return result
    if result.search is not None and result.search.value is not None:
        return result._replace(reason=Reason.TIMEOUT, search=result.search._replace(proved=False))
    return result._replace(status=Status.UNKNOWN, reason=Reason.TIMEOUT, called_wrong=False)


def name_of(text: str, what: str) -> str:
    """Return the name of an instance or contender. Raises MalformedResults if it is empty or too long."""
    if not text.strip():
        raise MalformedResults(f"the {what} has no name")
    if len(text) > MAX_NAME:
        raise MalformedResults(f"the name of the {what} has {len(text)} characters")
    return sys.intern(text)


def counted(taken: Counter[str]) -> str:
    """Return numbers by kind, the largest first."""
    return ", ".join(f"{number:,} {kind}" for kind, number in taken.most_common())


def shortened(text: str) -> str:
    """Return a text shortened for a message."""
    return repr(text[:40])


def one_of(words: Collection[str], text: str, what: str, usual: str = "") -> str:
    """Return a word in lower case if it is one of `words`. Messages name the usual ones. Raises MalformedResults."""
    word = text.strip().lower()
    if word not in words:
        raise MalformedResults(f"{what} is {shortened(text)}, not {usual or ', '.join(words)}")
    return word
