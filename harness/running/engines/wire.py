"""Checks of what a place of a cluster sends: its description, and results of leases.

Of a place only measurements are believed: its outcomes are attached to the client's own lease, and impossible values
are refused. The layout (`messages.py`) sees to the types of all values, this module to their ranges.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.lease import Lease, LeaseResult
from harness.model.observing.clocks import PUZZLE_SLACK_NS, RATIO, RUN_SLACK_NS, Clocks
from harness.model.observing.observed import Observed
from harness.model.outcome import (
    CERTIFIED,
    FORMULA_CERTIFIED,
    NANO,
    NO_PROOF,
    OUTSIDE,
    REFUSED,
    ROW,
    UNCHECKED,
    Batch,
    Outcomes,
    ProofFile,
    no_value,
)
from harness.model.settings import RunSettings, wanted
from harness.model.trajectory import Trajectory
from harness.running.engines.layout import Malformed, decode
from harness.running.engines.messages import ANSWER, DESCRIBED, GIVEN, Described, Returned, WireOutcomes
from harness.running.logs.travelling import LEASE, PACKED
from harness.running.workers.following import MAX_STEPS
from harness.running.workers.replies import MAX_NUMBER, MAX_TEXT, most_within, row_faults
from harness.running.workers.reports import digits_of
from harness.running.workers.run_context import OpenState
from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.columns import index_type

LONGEST = 4 * MAX_TEXT  # characters of a message, with where it was raised
LAST_TIME = 1 << 62  # nanoseconds since the epoch
LONGEST_NS = 1 << 58  # duration of a lease, nine years
TURN_SLACK_NS = 50_000_000  # of a contender in a lease, whose repeated asks are in no row
FRAME_BYTES = 1 << 20  # bytes of a result beside its outcomes: versions, observations, reference work
OUTCOME_BYTES = 4 * LONGEST + 256  # of an outcome beside its row and solutions: its message, its number, its proof
STEP_BYTES = 24  # of an improvement beside its two numbers
DIGEST = re.compile("[0-9a-f]{64}")
PROOFS = (NO_PROOF, REFUSED, CERTIFIED, UNCHECKED, FORMULA_CERTIFIED)


class BadResult(Exception):
    """A place returned an impossible result."""


class NotWanted(Exception):
    """A place has given up its lease: the client has taken it back, or the place is to end."""


class Lacking(Exception):
    """A place no longer has a content that its lease needs."""


class PlaceFailed(Exception):
    """A place could not run a lease, for a reason that it states."""


@contextmanager
def as_bad_result() -> Iterator[None]:
    """Turn Malformed, and every exception that checks of other values can raise, into BadResult."""
    try:
        yield
    except (BadResult, PlaceFailed, NotWanted, Lacking):
        raise
    except Malformed as e:
        raise BadResult(f"malformed result: {e}") from e
    except Exception as e:
        raise BadResult(f"malformed result: {type(e).__name__}") from e


def most_bytes(lease: Lease, settings: RunSettings, logs: bool = False) -> int:
    """Return the bytes that a result of a lease may have at most, with `logs` also of what its programs print."""
    problem = lease.block.problem
    solutions = wanted(problem, settings) * len(problem.variables) * index_type(problem)().itemsize
    improvements = (MAX_STEPS + 1) * (STEP_BYTES + 2 * digits_of(problem)) if problem.objective else 0
    outcomes = len(lease.block.puzzles) * len(lease.contenders)
    printed = min(LEASE, 2 * PACKED * outcomes) if logs else 0
    return FRAME_BYTES + printed + outcomes * (OUTCOME_BYTES + ROW.itemsize + solutions + improvements)


@as_bad_result()
def introduced(sent: bytes) -> Described | str:
    """Return a place that can take part, its `place` set, or the reason why it can't take part. Raises BadResult."""
    described = decode(DESCRIBED, sent)
    place, texts = described.place, [described.refused, *described.fingerprint, *described.fingerprint.values()]
    require(all(map(is_text, texts)), "its fingerprint")
    if place is None:
        require(described.refused != "", "not a description")
        return described.refused
    for facts in (place.host, place.versions, place.environment):
        require(all(map(is_text, (*facts, *(each for each in facts.values() if type(each) is str)))), "its facts")
    require(is_text(place.host["cpu"]) and is_count(place.host["cores"]), "its processor")
    began, ended = described.began, described.ended
    require(is_count(began, LAST_TIME) and is_count(ended, LAST_TIME) and 0 <= ended - began < LONGEST_NS, "its times")
    require(is_text(place.versions["python"]) and (place.core is None or is_count(place.core, 1 << 31)), "its core")
    return described


