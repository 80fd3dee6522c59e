"""Messages between the client of a cluster and its places: orders, leases, and results.

Of a place only measurements are believed: its outcomes are attached to the client's own lease, and impossible values
are refused.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from backends.contract.answer import Reason
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Lease, LeaseResult, Place, Sample
from harness.model.observing.clocks import Clocks
from harness.model.observing.observed import Observed
from harness.model.outcome import (
    CERTIFIED,
    FORMULA_CERTIFIED,
    NO_PROOF,
    REFUSED,
    ROW,
    UNCHECKED,
    Batch,
    Outcomes,
    ProofFile,
    Rows,
    no_value,
)
from harness.model.settings import RunSettings, wanted
from harness.model.trajectory import Trajectory
from harness.running.engines.wire_trajectories import Data, trajectory_data, trajectory_of
from harness.running.place import MakeChecker
from harness.running.workers.replies import MAX_NUMBER, MAX_TEXT, row_faults
from harness.running.workers.worker_pool import OpenState
from puzzles.problem import Problem
from puzzles.problem.arrays import Int8Array, Int64Array, Solutions
from puzzles.problem.columns import index_type

LONGEST = 4 * MAX_TEXT  # characters of a message, with where it was raised
LAST_TIME = 1 << 62  # nanoseconds since the epoch
LONGEST_NS = 1 << 58  # duration of a lease, nine years
DIGEST = re.compile("[0-9a-f]{64}")
PROOFS = (NO_PROOF, REFUSED, CERTIFIED, UNCHECKED, FORMULA_CERTIFIED)
MASKS = (np.uint8, np.uint16, np.uint32, np.uint64)


class BadResult(Exception):
    """A place returned an impossible result."""


class NotWanted(Exception):
    """A place has given up its lease: the client has taken it back, or the place is to end."""


@dataclass(frozen=True)
class RunOrder:
    """Run for which a place solves: sent once to each place."""

    contenders: tuple[Contender, ...]
    settings: RunSettings
    checker: MakeChecker | None = None


@dataclass(frozen=True)
class SentLease:
    """Lease with small domains, and with the content of the file of its instance."""

    lease: Lease
    content: bytes | None = None

    @classmethod
    def of(cls, lease: Lease) -> "SentLease":
        """Return a lease to send. Raises BadUsage if the file of its instance can't be read."""
        block = lease.block
        largest = int(block.domains.max(initial=0))
        kind = next(kind for kind in MASKS if largest <= np.iinfo(kind).max)
        small = replace(block, domains=block.domains.astype(kind))
        if block.source is None:
            return cls(replace(lease, block=small))
        try:
            return cls(replace(lease, block=small), Path(block.source.path).read_bytes())
        except OSError as e:
            raise BadUsage(f"{block.source.path}: {e.strerror}") from e

    def unpacked(self, folder: Path) -> Lease:
        """Return the lease; write the file of its instance to a folder of the place, over the last. Raises OSError."""
        block = replace(self.lease.block, domains=self.lease.block.domains.astype(np.uint64))
        if block.source is not None and self.content is not None:
            path = folder / f"source{''.join(Path(block.source.path).suffixes[-2:])}"
            path.write_bytes(self.content)
            block = replace(block, source=replace(block.source, path=str(path)))
        return replace(self.lease, block=block)


@dataclass(frozen=True)
class WireOutcomes:
    """Outcomes of a contender, as columns; `proved`, `checked` and `trajectories` as in Outcomes."""

    contender: int
    puzzles: Int64Array
    rows: Rows
    solutions: Solutions
    details: dict[int, str]
    proved: Int8Array | None
    checked: dict[int, tuple[str, int]]
    trajectories: dict[int, Data]


