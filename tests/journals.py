"""Synthetic journals: outcomes are specified, not run."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backends.contract.answer import Reason, Status
from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.lease import Block, Lease, LeaseResult, Place
from harness.model.outcome import ROW, Batch, Judged, Outcomes
from harness.model.settings import RunSettings
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.boards.layout import Puzzle
from puzzles.problem.values import Solution

BOARD = layout("sudoku 2x2")
SOLUTION: Solution = (0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0)
QUIET = [[1_000_000, 1_000_000]] * 20  # samples of the reference work
OTHER_SETTINGS: dict[str, Any] = {  # than those that `make` stores if none are given
    "cpu": 5.0,
    "memory": 1 << 30,
    "peak": True,
    "proof": True,
    "scramble": True,
    "warmup": 9,
    "jobs": 7,
    "pin": False,
}
UNDECIDED = {
    "undecided": Reason.TIMEOUT,
    "crashed": Reason.CRASH,
    "memory": Reason.MEMORY,
    "unsupported": Reason.UNSUPPORTED,
    "gave_up": Reason.STUCK,
}
HOST = {"cpu": "one", "cores": 2}
OTHER = {"cpu": "two", "cores": 8}
Times = npt.NDArray[np.float64]


def interrupt(path: str | Path) -> None:
    """Leave a journal as a run leaves it that is killed before its first lease is complete."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "delete from outcomes; delete from leases; update meta set value = '\"running\"' where key = 'state'"
        )


def puzzle(number: int, open_squares: int = 4) -> Puzzle:
    """Return a puzzle with SOLUTION; its number determines its open squares."""
    opened = {(number * 5 + k * 3) % 16 for k in range(open_squares)}
    domains = tuple(BOARD.full if s in opened else 1 << v for s, v in enumerate(SOLUTION))
    return Puzzle(f"made:{number + 1}", BOARD, domains)


def contender(name: str, version: str = "1") -> Contender:
    """Return a contender named BACKEND[/ENCODING[+AT_MOST_ONE]][+warm][@ENV]."""
    rest, _, env = name.partition("@")
    cold = rest.removesuffix("+warm")
    start, _, pattern = cold.partition("+")
    backend, _, encoding = start.partition("/")
    return Contender(name, backend, encoding or "alldifferent", pattern or "pairwise", cold != rest, env, version)


def outcomes(
    block: Block,
    number: int,
    repeat: int,
    seconds: Times,
    cpu: Times,
    load: Times | None = None,
    **special: Sequence[int],
) -> Outcomes:
    """Return correct outcomes of a block with these times, and the share of loading in them.

    The names of UNDECIDED, `unsatisfiable` and `wrong` list positions of puzzles with those outcomes instead.
    """
    n, first = len(seconds), int(block.puzzles[0]) - 1
    rows = np.zeros(n, ROW)
    rows["status"], rows["found"] = Status.SATISFIABLE, 1
    rows["wall"], rows["cpu"], rows["solve"] = seconds * 1e9, cpu * 1e9, seconds * 1e9
    rows["amortised"] = bool(special.get("amortised"))
    if load is not None:
        rows["load"] = load * rows["wall"]
        rows["solve"] -= rows["load"]
    here = {kind: [i - first for i in places if first <= i < first + n] for kind, places in special.items()}
    for kind, reason in UNDECIDED.items():
        at = here.get(kind, [])
        rows["status"][at], rows["found"][at], rows["reason"][at] = Status.UNKNOWN, 0, reason
    for i in here.get("unsatisfiable", ()):
        rows["status"][i], rows["found"][i], rows["complete"][i] = Status.UNSATISFIABLE, 0, 1
    solutions = np.array([SOLUTION] * int(rows["found"].sum()), np.uint16).reshape(-1, len(SOLUTION))
    solutions[np.cumsum(rows["found"])[here.get("wrong", [])] - 1] = 0
    batch = Batch(number, repeat, block.problem, block.puzzles, block.domains, n)
    return Outcomes(batch, rows, solutions, {})


def joined(blocks: Sequence[Block]) -> Block:
    """Return neighbouring blocks of one problem as one block."""
    puzzles, domains = (np.concatenate([getattr(b, name) for b in blocks]) for name in ("puzzles", "domains"))
    return replace(blocks[0], puzzles=puzzles, domains=domains)


