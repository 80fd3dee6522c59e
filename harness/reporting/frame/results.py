"""Results of a journal: figures and columns by instance of each contender, and their agreement.

Summary, tables, matrix, comparisons and warnings are computed from them alone. Arrays by instance are indexed by its
id, 1 to the journal's size; index 0 is unused. Repeats are aggregated: the median of times, the worst of states.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from backends.contract.answer import COUNTERS, Reason, Status
from backends.counters.counted import guarantee_of
from harness.judging.agreement import Agreement, agreement
from harness.judging.referee import Referee
from harness.judging.refuted_optima import RefutedBound, refuted_bounds
from harness.model.contender import Contender
from harness.model.lease import Sample
from harness.model.observing.observed import Observed
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NANO, PHASES, REFUSED, UNCHECKED, Verdict
from harness.model.quality import Quality, Stated
from harness.model.settings import Limits, RunSettings
from harness.reporting.frame.machine_types import Machines, machine_types, only, pairs_need_leases
from harness.reporting.frame.objectives import ObjectiveResults, best_known, objective_results
from harness.reporting.frame.sampling import SampledFamilies, of_journal
from harness.reporting.statistics.estimates import Floats, mean_of_both, middle_by
from harness.reporting.statistics.times import Times, times
from harness.storing.instances import ListedInstances
from harness.storing.journal import Journal
from harness.storing.outcomes.answers import Trouble
from harness.storing.outcomes.table import Columns
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array

OUTCOME = ("puzzle", "repeat", "verdict", "proof", "status", "reason", "complete", "amortised", "found", "valid")
Made = TypeVar("Made")
CLOCKS = ("cpu", "wall")
CLOCK_NAMES = {"cpu": "CPU time", "wall": "wall time"}
WORST_LAST = (
    *(Verdict.CORRECT, Verdict.UNCERTIFIED, Verdict.CORPUS_WRONG, Verdict.UNKNOWN, Verdict.ERROR),
    Verdict.WRONG,
)


class State(IntEnum):
    """Result of a contender on an instance, best first."""

    NONE = 0
    DECIDED = 1
    PROOFLESS = 2  # decided as unsatisfiable without a proof that holds, where one is required
    UNKNOWN = 3
    UNSUPPORTED = 4
    TIMEOUT = 5
    MEMORY = 6
    ERROR = 7
    WRONG = 8


@dataclass(frozen=True)
class ContenderResults:
    """Aggregated outcomes of one contender.

    states          int8[repeats, n], State of each repeat
    state           int8[n], the worst of them              unsatisfiable  bool[n], decided as unsatisfiable
    verdict         int8[n], Verdict of the worst outcome, -1 without one
    uncertified     bool[n], complete but unproved          certified, refused  bool[n], proof holds, or does not
    confirmed       bool[n], complete, and the corpus, a proof or an independent contender says so too
    contradicted    bool[n], a proof was certified, but the answer is wrong: then no certificate of the run counts
    unchecked       bool[n], proof not checked to its end   certified_formula  bool[n], only of the formula it holds
    proofless       bool[n], an unsatisfiable answer of some repeat has no proof that holds of the instance
    found, verified  int32[n], solutions given; of those, distinct and correct
    complete        the quality of a complete answer, where there is one
    times           Times by clock
    unmeasured      clocks on which some decided outcome has no time, as imported results may
    block           int64[n], the block that held the instance
    leases          int64[repeats, n], the lease of each outcome, -1 without one; None if all pairs are of one machine
    peak_of         number of asks by what their peak memory is of: program, worker or group; empty if not known
    phases          by phase: float64[n], seconds of the repeat with the median wall time (of two, their mean), so that
                    they add up to `wall`; NaN where undecided
    best            values, if instances of the journal have an objective
    outside         mean nanoseconds of harness work on the files that a program gets, by phase, no part of `wall`
    """

    number: int
    contender: Contender
    setup: int | None
    states: Int8Array
    state: Int8Array
    verdict: Int8Array
    unsatisfiable: BoolArray
    uncertified: BoolArray
    confirmed: BoolArray
    certified: BoolArray
    certified_formula: BoolArray
    contradicted: BoolArray
    refused: BoolArray
    unchecked: BoolArray
    proofless: BoolArray
    found: Int32Array
    verified: Int32Array
    complete: Stated
    times: dict[str, Times]
    unmeasured: frozenset[str]
    block: Int64Array
    phases: dict[str, Floats]
    outside: dict[str, float] | None
    counters: dict[str, int]
    amortised: bool
    peak: int | None
    peak_of: dict[str, int]
    trouble: tuple[Trouble, ...]
    leases: Int64Array | None = None
    best: ObjectiveResults | None = None

    @property
    def one_worker(self) -> bool:
        """True if the workers of outcomes are unknown: all repeats count as repeats of one worker."""
        return self.times["wall"].one_worker

    @property
    def wall(self) -> Floats:
        """Median seconds of wall time: float64[n]."""
        return self.times["wall"].seconds

    @property
    def cpu(self) -> Floats:
        """Median seconds of CPU time: float64[n]."""
        return self.times["cpu"].seconds

    @property
    def decided(self) -> BoolArray:
        """True where every repeat was decided and no answer refuted: bool[n]."""
        flags: BoolArray = self.state == State.DECIDED
        return flags

    @property
    def asked(self) -> BoolArray:
        """True where there is an outcome: bool[n]."""
        flags: BoolArray = self.state != State.NONE
        return flags

    @property
    def quality(self) -> Quality:
        """Quality of the solutions of each instance: verified, or of decided outcomes imported without solutions."""
        counts = Quality.of_counts(np.where(self.decided, np.maximum(self.found, self.verified), self.verified))
        if self.best is not None:
            counts[self.best.of] = self.best.quality[self.best.of]
        return counts

    def seconds_by_instance(self, clock: str = "wall") -> Floats:
        """Return float64[n], NaN where not decided, 0 where below the clock's resolution."""
        found: Floats = np.where(self.decided, np.nan_to_num(self.times[clock].seconds, nan=0.0), np.nan)
        return found

    def seconds(self, clock: str = "wall") -> Floats:
        """Return seconds of the decided instances; 0 where below the clock's resolution."""
        return self.seconds_by_instance(clock)[self.decided]


