"""Numbers in what programs print, by regular expressions: known ones, and those of a TOML file.

    conflicts = "c conflicts: *([0-9]+)"        the first group is the number; the last match counts

    ["dimacs:kissat*"]                          for these contenders alone
    vivified = 'c vivified: *([0-9]+)'

A pattern may match anywhere, and ^ and $ stand for the ends of lines. A number has digits, perhaps a point and an
exponent. A pattern of the file replaces a known one of its name. Known ones take time in proportion to the text; those
of a file may take any, so a process with limits looks for them (searching.py).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from harness.model.outcome import Number
from harness.model.toml_files import read_toml

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")
NUMBER = re.compile(rb"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
MAX_NUMBER, MAX_DIGITS = 1 << 53, 16
Patterns = Mapping[str, tuple[re.Pattern[bytes], ...]]


def line(name: str) -> str:
    """Return the pattern of a number in a line of statistics, behind its name.

    So print kissat and cadical (`c conflicts:   12   3.40 per second`), minisat (`conflicts   : 12   (4 /sec)`),
    glucose and cryptominisat (the same after `c`), and roundingsat (`c conflicts 12`).
    """
    return rf"^(?:[cd][ \t]+)?{name}(?:[ \t]*+:)?[ \t]++([0-9]++)\b"


def minizinc(name: str) -> str:
    """Return the pattern of a number in the statistics of MiniZinc."""
    return rf"^%%%mzn-stat: {name}=([0-9]+)\b"


KNOWN = {
    "conflicts": (line("conflicts"), minizinc("failures")),
    "decisions": (line("decisions"), minizinc("nodes")),
    "propagations": (line("propagations"), minizinc("propagations")),
    "restarts": (line("restarts"), minizinc("restarts")),
}


def compiled(pattern: str) -> re.Pattern[bytes]:
    """Return a pattern of lines of bytes. Raises ValueError."""
    try:
        found = re.compile(pattern.encode(), re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as e:
        raise ValueError(f"{e}") from None
    if not found.groups:
        raise ValueError("it has no group (...) for the number")
    return found


@dataclass(frozen=True)
class LogColumns:
    """Patterns of numbers by name: `everywhere`, and by glob of contenders' names."""

    everywhere: Patterns = field(default_factory=dict)
    some: Mapping[str, Patterns] = field(default_factory=dict)

    def of(self, contender: str) -> Patterns:
        """Return the patterns for a contender."""
        return {name: tuple(map(compiled, patterns)) for name, patterns in KNOWN.items()} | self.stated(contender)

    def stated(self, contender: str) -> dict[str, tuple[re.Pattern[bytes], ...]]:
        """Return the patterns of the file for a contender."""
        found = dict(self.everywhere)
        for glob, patterns in self.some.items():
            if fnmatchcase(contender, glob):
                found |= patterns
        return found


def numbers(patterns: Patterns, printed: Sequence[bytes]) -> dict[str, Number]:
    """Return the numbers in what a program has printed, standard output first."""
    found = {name: last_number(some, printed) for name, some in patterns.items()}
    return {name: number for name, number in found.items() if number is not None}


def last_number(patterns: Iterable[re.Pattern[bytes]], printed: Sequence[bytes]) -> Number | None:
    """Return the number of the last match of the first pattern that matches; None without a number."""
    for pattern in patterns:
        for text in printed:
            last = None
            for match in pattern.finditer(text):
                last = match
            if last is not None and last[1] is not None:
                return number_of(last[1])
    return None


def number_of(text: bytes) -> Number | None:
    """Return a number, None if the text is none or its size is beyond MAX_NUMBER."""
    if not NUMBER.fullmatch(text.strip()):
        return None
    digits = text.strip().removeprefix(b"+").removeprefix(b"-")
    if not digits.isdigit():
        value: Number = float(text)
    elif len(digits := digits.lstrip(b"0") or b"0") <= MAX_DIGITS:  # int() takes no more than 4,300
        value = -int(digits) if text.strip()[:1] == b"-" else int(digits)
    else:
        return None
    return value if abs(value) < MAX_NUMBER else None


def read_columns(path: Path) -> LogColumns:
    """Read the patterns of a TOML file. Raises BadUsage."""
    return columns_of(read_toml(path)[1], str(path))


def columns_of(data: Mapping[str, Any], where: str) -> LogColumns:
    """Return the patterns of a table of TOML. Raises BadUsage."""
    everywhere = patterns_of({k: v for k, v in data.items() if not isinstance(v, dict)}, where)
    some = {k: patterns_of(v, f"{where}: [{k}]") for k, v in data.items() if isinstance(v, dict)}
    return LogColumns(everywhere, some)


def patterns_of(data: Mapping[str, Any], where: str) -> Patterns:
    """Return patterns by name. Raises BadUsage."""
    found = {}
    for name, pattern in data.items():
        if not NAME.fullmatch(name):
            raise BadUsage(f"{where}: {name!r} is no name of a column: letters, digits, _ . and -, from a letter on")
        if not isinstance(pattern, str):
            raise BadUsage(f"{where}: {name}: expected a regular expression as text")
        try:
            found[name] = (compiled(pattern),)
        except ValueError as e:
            raise BadUsage(f"{where}: {name}: not a regular expression with a number: {e}") from e
    return found
