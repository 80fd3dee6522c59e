"""Results of a journal: each contender's figures and its columns by instance, and what is agreed on.

Everything that is shown is drawn from them: summary, tables, matrix, comparisons, warnings. Arrays by instance are
indexed by its id, 1 to the journal's size; place 0 is unused. Repeats come together as the median of their times and
the worst of their states.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from backends.answer import COUNTERS, BoolArray, Int8Array, Int32Array, Int64Array, Reason, Status
from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.lease import Sample
from harness.model.outcome import CERTIFIED, PHASES, REFUSED, Verdict
from harness.model.settings import RunSettings
from harness.reporting.agreement import Agreement, agreement
from harness.reporting.statistics import NANO, Floats, median_by
from harness.storing.journal import Journal

CORE = ("puzzle", "repeat", "verdict", "proof", "status", "reason", "complete", "amortised", "found", "valid")
CLOCKS = ("cpu", "wall")


class State(IntEnum):
    """The result of a contender on an instance, the worst last."""

    NONE = 0
    DECIDED = 1
    UNKNOWN = 2
    UNSUPPORTED = 3
    TIMEOUT = 4
    MEMORY = 5
    ERROR = 6
    WRONG = 7


@dataclass(frozen=True)
class Trouble:
    """A text that says what went wrong: with which instance first, for what reason, and how often."""

    puzzle: str
    reason: Reason
    why: str
    times: int


@dataclass(frozen=True)
class ContenderResults:
    """One contender's outcomes.

    states          int8[repeats, n], State of each repeat
    state           int8[n], the worst of them              unsatisfiable  bool[n], decided without a solution
    uncertified     bool[n], complete on its word alone     certified, refused  bool[n], by a checked proof
    found, shown    int32[n], solutions given, and those that are distinct and right
    complete_count  int32[n], solutions of a complete answer, or -1
    wall, cpu       float64[n], seconds; NaN where not decided or not known
    block           int64[n], the block in which it was given the instance
    repeat_effects  by clock and repeat: by how much (log) the repeat as a whole was slower than the median
    phases          mean seconds of decided outcomes by phase
    """

    number: int
    contender: Contender
    setup: int | None
    states: Int8Array
    state: Int8Array
    unsatisfiable: BoolArray
    uncertified: BoolArray
    certified: BoolArray
    refused: BoolArray
    found: Int32Array
    shown: Int32Array
    complete_count: Int32Array
    wall: Floats
    cpu: Floats
    block: Int64Array
    repeat_effects: dict[str, Floats]
    phases: dict[str, float | None]
    counters: dict[str, int]
    amortised: bool
    peak: int | None
    trouble: tuple[Trouble, ...]

    @property
    def decided(self) -> BoolArray:
        """Where every repeat was decided, and none refuted."""
        flags: BoolArray = self.state == State.DECIDED
        return flags

    @property
    def run(self) -> int:
        """How many instances it was given."""
        return int((self.state != State.NONE).sum())

    def clock(self, name: str) -> Floats:
        """Seconds by 'wall' or 'cpu'."""
        return self.wall if name == "wall" else self.cpu

    def seconds(self) -> Floats:
        """Wall seconds of the decided instances; 0 where the clock was too coarse to see any."""
        decided: Floats = np.nan_to_num(self.wall[self.decided], nan=0.0)
        return decided


@dataclass(frozen=True)
class Results:
    """A journal's results. `agreement` is None where only the contenders were asked for."""

    journal: Journal
    settings: RunSettings
    facts: dict[str, Any]
    samples: list[Sample]
    size: int
    contenders: tuple[ContenderResults, ...]
    agreement: Agreement | None = None

    @cached_property
    def by_name(self) -> dict[str, ContenderResults]:
        """Contenders by name."""
        return {c.contender.name: c for c in self.contenders}

    def names(self, ids: Int64Array) -> list[str]:
        """Names of instances."""
        return [self.journal.name(i) for i in ids.tolist()]


def aggregate(journal: Journal, referee: Referee | None = None) -> Results:
    """The results of a journal, with the agreement where a referee has its evidence."""
    size = journal.size()
    contenders = tuple(contender_results(journal, c, number, size) for number, c in enumerate(journal.contenders()))
    agreed = None
    if referee is not None:
        votes = np.zeros(size + 1, np.int32)
        for c in contenders:
            votes += c.decided
        agreed = agreement(journal, referee, votes)
    return Results(journal, journal.settings(), journal.meta(), journal.samples(), size, contenders, agreed)


