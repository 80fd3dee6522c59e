"""Check pseudo-Boolean proofs by Exact, right ones and wrong ones, with the checker of a run.

    python benchmarks/pseudo_boolean_proofs.py [--count N] [--tampered N] [--altered N] [--shipped] [--seed N]

N random instances of up to ten Booleans (1,000), a tenth with coefficients beyond 64 bits, a tenth without an objective:
Exact's proof must be certified with the value that trying all assignments gives. Then N proofs (10,000), each changed in
one to three ways, of a claim that is wrong: a worse solution is the best, or none exists. Their own solutions are replaced
by that worse one, so that no step betrays the claim. Then N instances (100) with one number or row changed: Exact's
proof of the changed instance is checked for the original, whose optimum is another. No wrong claim may be certified.
With --shipped also the shipped instances that Exact decides within five seconds, as they are read from their files.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from figures import Figure, add_option, report

from backends.contract import registry
from backends.contract.answer import Ask, Status
from encoders.formula import Constraints
from encoders.registry import spec
from harness.judging.checkers.pseudo_boolean import exact
from harness.judging.checkers.pseudo_boolean.check import check
from harness.judging.checkers.pseudo_boolean.columns import REFUTED
from harness.judging.checkers.pseudo_boolean.programme import Programme, row
from harness.judging.formulas.programmes import Source, received
from harness.model.outcome import CERTIFIED
from puzzles.corpora import find
from puzzles.formats import read

NEVER, WRONG = "claims that are wrong", "certified although wrong"
HELD = ("certified", "refused", "unchecked")
SHIPPED = ("opb", "opb-opt", "wcnf")
SECONDS = 5.0
Terms = list[tuple[int, int]]


class Drawn(NamedTuple):
    """Random instance: rows, each a sum of terms that is at least a bound, and the terms to be minimised, if any."""

    variables: int
    rows: list[tuple[Terms, int]]
    goal: Terms | None

    def programme(self, best: int | None) -> Programme:
        goal = None if self.goal is None else {x: a for a, x in self.goal}
        return Programme(self.variables, tuple(row(terms, bound) for terms, bound in self.rows), goal, best)

    def values(self) -> dict[tuple[int, ...], int]:
        """Return the sum of the objective of every solution, by trying all assignments."""
        found = {}
        for bits in product((0, 1), repeat=self.variables):
            if all(sum(a * bits[x - 1] for a, x in terms) >= bound for terms, bound in self.rows):
                found[bits] = sum(a * bits[x - 1] for a, x in self.goal or ())
        return found


def drawn(random: Random) -> Drawn:
    """Return a random instance, of which most have solutions."""
    n = random.randint(2, 10)
    wide, size = random.random() < 0.1, random.choice((1, 2, 3, 9))
    largest = 1 << random.choice((40, 62, 63, 70)) if wide else size

    def terms(most: int) -> Terms:
        chosen = random.sample(range(1, n + 1), random.randint(min(2, most), most))
        return [(random.choice((1, -1)) * random.randint(1, largest), x) for x in chosen]

    rows = []
    for _ in range(random.randint(1, 2 * n)):
        some = terms(min(n, random.choice((2, 3, 3, 4, n))))
        low, high = sum(min(a, 0) for a, _ in some), sum(max(a, 0) for a, _ in some)
        rows.append((some, low + max(1, (high - low) * random.randint(1, 60) // 100)))
    return Drawn(n, rows, None if random.random() < 0.1 else terms(n))


def changed(instance: Drawn, random: Random) -> Drawn:
    """Return an instance with one number changed, or a row left out or put in."""
    rows = [(list(terms), bound) for terms, bound in instance.rows]
    i = random.randrange(len(rows))
    terms, bound = rows[i]
    kind = random.randrange(5)
    if kind == 0 and len(rows) > 1:
        del rows[i]
    elif kind == 1:
        rows[i] = terms, bound + random.choice((-1, 1, 2))
    elif kind == 2:
        k = random.randrange(len(terms))
        terms[k] = terms[k][0] + random.choice((-1, 1)) or 1, terms[k][1]
    elif kind == 3:
        rows.append(([(random.choice((1, -1)), random.randint(1, instance.variables))], 1))
    elif instance.goal:
        goal = list(instance.goal)
        k = random.randrange(len(goal))
        goal[k] = goal[k][0] + random.choice((-2, -1, 1, 2)), goal[k][1]
        return instance._replace(goal=goal)
    return instance._replace(rows=rows)


def proof_of(instance: Drawn) -> bytes:
    """Return Exact's proof that its last solution is the best, or that there is none."""
    from exact import Exact

    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder, "p"))
        options = {"proof-log": prefix, "proof-assumptions": "0", "verbosity": "0"}
        solver = Exact(list(options.items()))
        names = [f"x{x}" for x in range(1, instance.variables + 1)]
        for name in names:
            solver.addVariable(name)
        if instance.goal is not None:
            solver.setObjective([(a, names[x - 1]) for a, x in instance.goal])
        for terms, bound in instance.rows:
            solver.addConstraint([(a, names[x - 1]) for a, x in terms], True, bound)
        while (state := solver.runOnce(SECONDS)) not in ("UNSAT", "INCONSISTENT"):
            if state == "SAT" and instance.goal is None:
                return b""
            if state == "SAT":
                solver.boundObjByLastSol()
        del solver
        return Path(f"{prefix}.proof").read_bytes()


