"""Check that a proof certifies that a puzzle has no solutions other than those shown.

Only the problem's rules as `formula_check` builds them and the checker in `rup` are trusted, neither the solver nor the
encoder. The caller has checked the solutions.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from encoders.formula import Cnf
from harness.judging.formula_check import FormulaLink, Int64Array, link_formula, puzzle_clauses, rule_clauses
from harness.judging.rup import CONTRADICTION, check
from puzzles.problem import Domains, Problem, Solution

cached_link = lru_cache(maxsize=4)(link_formula)  # one formula serves all instances of a problem


class BadProof(ValueError):
    """Proof that can't be parsed; the text says where."""


def lines(proof: bytes, meaning: Int64Array) -> Int64Array:
    """Return the clauses of a DRUP proof in the judge's variables, without deletions. Raises BadProof."""
    kept = [(n, line) for n, line in enumerate(proof.splitlines(), 1) if line.strip() and line[:1] not in b"dc"]
    found: list[int] = []
    for n, line in kept:
        try:
            clause = list(map(int, line.split()))
        except ValueError:
            raise BadProof(f"line {n} of the proof is not a clause") from None
        if clause[-1] != 0 or 0 in clause[:-1]:
            raise BadProof(f"line {n} of the proof is not one clause ended by 0")
        found += clause
    literals = np.array(found, dtype=np.int64)
    if len(literals) and np.abs(literals).max() >= len(meaning):
        raise BadProof(f"the proof names variable {np.abs(literals).max()}, which the formula does not have")
    return meaning[np.abs(literals)] * np.sign(literals)


def proof_fault(problem: Problem, domains: Domains, formula: Cnf, solutions: Sequence[Solution], proof: bytes) -> str:
    """Return why `proof` does not certify that `solutions` are complete; '' if it does.

    `formula` is what the solver received, without the puzzle's givens; `solutions` are valid and distinct.
    """
    link: FormulaLink = cached_link(problem, formula)
    if link.fault:
        return f"the formula does not match the puzzle: {link.fault}"
    try:
        steps = lines(proof, link.meaning)
    except BadProof as e:
        return str(e)
    axioms = np.concatenate([puzzle_clauses(problem, domains, solutions), rule_clauses(problem), link.axioms])
    variables = int(np.abs(np.concatenate([axioms, link.meaning])).max(initial=1))
    place = check(axioms, np.concatenate([link.lemmas, steps]), variables)
    if place == CONTRADICTION:
        return ""
    ours, theirs = int((link.lemmas == 0).sum()), int((steps == 0).sum())
    if place < ours:
        return f"the formula does not match the puzzle: its clause {place + 1} does not follow from the rules"
    if place < ours + theirs:
        return f"line {place - ours + 1} of the proof (deletions not counted) does not follow"
    return "the proof ends without a contradiction"
