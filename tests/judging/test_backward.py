"""The backward checker against plain unit propagation from scratch, on random formulas and mutated proofs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest
from pysat.solvers import Solver

from harness.judging.checkers.backward import NO_CONTRADICTION, REFUTED, check
from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.proof_text import parse_proof

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


def is_implied(clauses: Sequence[Clause], lemma: Clause) -> bool:
    """Return True if a clause follows by unit propagation."""
    return any(-x in lemma for x in lemma) or trail(clauses, {-x for x in lemma})[0]


def is_redundant(clauses: Sequence[Clause], lemma: Clause) -> bool:
    """Return True if a clause follows, or all its resolvents on its first literal do."""
    others = [c for c in clauses if lemma and -lemma[0] in c]
    return is_implied(clauses, lemma) or (
        bool(lemma) and all(is_implied(clauses, [*lemma, *(x for x in c if x != -lemma[0])]) for c in others)
    )


def reference(axioms: Sequence[Clause], steps: Sequence[Step], strict: bool) -> bool:
    """Return True if the steps refute the axioms.

    Forwards, and slow. With `strict` every added clause must follow or be RAT; else one that is neither is dropped, so
    the result is True for every proof that holds one. Deletions are honoured but for reasons.
    """
    clauses = [list(c) for c in axioms]
    for added, clause in steps:
        conflict, reasons = trail(clauses, set())
        if conflict:
            return True
        if added:
            if is_redundant(clauses, clause):
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
    return check(clause_list(flat, parse_proof(text(steps)), VARIABLES))[0]


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


def compared(axioms: Sequence[Clause], steps: Sequence[Step], random: Random) -> Iterator[tuple[bool, bool]]:
    """Yield the verdicts of the strict reference and of ours on a proof and mutated ones.

    A clause that does not follow may be accepted where nothing needs it, so there are two references. What the strict
    one accepts is accepted, and what is accepted the other accepts.
    """
    for case in (steps, *(mutated(steps, axioms, random) for _ in range(8))):
        accepted = outcome(axioms, case) == REFUTED
        strict, holds = reference(axioms, case, strict=True), reference(axioms, case, strict=False)
        assert strict <= accepted <= holds, (axioms, case)
        yield strict, accepted


def test_true_and_mutated_proofs_get_the_verdict_of_plain_propagation() -> None:
    random, seen = Random(7), Counter[tuple[bool, bool]]()
    for _ in range(60):
        axioms = formula(random)
        steps = true_proof(axioms, random.choice(("cadical195", "glucose3")))
        seen.update(compared(axioms, steps, random))
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


def extended(axioms: Sequence[Clause], random: Random) -> tuple[list[Step], list[Clause]]:
    """Return steps that put a new variable in the place of two literals, and the clauses that are left."""
    new, (a, b) = VARIABLES + 1, random.choice([c for c in axioms if len(set(map(abs, c))) == 3])[:2]
    defining = random.sample([[new, -a], [new, -b], [-new, a, b]], 3)
    old = [c for c in axioms if a in c and b in c]
    put = [[new, *(x for x in c if x not in (a, b))] for c in old]
    steps = [(True, list(c)) for c in [*defining, *put]] + [(False, list(c)) for c in old]
    steps += [(False, c) for c in defining if c[0] == -new]
    return steps, [*(c for c in axioms if c not in old), *(c for c in defining if c[0] == new), *put]


def test_proofs_with_new_variables_get_the_verdict_of_plain_propagation() -> None:
    random, seen = Random(3), Counter[tuple[bool, bool]]()
    for _ in range(90):
        axioms = [c for c in formula(random) if not any(-x in c for x in c)]
        steps, left = extended(axioms, random)
        steps += true_proof(left, random.choice(("cadical195", "glucose3")))
        seen.update(compared(axioms, steps, random))
    assert seen[True, True] > 50
    assert seen[False, False] > 50


def test_no_satisfiable_formula_is_refuted_by_added_clauses() -> None:
    """The clauses added first make the formula unsatisfiable, and the rest of the proof follows from them."""
    random, rat = Random(5), 0
    for _ in range(150):
        axioms = [c for c in formula(random)[:25] if not any(-x in c for x in c)]
        with Solver("minisat22", bootstrap_with=axioms) as s:
            if not s.solve():
                continue
        added = [random.sample([x, -x, *c], 3)[: random.randint(1, 3)] for c in formula(random)[:40] for x in c[:1]]
        steps: list[Step] = [(True, list(dict.fromkeys(c))) for c in added]
        steps += true_proof([*axioms, *(c for _, c in steps)], "cadical195")
        rat += sum(is_redundant(axioms, c) and not is_implied(axioms, c) for c in added)
        assert outcome(axioms, steps) != REFUTED, (axioms, steps)
    assert rat > 300


EIGHT = [[a, b, c] for a in (1, -1) for b in (2, -2) for c in (3, -3)]


@pytest.mark.parametrize(
    ("steps", "result"),
    [
        ([[4, -1], [-4, 1], [4, 2], [4, -2], [4], [-1, 2], []], REFUTED),
        ([[4, -1], [-4, 1], [-4], [-1], [1, 2], []], len(EIGHT) + 2),  # -4 is RAT, but for 4 or -1
        ([[-4], [4, 1], [1], [-1, 2], []], len(EIGHT) + 1),
        ([[], [4]], len(EIGHT)),
    ],
)
def test_a_new_variable_is_defined_and_not_more(steps: list[list[int]], result: int) -> None:
    assert outcome(EIGHT, [(True, step) for step in steps]) == result


def cook(pigeons: int) -> tuple[list[list[int]], list[Step]]:
    """Return the clauses of one hole fewer than pigeons, and Cook's short refutation (1976).

    A round takes out the last pigeon and the last hole, by new variables: who was in that hole is now where the last
    pigeon was.
    """
    sits, axioms, steps = dict[tuple[int, int], int](), list[list[int]](), list[list[int]]()
    for n in range(pigeons, 1, -1):
        before, first = sits, max(sits.values(), default=0)
        sits = {(i, j): first + i * (n - 1) + j + 1 for i in range(n) for j in range(n - 1)}
        pairs = [(sits[i, j], sits[k, j], i, k, j) for j in range(n - 1) for i in range(n) for k in range(i)]
        somewhere = [[sits[i, j] for j in range(n - 1)] for i in range(n)]
        if not before:
            axioms = somewhere + [[-a, -b] for a, b, *_ in pairs]
            continue
        for (i, j), new in sits.items():
            old, last, moved = before[i, j], before[i, n - 1], before[n, j]
            steps += [[new, -old], [new, -last, -moved], [-new, old, last], [-new, old, moved]]
        steps += somewhere
        for a, b, i, k, j in pairs:
            steps += [[-a, -b, -before[i, j]], [-a, -b, -before[k, j]], [-a, -b]]
    return axioms, [(True, step) for step in [*steps, []]]


def test_the_short_proof_of_pigeonholes_is_accepted_and_needs_its_definitions() -> None:
    axioms, steps = cook(6)
    flat = np.array([x for clause in axioms for x in (*clause, 0)], np.int32)
    clauses = clause_list(flat, parse_proof(text(steps)), max(abs(x) for _, c in steps for x in c))
    assert check(clauses)[0] == REFUTED
    assert check(clauses, every=True)[0] >= len(axioms)
    without = [step for step in steps if step[1][:1] != [31]]
    assert check(clause_list(flat, parse_proof(text(without)), clauses.variables))[0] >= len(axioms)


@pytest.mark.parametrize("wrong", [[7, 6], [7, 1]])
def test_what_a_resolvent_follows_from_is_checked_too(wrong: list[int]) -> None:
    """1, 2 or 3 is RAT on 1 only with the wrong clause, which makes its resolvent with -1 or 7 follow."""
    axioms = [*EIGHT[1:4], *EIGHT[5:], [-1, 7], [-6, 7, 8], [-6, 7, -8]]
    axioms += [[-7, 2, 3, a, b] for a in (9, -9) for b in (10, -10)]
    steps = [wrong, [1, 2, 3], [1, 2], [1], [2, 3, 9], [2, 3], [2], []]
    assert outcome(axioms, [(True, step) for step in steps]) == len(axioms)
    assert outcome([*axioms, wrong], [(True, step) for step in steps[1:]]) == REFUTED


def test_deleting_the_reason_of_an_assignment_is_ignored() -> None:
    axioms = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-3, 4], [-3, -4]]
    assert outcome(axioms, [(False, [1]), (False, [-1, 2]), (True, [3]), (True, [])]) == REFUTED