def with_solution(proof: bytes, solution: tuple[int, ...]) -> bytes:
    """Return a proof in which this solution stands for each that it gives."""
    text = b"soli " + b" ".join(b"%sx%d" % (b"" if v else b"~", x) for x, v in enumerate(solution, 1))
    return b"\n".join(text if line.startswith(b"soli") else line for line in proof.split(b"\n"))


def tampered(proof: bytes, variables: int, random: Random) -> bytes:
    """Return a proof with one to three changes, of lines, words or steps put in."""
    lines = [line.split() for line in proof.splitlines()]
    for _ in range(random.randint(1, 3)):
        i, x = random.randrange(1, len(lines)), random.randint(1, variables + 2)
        words = lines[i]
        j = random.randrange(len(words)) if words else 0
        kind = random.randrange(9)
        if kind == 0:
            lines.insert(random.randrange(1, len(lines)), lines[i])
        elif kind == 1:
            lines.insert(random.randrange(1, len(lines) - 1), lines.pop(i))
        elif kind == 2 and words:
            words[j] = random.choice((b"+", b"*", b"d", b"s", b"w", b"1", b"2", b"-1", b"0", b"x%d" % x, b"~x%d" % x))
        elif kind == 3 and words and words[j].lstrip(b"+-").isdigit():
            words[j] = b"%d" % (int(words[j]) + random.choice((-2, -1, 1, 2, 1 << 57, 1 << 62)))
        elif kind == 4:
            lines.insert(i, b"red +1 %sx%d +1 x%d >= 1 ; x%d %d".split())
            values = (random.choice((b"", b"~")), x, random.randint(1, variables + 2), x, random.randint(0, 1))
            lines[i] = (b"red +1 %sx%d +1 x%d >= 1 ; x%d %d" % values).split()
        elif kind == 5:
            lines.insert(
                i, b"rup +1 %sx%d >= 1 ;".replace(b"%s", random.choice((b"", b"~"))).replace(b"%d", b"%d" % x).split()
            )
        elif kind == 6:
            lines.insert(
                i,
                b"del id %d" % random.randint(1, len(lines)).split()
                if False
                else [b"del", b"id", b"%d" % random.randint(1, len(lines))],
            )
        elif kind == 7 and len(lines) > 3:
            del lines[i]
        elif words:
            words[j] = (
                words[j][1:]
                if words[j].startswith(b"~")
                else b"~" + words[j]
                if words[j].startswith(b"x")
                else words[j]
            )
    return b"\n".join(map(b" ".join, lines))