@dataclass(frozen=True)
class Results:
    """Results of a journal. `agreement` is None if they were aggregated without a referee.

    machines  the machine types on which leases ran; none for imported results
    strata    with several types, the results of each type, without agreement
    cut       the machine type to which a journal of several was cut
    shown     words on a filter that the instances have passed, or ''
    best_known  the best quality known of each instance with an objective, if there are some
    refuted_bounds  bounds beyond that
    sampled   families that rankings resample, None where none are stated: then instances, and blocks of a run
    proofs_required  unsatisfiable answers without a proof that holds are undecided (frame/proofs.py)
    """

    journal: Journal
    settings: RunSettings
    facts: dict[str, Any]
    samples: list[Sample]
    size: int
    contenders: tuple[ContenderResults, ...]
    agreement: Agreement | None = None
    machines: tuple[Machines, ...] = ()
    strata: tuple["Results", ...] = ()
    cut: Machines | None = None
    proofs_required: bool = False
    best_known: Quality | None = None
    shown: str = ""
    refuted_bounds: tuple[RefutedBound, ...] = ()
    sampled: SampledFamilies | None = None

    @property
    def limits(self) -> Limits:
        """The time limits of an instance, on both clocks."""
        return self.settings.limits

    @cached_property
    def by_name(self) -> dict[str, ContenderResults]:
        """Contenders by name."""
        return {c.contender.name: c for c in self.contenders}

    @cached_property
    def listed(self) -> ListedInstances:
        """Names, corpora and problems of all instances."""
        return self.journal.instances.listed()

    @cached_property
    def families(self) -> dict[int, str]:
        """Layout, family or label of each problem that instances have, in order of the first of them."""
        outlines = self.journal.problems.outlines
        return {problem: outlines[problem].family for problem in dict.fromkeys(self.listed.problems.tolist())}

    @cached_property
    def _made(self) -> dict[tuple[Any, str], Any]:
        """Values of `once` by function and clock; a copy by `replace` begins without any."""
        return {}

    def once(self, make: Callable[["Results", str], Made], of: str) -> Made:
        """Return the value of a function of these results and a clock or a name, computed at the first call."""
        if (make, of) not in self._made:
            self._made[make, of] = make(self, of)
        made: Made = self._made[make, of]
        return made

    def names(self, ids: Int64Array) -> list[str]:
        """Return the names of instances."""
        return [self.journal.instances.name(i) for i in ids.tolist()]


