"""Write imported results as a journal: judged by the claims in their files alone, since no solution is known.

Instances of equal name in several files are one instance. Results of one contender and version on one instance are its
repeats: as the files state them where these also state workers, of which each repeat has its own, else in the order of
the files. Then all repeats of a contender count as those of one worker.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backends.contract.answer import COUNTERS, Status
from harness.importing.record import MAX_SECONDS, Result, ResultsFile, StatedSearch, in_time, shortened
from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult, Place
from harness.model.outcome import OUTSIDE, ROW, Batch, Outcomes
from harness.model.settings import Limits, RunSettings
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.storing.facts import FAMILIES, KNOWN, SEEDS, WORKERS
from harness.storing.journal import Journal
from puzzles.imported import named_instance

BLOCK = 1000  # instances
UNKNOWN = "unknown"
MAX_REPEATS, MAX_CONTENDERS = 1000, 1000
OPTIONS = {"wall": "-t", "cpu": "--cpu"}  # options that state a limit
MAX_NOTE = 500  # characters
NO_COUNTERS = (-1,) * len(COUNTERS)
NOTHING = (0,) * len(OUTSIDE)
Placed = dict[int, list[Result]]  # results by contender
Run = tuple[int, int | str]  # number of a file, and what it calls a repeat


@dataclass
class Named:
    """An instance: its id, claims of files, and the sense of its objective, None without one. `best` is minimised."""

    id: int = 0
    claim: bool | None = None
    maximise: bool | None = None
    best: int | None = None


class Collected(NamedTuple):
    """Results of all files: contenders, instances by name, and results by repeat and block.

    blocks  first and last id of each: instances of one sense
    workers  True if each repeat has workers of its own
    """

    contenders: list[Contender]
    instances: dict[str, Named]
    blocks: list[tuple[int, int]]
    placed: dict[tuple[int, int], Placed]
    workers: bool


def import_results(
    sources: Sequence[ResultsFile], form: str, stated: Limits, path: Path, command: Sequence[str]
) -> None:
    """Write a journal at `path` with the results of all files; `stated` are the user's limits. Raises BadUsage."""
    collected = collect(sources)
    limits = common_limits(sources, stated)
    memory, wall_known = max(s.memory for s in sources), limits.wall is not None
    settings = RunSettings(limit=limits.of("wall"), cpu=limits.cpu, memory=memory, wall_known=wall_known)
    hosts = list(dict.fromkeys(host for source in sources for host in source.hosts)) or [(UNKNOWN, 0)]
    places = [Place({"cpu": cpu, "cores": cores}, None, {"python": UNKNOWN}) for cpu, cores in hosts]
    began = min(source.began for source in sources)
    corpora = list(dict.fromkeys(source.corpus for source in sources if source.corpus))
    journal = Journal.create(path)
    try:
        instances = (
            named_instance(name, known.claim, known.maximise, known.best) for name, known in collected.instances.items()
        )
        refused = list(dict.fromkeys(file for source in sources for file in source.malformed))
        journal.corpora.add(", ".join(corpora) or "imported", instances, refused=refused)
        journal.contenders.add(collected.contenders)
        journal.facts.put(
            imported={"format": form, "files": [source.path for source in sources]}
            | ({WORKERS: KNOWN} if collected.workers else {})
            | ({SEEDS: KNOWN} if several_seeds(sources) else {}),
            **({FAMILIES: {"column family": families}} if (families := families_of(sources)) else {}),
            command=list(command),
            settings=settings.as_dict(),
            host=places[0].host,
            versions=places[0].versions,
            state="running",
        )
        (place, *_) = journal.places.add(places)
        referee = Referee(journal)
        for (repeat, number), placed in sorted(collected.placed.items()):
            block = journal.instances.block(number + 1, *collected.blocks[number])
            results = tuple(
                outcomes(block, contender, repeat, [(collected.instances[r.instance].id, r) for r in rows], limits)
                for contender, rows in sorted(placed.items())
            )
            lease = Lease(block, repeat, tuple(sorted(placed)))
            journal.leases.add(LeaseResult(lease, place, began, began, results), referee.judge_batches(results))
        referee.finalise_verdicts(journal)
        journal.facts.put(state="complete")  # once everything is there, so that a killed import is none
    except BaseException:
        journal.discard()
        raise
    with journal:
        pass


