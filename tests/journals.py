"""Journals made by hand: what their outcomes are is stated, nothing is run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backends.answer import Reason, Status
from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.outcome import ROW, Batch, Outcomes
from harness.storing.journal import Journal
from puzzles.columns import pack
from puzzles.families import layout
from puzzles.layout import Puzzle, Solution

BOARD = layout("sudoku 2x2")
SOLUTION: Solution = (0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0)
QUIET = [[1_000_000, 1_000_000]] * 20  # of the reference work
HOST = {"cpu": "one", "cores": 2}
Times = npt.NDArray[np.float64]


def puzzle(number: int, open_squares: int = 4) -> Puzzle:
    """One of many puzzles that all have SOLUTION: which of its squares are open depends on the number."""
    opened = {(number * 5 + k * 3) % 16 for k in range(open_squares)}
    domains = tuple(BOARD.full if s in opened else 1 << v for s, v in enumerate(SOLUTION))
    return Puzzle(f"made:{number + 1}", BOARD, domains)


def contender(name: str, version: str = "1") -> Contender:
    backend, _, env = name.partition("@")
    return Contender(name, backend, "alldifferent", "pairwise", False, env, version)


def outcomes(
    journal: Journal, number: int, repeat: int, seconds: Times, cpu: Times, **special: Sequence[int]
) -> Outcomes:
    """Right answers to all puzzles in these times; `undecided`, `crashed` and `unsatisfiable` name puzzles by place."""
    n = len(seconds)
    rows = np.zeros(n, ROW)
    rows["status"], rows["found"] = Status.SATISFIABLE, 1
    rows["wall"], rows["cpu"], rows["solve"] = seconds * 1e9, cpu * 1e9, seconds * 1e9
    rows["amortised"] = bool(special.get("amortised"))
    for i in (*special.get("undecided", ()), *special.get("crashed", ())):
        rows["status"][i], rows["found"][i] = Status.UNKNOWN, 0
        rows["reason"][i] = Reason.CRASH if i in special.get("crashed", ()) else Reason.TIMEOUT
    for i in special.get("unsatisfiable", ()):
        rows["status"][i], rows["found"][i], rows["complete"][i] = Status.UNSATISFIABLE, 0, 1
    puzzles = [journal.puzzle(i + 1) for i in range(n)]
    domains = pack(BOARD, [p.domains for p in puzzles])
    solutions = np.array([SOLUTION] * int(rows["found"].sum()), np.uint16).reshape(-1, len(SOLUTION))
    batch = Batch(number, repeat, journal.layouts[1], np.arange(1, n + 1), domains, n)
    return Outcomes(batch, rows, solutions, {})


def make(path: Path, times: Mapping[str, Times], puzzles: Sequence[Puzzle] = (), **special: Any) -> Path:
    """A judged journal of contenders whose wall times, float64[repeats, puzzles], are given in seconds.

    `cpu` has CPU times by contender where they differ; `special` maps a contender to what is special with it; the rest
    goes into the journal's facts.
    """
    facts = {"count": 1, "limit": 10.0, "state": "complete", "host": HOST, "reference": QUIET, "seed": 1, "command": []}
    facts |= {"versions": {"python": "3.11.0"}, "runs": 1, "cpu": None, "memory": 0}
    cpu, odd, versions = special.pop("cpu_times", {}), special.pop("odd", {}), special.pop("contender_versions", {})
    n = next(iter(times.values())).shape[1]
    with Journal.create(path) as journal:
        journal.add_puzzles("made", puzzles or [puzzle(i) for i in range(n)])
        journal.add_contenders([contender(name, versions.get(name, "1")) for name in times])
        journal.put(**facts | special)
        referee = Referee(journal, facts["count"])  # type: ignore[arg-type]
        for number, (name, wall) in enumerate(times.items()):
            for repeat, seconds in enumerate(wall):
                spent = cpu.get(name, wall)[repeat]
                found = outcomes(journal, number, repeat, seconds, spent, **odd.get(name, {}))
                journal.add(referee.judge_batch(found))
        journal.commit()
        referee.finalise_verdicts(journal)
    return path


def noisy(seed: int, repeats: int = 5, puzzles: int = 100, noise: float = 0.02, factor: float = 1.0) -> Times:
    """Times around a few milliseconds, puzzle by puzzle the same in every call, with noise and a factor."""
    base = np.exp(np.random.default_rng(0).normal(-6, 0.5, puzzles))
    return np.asarray(factor * base * np.exp(np.random.default_rng(seed).normal(0, noise, (repeats, puzzles))))
