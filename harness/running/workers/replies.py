"""Replies of a worker, checked: messages from its pipe, and rows of outcomes from its shared memory.

A worker shares its process with its contender's code, which can write anything to both. So every message is one of the
six below, with fields of the right types and ranges, and every row holds values that an outcome can have. Anything
else is a MalformedReply, or a fault of the row: an error of that contender.
"""

import json
import os
import select
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from backends.contract.answer import COUNTERS, Reason, Status
from harness.model.outcome import OUTSIDE, PHASES, ROW, Rows

MAX_LINE = 1 << 16  # bytes of a message; the longest that a worker sends is a third of that
MAX_TEXT = 2000  # characters kept of a text
MAX_READ = 1 << 20  # bytes per look at a pipe, which holds no more: a writer that never stops can't keep the reader
MAX_NUMBER = 1 << 53
WALL_SLACK_NS = 10_000_000  # tolerance between the clocks of worker and parent, beside a hundredth of the time
STATUSES = frozenset(Status)
REASONS = tuple(reason for reason in Reason if reason not in (Reason.CRASH, Reason.REFUTED))  # the parent sees these


class MalformedReply(Exception):
    """A reply that no honest worker sends; the text names its fault."""


class Loaded(NamedTuple):
    """The worker has started and loaded its code, number 1."""

    loaded: int


class Opened(NamedTuple):
    """The contender is open: its version, nanoseconds of setup, and of CPU time spent on it."""

    version: str
    setup: int
    spent: int


class NotOpened(NamedTuple):
    """The contender could not be opened."""

    reason: int
    refused: str


class Failed(NamedTuple):
    """Note on the outcome at a position of the batch, such as an error message."""

    at: int
    error: str


class Done(NamedTuple):
    """All `done` puzzles of the batch have outcomes."""

    done: int


class Reported(NamedTuple):
    """Something new is in the reports of a search for the best solution, number 1."""

    reported: int


Reply = Loaded | Opened | NotOpened | Failed | Done | Reported
KINDS: dict[frozenset[str], type[Reply]] = {
    frozenset(kind._fields): kind for kind in (Loaded, Opened, NotOpened, Failed, Done, Reported)
}


def parse(line: bytes) -> Reply:
    """Return the reply of a line. Raises MalformedReply."""
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise MalformedReply(f"not JSON: {line[:60]!r}") from None
    kind = KINDS.get(frozenset(message)) if isinstance(message, dict) else None
    if kind is None:
        raise MalformedReply(f"no such message: {line[:60]!r}")
    return kind._make(checked(name, message[name], kind.__annotations__[name]) for name in kind._fields)


def checked(name: str, value: Any, kind: type) -> str | int:
    """Return the value of a field: a text that can be stored, or a natural number. Raises MalformedReply."""
    if kind is str and isinstance(value, str):
        return value[:MAX_TEXT].encode(errors="replace").decode()  # without lone surrogates
    if kind is int and type(value) is int and 0 <= value < MAX_NUMBER:
        return value
    raise MalformedReply(f"field {name!r} holds {str(value)[:60]!r}")


class Replies:
    """Replies read from the pipe `fd`; `closed` once the worker has closed it."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self.fd, self.closed = fd, False
        self.rest, self.lines = b"", deque[bytes]()

    def read(self) -> Iterator[Reply]:
        """Yield the replies that have arrived. Raises MalformedReply at the first malformed one."""
        parts, self.closed = read_available(self.fd)
        *lines, self.rest = (self.rest + parts).split(b"\n")
        self.lines.extend(lines)
        while self.lines:
            line = self.lines.popleft()
            if len(line) > MAX_LINE:
                raise MalformedReply(f"a line of {len(line)} bytes")
            yield parse(line)
        if len(self.rest) > MAX_LINE:
            raise MalformedReply(f"a line of more than {MAX_LINE} bytes")

    def unread(self) -> bool:
        """Return True if the pipe holds a reply that is not read yet."""
        return bool(self.rest or self.lines or readable(self.fd))


def read_available(fd: int) -> tuple[bytes, bool]:
    """Return the content of a pipe, at most about MAX_READ bytes, and True if its other end is closed."""
    parts, size = list[bytes](), 0
    while size < MAX_READ:
        try:
            part = os.read(fd, 1 << 16)
        except BlockingIOError:
            break
        if not part:
            return b"".join(parts), True
        parts.append(part)
        size += len(part)
    return b"".join(parts), False


def readable(fd: int, seconds: float = 0) -> bool:
    """Return True if `fd` is readable within `seconds`; `select` does not support descriptors above 1023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def most_within(elapsed: int) -> int:
    """Return the longest time that another clock may show for `elapsed` ns."""
    return elapsed + elapsed // 100 + WALL_SLACK_NS


def row_faults(rows: Rows, count: int, elapsed: int, outside: bool = False) -> dict[int, str]:
    """Return, by position, why a row is no outcome of an ask for `count` solutions that took `elapsed` ns.

    `outside`: rows may have harness work apart, since the contender is a program that gets the file of its instance.
    """
    most = most_within(elapsed)
    limits = {"complete": (0, 1), "amortised": (0, 1), "found": (0, count), "wall": (0, most), "cpu": (-1, MAX_NUMBER)}
    limits |= dict.fromkeys(PHASES, (0, most)) | dict.fromkeys((*COUNTERS, "peak"), (-1, MAX_NUMBER))
    limits |= dict.fromkeys(OUTSIDE, (0, most if outside else 0))
    single = len(rows) == 1  # numbers then, since arrays cost a row a millisecond
    columns: Any = dict(zip(ROW.names or (), rows[0].item(), strict=True)) if single else rows
    bad = {
        field: columns[field] not in known if single else ~np.isin(columns[field], tuple(known))
        for field, known in (("status", STATUSES), ("reason", REASONS))
    }
    bad |= {field: (columns[field] < low) | (columns[field] > high) for field, (low, high) in limits.items()}
    bad["wall"] |= sum(columns[phase] for phase in PHASES) != columns["wall"]
    bad["wall"] |= sum(columns[phase] for phase in ("wall", *OUTSIDE)) > most
    faults: dict[int, str] = {}
    for field, flags in bad.items():
        for i in [] if flags is False else np.flatnonzero(flags).tolist():
            faults.setdefault(i, f"malformed reply: {field} {rows[field][i]}")
    return faults