def collect(sources: Sequence[ResultsFile]) -> Collected:
    """Number contenders, instances and repeats. Raises BadUsage if there are no results, or claims differ."""
    numbers: dict[tuple[str, str], int] = {}
    names = set[str]()
    contenders: list[Contender] = []
    instances = named_instances(sources)
    blocks = blocks_of(list(instances.values()))
    ends = [last for _, last in blocks]
    stated = stated_repeats(sources)
    repeats: Counter[tuple[int, int]] = Counter()
    placed: dict[tuple[int, int], Placed] = defaultdict(lambda: defaultdict(list))
    for number, source in enumerate(sources):
        for result in source.results:
            who = result.contender, result.version
            if who not in numbers:
                numbers[who] = len(contenders)
                contenders.append(named_contender(*who, names))
                names.add(contenders[-1].name)
                if len(contenders) > MAX_CONTENDERS:
                    raise BadUsage(f"{source.path}: more than {MAX_CONTENDERS:,} contenders")
            i = instances[result.instance].id
            key = numbers[who], i
            repeat = stated[who][number, run_of(result)] if stated else repeats[key]
            placed[repeat, bisect_left(ends, i)][key[0]].append(result)
            repeats[key] += 1
            if repeats[key] > MAX_REPEATS:
                raise BadUsage(f"{source.path}: more than {MAX_REPEATS} results of {shortened(who[0])} on one instance")
    return Collected(contenders, instances, blocks, placed, stated is not None)


def run_of(result: Result) -> int | str:
    """Return what a file calls the repeat of a result: its number, else its worker."""
    return result.worker if result.repeat is None else result.repeat


def families_of(sources: Sequence[ResultsFile]) -> dict[str, str]:
    """Return the families of instances by name, as the files state them. Raises BadUsage if these differ."""
    found: dict[str, str] = {}
    for source in sources:
        for name, family in source.families.items():
            if found.setdefault(name, family) != family:
                raise BadUsage(f"{source.path}: {shortened(name)} is of the families {found[name]!r} and {family!r}")
    return found


def several_seeds(sources: Sequence[ResultsFile]) -> bool:
    """Return True if every result has a seed, and seeds differ."""
    seeds = {result.seed for source in sources for result in source.results}
    return None not in seeds and len(seeds) > 1


def stated_repeats(sources: Sequence[ResultsFile]) -> dict[tuple[str, str], dict[Run, int]] | None:
    """Return the repeats of each contender and version, numbered from 0.

    None unless every result has a worker, and no worker has several repeats.
    """
    found: dict[tuple[str, str], dict[Run, int]] = defaultdict(dict)
    of_worker: dict[tuple[str, str, int, str], int | str] = {}
    for number, source in enumerate(sources):
        for result in source.results:
            who, run = (result.contender, result.version), run_of(result)
            if not result.worker or of_worker.setdefault((*who, number, result.worker), run) != run:
                return None
            found[who].setdefault((number, run), 0)
    for runs in found.values():
        ordered = sorted(runs, key=lambda run: (run[0], isinstance(run[1], str), run[1]))
        runs.update({run: i for i, run in enumerate(ordered)})
    return found


def named_instances(sources: Sequence[ResultsFile]) -> dict[str, Named]:
    """Return the instances by name, ordered by sense. Raises BadUsage if there are none, or claims differ."""
    found: dict[str, Named] = {}
    for source in sources:
        for result in source.results:
            known = found.get(result.instance)
            if known is None:
                sense = None if result.search is None else result.search.maximise
                known = found[result.instance] = Named(maximise=sense)
            add_claims(known, result, source.path)
    if not found:
        raise BadUsage(f"{', '.join(source.path for source in sources)}: no results")
    order = (None, False, True)
    ordered = dict(sorted(found.items(), key=lambda item: order.index(item[1].maximise)))
    for i, known in enumerate(ordered.values(), 1):
        known.id = i
    return ordered


def add_claims(known: Named, result: Result, path: str) -> None:
    """Add what a result claims of its instance. Raises BadUsage if other results claim otherwise."""
    name, search = shortened(result.instance), result.search
    if None not in (known.claim, result.claim) and known.claim != result.claim:
        raise BadUsage(f"{path}: {name} is satisfiable and unsatisfiable by its files")
    known.claim = result.claim if known.claim is None else known.claim
    if known.maximise != (None if search is None else search.maximise):
        raise BadUsage(f"{path}: the objective of {name} is another by its files")
    if search is not None and search.best is not None:
        best = signed(search.best, search)
        known.best = best if known.best is None else min(known.best, best)