@dataclass(frozen=True)
class Returned:
    """Result of a lease as its place returns it, with the reports of its workers up to now.

    opened  by contender: version, setup, clocks, and observations
    """

    began: int
    ended: int
    samples: tuple[Sample, ...]
    parts: tuple[WireOutcomes, ...]
    opened: tuple[tuple[str, int, tuple[int, ...], tuple[int, ...]], ...]

    @classmethod
    def of(cls, result: LeaseResult, opened: list[OpenState]) -> "Returned":
        """Return the data to send of a result."""
        parts = (
            WireOutcomes(
                o.batch.contender,
                o.batch.puzzles,
                o.rows,
                o.solutions,
                o.details,
                o.proved,
                {i: (proof.digest, proof.size) for i, proof in o.checked.items()},
                {i: trajectory_data(trajectory) for i, trajectory in o.trajectories.items()},
            )
            for o in result.outcomes
        )
        states = ((s.version, s.setup, astuple(s.clocks), astuple(s.observed)) for s in opened)
        return cls(result.began, result.ended, result.samples, tuple(parts), tuple(states))


@contextmanager
def as_bad_result() -> Iterator[None]:
    """Turn every exception that objects of wrong types can raise into BadResult."""
    try:
        yield
    except BadResult:
        raise
    except Exception as e:
        raise BadResult(f"malformed result: {type(e).__name__}") from e


@as_bad_result()
def introduced(described: Any) -> tuple[Place, dict[str, str]] | str:
    """Return the facts and the fingerprint of a place, or the reason why it can't take part. Raises BadResult."""
    require(type(described) is dict, "not a description")
    if "refused" in described:
        require(is_text(described["refused"]), "its reason")
        return str(described["refused"])
    fingerprint, place = described["fingerprint"], Place(**described["facts"])
    require(is_mapping(fingerprint, str) and is_mapping(place.environment, str), "its fingerprint")
    require(is_mapping(place.host, str, int, type(None)) and is_mapping(place.versions, str, type(None)), "its facts")
    require(is_text(place.host["cpu"]) and is_count(place.host["cores"]), "its processor")
    require(is_text(place.versions["python"]) and (place.core is None or is_count(place.core, 1 << 31)), "its core")
    return place, fingerprint


@as_bad_result()
def received(lease: Lease, returned: Any, settings: RunSettings) -> LeaseResult:
    """Return the result of a lease from the data that a place returned. Raises BadResult."""
    require(type(returned) is Returned, "not a result")
    began, ended, samples = returned.began, returned.ended, returned.samples
    require(is_count(began, LAST_TIME) and is_count(ended, LAST_TIME) and 0 <= ended - began < LONGEST_NS, "its times")
    require(type(samples) is tuple and all(map(is_sample, samples)), "its reference work")
    require(type(returned.parts) is tuple, "its parts")
    outcomes = tuple(checked(lease, part, settings, ended - began) for part in returned.parts)
    expected = np.sort(lease.block.puzzles)
    for turn in lease.turns:
        puzzles = [some.batch.puzzles for some in outcomes if some.batch.contender == turn]
        got = np.sort(np.concatenate(puzzles)) if puzzles else np.empty(0, np.int64)
        require(np.array_equal(got, expected), f"instances of contender {turn}")
    return LeaseResult(lease, 0, began, ended, outcomes, samples=samples)


