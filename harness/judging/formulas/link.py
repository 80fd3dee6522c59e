"""Link a formula to its puzzle: the judge's rules as clauses, from which the formula must follow.

A valid proof of a wrong formula proves nothing, so no clause of an encoder is trusted:

    axioms      built here from the problem alone: exactly one value per square; no value twice in a unit; a square for
                every value in a unit as long as the values; a contradiction if a unit is longer; or, for a problem of
                clauses, its clauses; the domains of the puzzle, if the formula depends on them
    lemmas      the formula's clauses over squares, which must follow from the axioms as the lines of a proof do
    auxiliary   clauses with auxiliary variables, which join the axioms once shown to be conservative

A formula that follows is believed, and a proof is checked against it in its own variables (`proof_axioms`).

    candidate   the judge's variable for square s and value v: 1 + s * values + v; `meaning` maps the formula's to it
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from backends.shared.literal_map import literal_map
from encoders.dimacs import body, dimacs
from encoders.formula import OBJECTIVE, Cnf
from harness.judging.formulas.auxiliary import Clause, connected_components, is_conservative
from harness.judging.formulas.shape import shape_fault
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import Clauses, clauses_of
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution

Int64Array = npt.NDArray[np.int64]


@dataclass(frozen=True)
class FormulaLink:
    """Flat, 0-ended clauses in the judge's variables.

    `meaning` maps the formula's variables to the judge's literals; `fault` says why the formula can't be linked, or ''.
    """

    axioms: Int64Array
    lemmas: Int64Array
    meaning: Int64Array
    fault: str = ""


def flatten(clauses: Iterable[Sequence[int]]) -> Int64Array:
    """Return clauses as one array, each ended by 0."""
    return np.array([x for clause in clauses for x in (*clause, 0)], dtype=np.int64)


def flatten_rows(clauses: Int64Array) -> Int64Array:
    """Return clauses of one length, given as rows, as one array, each ended by 0."""
    return np.hstack([clauses, np.zeros((len(clauses), 1), np.int64)]).ravel()


@lru_cache(maxsize=4)
def rule_clauses(problem: Problem) -> Int64Array:
    """Return clauses that every solution satisfies, without an encoder; complete for boards and clauses."""
    variables, values = len(problem.variables), len(problem.values)
    candidate = np.arange(1, variables * values + 1, dtype=np.int64).reshape(variables, values)
    v, w = np.triu_indices(values, 1)
    parts = [
        flatten_rows(candidate),
        flatten_rows(-np.stack([candidate[:, v].ravel(), candidate[:, w].ravel()], axis=1)),
    ]
    if isinstance(problem, Layout):
        parts += unit_clauses(problem, candidate)
    elif (flat := clauses_of(problem)) is not None:
        false = 2 * np.abs(flat.astype(np.int64)) - 1  # the candidate of the value false of a literal's variable
        parts.append(np.where(flat > 0, false + 1, np.where(flat < 0, false, 0)))
    return np.concatenate(parts)


def not_derived(problem: Problem) -> str:
    """Return the kinds of constraint without clauses in `rule_clauses`, and OBJECTIVE; '' if these state it all."""
    if isinstance(problem, Layout) or clauses_of(problem) is not None:
        return ""
    kinds = [c.kind for c in problem.constraints if c.kind != Clauses.kind]
    return ", ".join(dict.fromkeys([*kinds, *([OBJECTIVE] if problem.objective is not None else [])]))


def unit_clauses(layout: Layout, candidate: Int64Array) -> list[Int64Array]:
    """Return clauses for no value twice in a unit, and every value in a unit as long as the values.

    A unit of more squares than values has no solution: two clauses that contradict each other.
    """
    pairs = np.array([(s, p) for s, peers in enumerate(layout.peers) for p in peers if s < p], np.intp).reshape(-1, 2)
    apart = flatten_rows(-np.stack([candidate[pairs[:, 0]].ravel(), candidate[pairs[:, 1]].ravel()], axis=1))
    overfull = any(len(set(unit)) > len(layout.values) for unit in layout.units)
    candidates = [flatten_rows(candidate[list(unit)].T) for unit in layout.units if layout.is_permutation(unit)]
    return [apart, *candidates, *[flatten([[1], [-1]])] * overfull]


def domain_clauses(literal: Sequence[Sequence[int]], domains: Domains) -> list[Clause]:
    """Return clauses that exclude values outside the domains; literal[s][v] is true iff square s holds value v."""
    return [(-x,) for row, mask in zip(literal, domains, strict=True) for v, x in enumerate(row) if not mask >> v & 1]


def candidate_literals(problem: Problem) -> list[range]:
    """Return the judge's literals of each square and value."""
    values = len(problem.values)
    return [range(1 + s * values, 1 + (s + 1) * values) for s in range(len(problem.variables))]