@as_bad_result()
def returned(sent: bytes) -> Returned:
    """Return the result that a place has sent. Raises BadResult, PlaceFailed, NotWanted, Lacking."""
    answer = decode(ANSWER, sent)
    if answer.stopped:
        raise NotWanted
    if answer.missing:
        raise Lacking
    if answer.result is None:
        require(is_text(answer.failed), "its reason")
        raise PlaceFailed(answer.failed.partition("\n")[0])
    return answer.result


@as_bad_result()
def received(lease: Lease, returned: Returned, settings: RunSettings) -> LeaseResult:
    """Return the result of a lease from the data that a place returned. Raises BadResult."""
    began, ended, samples = returned.began, returned.ended, returned.samples
    require(is_count(began, LAST_TIME) and is_count(ended, LAST_TIME) and 0 <= ended - began < LONGEST_NS, "its times")
    require(all(map(is_sample, samples)), "its reference work")
    outcomes = tuple(checked(lease, part, settings, ended - began) for part in returned.parts)
    expected = np.sort(lease.block.puzzles)
    for turn in lease.contenders:
        puzzles = [some.batch.puzzles for some in outcomes if some.batch.contender == turn]
        got = np.sort(np.concatenate(puzzles)) if puzzles else np.empty(0, np.int64)
        require(np.array_equal(got, expected), f"instances of contender {turn}")
    require(accounted(outcomes) <= most_within(ended - began), "outcomes that took longer than their lease")
    return LeaseResult(lease, 0, began, ended, outcomes, samples=samples)


def within(lease: Lease, turns: tuple[int, ...], taken: Sequence[int]) -> Lease:
    """Return a lease with some of its turns alone, none of them taken. Raises BadResult."""
    require(bool(turns) and set(turns) <= set(lease.contenders) - set(taken), "its contenders")
    return replace(lease, contenders=turns)


@as_bad_result()
def given_turns(sent: bytes, lease: Lease) -> tuple[int, ...]:
    """Return turns of a lease that a place gives up. Raises BadResult."""
    turns = decode(GIVEN, sent).turns
    require(len(set(turns)) == len(turns) and set(turns) < set(lease.contenders), "its turns")
    return turns


def checked(lease: Lease, part: WireOutcomes, settings: RunSettings, elapsed: int) -> Outcomes:
    """Return a part as outcomes of its lease. Raises BadResult."""
    require(part.contender in lease.contenders, "its contender")
    block, rows, solutions, n = lease.block, part.rows, part.solutions, len(part.puzzles)
    order = np.argsort(block.puzzles)
    at = order[np.searchsorted(block.puzzles, part.puzzles, sorter=order).clip(max=len(order) - 1)]
    require(n > 0 and np.array_equal(block.puzzles[at], part.puzzles), "its instances")
    require(len(rows) == n, "its rows")
    faults = row_faults(rows, wanted(block.problem, settings), elapsed, tuple(Reason), block.source is not None)
    require(not faults, next(iter(faults.values()), ""))
    check_solutions(solutions, int(rows["found"].sum(dtype=np.int64)), block.problem)
    require(all(is_count(i, n) and is_text(text) for i, text in part.details.items()), "its messages")
    require(all(is_count(i, n) and max(map(len, both)) <= PACKED for i, both in part.printed.items()), "its logs")
    check_proofs(part, settings)
    puzzles, domains = block.puzzles[at], block.domains[at]
    batch = Batch(part.contender, lease.repeat, block.problem, puzzles, domains, n, block.source, block.alone)
    files = {i: ProofFile(*proof) for i, proof in part.checked.items()}
    check_trajectories(part.trajectories, n if block.problem.objective else 0)
    trajectories, details = part.trajectories, part.details
    proved, printed = part.proved, part.printed
    return Outcomes(
        batch, rows, solutions, details, proved=proved, checked=files, trajectories=trajectories, printed=printed
    )


