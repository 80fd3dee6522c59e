"""Proof of an optimum, in VeriPB 3.0, written along a search (Berg, Bogaerts, Nordstroem, Oertel & Vandesande 2023).

    lemma       what the solver learned follows by propagation; so does a core, as a clause, and before it what a row of
                order literals needs, of which propagation of that row shows less
    output      literal o for "at least j of these are true", defined both ways; clauses of totalizers follow
    bound       the row of better solutions, with each core's row as often as its weight: what they cost above `lower`

A core's row, of k outputs: its literals have at least 1 + o2 + ... + ok false ones. The row of one output less, k - 1
times, and the definition of output k make k times the row. Hard literals follow from the bound, and so does the end.
Variables of the instance are x1, x2, ..., order literals if they are integers, then those of soft clauses of several
literals, then outputs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

import numpy as np

from backends.native.optimising.events import Core, CoreCounter, Event, Grown, Hardened, Improved
from backends.shared.incumbent import Incumbent
from puzzles.problem.arrays import Int32Array

Clause = Sequence[int]
Soft = tuple[int, Clause]
NONE: Mapping[tuple[int, ...], int] = MappingProxyType({})


class Logging(Protocol):
    """A solver that keeps what it learns: flat clauses, each ended by 0."""

    lemmas: list[Int32Array]

    def flush(self) -> None:
        """Complete `lemmas`."""


@dataclass
class CountedCore:
    """A core, with its weight, the label of its row, and the totalizer of its literals, of which k outputs count."""

    leaves: tuple[int, ...]
    weight: int
    label: str
    counter: CoreCounter | None = None
    k: int = 1


@dataclass
class OptimumProof:
    """The proof so far.

    names      literal of the proof by variable of the solver
    variables  of the instance         soft  clauses of several literals, with weights, in literals of the proof
    equal      labels of: a variable of a soft clause implies that of an equal one, which the solver has for both
    stated     the solver's clauses that follow from rows of the instance, each ended by 0
    true_in    the instance's literals that are true in a solution
    """

    names: dict[int, int]
    variables: int
    soft: Sequence[Soft]
    lines: list[str] = field(default_factory=lambda: ["pseudo-Boolean proof version 3.0"])
    cores: list[CountedCore] = field(default_factory=list)
    outputs: dict[int, str] = field(default_factory=dict)
    equal: list[tuple[str, int]] = field(default_factory=list)
    better: str = ""
    stated: Int32Array = field(default_factory=lambda: np.zeros(0, np.int32))
    true_in: Callable[[Sequence[int]], list[int]] = lambda solution: [x if v else -x for x, v in enumerate(solution, 1)]

    def begin(self, solver: Logging, incumbent: Incumbent) -> None:
        """Take the solver, and the receiver of solutions; state which soft clauses are equal."""
        self.solver, self.incumbent = solver, incumbent
        solver.lemmas.append(self.stated)
        self.last, first = self.variables + len(self.soft), dict[frozenset[int], int]()
        for x, (weight, clause) in enumerate(self.soft, self.variables + 1):
            literals = frozenset(clause)
            y = clause[0] if len(literals) == 1 else first.setdefault(literals, x)
            if y != x:
                self.equal.append((self.step(f"rup {clause_text([-x, y])}"), weight))

    def tell(self, event: Event) -> None:
        """Write what follows from an event of the search."""
        match event:
            case Improved():
                self.flush()
                self.improve()
            case Core(literals, weight, _) if literals:
                self.flush()
                leaves = tuple(-literal for literal in literals)
                self.cores.append(CountedCore(leaves, weight, self.step(f"rup {self.clause(leaves)}")))
            case Grown(counter):
                self.flush()
                self.define(counter)
                self.count(counter)
            case Hardened(literals):
                self.flush()
                self.bound()
                self.lines += [f"rup {self.clause([literal])} ;" for literal in literals]

    def step(self, text: str) -> str:
        """Write a step with a label; return the label."""
        label = f"@s{len(self.lines)}"
        self.lines.append(f"{label} {text} ;")
        return label

    def flush(self) -> None:
        """Write what the solver has learned."""
        self.solver.flush()
        for part in self.solver.lemmas:
            clause: list[int] = []
            for literal in part.tolist():
                if literal:
                    clause.append(literal)
                else:
                    self.lines.append(f"rup {self.clause(clause)} ;")
                    clause = []
        self.solver.lemmas.clear()

    def named(self, literal: int) -> int:
        name = self.names[abs(literal)]
        return name if literal > 0 else -name

    def clause(self, literals: Clause) -> str:
        """Return a clause of the solver as a row."""
        return clause_text([self.named(x) for x in literals])

    def improve(self) -> None:
        """Log the solution that was found; the next row is that of better ones."""
        assert self.incumbent.solution is not None
        true = self.true_in(self.incumbent.solution)
        held = set(true)
        true += [x if held.intersection(c) else -x for x, (_, c) in enumerate(self.soft, self.variables + 1)]
        self.better = self.step(f"soli {' '.join(map(text, true))}")
        if self.equal:
            self.better = self.step(f"pol {self.better} {multiples(self.equal)}")

    def define(self, node: CoreCounter) -> None:
        """Define the new outputs of a totalizer, parts first, and state its clauses about them."""
        for part in node.parts:
            self.define(part)
        new = [(j, x) for j, x in enumerate(node.outputs, 1) if node.parts and x not in self.names]
        leaves, size = [self.named(x) for x in node.leaves], node.size
        for j, x in new:
            self.last += 1
            self.names[x] = self.last
            up = f"red {row_text([(1, p) for p in leaves], [(j, -self.last)])} >= {j} : x{self.last} -> 0"
            self.outputs[x] = self.step(up)
            rest = size - j + 1
            down = f"red {row_text([(1, -p) for p in leaves], [(rest, self.last)])} >= {rest} : x{self.last} -> 1"
            self.outputs[-x] = self.step(down)
        for j, x in new:
            if j > 1:
                self.lines.append(f"pol {self.outputs[x]} {self.outputs[-node.outputs[j - 2]]} + s ;")
            left, right = node.parts
            for a in range(max(0, j - right.size), min(j, left.size) + 1):
                used = ((left, a), (right, j - a))
                rows = [self.outputs[part.outputs[b - 1]] for part, b in used if b and part.parts]
                self.lines.append(f"pol {self.outputs[-x]} {''.join(f'{row} + ' for row in rows)}s ;")

    def count(self, counter: CoreCounter) -> None:
        """Raise the row of a totalizer's core to all outputs of the root."""
        core = next((c for c in self.cores if c.counter is counter), None)
        if core is None:
            core = next(c for c in self.cores if c.counter is None and c.leaves == counter.leaves)
            core.counter = counter
        while core.k < len(counter.outputs):
            k = core.k = core.k + 1
            core.label = self.step(f"pol {core.label} {k - 1} * {self.outputs[counter.outputs[k - 1]]} + {k} d")

    def bound(self) -> None:
        """State what better solutions cost beside the cores, once there is a solution."""
        if self.better and self.cores:
            cores = multiples([(core.label, core.weight) for core in self.cores])
            self.lines.append(f"pol {self.better} {cores} ;")

    def end(self) -> bytes:
        """Return the proof that no solution is better than the last one, or that there is none."""
        self.flush()
        self.bound()
        value = self.incumbent.value
        conclusion = "UNSAT" if value is None else f"BOUNDS {value} {value}"
        ends = ["rup >= 1 ;", "output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;", ""]
        return "\n".join([*self.lines, *ends]).encode()


def text(literal: int) -> str:
    return f"x{literal}" if literal > 0 else f"~x{-literal}"


def clause_text(literals: Clause) -> str:
    return f"{row_text([(1, p) for p in literals])} >= 1"


def multiples(rows: Sequence[tuple[str, int]]) -> str:
    """Return the words that add multiples of rows, by label, to a row."""
    return " ".join(f"{label} {weight} * +" for label, weight in rows)


def row_text(*terms: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{a} {text(p)}" for part in terms for a, p in part)


def proof_of(
    names: Mapping[int, int], count: int, soft: Sequence[Soft] = (), own: Mapping[tuple[int, ...], int] = NONE
) -> OptimumProof:
    """Return an empty proof about `count` variables and soft clauses, in literals of the solver.

    `own` has the solver's literal of each soft clause of several literals, sorted.
    """
    found, several = dict(names), [(weight, clause) for weight, clause in soft if len(clause) > 1]
    for x, (_, clause) in enumerate(several, count + 1):
        if (literal := own.get(tuple(sorted(set(clause))))) is not None:
            found.setdefault(literal, x)
    stated = [(weight, [found[abs(p)] * (1 if p > 0 else -1) for p in clause]) for weight, clause in several]
    return OptimumProof(found, count, stated)