def proof_axioms(problem: Problem, domains: Domains, formula: Cnf, solutions: Sequence[Solution]) -> Int64Array:
    """Return, in the formula's variables, what a proof refutes: the formula and puzzle, without known solutions."""
    valued = formula.literal if isinstance(problem, Layout) else ()
    known = [[-row[v] for row, v in zip(formula.literal, solution, strict=True)] for solution in solutions]
    own = flatten([*at_most_pairs(formula), *valued, *domain_clauses(formula.literal, domains), *known])
    return np.concatenate([formula.clauses, own])


def own_clauses(domains: Domains, formula: Cnf, solutions: Sequence[Solution]) -> list[list[int]]:
    """Return the clauses in a program's file before the formula's: those of the puzzle, and of `forbid`.

    At-most-one constraints, which DIMACS lacks, are added as clauses.
    """
    literals = literal_map(formula.literal)
    return [[x] for x in literals.true(domains)] + [
        *map(literals.forbid, solutions),
        *map(list, at_most_pairs(formula)),
    ]


def received_clauses(domains: Domains, formula: Cnf, solutions: Sequence[Solution]) -> Int64Array:
    """Return the clauses that a program receives, in the order of its file."""
    return np.concatenate([flatten(own_clauses(domains, formula, solutions)), formula.clauses])


def received_text(domains: Domains, formula: Cnf, solutions: Sequence[Solution]) -> bytes:
    """Return `received_clauses` as a DIMACS file."""
    plain = replace(formula, at_most=())
    return dimacs(plain, body(plain), own_clauses(domains, formula, solutions))


def at_most_pairs(formula: Cnf) -> list[Clause]:
    """Return the at-most-one constraints of a formula as clauses."""
    return [(-a, -b) for group, k in formula.at_most if k == 1 for i, b in enumerate(group) for a in group[:i]]


def map_variables(problem: Problem, formula: Cnf) -> tuple[Int64Array, list[Clause]]:
    """Map the formula's variables to the judge's literals.

    Also return lemmas, which equate the candidates of a variable that stands for several. Auxiliary variables are
    numbered after the candidates, in their order.
    """
    values = len(problem.values)
    meaning = np.zeros(formula.variables + 1, np.int64)
    lemmas: list[Clause] = []
    for s, row in enumerate(formula.literal):
        for v, x in enumerate(row):
            candidate = 1 + s * values + v
            named = meaning[abs(x)] if x > 0 else -meaning[abs(x)]
            if named == 0:
                meaning[abs(x)] = candidate if x > 0 else -candidate
            else:
                lemmas += [(-candidate, int(named)), (candidate, -int(named))]
    own = meaning == 0
    own[0] = False
    meaning[own] = len(problem.variables) * values + np.arange(1, own.sum() + 1)
    return meaning, lemmas


def link_formula(problem: Problem, formula: Cnf) -> FormulaLink:
    """Translate a formula to the judge's variables, as lemmas to check and conservative axioms.

    A formula of another shape than this problem's, whose literals may mean nothing, is not translated.
    """
    if fault := shape_fault(problem, formula):
        empty = np.zeros(0, np.int64)
        return FormulaLink(empty, empty, empty, fault)
    candidates = len(problem.variables) * len(problem.values)
    meaning, lemmas = map_variables(problem, formula)
    translated = meaning[np.abs(formula.clauses)] * np.sign(formula.clauses)
    ends = np.flatnonzero(translated == 0)
    number = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=-1))
    has_own = np.zeros(len(ends), np.bool_)
    has_own[number[np.abs(translated) > candidates]] = True
    own = has_own[number]
    lemmas += [tuple(int(meaning[abs(x)] * np.sign(x)) for x in pair) for pair in at_most_pairs(formula)]
    if any(k != 1 for _, k in formula.at_most):
        return FormulaLink(
            translated[:0], translated[:0], meaning, "it has a cardinality constraint other than at most one"
        )
    parts = np.split(translated[own], np.flatnonzero(translated[own] == 0) + 1)
    auxiliary = [tuple(part[:-1].tolist()) for part in parts if len(part)]
    known: set[tuple[Clause, ...]] = set()
    for group in connected_components(auxiliary, candidates):
        if not is_conservative(group, candidates, problem, known):
            return FormulaLink(
                translated[:0], translated[:0], meaning, f"clause {group[0]} is not about one at-most-one group"
            )
    return FormulaLink(translated[own], np.concatenate([flatten(lemmas), translated[~own]]), meaning)
