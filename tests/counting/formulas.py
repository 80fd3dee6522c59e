"""Small formulas to count, with what is odd about them, and brute force in fractions."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Formula:
    """Clauses over variables 1..variables, a projection or None, and weights by literal."""

    variables: int
    clauses: list[list[int]]
    shown: list[int] | None = None
    weights: dict[int, Fraction] = field(default_factory=dict)

    def text(self) -> str:
        """Return the file."""
        lines = [f"p cnf {self.variables} {len(self.clauses)}", *(" ".join(map(str, (*c, 0))) for c in self.clauses)]
        if self.shown is not None:
            lines.append(" ".join(map(str, ("c p show", *self.shown, 0))))
        return "\n".join([*lines, *(f"c p weight {p} {w} 0" for p, w in self.weights.items()), ""])

    def write(self, path: Path) -> Path:
        path.write_text(self.text())
        return path

    def count(self) -> Fraction:
        """Return the sum of weights, or the number, of the models on the projection, by trying all assignments."""
        shown = range(1, self.variables + 1) if self.shown is None else self.shown
        found = set[tuple[int, ...]]()
        for values in product((False, True), repeat=self.variables):
            if all(any((p > 0) == values[abs(p) - 1] for p in clause) for clause in self.clauses):
                found.add(tuple(x if values[x - 1] else -x for x in shown))
        one = Fraction(1)
        return sum((prod((self.weights.get(p, one) for p in model), start=one) for model in found), start=Fraction(0))


BASES: list[tuple[int, list[list[int]]]] = [
    (0, []),
    (1, []),
    (3, []),
    (1, [[1], [-1]]),
    (2, [[]]),
    (4, [[1, 2], [-1, 3]]),
    (5, [[1, 2], [3, 4]]),
    (3, [[1, -1], [2, 2, 3]]),
    (6, [[1, 2, 3], [-1, -2], [4, 5], [-4, -5], [6]]),
]


def drawn(seed: int) -> Formula:
    """Return a random formula without projection and weights."""
    random = Random(seed)
    n = random.randint(1, 7)
    rows = [[random.choice((1, -1)) * random.randint(1, n) for _ in range(random.randint(1, 3))] for _ in range(n)]
    return Formula(n, rows)


def tasks(seed: int) -> list[Formula]:
    """Return a formula as four tasks: mc, pmc, wmc, pwmc, with weights that are 0 or cancel among them."""
    base = Formula(*BASES[seed]) if seed < len(BASES) else drawn(seed)
    random = Random(seed)
    every = range(1, base.variables + 1)
    shown = sorted(random.sample(every, random.randint(0, base.variables)))
    choices = [Fraction(w) for w in ("0", "1", "-1", "3/10", "1/4", "5", "-2")]
    weights = {p: random.choice(choices) for x in every if random.random() < 0.7 for p in (x, -x)}
    n, rows = base.variables, base.clauses
    return [base, Formula(n, rows, shown), Formula(n, rows, None, weights), Formula(n, rows, shown, weights)]