def checked(lease: Lease, part: WireOutcomes, settings: RunSettings, elapsed: int) -> Outcomes:
    """Return a part as outcomes of its lease. Raises BadResult."""
    require(
        type(part) is WireOutcomes and type(part.contender) is int and part.contender in lease.turns, "its contender"
    )
    block, rows, solutions = lease.block, part.rows, part.solutions
    n = len(part.puzzles)
    require(n > 0 and is_array(part.puzzles, np.int64, (n,)), "its instances")
    order = np.argsort(block.puzzles)
    at = order[np.searchsorted(block.puzzles, part.puzzles, sorter=order).clip(max=len(order) - 1)]
    require(np.array_equal(block.puzzles[at], part.puzzles), "its instances")
    require(is_array(rows, ROW, (n,)), "its rows")
    faults = row_faults(rows, wanted(block.problem, settings), elapsed, tuple(Reason), block.source is not None)
    require(not faults, next(iter(faults.values()), ""))
    check_solutions(solutions, int(rows["found"].sum(dtype=np.int64)), block.problem)
    require(type(part.details) is dict, "its messages")
    require(all(is_count(i, n) and is_text(text) for i, text in part.details.items()), "its messages")
    proved = part.proved
    if proved is not None:
        require(is_array(proved, np.int8, (n,)) and bool(np.isin(proved, PROOFS).all()), "its proofs")
        require(settings.proof or bool((proved == NO_PROOF).all()), "proofs that nobody asked for")
        require(bool((proved[rows["complete"] == 0] == NO_PROOF).all()), "proofs of incomplete answers")
    require(type(part.checked) is dict, "its checked proofs")
    have = [] if proved is None else np.flatnonzero(proved != NO_PROOF).tolist()
    require(all(is_count(i, n) and i in have and is_proof(proof) for i, proof in part.checked.items()), "its proofs")
    sure = [i for i in have if proved is not None and proved[i] in (CERTIFIED, FORMULA_CERTIFIED)]
    require(part.checked.keys() >= set(sure), "certificates of proofs that it does not name")
    puzzles, domains = block.puzzles[at], block.domains[at]
    batch = Batch(part.contender, lease.repeat, block.problem, puzzles, domains, n, block.source, block.alone)
    files = {i: ProofFile(*proof) for i, proof in part.checked.items()}
    courses = trajectories_of(part.trajectories, n if block.problem.objective else 0)
    details = dict(part.details)
    return Outcomes(batch, rows, solutions, details, proved=proved, checked=files, trajectories=courses)


def trajectories_of(data: Any, n: int) -> dict[int, Trajectory]:
    """Return the trajectories of n outcomes. Raises BadResult."""
    require(type(data) is dict and all(is_count(i, n) for i in data), "its trajectories")
    found = {i: trajectory_of(one) for i, one in data.items()}
    require(None not in found.values(), "its trajectories")
    return {i: one for i, one in found.items() if one is not None}


def check_solutions(solutions: Solutions, found: int, problem: Problem) -> None:
    """Raise BadResult unless these are `found` solutions of a problem."""
    require(is_array(solutions, index_type(problem), (found, len(problem.variables))), "its solutions")
    known = (solutions < len(problem.values)) | (solutions == no_value(solutions))
    require(bool(known.all()), "its solutions")


def is_count(value: object, limit: int = MAX_NUMBER) -> bool:
    """Return True for a natural number below a limit."""
    return type(value) is int and 0 <= value < limit


def is_proof(value: object) -> bool:
    """Return True for the SHA-256 of a file, in hexadecimal digits, and its size."""
    if not (type(value) is tuple and len(value) == 2):
        return False
    digest, size = value
    return type(digest) is str and DIGEST.fullmatch(digest) is not None and is_count(size)


def is_sample(value: object) -> bool:
    """Return True for the times of one pass of the reference work."""
    return type(value) is tuple and len(value) == 2 and all(map(is_count, value)) and value[0] > 0


def is_array(value: object, kind: Any, shape: tuple[int, ...]) -> bool:
    """Return True for a plain array of a type and shape."""
    return type(value) is np.ndarray and value.dtype == kind and value.shape == shape


def is_mapping(value: object, *kinds: type) -> bool:
    """Return True for a dictionary from texts to values of these types."""
    return type(value) is dict and all(is_text(key) and type(each) in kinds for key, each in value.items())


def is_text(value: object) -> bool:
    """Return True for a text that is not too long."""
    return type(value) is str and len(value) <= LONGEST


def require(holds: bool, what: str) -> None:
    """Raise BadResult unless the condition holds."""
    if not holds:
        raise BadResult(f"malformed result: {what}")


@as_bad_result()
def open_states(returned: Returned, contenders: int) -> list[OpenState]:
    """Return the reports of the workers of a place. Raises BadResult."""
    require(type(returned.opened) is tuple and len(returned.opened) == contenders, "its contenders")
    states = []
    for version, setup, clocks, observed in returned.opened:
        require(is_text(version) and all(map(is_count, (setup, *clocks, *observed))), "its clocks")
        stored = version.encode(errors="replace").decode()  # without lone surrogates
        states.append(OpenState(0, stored, setup, clocks=Clocks(*clocks), observed=Observed(*observed)))
    return states
