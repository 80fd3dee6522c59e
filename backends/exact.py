"""Exact: a zero-one programme, solved by cutting planes over exact integers (Elffers & Nordstroem 2018; AGPL).

Coefficients may be of any size. Exact learns from one ask's solutions; a fresh solver serves each ask.
ExactParts decides parts of a problem: the rows of each hold if a Boolean does, which is assumed; cores name parts.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns as now

from backends.contract.answer import OPTIMISE
from backends.contract.options import LARGEST_INT, Option, Value, shown
from backends.shared.literal_map import literal_map
from backends.shared.zero_one import PROOF, Load, Reports, ZeroOneBackend
from encoders.formula import Constraints, Unsupported, constraints_of
from encoders.zero_one import TO_ROWS, rows_of
from encoders.zero_one.rows import literal_table
from puzzles.packages import version
from puzzles.problem.values import Domains, Solution

COUNTERS = ("decisions", "conflicts", "propagations", "restarts")
SWITCHES = """
ca-cancelingunknowns ca-min ca-multiply ca-multweaken ca-weaken-nonimplying inp-probing var-conflict var-reason var-sol
"""
# Those that change the search, by Exact's names; its switches are 0 and 1. `inp-purelits` and `inp-dombreaklim` are
# left out: they remove solutions, so an enumeration would not be complete.
OPTIONS = (
    *(Option(name, "int", (0, 1)) for name in SWITCHES.split()),
    Option("bits-learned", "int", least=0, most=10**6),
    Option("bits-overflow", "int", least=0, most=10**6),
    Option("bits-reduced", "int", least=0, most=10**6),
    Option("ca-division", "text", ("rto", "slack+1", "mindiv")),
    Option("db-base", "float", least=1, most=10**9),
    Option("db-decay", "int", least=0, most=LARGEST_INT),
    Option("db-exp", "float", least=0, most=100),
    Option("db-maxlbd", "int", least=1, most=1000),
    Option("db-safelbd", "int", least=0, most=LARGEST_INT),
    Option("inp-atmostone", "float", least=0, most=1),
    Option("luby-base", "float", least=1.01, most=10**6),
    Option("luby-mult", "int", least=1, most=10**6),
    Option("seed", "int", least=1, most=LARGEST_INT),
    Option("var-weight", "float", least=0, most=1),
)


class ExactProgramme:
    """Exact solver that takes further rows between searches."""

    def __init__(self, load: Load) -> None:
        from exact import Exact

        self.load = load
        options = {
            "seed": 1,
            "verbosity": 0,
            **load.options,
            **({} if load.proof is None else proof_options(load.proof)),
        }
        self.solver = Exact([(name, shown(value)) for name, value in options.items()])
        self.names = [f"x{k}" for k in range(1, load.rows.last + 1)]
        for name in self.names:
            self.solver.addVariable(name)
        if load.goal is not None:  # before the rows, or Exact ignores it in what it has learned from them
            self.solver.setObjective([(a, self.names[k - 1]) for k, a in load.goal.items()])
        for k in load.true:
            if load.proof is None:
                self.solver.fix(self.names[abs(k) - 1], int(k > 0))
            else:  # a row, which the proof can name
                self.forbid([k])
        names = ["", *self.names]
        for terms, bound, equal in load.rows.rows:
            self.solver.addConstraint([(a, names[k]) for k, a in terms.items()], True, bound, equal, bound)

    def solve(self) -> bool | None:
        state = self.solver.runFull(False, self.load.seconds())
        return {"SAT": True, "UNSAT": False, "INCONSISTENT": False}.get(state)

    def optimise(self, reports: Reports) -> bool | None:
        """Search for ever better solutions, as `runFull` does, until there is none."""
        shown = False
        while self.load.deadline > now():
            state = self.solver.runOnce(self.load.seconds())
            if state in ("UNSAT", "INCONSISTENT"):
                if shown:
                    reports.bound(self.solver.getDualBound())
                return True
            if state == "SAT":
                shown = True
                reports.model(self.model())
                self.solver.boundObjByLastSol()
            reports.bound(self.solver.getDualBound())
        return None

    def model(self) -> list[int]:
        values = self.solver.getLastSolutionFor(self.names)
        return [k if value else -k for k, value in enumerate(values, 1)]

    def forbid(self, clause: list[int]) -> None:
        terms = [(1 if k > 0 else -1, self.names[abs(k) - 1]) for k in clause]
        self.solver.addConstraint(terms, True, 1 - sum(k < 0 for k in clause))

    def proof(self) -> bytes | None:
        if self.load.proof is None:
            return None
        del self.solver  # which ends the file
        return self.load.proof.with_suffix(".proof").read_bytes()

    def counters(self) -> Mapping[str, int]:
        stats = dict(self.solver.getStats())
        return {name: int(stats[name]) for name in COUNTERS}


class ExactParts:
    """Exact with the rows of a background and of parts. Raises Unsupported."""

    supported = True

    def __init__(self, background: Constraints, parts: Sequence[tuple[Constraints, Domains]]) -> None:
        from exact import Exact

        if background.ranged:
            raise Unsupported("parts over ranges are not assumed")
        literals = literal_table(background, background.known)
        rows, self.known = rows_of(background, background.known, literals), background.known
        self.literals, ends = literal_map(literals), [len(rows.rows)]
        for formula, domains in parts:
            for constraint in constraints_of(formula, "exact", TO_ROWS).constraints:
                TO_ROWS[constraint.kind](rows, constraint)
            for k in filter(None, self.literals.true(domains)):
                rows.require({abs(k): 1 if k > 0 else -1}, ">=", int(k > 0))
            ends.append(len(rows.rows))
        self.solver = Exact([("seed", "1"), ("verbosity", "0")])
        self.names = [f"x{k}" for k in range(1, rows.last + 1)]
        self.heads = [f"p{part}" for part in range(len(parts))]
        for name in (*self.names, *self.heads):
            self.solver.addVariable(name)
        part = 0
        for i, row in enumerate(rows.rows):
            part += sum(i == end for end in ends[part:])
            for sign in (1, -1) if row.equal else (1,):
                terms, bound = [(sign * a, self.names[k - 1]) for k, a in row.terms.items()], sign * row.bound
                if part == 0:
                    self.solver.addConstraint(terms, True, bound)
                else:
                    self.solver.addRightReification(self.heads[part - 1], True, terms, bound)

    def ask(self, parts: Collection[int], seconds: float) -> tuple[Solution | None, list[int] | None]:
        """Return a solution, or the parts of a core; (None, None) if the time is up."""
        self.solver.clearAssumptions()
        self.solver.setAssumptions([(self.heads[part], 1) for part in parts])
        state = self.solver.runFull(False, seconds)
        if state in ("UNSAT", "INCONSISTENT"):
            named = set(self.solver.getLastCore()) if state == "INCONSISTENT" else set[str]()
            return None, [part for part in parts if self.heads[part] in named]
        if state != "SAT":
            return None, None
        values = self.solver.getLastSolutionFor(self.names)
        return self.literals.decode([k if v else -k for k, v in enumerate(values, 1)], self.known), None


def proof_options(prefix: Path) -> dict[str, Value]:
    """Return the options by which Exact writes a proof that can be checked: bounds are derived, not asserted."""
    return {"proof-log": str(prefix), "proof-assumptions": 0}


def backends() -> tuple[ZeroOneBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if Exact is not installed."""
    can = frozenset({"count", "domains", OPTIMISE, PROOF})
    return (ZeroOneBackend("exact", f"exact {version('exact')}", ExactProgramme, OPTIONS, can=can),)
