"""The backward checker against plain unit propagation from scratch, on random formulas and mutated proofs."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from pysat.solvers import Solver

from harness.judging.checkers.backward import NO_CONTRADICTION, REFUTED, check
from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.proof_text import parse_proof, renumber

Clause = Sequence[int]
Step = tuple[bool, list[int]]  # added or deleted
VARIABLES = 12


def trail(clauses: Sequence[Clause], assumed: set[int]) -> tuple[bool, list[frozenset[int]]]:
    """Propagate; return True on a conflict, and the clauses that are reasons."""
    true, reasons = set(assumed), list[frozenset[int]]()
    changed = True
    while changed:
        changed = False
        for clause in map(frozenset, clauses):
            if any(x in true for x in clause):
                continue
            rest = [x for x in clause if -x not in true]
            if not rest:
                return True, reasons
            if len(rest) == 1:
                true.add(rest[0])
                reasons.append(clause)
                changed = True
    return any(-x in true for x in true), reasons


def reference(axioms: Sequence[Clause], steps: Sequence[Step], strict: bool) -> bool:
    """Return True if the steps refute the axioms.

    Forwards, and slow. With `strict` every added clause must follow; else one that does not is dropped, so the result
    is True for every proof that holds one. Deletions are honoured but for reasons.
    """
    clauses = [list(c) for c in axioms]
    for added, clause in steps:
        conflict, reasons = trail(clauses, set())
        if conflict:
            return True
        if added:
            if trail(clauses, {-x for x in clause})[0]:
                clauses.append(clause)
            elif strict:
                return False
        else:
            same = [c for c in clauses if set(c) == set(clause)]
            if same and (len(same) > 1 or frozenset(clause) not in reasons):
                clauses.remove(same[-1])
    return trail(clauses, set())[0]


def text(steps: Sequence[Step]) -> bytes:
    return "".join("d " * (not added) + "".join(f"{x} " for x in clause) + "0\n" for added, clause in steps).encode()


def outcome(axioms: Sequence[Clause], steps: Sequence[Step]) -> int:
    flat = np.array([x for clause in axioms for x in (*clause, 0)], np.int32)
    proof, variables = renumber(parse_proof(text(steps)), VARIABLES)
    return check(clause_list(flat, proof, variables))[0]


def formula(random: Random) -> list[list[int]]:
    """Return clauses of two and three literals, mostly unsatisfiable, sometimes with a repeated or opposite literal."""
    return [
        [random.choice((1, -1)) * random.randint(1, VARIABLES) for _ in range(random.choice((2, 3, 3)))]
        for _ in range(5 * VARIABLES)
    ]


def true_proof(axioms: Sequence[Clause], solver: str) -> list[Step]:
    with Solver(solver, bootstrap_with=axioms, with_proof=True) as s:
        s.solve()
        lines = s.get_proof() or ()
    return [(line[:1] != "d", [int(x) for x in line.split() if x not in ("d", "0")]) for line in lines]


def mutated(steps: Sequence[Step], axioms: Sequence[Clause], random: Random) -> list[Step]:
    """Return the proof with a line deleted, cut off, doubled, moved, flipped or shortened, or a deletion put in."""
    found = [(added, list(clause)) for added, clause in steps]
    if not found:
        return [(True, [random.randint(1, VARIABLES + 2)])]
    i = random.randrange(len(found))
    clause = found[i][1]
    kind = random.randrange(6)
    if kind == 0:
        del found[i]
    elif kind == 1:
        del found[i:]
    elif kind == 2:
        found.insert(random.randrange(len(found)), found.pop(i))
    elif kind == 3 and clause:
        clause[random.randrange(len(clause))] *= -1
    elif kind == 4 and clause:
        clause.pop()
    else:
        found.insert(i, (False, list(random.choice(axioms))))
    return found


def test_true_and_mutated_proofs_get_the_verdict_of_plain_propagation() -> None:
    """A clause that does not follow may be accepted where nothing needs it, so there are two references.

    What the strict one accepts is accepted, and what is accepted the other accepts.
    """
    random, seen = Random(7), Counter[tuple[bool, bool]]()
    for round_ in range(60):
        axioms = formula(random)
        steps = true_proof(axioms, random.choice(("cadical195", "glucose3")))
        for case in (steps, *(mutated(steps, axioms, random) for _ in range(8))):
            accepted = outcome(axioms, case) == REFUTED
            strict, holds = reference(axioms, case, strict=True), reference(axioms, case, strict=False)
            assert strict <= accepted <= holds, (round_, axioms, case)
            seen[strict, accepted] += 1
    assert seen[True, True] > 50
    assert seen[False, False] > 50


@pytest.mark.parametrize("seed", range(3))
def test_clauses_checked_one_and_all_agree_with_plain_propagation(seed: int) -> None:
    """Without deletions and with `every`, all clauses must follow, needed or not."""
    random = Random(seed)
    for _ in range(120):
        axioms = formula(random)[: random.randint(4, 40)]
        steps = [(True, c) for c in formula(random)[: random.randint(1, 6)]]
        flat = np.array([x for clause in axioms for x in (*clause, 0)], np.int32)
        every, _ = check(clause_list(flat, parse_proof(text(steps)), VARIABLES), every=True)
        follow, known = True, list(axioms)
        for _, clause in steps:
            follow &= trail(known, {-x for x in clause})[0]
            known.append(clause)
        assert (every == REFUTED) == follow, (axioms, steps)


def test_a_proof_of_a_satisfiable_formula_ends_without_a_contradiction() -> None:
    assert outcome([[1, 2], [-1, 2]], [(True, [2])]) == NO_CONTRADICTION


def test_a_clause_is_not_used_after_its_deletion() -> None:
    axioms = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    assert outcome(axioms, [(True, [1]), (True, [])]) == REFUTED
    assert outcome(axioms, [(False, [2, 1]), (True, [1]), (True, [])]) == len(axioms)


def test_deleting_the_reason_of_an_assignment_is_ignored() -> None:
    axioms = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 4], [-3, -4]]
    assert outcome(axioms, [(False, [1]), (False, [-1, 2]), (True, [3]), (True, [])]) == REFUTED