def part(whole: Judged, outcomes: Outcomes) -> Judged:
    """Return the part of judged outcomes that is about these outcomes, of some of the puzzles."""
    first = int(outcomes.batch.puzzles[0] - whole.outcomes.batch.puzzles[0])
    at = slice(first, first + len(outcomes.rows))
    proof = whole.proof[at]
    return Judged(replace(outcomes, proved=proof), whole.valid[at], proof, whole.verdict[at])


def make(path: Path, times: Mapping[str, Times], puzzles: Sequence[Puzzle] = (), **special: Any) -> Path:
    """Create a judged journal from wall times in seconds by contender, float64[repeats, puzzles].

    `cpu_times` has CPU times by contender if they differ, `phase_shares` the shares of loading; `odd` has arguments of
    `outcomes` by contender; `hosts` and `reference` are the machines of the places and the reference samples of no
    lease; `placed` returns the place, from 1, of a repeat's block, from 0 to 15 or 16, and `paced` has the sample of
    each lease by place; the rest are settings or metadata. A journal with state="running" is as a killed run leaves it.
    """
    shares = special.pop("phase_shares", {})
    cpu, odd, versions = special.pop("cpu_times", {}), special.pop("odd", {}), special.pop("contender_versions", {})
    hosts, work = special.pop("hosts", [HOST]), special.pop("reference", QUIET)
    placed, paced = special.pop("placed", lambda repeat, block: 1), special.pop("paced", {})
    chosen = {key: special.pop(key) for key in list(special) if key in RunSettings.__dataclass_fields__}
    facts = {"state": "complete", "host": HOST, "command": [], "versions": {"python": "3.11.0"}} | special
    n = next(iter(times.values())).shape[1]
    with Journal.create(path) as journal:
        journal.corpora.add("made", puzzles or [puzzle(i) for i in range(n)])
        journal.contenders.add([contender(name, versions.get(name, "1")) for name in times])
        journal.facts.put(settings=RunSettings(**chosen).as_dict(), **facts)
        journal.places.add([Place(host, None, facts["versions"]) for host in hosts])
        journal.places.add_samples([(wall, spent) for wall, spent in work])
        referee = Referee(journal)
        step = max(1, n // 16)
        blocks = [
            journal.instances.block(k, first + 1, min(first + step, n)) for k, first in enumerate(range(0, n, step), 1)
        ]
        # A running journal has the verdicts of the evidence at each commit, contender by contender, as if the lease had
        # come in parts; else all blocks are judged at once, faster.
        groups = [[block] for block in blocks] if facts["state"] == "running" else [blocks]

        def made(block: Block, i: int, name: str, repeat: int) -> Outcomes:
            """Return the outcomes of a contender on a block."""
            at, wall = slice(block.puzzles[0] - 1, block.puzzles[-1]), times[name]
            share = shares[name][repeat][at] if name in shares else None
            seconds = wall[repeat][at], cpu.get(name, wall)[repeat][at]
            return outcomes(block, i, repeat, *seconds, share, **odd.get(name, {}))

        for repeat in range(max(map(len, times.values()))):
            present = [(i, name) for i, (name, wall) in enumerate(times.items()) if repeat < len(wall)]
            for group in groups:
                whole = joined(group)
                judged = [one for pair in present for one in referee.judge_batches([made(whole, *pair, repeat)])]
                for block in group:
                    results = [made(block, i, name, repeat) for i, name in present]
                    place, turns = placed(repeat, block.number - 1), tuple(range(len(results)))
                    samples = tuple(paced[p] for p in paced if p == place)
                    lease = Lease(block, repeat, turns)
                    result = LeaseResult(lease, place, block.number, block.number + 1, tuple(results), samples=samples)
                    journal.leases.add(result, [part(*pair) for pair in zip(judged, results, strict=True)])
        if facts["state"] != "running":
            referee.finalise_verdicts(journal)
    return path


def noisy(seed: int, repeats: int = 5, puzzles: int = 100, noise: float = 0.02, factor: float = 1.0) -> Times:
    """Return times of a few milliseconds: a fixed base per puzzle, with noise and a factor."""
    base = np.exp(np.random.default_rng(0).normal(-6, 0.5, puzzles))
    return np.asarray(factor * base * np.exp(np.random.default_rng(seed).normal(0, noise, (repeats, puzzles))))