def aggregate(journal: Journal, referee: Referee | None = None) -> Results:
    """Return the results of a journal, with agreement if a referee with its evidence is given."""
    whole, found = replace(aggregate_all(journal, referee), sampled=of_journal(journal)), machine_types(journal)
    if len(found) < 2:
        return replace(whole, machines=found)
    strata = []
    for machines in found:
        with only(journal, machines):
            strata.append(replace(aggregate_all(journal), machines=(machines,)))
    return replace(whole, machines=found, strata=tuple(strata))


def aggregate_all(journal: Journal, referee: Referee | None = None) -> Results:
    """Return the results of a journal over all machines."""
    size = journal.instances.size()
    contenders = tuple(contender_results(journal, c, number, size) for number, c in enumerate(journal.contenders.all()))
    if any(c.contradicted.any() for c in contenders):  # then no certificate counts, of whichever contender
        contenders = tuple(replace(c, certified=np.zeros(size + 1, np.bool_)) for c in contenders)
    if pairs_need_leases(journal):
        contenders = tuple(replace(c, leases=leases_of(journal, c)) for c in contenders)
    agreed = None
    if referee is not None:
        votes = np.zeros(size + 1, np.int32)
        for c in contenders:
            votes += c.decided
        agreed = agreement(journal, referee, votes)
    known = best_known(journal, [c.best for c in contenders if c.best]) if journal.instances.has_objectives else None
    refuted = refuted_bounds(journal, known) if known is not None else ()
    settings, facts, samples = journal.facts.settings(), journal.facts.all(), journal.places.samples()
    return Results(
        journal, settings, facts, samples, size, contenders, agreed, best_known=known, refuted_bounds=refuted
    )


def leases_of(journal: Journal, c: ContenderResults) -> Int64Array:
    """Return int64[repeats, n], the lease of each of a contender's outcomes, -1 without a lease."""
    found, columns = (
        np.full(c.states.shape, -1, np.int64),
        journal.outcomes.columns(c.number, "repeat", "puzzle", "lease"),
    )
    found[columns["repeat"], columns["puzzle"]] = columns["lease"]
    return found


def state_table() -> Int8Array:
    """Return int8[verdicts, reasons], the State of each pair."""
    table = np.full((len(Verdict), len(Reason)), State.DECIDED, np.int8)
    table[Verdict.UNKNOWN] = State.UNKNOWN
    for reason in (Reason.UNSUPPORTED, Reason.TIMEOUT, Reason.MEMORY):
        table[Verdict.UNKNOWN, reason] = State[reason.name]
    table[Verdict.ERROR], table[Verdict.WRONG] = State.ERROR, State.WRONG
    return table


def worst_verdicts(puzzles: Int64Array, verdicts: Int8Array, n: int) -> Int8Array:
    """Return the worst verdict of each instance's outcomes, -1 without an outcome."""
    order = np.array(WORST_LAST, np.int8)
    worst = np.full(n, -1, np.int8)
    np.maximum.at(worst, puzzles, np.argsort(order).astype(np.int8)[verdicts])
    found: Int8Array = np.where(worst < 0, worst, order[worst])
    return found


