"""Reports of a search for the best solution, in the shared memory of a worker: the last whole ones, at any time.

A report is an improvement, a value that a program states, or a bound. Each is written to one of two slots in turn, with
its number before and behind it, so that a worker that is killed tears one report at most, and that before it is whole.
The parent reads reports while the search goes on; those that are overwritten before that are lost, which their numbers
tell. Improvements and bounds have slots of their own.

    head   int64[2]: number of the last report that the parent has read, and that it was last told of
    slot   int64[7]: number, run, position, monotonic ns, those of the beginning of the ask, 1 if there is a solution,
           number again; text; solution
    text   the value as decimal digits, with its length in the first two bytes; no length: it is longer than any value

Each ask has a `run` of its own, so that a repeated ask does not mix with the one before.
"""

from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import Any, NamedTuple

import numpy as np

from backends.contract.answer import Listener
from backends.contract.checking import BadAnswer, indices
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Problem
from puzzles.problem.values import Solution

NUMBER, RUN, POSITION, NS, SINCE, HAS_SOLUTION, AGAIN_NUMBER = range(7)
READ, TOLD = range(2)
HEAD_BYTES, META_BYTES = 16, 56
LENGTH_BYTES = 2
MOST_DIGITS = 4400  # Python converts up to 4,300
TOO_LONG = b"-"  # stands for a value with more digits than possible
SLOTS = 4  # two for improvements and claims, two for bounds


class Report(NamedTuple):
    """One report: its number, the ask and the position it belongs to, and its value, None if that is too long.

    ns, since  monotonic nanoseconds: when it was written, and when the ask began
    """

    number: int
    run: int
    position: int
    ns: int
    since: int
    value: int | None
    solution: tuple[int, ...] | None


def digits_of(problem: Problem) -> int:
    """Return the bytes of the longest value of a problem's objective as text, 0 without an objective."""
    if problem.objective is None:
        return 0
    ends = problem.objective.bounds(problem.open, problem)
    return min(MOST_DIGITS, max(20, *(len(str(end)) + 1 for end in ends)))


def asks_of(problem: Problem) -> int:
    """Return the number of asks of a query script, 0 of another problem."""
    return len(problem.objective) if isinstance(problem.objective, QueryScript) else 0


def report_bytes(digits: int, variables: int, itemsize: int) -> int:
    """Return the size of head and slots; a multiple of 8, 0 without an objective."""
    return HEAD_BYTES + SLOTS * slot_bytes(digits, variables, itemsize) if digits else 0


def slot_bytes(digits: int, variables: int, itemsize: int) -> int:
    return META_BYTES + -(-(LENGTH_BYTES + digits + variables * itemsize + 8) // 8) * 8


class Slots:
    """Views of the head and the slots in a mapping, from an offset on."""

    def __init__(self, memory: Any, at: int, digits: int, variables: int, index: type[np.unsignedinteger[Any]]) -> None:
        itemsize, self.digits = np.dtype(index).itemsize, digits
        size = slot_bytes(digits, variables, itemsize)
        self.head = np.frombuffer(memory, np.int64, 2, at)
        self.meta, self.text, self.solution = [], [], []
        for i in range(SLOTS):
            start = at + HEAD_BYTES + i * size
            text = start + META_BYTES
            self.meta.append(np.frombuffer(memory, np.int64, 7, start))
            self.text.append(np.frombuffer(memory, np.uint8, LENGTH_BYTES + digits, text))
            behind = -(-(LENGTH_BYTES + digits) // 4) * 4
            self.solution.append(np.frombuffer(memory, index, variables, text + behind))

    def clear(self) -> None:
        """Forget all reports."""
        self.head[:] = 0
        for meta in self.meta:
            meta[:] = 0

    def write(self, first: int, report: Report) -> None:
        """Write a report to the next of the two slots from `first` on."""
        i = first + report.number % 2
        meta, text = self.meta[i], self.text[i]
        meta[AGAIN_NUMBER] = 0
        meta[NUMBER] = report.number
        meta[RUN], meta[POSITION], meta[NS], meta[SINCE] = report.run, report.position, report.ns, report.since
        meta[HAS_SOLUTION] = report.solution is not None
        shown = b"" if report.value is None else text_of(report.value)
        shown = b"" if len(shown) > self.digits else shown
        text[0], text[1] = len(shown) & 255, len(shown) >> 8
        text[LENGTH_BYTES : LENGTH_BYTES + len(shown)] = np.frombuffer(shown, np.uint8)
        if report.solution is not None:
            most = np.iinfo(self.solution[i].dtype).max
            self.solution[i][:] = [v if 0 <= v < most else most for v in report.solution]
        meta[AGAIN_NUMBER] = report.number

    def read(self, first: int, after: int) -> list[Report]:
        """Return the whole reports of two slots with numbers above `after`, in order."""
        found = [report for i in (first, first + 1) if (report := self.read_slot(i)) and report.number > after]
        return sorted(found)

    def read_slot(self, i: int) -> Report | None:
        """Return the report of a slot, None if it is not whole."""
        number, run, position, ns, since, solved, again = self.meta[i].tolist()
        length = int(self.text[i][0]) | int(self.text[i][1]) << 8
        raw = self.text[i][LENGTH_BYTES : LENGTH_BYTES + min(length, self.digits)].tobytes()
        solution = tuple(self.solution[i].tolist()) if solved else None
        if number != again or number <= 0 or self.meta[i][NUMBER] != number or self.meta[i][AGAIN_NUMBER] != number:
            return None
        return Report(number, run, position, ns, since, value_of(raw), solution)


def text_of(value: int) -> bytes:
    """Return an integer as text, b'' if Python refuses to convert one of that length."""
    return b"%d" % value if value.bit_length() < 14_000 else b""


def value_of(raw: bytes) -> int | None:
    """Return the integer of a text, None if it is none."""
    return int(raw) if raw.removeprefix(b"-").isdigit() and len(raw) < MOST_DIGITS else None


class SharedListener(Listener):
    """Listener in a worker that writes each report to shared memory, and tells the parent if it waits for none."""

    def __init__(
        self, slots: Slots, run: int, position: int, variables: int, began: Callable[[], int], tell: Callable[[], None]
    ) -> None:
        self.slots, self.run, self.position, self.variables = slots, run, position, variables
        self.began, self.tell = began, tell
        self.numbers = {0: last_number(slots, 0), 2: last_number(slots, 2)}

    def improved(self, value: int, solution: Solution | None) -> None:
        if solution is not None and len(solution) != self.variables:
            raise BadAnswer(f"an improvement has {len(solution)} values, not {self.variables}")
        self.report(0, int(value), None if solution is None else indices(solution))

    def bounded(self, value: int) -> None:
        self.report(2, int(value), None)

    def report(self, first: int, value: int, solution: Sequence[int] | None) -> None:
        self.numbers[first] += 1
        taken = None if solution is None else tuple(solution)
        number, began = self.numbers[first], self.began()
        self.slots.write(first, Report(number, self.run, self.position, monotonic_ns(), began, value, taken))
        head = self.slots.head
        if head[READ] >= head[TOLD]:
            head[TOLD] = head[READ] + 1
            self.tell()


def last_number(slots: Slots, first: int) -> int:
    """Return the number of the last report in two slots."""
    return max(int(slots.meta[i][NUMBER]) for i in (first, first + 1))
