"""Proofs in DRCP by Pumpkin, of random problems and of claims that are false, and proofs that are changed."""

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np

from backends.contract import registry
from backends.contract.answer import Answer, Ask
from encoders.formula import Constraints
from encoders.registry import spec
from harness.judging.checkers.flat.drcp import FlatClaim
from harness.judging.formulas.flat import received_flat
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Domains, Solution, bits

SECONDS = 20.0


def formula_of(problem: Problem, domains: Domains) -> Constraints:
    formula = spec("alldifferent").formula(problem, domains)
    assert isinstance(formula, Constraints)
    return formula


def proved(instance: Instance[Problem], count: int = 1, seconds: float = SECONDS) -> Answer:
    """Return Pumpkin's answer, with its proof if it is complete."""
    session = registry.find("pumpkin").open(formula_of(instance.problem, instance.domains))
    return session.ask(Ask(instance.domains, count, seconds, proof=True))


def claimed(instance: Instance[Problem], solutions: Sequence[Solution]) -> tuple[FlatClaim, bool]:
    """Return the claim that there are no other, or no better, solutions; True if it follows from the instance."""
    problem, domains = instance.problem, instance.domains
    return received_flat(problem, domains, formula_of(problem, domains), solutions)


def every(instance: Instance[Problem]) -> list[Solution]:
    """Return all solutions, by trying all assignments, best ones first."""
    problem = instance.problem
    tried = np.array(list(product(*map(bits, instance.domains))), np.uint32)
    held = tried[np.all([tried[:, 0] >= 0, *(c.satisfied(tried, problem) for c in problem.constraints)], axis=0)]
    if problem.objective is not None and len(held):
        held = held[np.argsort(problem.objective.values(held, problem), kind="stable")]
    return [tuple(row) for row in held.tolist()]


def changed(proof: bytes, random: Random) -> bytes:
    """Return a proof with some of its numbers, signs, tags, comparisons or lines changed, left out or exchanged."""
    lines = proof.splitlines()
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        i = random.randrange(len(lines))
        words = lines[i].split()
        kind = random.randrange(6)
        if kind == 0 and len(lines) > 2:
            del lines[i]
        elif kind == 1:
            j = random.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 2 and words[0] in (b"i", b"n") and len(words) > 3:
            del words[random.randrange(2, len(words))]
            lines[i] = b" ".join(words)
        elif kind == 3 and words[0] == b"i":
            tags = [line.rpartition(b" c:")[2].split()[0] for line in lines if b" c:" in line] or [b"1"]
            lines[i] = b" ".join(b"c:" + random.choice(tags) if word[:2] == b"c:" else word for word in words)
        elif words[0] == b"a" and kind == 4:
            words[3] = random.choice((b"<=", b">=", b"==", b"!="))
            lines[i] = b" ".join(words)
        else:
            at = random.choice([k for k, word in enumerate(words) if word.strip(b"-]x[").isdigit()] or [0])
            number = words[at].strip(b"]")
            if at and number.lstrip(b"-").isdigit():
                new = b"%d" % (int(number) + random.choice((-1, 1)) if random.random() < 0.7 else -int(number))
                words[at] = new + (b"]" if words[at].endswith(b"]") else b"")
                lines[i] = b" ".join(words)
    return b"\n".join(lines) + b"\n"