def contender_results(journal: Journal, contender: Contender, number: int, size: int) -> ContenderResults:
    """Aggregate one contender's outcomes. Phases that take no time are not read."""
    totals = journal.outcomes.totals(number)
    c = journal.outcomes.columns(number, *OUTCOME, *CLOCKS, *(phase for phase in PHASES if totals[phase]))
    n, puzzles, repeats = size + 1, c["puzzle"], int(c["repeat"].max(initial=-1)) + 1
    each = state_table()[c["verdict"], c["reason"]]
    states = np.zeros((repeats, n), np.int8)
    states[c["repeat"], puzzles] = each
    state: Int8Array = states.max(axis=0, initial=0)
    decided = state == State.DECIDED

    def any_of(flags: BoolArray) -> BoolArray:
        """Return bool[n], True where an outcome of the instance has the flag."""
        result = np.zeros(n, np.bool_)
        result[puzzles[flags]] = True
        return result

    def largest(values: Int32Array, start: int, among: BoolArray | slice = slice(None)) -> Int32Array:
        """Return the largest value of each instance, `start` where there is none."""
        result = np.full(n, start, np.int32)
        np.maximum.at(result, puzzles[among], values[among])
        return result

    keep: BoolArray | slice = slice(None) if decided[puzzles].all() else decided[puzzles]  # a slice copies nothing
    wrong = c["verdict"] == Verdict.WRONG
    whole = (c["complete"] > 0) & (each == State.DECIDED)
    best = objective_results(journal, number, size) if journal.instances.has_objectives else None
    one_worker = not journal.facts.workers_known
    return ContenderResults(
        number,
        contender,
        journal.contenders.setups()[number],
        states,
        state,
        worst_verdicts(puzzles, c["verdict"], n),
        unsatisfiable=decided & any_of(c["status"] == Status.UNSATISFIABLE),
        uncertified=decided & any_of(c["verdict"] == Verdict.UNCERTIFIED),
        confirmed=decided & any_of(whole) & (journal.outcomes.confirmations() > 0),
        certified=any_of((c["proof"] == CERTIFIED) & ~wrong),
        certified_formula=any_of((c["proof"] == FORMULA_CERTIFIED) & ~wrong),
        contradicted=any_of((c["proof"] == CERTIFIED) & wrong),
        refused=any_of(c["proof"] == REFUSED),
        unchecked=any_of(c["proof"] == UNCHECKED),
        proofless=decided & any_of((c["status"] == Status.UNSATISFIABLE) & (c["proof"] != CERTIFIED)),
        found=largest(c["found"], 0),
        verified=largest(c["valid"], 0),
        complete=complete_quality(any_of(whole), largest(c["found"], 0, whole), best),
        times={
            clock: times(c["repeat"][keep], puzzles[keep], c[clock][keep], (repeats, n), one_worker) for clock in CLOCKS
        },
        unmeasured=frozenset(clock for clock in CLOCKS if (c[clock][keep] < 0).any()),
        block=journal.leases.blocks_of(number),
        amortised=bool(c["amortised"].any()),
        trouble=tuple(t for t in journal.answers.trouble(number) if guarantee_of(t.why) is None),
        phases=phases_by_instance(c, keep, n),
        outside=journal.outcomes.set_apart(number),
        counters={name: total for name in COUNTERS if (total := totals[name]) is not None},
        peak=totals["peak"],
        best=best,
        peak_of=Observed.stored(journal.facts.all()).get(contender.name, Observed()).bases,
    )


def complete_quality(whole: BoolArray, found: Int32Array, best: ObjectiveResults | None) -> Stated:
    """Return the quality of complete answers: numbers of solutions, and values where there is an objective."""
    stated = Stated(whole, Quality.of_counts(found))
    if best is not None:
        stated.quality[best.of] = best.optimal[best.of]
    return stated


def phases_by_instance(c: Columns, keep: BoolArray | slice, n: int) -> dict[str, Floats]:
    """Return the seconds of each phase by instance, from those outcomes in columns that are to be kept.

    A phase without a column takes none. The others are removed one by one: each has 8 MB for a million outcomes.
    """
    puzzles = c["puzzle"][keep]
    both = middle_by(puzzles, c["wall"][keep])
    phases = dict[str, Floats]()
    for p in PHASES:
        phases[p] = np.full(n, np.nan)
        phases[p][puzzles[both[0]]] = mean_of_both(c.pop(p)[keep], both) / NANO if p in c else 0.0
    return phases