def blocks_of(instances: Sequence[Named]) -> list[tuple[int, int]]:
    """Return first and last id of blocks of instances of one sense, in the order of ids."""
    blocks: list[tuple[int, int]] = []
    first = 1
    for _, group in groupby(instances, key=lambda known: known.maximise):
        last = first + len(list(group)) - 1
        blocks += [(i, min(i + BLOCK - 1, last)) for i in range(first, last + 1, BLOCK)]
        first = last + 1
    return blocks


def signed(value: int, search: StatedSearch) -> int:
    """Return a value as it is to be minimised."""
    return -value if search.maximise else value


def named_contender(name: str, version: str, taken: Collection[str]) -> Contender:
    """Return a contender; its name includes the version if another contender has the plain name."""
    chosen = name
    while chosen in taken:
        chosen += f"@{version or 'other'}"
    return Contender(chosen, chosen, "", "", False, "", version)


def common_limits(sources: Sequence[ResultsFile], stated: Limits) -> Limits:
    """Return the time limits, as stated or equal in all files. Raises BadUsage if no limit is known."""
    limits = Limits(*(common_limit(sources, clock, getattr(stated, clock)) for clock in OPTIONS))
    if limits == Limits(None):
        raise BadUsage(
            f"{sources[0].path}: states no time limit: state it with -t SECONDS, or one of CPU time with --cpu SECONDS"
        )
    return limits


def common_limit(sources: Sequence[ResultsFile], clock: str, stated: float | None) -> float | None:
    """Return the limit of a clock, as stated or equal in all files, None if it is unknown. Raises BadUsage."""
    option = OPTIONS[clock]
    if stated is not None:
        if stated > MAX_SECONDS:
            raise BadUsage(f"{option} {stated:g}: more than {MAX_SECONDS} s")
        return stated
    by_limit = {getattr(source.limits, clock): source for source in sources}
    if len(by_limit) > 1:
        one, other = list(by_limit.values())[:2]
        raise BadUsage(f"{one.path} and {other.path} differ in their time limits: state one with {option} SECONDS")
    limit: float | None = next(iter(by_limit))
    if limit == 0:
        raise BadUsage(f"{sources[0].path}: its time limit is 0")
    return limit


def outcomes(block: Block, contender: int, repeat: int, rows: Sequence[tuple[int, Result]], limits: Limits) -> Outcomes:
    """Return the results of a contender on some instances of a block, in order of id."""
    ordered = [(i, in_time(result, limits)) for i, result in sorted(rows, key=lambda row: row[0])]
    measured = np.array([row_of(result) for _, result in ordered], ROW)
    notes = {i: result.note[:MAX_NOTE] for i, (_, result) in enumerate(ordered) if result.note}
    ids = np.array([i for i, _ in ordered], np.int64)
    batch = Batch(contender, repeat, block.problem, ids, block.domains[ids - block.puzzles[0]], len(ids))
    trajectories = {
        i: trajectory_of(result.search) for i, (_, result) in enumerate(ordered) if result.search is not None
    }
    nobody_saw = np.empty((int(measured["found"].sum()), 0), np.uint16)
    return Outcomes(batch, measured, nobody_saw, notes, trajectories=trajectories)


def trajectory_of(search: StatedSearch) -> Trajectory:
    """Return the steps of a search that improve, and its value, to be minimised."""
    steps: list[Step] = []
    for ns, value in search.steps:
        if not steps or signed(value, search) < (steps[-1].value or 0):
            steps.append(Step(ns, StepKind.IMPROVED, signed(value, search)))
    best = None if search.value is None else signed(search.value, search)
    return Trajectory(tuple(steps), best, best if search.proved else None)


def row_of(result: Result) -> tuple[int, ...]:
    """Return a result as a row. A result that its file calls wrong contradicts itself, so all evidence refutes it."""
    satisfiable, unsatisfiable = (result.status == s for s in (Status.SATISFIABLE, Status.UNSATISFIABLE))
    wrong = result.called_wrong
    found, complete = (satisfiable and not wrong) or (unsatisfiable and wrong), unsatisfiable and not wrong
    complete |= result.search is not None and result.search.proved and not wrong
    cpu = -1 if result.cpu is None else result.cpu
    wall = max(cpu, 0) if result.wall is None else result.wall
    peak = -1 if result.peak is None else result.peak
    return (result.status, result.reason, complete, 0, found, wall, cpu, 0, 0, wall, 0, *NO_COUNTERS, peak, *NOTHING)
