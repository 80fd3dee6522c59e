"""Batches of puzzles for one contender and their outcomes, as columns from the worker to the journal.

ROW holds one measured outcome: times in nanoseconds, -1 for a counter that the backend does not have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from backends.contract.answer import COUNTERS, Reason, Status
from harness.model.quality import Optimised
from harness.model.trajectory import Trajectory
from puzzles.problem import Problem
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array, Solutions, UInt64Array
from puzzles.problem.columns import index_type

NANO = 10**9  # nanoseconds of a second
MAX_PLACED = 1 << 28  # values in the solutions that one ask may want
PHASES = ("encode", "load", "solve", "decode")
OUTSIDE = ("prepare", "interpret")  # our work on the file that a program gets, no part of `wall`
ROW = np.dtype(
    [
        ("status", np.int8),
        ("reason", np.int8),
        ("complete", np.int8),
        ("amortised", np.int8),
        ("found", np.int32),
        ("wall", np.int64),
        ("cpu", np.int64),
        *((phase, np.int64) for phase in PHASES),
        *((counter, np.int64) for counter in COUNTERS),
        ("peak", np.int64),
        *((phase, np.int64) for phase in OUTSIDE),
    ]
)
FLATTENED = "flattened"  # key in the metadata of a journal: nanoseconds of a compiler by id of the instance
# key in the metadata of a journal: by name of an instance that is a model, its names of variables by those of the file
MODEL_NAMES = "model_names"
SOURCES = "sources"  # key in the metadata of a journal: SourceDigest by id of the instance
NO_PROOF, REFUSED, CERTIFIED, UNCHECKED, FORMULA_CERTIFIED = -1, 0, 1, 2, 3

Rows = npt.NDArray[np.void]
Number = int | float


def no_value(solutions: Solutions) -> int:
    """Return the marker, in solutions of this type, for a variable without a value of the problem."""
    return int(np.iinfo(solutions.dtype).max)


def counted_status(row: Any) -> Status:
    """Return the status of a row that counts: a claim to be complete with a reason, as one that is late, is unknown."""
    withdrawn = row["complete"] and row["reason"] != Reason.NONE
    return Status.UNKNOWN if withdrawn else Status(int(row["status"]))


def unknown_row(reason: Reason, wall: int, cpu: int, outside: Sequence[int] = (0, 0)) -> tuple[int, ...]:
    """Return the row of an ask without an answer."""
    return (Status.UNKNOWN, reason, 0, 0, 0, wall, cpu, 0, 0, wall, 0, *(-1 for _ in COUNTERS), -1, *outside)


@dataclass(frozen=True)
class SourceDigest:
    """File of an instance, its format, and the SHA-256 of its content when it was read."""

    path: str
    format: str
    digest: str


class Verdict(IntEnum):
    """Verdict of the judge on one outcome."""

    CORRECT = 0
    WRONG = 1
    UNKNOWN = 2
    ERROR = 3
    UNCERTIFIED = 4
    CORPUS_WRONG = 5


class Confirmation(IntFlag):
    """Sources that confirm a complete answer: a known answer, a checked proof, an independent contender."""

    CORPUS = 1
    PROOF = 2
    AGREEMENT = 4

    def words(self) -> str:
        """Return the sources as text, '' if there is none."""
        return ";".join(str(source.name).lower() for source in Confirmation if source in self)


@dataclass(frozen=True)
class Batch:
    """Instances of one problem for one contender, self-contained but for the contender's number.

    puzzles  int64[n], ids of the journal        domains  uint64[n, variables, words]
    cap      maximum number of puzzles per ask   source   file that the only instance came as, for programs
    alone    the problem has no other instance in the run, so its encoding is charged to this one
    """

    contender: int
    repeat: int
    problem: Problem
    puzzles: Int64Array
    domains: UInt64Array
    cap: int
    source: SourceDigest | None = None
    alone: bool = False

    def part(self, start: int, stop: int, cap: int | None = None) -> Self:
        """Return the batch of the puzzles from `start` to before `stop`."""
        if start == 0 and stop == len(self.puzzles) and cap is None:
            return self
        return replace(
            self,
            puzzles=self.puzzles[start:stop],
            domains=self.domains[start:stop],
            cap=self.cap if cap is None else cap,
        )


class ProofFile(NamedTuple):
    """A proof that was checked: the SHA-256 of its file, in hexadecimal digits, and its size in bytes."""

    digest: str
    size: int


class KeptLog(NamedTuple):
    """Compressed files of what the programs of an outcome have printed, from the folder of the journal.

    err  None if there was no standard error
    """

    out: str
    err: str | None


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of a batch, as columns of its length.

    rows       ROW[n]
    solutions  uint16 or uint32[sum of rows['found'], variables], in the order of puzzles; `no_value` of that type
               where a variable held no value of the problem
    details    position -> error message; lines below its first one show where it was raised
    proofs     position -> file of a proof
    proved     int8[n], results of the proof check; None before it: NO_PROOF, REFUSED, UNCHECKED, CERTIFIED, or
               FORMULA_CERTIFIED where the judge does not derive the formula that is refuted from the instance
    checked    position -> the proof that our checker read
    trajectories  position -> the search for the best solution, of instances with an objective
    logs       position -> stem of the files of what its programs have printed, until they are kept
    printed    position -> the same from a place of a cluster, standard output and error, as they travel
    kept       position -> where these are kept, as the journal names it
    statistics  position -> numbers that its programs have printed, by name
    times      position -> int64[asks], nanoseconds of CPU time of each ask of a query script, 0: not reached
    """

    batch: Batch
    rows: Rows
    solutions: Solutions
    details: dict[int, str]
    proofs: dict[int, Path] = field(default_factory=dict)
    proved: Int8Array | None = None
    checked: dict[int, ProofFile] = field(default_factory=dict)
    trajectories: dict[int, Trajectory] = field(default_factory=dict)
    logs: dict[int, Path] = field(default_factory=dict)
    printed: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    kept: dict[int, KeptLog] = field(default_factory=dict)
    statistics: dict[int, Mapping[str, Number]] = field(default_factory=dict)
    times: dict[int, Int64Array] = field(default_factory=dict)


def without_solutions(batch: Batch, rows: Rows, details: dict[int, str]) -> Outcomes:
    """Return outcomes of a batch that hold no solution."""
    return Outcomes(batch, rows, np.empty((0, batch.domains.shape[1]), dtype=index_type(batch.problem)), details)


@dataclass(frozen=True)
class Judged:
    """Judged outcomes: numbers of valid solutions, results of the proof check, and verdicts, as columns.

    best  values and statements, of instances with an objective
    """

    outcomes: Outcomes
    valid: Int32Array
    proof: Int8Array
    verdict: Int8Array
    best: Optimised | None = None
