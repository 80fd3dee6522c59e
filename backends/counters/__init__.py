"""Counters of models (`--count all`): wheels, enumeration by SAT and ASP solvers, BDDs, and a readable search of ours.

A counter is a function from a `CountAsk` to an exact number or an `Estimate`, in `wheels.py`, `enumerating.py` and
`search.py`. Where one is known to be wrong, or to crash, it refuses by name; its option `raw=1` asks it all the same,
for `fuzz`. Weights go out as integers, scaled for each variable, so that a double below 2^53 is an exact answer.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from time import perf_counter_ns as now

from backends.contract.answer import COUNTS_ALONE, Answer, Ask, InMemory, Phases, Reason, Session, Status
from backends.contract.description import Missing
from backends.contract.options import Configured, Option
from backends.contract.seeds import SEED
from backends.counters.counted import CompiledCount, CountAsk, Counted, Estimate, TooLate, normalised
from backends.shared.literal_map import literal_map
from backends.shared.wheels import wheel_of
from encoders.formula import Cnf, CountedCnf, Formula, Unsupported, kinds_of

RAW = Option("raw", "int", (0, 1))  # 1: asked also where it is known to be wrong or to crash
COMPILERS = ("native", "d4")  # that give a circuit, as the proof of their number
MOST_DIGITS = 4300  # that Python converts
Run = Callable[[CountAsk, dict[str, int]], Counted]


@dataclass(frozen=True)
class Counter(Configured):
    """A counter by name: `module:function` of this package that counts, and the package that it needs."""

    function: str
    accepts: frozenset[type] = frozenset({Cnf, CountedCnf})
    can: frozenset[str] = COUNTS_ALONE
    options: tuple[Option, ...] = (RAW,)

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, CountedCnf):
            raise Unsupported(f"{self.name} counts models of clauses, not {kinds_of(formula)}")
        module, _, function = self.function.partition(":")
        run: Run = getattr(import_module(f"backends.counters.{module}"), function)
        return CountSession(formula, run, {name: int(value or 0) for name, value in self.chosen.items()})


class CountSession(InMemory):
    """One formula, counted anew in each ask."""

    def __init__(self, formula: CountedCnf, run: Run, options: dict[str, int]) -> None:
        self.formula, self.run, self.options = formula, run, options
        self.literals, self.clauses = literal_map(formula.cnf.literal), formula.cnf.clause_lists()

    def ask(self, ask: Ask) -> Answer:
        begin, formula, raw = now(), self.formula, self.options.get("raw")
        if not all(ask.domains):
            return Answer(Status.UNSATISFIABLE, complete=True)
        clauses = [*self.clauses, *([p] for p in self.literals.true(ask.domains))]
        clauses = clauses if raw else normalised(clauses)
        deadline = begin + int(ask.seconds * 1e9)
        proving = ask.proof and formula.shown is None
        asked = CountAsk(formula.cnf.variables, clauses, formula.shown, formula.weights, deadline, proving)
        loaded = now()
        try:
            found = self.run(asked, self.options)
        except TooLate:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        return answer(formula, found, Phases(load=loaded - begin, solve=now() - loaded))


def answer(formula: CountedCnf, found: Counted, phases: Phases | None = None) -> Answer:
    """Return an answer with the value of a number, and its circuit; an estimate is not complete."""
    if isinstance(found, CompiledCount):
        return replace(answer(formula, found.number, phases), proof=found.circuit)
    goal = formula.goal
    exact = not isinstance(found, Estimate)
    number = found.number if isinstance(found, Estimate) else Fraction(found)
    if exact and not number and not goal.weights:
        return Answer(Status.UNSATISFIABLE, complete=True, phases=phases)
    value = round(-number * goal.scale)
    if abs(value) >= 10**MOST_DIGITS:
        return Answer(Status.UNKNOWN, reason=Reason.STUCK, note=f"the number has more than {MOST_DIGITS} digits")
    if not isinstance(found, Estimate):
        return Answer(Status.SATISFIABLE, complete=True, value=value, phases=phases)
    bound = None
    if found.epsilon is not None and not found.delta:
        bound = value - round(abs(number) * goal.scale * Fraction(found.epsilon)) - 1
    return Answer(Status.SATISFIABLE, value=value, bound=bound, phases=phases, note=found.note)


COUNTERS = (
    ("native", "search:native", "", (RAW,)),
    ("ganak", "wheels:ganak", "pyganak", (RAW, SEED)),
    ("tididi", "wheels:tididi", "tididi_cnf", (RAW,)),
    ("d4", "wheels:d4", "py_d4", (RAW,)),
    ("sdd", "wheels:sdd", "pysdd", (RAW,)),
    ("approxmc", "wheels:approxmc", "pyapproxmc", (RAW, SEED)),
    ("dd", "diagrams:dd", "dd", (RAW,)),
    ("oxidd", "diagrams:oxidd", "oxidd", (RAW,)),
    ("pysat", "enumerating:pysat", "pysat", (RAW,)),
    ("clingo", "enumerating:clingo", "clingo", (RAW,)),
)


def backends() -> Iterable[Counter | Missing]:
    """Return the counters; those whose package is not installed are missing."""
    for name, function, package, options in COUNTERS:
        known = wheel_of(f"models:{name}", package) if package else "1"
        if isinstance(known, Missing):
            yield known
            continue
        can = COUNTS_ALONE | (frozenset({"proof"}) if name in COMPILERS else frozenset())
        yield Counter(f"models:{name}", known, function, can=can, options=options)