def accounted(outcomes: Sequence[Outcomes]) -> float:
    """Return the nanoseconds that outcomes of a lease account for; asks run one after another."""
    return sum(float(some.rows[phase].sum(dtype=float)) for some in outcomes for phase in ("wall", *OUTSIDE))


def unexplained(result: LeaseResult) -> str:
    """Return a note if all outcomes of a lease whose workers were open are answers in much less time than it took."""
    rows, asked = [some.rows for some in result.outcomes], accounted(result.outcomes)
    elapsed = result.ended - result.began
    slack = RUN_SLACK_NS + TURN_SLACK_NS * len(rows) + PUZZLE_SLACK_NS * sum(map(len, rows))
    if elapsed <= RATIO * asked + slack or not all((some["status"] != Status.UNKNOWN).all() for some in rows):
        return ""
    return f"its outcomes account for {asked / NANO:.3g} s of a lease of {elapsed / NANO:.3g} s"


def check_proofs(part: WireOutcomes, settings: RunSettings) -> None:
    """Raise BadResult unless these are results of checks of proofs, and of the files that were checked."""
    rows, proved = part.rows, part.proved
    if proved is not None:
        require(len(proved) == len(rows) and bool(np.isin(proved, PROOFS).all()), "its proofs")
        require(settings.proof or bool((proved == NO_PROOF).all()), "proofs that nobody asked for")
        require(bool((proved[rows["complete"] == 0] == NO_PROOF).all()), "proofs of incomplete answers")
    have = [] if proved is None else np.flatnonzero(proved != NO_PROOF).tolist()
    require(all(i in have and is_proof(proof) for i, proof in part.checked.items()), "its proofs")
    sure = [i for i in have if proved is not None and proved[i] in (CERTIFIED, FORMULA_CERTIFIED)]
    require(part.checked.keys() >= set(sure), "certificates of proofs that it does not name")


def check_trajectories(trajectories: dict[int, Trajectory], n: int) -> None:
    """Raise BadResult unless these are trajectories of n outcomes."""
    for i, trajectory in trajectories.items():
        known = is_count(i, n) and is_count(trajectory.dropped, 1 << 62) and is_count(trajectory.faults, 1 << 62)
        require(known and len(trajectory.steps) <= MAX_STEPS + 1, "its trajectories")
        require(all(is_count(step.ns, LONGEST_NS) for step in trajectory.steps), "its trajectories")


def check_solutions(solutions: Solutions, found: int, problem: Problem) -> None:
    """Raise BadResult unless these are `found` solutions of a problem."""
    right = solutions.dtype == index_type(problem) and solutions.shape == (found, len(problem.variables))
    require(right, "its solutions")
    known = (solutions < len(problem.values)) | (solutions == no_value(solutions))
    require(bool(known.all()), "its solutions")


def is_count(value: object, limit: int = MAX_NUMBER) -> bool:
    """Return True for a natural number below a limit."""
    return type(value) is int and 0 <= value < limit


def is_proof(value: tuple[str, int]) -> bool:
    """Return True for the SHA-256 of a file, in hexadecimal digits, and its size."""
    digest, size = value
    return DIGEST.fullmatch(digest) is not None and is_count(size)


def is_sample(value: tuple[int, int]) -> bool:
    """Return True for the times of one pass of the reference work."""
    return all(map(is_count, value)) and value[0] > 0


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
    require(len(returned.opened) == contenders, "its contenders")
    states = []
    for version, setup, clocks, observed in returned.opened:
        require(is_text(version) and all(map(is_count, (setup, *clocks, *observed))), "its clocks")
        states.append(OpenState(0, version, setup, clocks=Clocks(*clocks), observed=Observed(*observed)))
    return states
