"""What a journal says of one contender, one place a puzzle: repeats folded to the median time and the worst verdict.

Arrays are indexed by the puzzle's id, 1 to the journal's size; place 0 is unused.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from backends.answer import BoolArray, Int8Array, Int32Array, Int64Array
from harness.model.outcome import Verdict
from harness.reporting.statistics import NANO, Floats, median_by
from harness.running.plan import block_size
from harness.storing.journal import Journal

COLUMNS = ("repeat", "puzzle", "verdict", "complete", "found", "valid", "amortised", "wall", "cpu")


class State(IntEnum):
    """What became of a puzzle, the worst last."""

    NONE = 0
    DECIDED = 1
    UNDECIDED = 2
    ERROR = 3
    WRONG = 4


CLOCKS = ("cpu", "wall")
STATE = {Verdict.UNKNOWN: State.UNDECIDED, Verdict.ERROR: State.ERROR, Verdict.WRONG: State.WRONG}


@dataclass(frozen=True)
class PuzzleResults:
    """One contender's outcomes by puzzle.

    state       State                                   shown    distinct right solutions shown
    claimed     solutions of a complete answer, or -1   wall, cpu  seconds, NaN where not decided or not known
    amortised   some times are shares of a whole batch's
    levels      by clock and repeat: by how much (log) the repeat as a whole was slower than the median; NaN where empty
    """

    state: Int8Array
    shown: Int32Array
    claimed: Int32Array
    wall: Floats
    cpu: Floats
    amortised: bool
    levels: dict[str, Floats]

    @property
    def decided(self) -> BoolArray:
        """Where every repeat was."""
        flags: BoolArray = self.state == State.DECIDED
        return flags

    def clock(self, name: str) -> Floats:
        """Seconds by 'wall' or 'cpu'."""
        return self.wall if name == "wall" else self.cpu


def aggregate(journal: Journal, contender: int) -> PuzzleResults:
    """Fold one contender's outcomes."""
    c = journal.columns(contender, *COLUMNS)
    n, puzzles = journal.size() + 1, c["puzzle"]
    states = np.array([STATE.get(Verdict(v), State.DECIDED) for v in range(len(Verdict))], np.int8)
    state, shown, claimed = np.zeros(n, np.int8), np.zeros(n, np.int32), np.full(n, -1, np.int32)
    np.maximum.at(state, puzzles, states[c["verdict"]])
    np.maximum.at(shown, puzzles, c["valid"].astype(np.int32))
    claims = (c["complete"] > 0) & (states[c["verdict"]] == State.DECIDED)
    np.maximum.at(claimed, puzzles[claims], c["found"][claims].astype(np.int32))
    keep = state[puzzles] == State.DECIDED
    seconds = {clock: by_puzzle(puzzles[keep], c[clock][keep], n) for clock in CLOCKS}
    repeats = int(c["repeat"].max(initial=-1)) + 1
    levels = {
        clock: by_repeat(c["repeat"][keep], puzzles[keep], c[clock][keep], seconds[clock], repeats) for clock in CLOCKS
    }
    return PuzzleResults(state, shown, claimed, seconds["wall"], seconds["cpu"], bool(c["amortised"].any()), levels)


def by_puzzle(puzzles: Int64Array, nanoseconds: Int64Array, size: int) -> Floats:
    """Median seconds of each puzzle; NaN where there are none, or the clock was too coarse to see any."""
    seconds = np.full(size, np.nan)
    seconds[np.unique(puzzles)] = median_by(puzzles, nanoseconds) / NANO
    seconds[seconds <= 0] = np.nan
    return seconds


def by_repeat(repeats: Int64Array, puzzles: Int64Array, nanoseconds: Int64Array, seconds: Floats, size: int) -> Floats:
    """The median over puzzles of log(time / median time), for each repeat."""
    seen = (nanoseconds > 0) & ~np.isnan(seconds[puzzles])
    logs = np.log(nanoseconds[seen] / NANO / seconds[puzzles[seen]])
    levels = np.full(size, np.nan)
    levels[np.unique(repeats[seen])] = median_by(repeats[seen], logs)
    return levels


def clusters(journal: Journal) -> Int64Array:
    """For each puzzle, which block of the plan held it."""
    layouts = np.zeros(journal.size() + 1, np.int64)
    for i, layout in journal.db.execute("select id, layout from puzzles"):
        layouts[i] = layout
    count = journal.meta()["count"]
    sizes = np.ones(max(journal.layouts, default=0) + 1, np.int64)
    contenders = len(journal.setups())
    for i, layout in journal.layouts.items():
        sizes[i] = block_size(journal.size(), len(layout.squares), count, contenders)
    starts = np.flatnonzero(np.diff(layouts[1:], prepend=-1)) + 1
    ids = np.arange(len(layouts))
    start = starts[np.searchsorted(starts, ids[1:], side="right") - 1]
    inside = (ids[1:] - start) // sizes[layouts[1:]]
    return np.concatenate([[0], start + inside])