def state_table() -> Int8Array:
    """int8[verdicts, reasons], the State of each pair."""
    table = np.full((len(Verdict), len(Reason)), State.DECIDED, np.int8)
    table[Verdict.UNKNOWN] = State.UNKNOWN
    for reason in (Reason.UNSUPPORTED, Reason.TIMEOUT, Reason.MEMORY):
        table[Verdict.UNKNOWN, reason] = State[reason.name]
    table[Verdict.ERROR], table[Verdict.WRONG] = State.ERROR, State.WRONG
    return table


def contender_results(journal: Journal, contender: Contender, number: int, size: int) -> ContenderResults:
    """Aggregate one contender's outcomes."""
    c = journal.columns(number, *CORE, *CLOCKS)
    n, puzzles, repeats = size + 1, c["puzzle"], int(c["repeat"].max(initial=-1)) + 1
    each = state_table()[c["verdict"], c["reason"]]
    states = np.zeros((repeats, n), np.int8)
    states[c["repeat"], puzzles] = each
    state: Int8Array = states.max(axis=0, initial=0)
    decided = state == State.DECIDED

    def having(flags: BoolArray) -> BoolArray:
        """Instances of which an outcome has the flag."""
        result = np.zeros(n, np.bool_)
        result[puzzles[flags]] = True
        return result

    def most(values: Int32Array, start: int, among: BoolArray | slice = slice(None)) -> Int32Array:
        """The largest value of each instance, `start` where there is none."""
        result = np.full(n, start, np.int32)
        np.maximum.at(result, puzzles[among], values[among])
        return result

    keep = decided[puzzles]
    seconds = {clock: by_puzzle(puzzles[keep], c[clock][keep], n) for clock in CLOCKS}
    return ContenderResults(
        number,
        contender,
        journal.setups()[number],
        states,
        state,
        unsatisfiable=decided & having(c["status"] == Status.UNSATISFIABLE),
        uncertified=decided & having(c["verdict"] == Verdict.UNCERTIFIED),
        certified=having(c["proof"] == CERTIFIED),
        refused=having(c["proof"] == REFUSED),
        found=most(c["found"], 0),
        shown=most(c["valid"], 0),
        complete_count=most(c["found"], -1, (c["complete"] > 0) & (each == State.DECIDED)),
        wall=seconds["wall"],
        cpu=seconds["cpu"],
        block=journal.blocks_of(number),
        repeat_effects={
            clock: by_repeat(c["repeat"][keep], puzzles[keep], c[clock][keep], seconds[clock], repeats)
            for clock in CLOCKS
        },
        amortised=bool(c["amortised"].any()),
        trouble=tuple(Trouble(name, Reason(r), why, times) for name, r, why, times in journal.trouble(number)),
        **effort(journal, number, keep),
    )


def effort(journal: Journal, number: int, keep: BoolArray) -> dict[str, Any]:
    """Phases of the outcomes to keep, sums of counters, and the highest peak of memory."""
    c = journal.columns(number, *PHASES, *COUNTERS, "peak")
    return {
        "phases": {p: float(c[p][keep].mean()) / NANO if keep.any() else None for p in PHASES},
        "counters": {k: int(c[k][c[k] >= 0].sum()) for k in COUNTERS if (c[k] >= 0).any()},
        "peak": int(c["peak"].max()) if (c["peak"] >= 0).any() else None,
    }


def by_puzzle(puzzles: Int64Array, nanoseconds: Int64Array, size: int) -> Floats:
    """Median seconds of each instance; NaN where there are none, or the clock was too coarse to see any."""
    seconds = np.full(size, np.nan)
    seconds[np.unique(puzzles)] = median_by(puzzles, nanoseconds) / NANO
    seconds[seconds <= 0] = np.nan
    return seconds


def by_repeat(repeats: Int32Array, puzzles: Int64Array, nanoseconds: Int64Array, seconds: Floats, size: int) -> Floats:
    """The median over instances of log(time / median time), for each repeat; NaN where a repeat has none."""
    seen = (nanoseconds > 0) & ~np.isnan(seconds[puzzles])
    logs = np.log(nanoseconds[seen] / NANO / seconds[puzzles[seen]])
    effects = np.full(size, np.nan)
    effects[np.unique(repeats[seen])] = median_by(repeats[seen].astype(np.int64), logs)
    return effects
