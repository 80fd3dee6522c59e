"""Check that a proof certifies that a puzzle has no solutions other than those shown.

Only the problem's rules as `formulas.link` builds them and the checkers are trusted, neither the solver nor the
encoder. The caller has checked the solutions. DRAT is checked against everything that is known of the formula; LRAT
names clauses by number, so it is checked against the clauses in the order in which a program reads them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import cast

import numpy as np

from encoders.formula import Cnf
from harness.judging.checkers.backward import NO_CONTRADICTION, REFUTED, check
from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.formats import NUMBERED, START, Parts, format_of, read_proof
from harness.judging.checkers.lrat import lrat_fault
from harness.judging.checkers.lrat_text import Lrat
from harness.judging.checkers.proof_text import Int32Array, ProofText
from harness.judging.formulas.link import (
    Int64Array,
    candidate_literals,
    domain_clauses,
    flatten,
    link_formula,
    not_derived,
    proof_axioms,
    received_clauses,
    rule_clauses,
)
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution


def formula_fault(problem: Problem, formula: Cnf, domains: Domains | None = None) -> str:
    """Return the reason why a formula does not follow from the rules, and from domains if given; '' if it does."""
    link = link_formula(problem, formula)
    if link.fault:
        return link.fault
    given = [] if domains is None else domain_clauses(candidate_literals(problem), domains)
    axioms = np.concatenate([rule_clauses(problem), link.axioms, flatten(given)]).astype(np.int32)
    variables = int(np.abs(np.concatenate([axioms, link.meaning])).max(initial=1))
    clauses = clause_list(axioms, [link.lemmas.astype(np.int32)], variables)
    result, _ = check(clauses, every=True)
    return "" if result == REFUTED else f"its clause {result - clauses.axioms + 1} does not follow from the rules"


lasting_formula_fault = lru_cache(maxsize=4)(formula_fault)  # one formula serves all instances of a problem


def link_fault(problem: Problem, domains: Domains, formula: Cnf) -> str:
    """Return the reason why a formula does not follow from the instance; '' if it does, or is `not_derived`."""
    if not_derived(problem) or not lasting_formula_fault(problem, formula):
        return ""
    fault = formula_fault(problem, formula, domains)
    return f"the formula does not match the puzzle: {fault}" if fault else ""


def solver_fault(
    problem: Problem, domains: Domains, formula: Cnf, solutions: Sequence[Solution], proof: ProofText
) -> str:
    """Return the reason why a proof does not refute a formula with a puzzle; '' if it does. Raises BadProof."""
    if format_of(proof[:START]) in NUMBERED:
        axioms = received_clauses(domains, formula, solutions)
    else:
        axioms = proof_axioms(problem, domains, formula, solutions)
    return refutation_fault(axioms, formula.variables, read_proof(proof))


def refutation_fault(axioms: Int64Array, variables: int, parts: Parts) -> str:
    """Return the reason why a proof does not refute axioms (flat, 0-ended, for LRAT in order); '' if it does.

    Raises BadProof.
    """
    first = next(parts)
    if isinstance(first, Lrat):
        return lrat_fault(axioms.astype(np.int32), variables, cast(Iterator[Lrat], chain((first,), parts)))
    tokens = cast(Iterator[Int32Array], chain((first,), parts))
    clauses = clause_list(axioms.astype(np.int32), tokens, variables)
    result, _ = check(clauses)
    if result >= 0 and (clauses.events < 0).any():  # solvers used incrementally rely on clauses that they deleted
        without, _ = check(clauses._replace(events=clauses.events[clauses.events > 0]))
        result = without if without == REFUTED else result
    if result == NO_CONTRADICTION:
        return "the proof ends without a contradiction"
    if result == REFUTED:
        return ""
    return f"clause {result - clauses.axioms + 1} of the proof (deletions not counted) does not follow"
