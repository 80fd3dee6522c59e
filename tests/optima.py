"""Best values of files by other means than ours: parsers of a few lines, and RC2, CP-SAT, all assignments, or ACE."""

import re
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from subprocess import PIPE, run
from typing import Any

import numpy as np
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from backends.programs.known_programs import KNOWN

EXHAUSTED = 16  # variables up to which all assignments are tried
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  # options of Java for a search of a second
OPB = re.compile(r"(?:\[(\d+)\])?([^:]*?)(>=|=)\s*(-?\d+)", re.DOTALL)
Terms = list[tuple[int, tuple[int, ...]]]
Row = tuple[Terms, str, int]


def best_of_wcnf(path: Path) -> int | None:
    """Return the least cost by RC2, with that of empty soft clauses, None if the hard clauses can't be satisfied."""
    formula, top, empty = WCNF(), None, 0
    for line in path.read_text().splitlines():
        first, *rest = line.split()
        if first == "p":
            top = int(rest[3]) if len(rest) > 3 else 1 << 64
        elif first != "c":
            clause = list(map(int, rest[:-1]))
            if first == "h" or (top is not None and int(first) >= top):
                formula.append(clause)
            elif clause:
                formula.append(clause, weight=int(first))
            else:
                empty += int(first)
    with RC2(formula) as solver:
        return None if solver.compute() is None else solver.cost + empty


def terms_of(text: str) -> Terms:
    """Return the terms of a sum such as +3 x1 x2 -1 x3."""
    parts = re.findall(r"([+-]?\d+)((?:\s+x\d+)+)", text)
    return [(int(a), tuple(int(x) for x in re.findall(r"x(\d+)", xs))) for a, xs in parts]


class Opb:
    """A file of pseudo-Boolean optimisation, or of WBO: `soft` has the costs of rows."""

    def __init__(self, path: Path) -> None:
        text = "".join(f"{line}\n" for line in path.read_text().splitlines() if line[:1] != "*")
        *statements, _ = text.split(";")
        self.rows, self.soft, self.sign, self.goal, self.top = list[Row](), list[tuple[int, Row]](), 1, Terms(), None
        for statement in map(str.strip, statements):
            word, colon, rest = statement.partition(":")
            if colon and word == "soft":
                self.top = int(rest) if rest.strip() else None
            elif colon:
                self.sign, self.goal = -1 if word == "max" else 1, terms_of(rest)
            else:
                match = OPB.fullmatch(statement)
                assert match, statement
                row = terms_of(match[2]), match[3], int(match[4])
                self.soft += [(int(match[1]), row)] if match[1] else []
                self.rows += [] if match[1] else [row]
        every = (self.goal, *(row[0] for row in self.rows), *(row[0] for _, row in self.soft))
        self.variables = max(x for terms in every for _, xs in terms for x in xs)

    def best(self, worth: Iterable[int]) -> int | None:
        """Return the best of these values, of which the sign is turned where the file maximises."""
        found = min((self.sign * value for value in worth), default=None)
        return None if found is None else self.sign * found


def best_of_opb(path: Path) -> int | None:
    """Return the best value, by trying all assignments or by CP-SAT, None if there is no solution."""
    made = Opb(path)
    return exhausted(made) if made.variables <= EXHAUSTED else solved(made)


def exhausted(made: Opb) -> int | None:
    every = np.array(list(product((0, 1), repeat=made.variables)), object)

    def total(terms: Terms) -> Any:
        return sum(
            (a * np.prod(every[:, [x - 1 for x in xs]], axis=1) for a, xs in terms), np.zeros(len(every), object)
        )

    def held(row: Row) -> Any:
        found = total(row[0])
        return (found == row[2] if row[1] == "=" else found >= row[2]).astype(bool)

    ok, worth = np.ones(len(every), bool), total(made.goal)
    for row in made.rows:
        ok &= held(row)
    for cost, row in made.soft:
        worth = worth + cost * ~held(row)
    if made.top is not None:
        ok &= (worth < made.top).astype(bool)
    return made.best(worth[ok].tolist())


def solved(made: Opb) -> int | None:
    model, products = cp_model.CpModel(), dict[tuple[int, ...], Any]()
    booleans = [model.new_bool_var("") for _ in range(made.variables)]

    def factor(xs: tuple[int, ...]) -> Any:
        if len(xs) > 1 and xs not in products:
            products[xs] = model.new_bool_var("")
            model.add_multiplication_equality(products[xs], [booleans[x - 1] for x in xs])
        return products[xs] if len(xs) > 1 else booleans[xs[0] - 1]

    def total(terms: Terms) -> Any:
        return sum(a * factor(xs) for a, xs in terms)

    def require(row: Row) -> Any:
        return model.add(total(row[0]) == row[2] if row[1] == "=" else total(row[0]) >= row[2])

    worth = total(made.goal)
    for row in made.rows:
        require(row)
    for cost, row in made.soft:
        holds = model.new_bool_var("")
        require(row).only_enforce_if(holds)
        worth += cost * (1 - holds)
    if made.top is not None:
        model.add(worth <= made.top - 1)
    model.minimize(made.sign * worth)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return made.sign * round(solver.objective_value) if status == cp_model.OPTIMAL else None


def best_of_xcsp3(path: Path) -> int | None:
    """Return the best value by ACE, None if there is no solution."""
    words = KNOWN["ace"].words() or ()
    java, *rest = [word.format(xcsp3=path, seconds=60, cores=1) for word in words]
    command = [java, *QUICK, *rest]
    lines = run(command, stdout=PIPE, text=True, timeout=120, check=False).stdout.splitlines()
    if "s UNSATISFIABLE" in lines:
        return None
    assert "s OPTIMUM FOUND" in lines
    return int([line for line in lines if line.startswith("o ")][-1].split()[1])


WAYS: dict[str, Callable[[Path], int | None]] = {
    ".wcnf": best_of_wcnf,
    ".opb": best_of_opb,
    ".wbo": best_of_opb,
    ".xml": best_of_xcsp3,
}
