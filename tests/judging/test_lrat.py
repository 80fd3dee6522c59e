"""The LRAT checker against a plain one, on random formulas, mutated proofs, and RAT by hand."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from pysat.solvers import Solver

from harness.judging.checkers.lrat_text import is_lrat, parse_lrat
from tests.judging import refuting
from tests.judging.lrat import accepts, elaborated
from tests.judging.refuting import unsatisfiable
from tests.judging.test_backward import true_proof

ALL_FOUR = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
fault = partial(refuting.fault, read=parse_lrat)
HUGE = (b"2147483647", b"2147483648", b"-2147483648", b"9" * 30, b"0", b"-0", b"00", b"d", b"\xff\0", b"1.5")


def refutable(random: Random) -> tuple[list[list[int]], bytes]:
    """Return an unsatisfiable formula and a proof."""
    axioms = unsatisfiable(random)
    return axioms, elaborated(axioms, true_proof(axioms, "cadical195"))


def mutated(proof: bytes, axioms: int, random: Random) -> bytes:
    """Return the proof with a line or a number changed, removed, doubled or moved."""
    lines = [line.split() for line in proof.splitlines()]
    i = random.randrange(len(lines))
    words = lines[i]
    j = random.randrange(len(words))
    kind = random.randrange(8)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        del lines[i:]
    elif kind == 2:
        lines.insert(random.randrange(len(lines)), lines.pop(i))
    elif kind == 3:
        words[j] = words[j].removeprefix(b"-") if words[j].startswith(b"-") else b"-" + words[j]
    elif kind == 4:
        del words[j]
    elif kind == 5:
        words[j] = b"%d" % random.randint(1, axioms + len(lines))
    elif kind == 6:
        lines.insert(i, [b"1", b"d", b"%d" % random.randint(1, axioms + i), b"0"])
    else:
        words[j] = random.choice(HUGE)
    return b"\n".join(map(b" ".join, lines))


def is_well_formed(proof: bytes) -> bool:
    """Return True if every line is one of LRAT with numbers in range."""
    for line in map(bytes.split, proof.split(b"\n")):
        deletes = line[1:2] == [b"d"]
        words = [line[0], *line[2:]] if deletes else line
        if not all(w.removeprefix(b"-").isdigit() and abs(int(w)) < 1 << 31 for w in words):
            return False
        numbers = [int(w) for w in words[1:]]
        if numbers[-1:] != [0] or numbers.count(0) != 2 - deletes or (int(words[0]) <= 0 and not deletes):
            return False
    return True


def test_true_and_mutated_proofs_get_the_verdict_of_a_plain_checker() -> None:
    random, seen = Random(5), Counter[tuple[bool, bool]]()
    for round_ in range(30):
        axioms, proof = refutable(random)
        assert fault(axioms, proof) == "", round_
        for _ in range(20):
            case = mutated(proof, len(axioms), random)
            formed = is_well_formed(case)
            accepted = fault(axioms, case) == ""
            assert accepted == (formed and accepts(axioms, case)), (round_, axioms, case)
            seen[formed, accepted] += 1
    assert min(seen[True, True], seen[True, False], seen[False, False]) > 50
    assert seen[False, True] == 0


def test_no_proof_of_a_satisfiable_formula_is_accepted() -> None:
    """Each clause that the proof needs is left out in turn: empty clauses are not allowed to take its place."""
    random = Random(9)
    for _ in range(20):
        axioms, proof = refutable(random)
        for i in range(len(axioms)):
            fewer = [*axioms[:i], [1, -1], *axioms[i + 1 :]]
            with Solver("minisat22", bootstrap_with=fewer) as s:
                if s.solve():
                    assert fault(fewer, proof) != ""


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (b"5 1 0 1 2 0\n6 0 5 3 4 0\n", ""),
        (b"c comment\n\n5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0", ""),
        (b"90 1 0 1 2 0\n7 0 90 3 4 0\n", ""),
        (b"5 1 0 1 2 0\n", "the proof ends without a contradiction"),
        (b"", "the proof ends without a contradiction"),
        (b"5 1 0 1 7 0\n", "clause 5 of the proof names clause 7, which does not exist"),
        (b"5 1 0 1 5 0\n", "clause 5 of the proof names clause 5, which does not exist"),
        (b"4 d 1 0\n5 1 0 1 2 0\n", "clause 5 of the proof names clause 1, which is deleted"),
        (b"5 1 0 2 2 0\n", "clause 5 of the proof does not follow from its hints"),
        (b"5 0 1 2 0\n", "clause 5 of the proof: two literals of its hint 1 are open"),
        (b"3 1 0 1 2 0\n", "clause 3 of the proof has the number of another"),
        (b"5 1 0 1 2 0\n5 1 0 1 2 0\n", "clause 5 of the proof has the number of another"),
        (b"0 1 0 1 2 0\n", "line 1 of the proof gives its clause the number '0'"),
        (b"5 1 0 1 2 0\n-6 0 5 3 4 0\n", "line 2 of the proof gives its clause the number '-6'"),
        (b"5 1 0 1 2\n", "line 1 of the proof is not one clause ended by 0"),
        (b"5 1 0 1 2 0 3\n", "line 1 of the proof is not one clause ended by 0"),
        (b"5 d 1 0 2 0\n", "line 1 of the proof is not one clause ended by 0"),
        (b"5 1 0 1 2147483648 0\n", "line 1 of the proof names '2147483648', beyond 2147483647"),
        (b"5 \xff\0 0 1 0\n", "line 1 of the proof is not a clause: '\\xff\\x00' is no number"),
        (b"5 1 0 -1 2 0\n", "clause 5 of the proof: its hint -1 lacks the negation of its first literal"),
    ],
)
def test_each_fault_is_named(proof: bytes, why: str) -> None:
    assert fault(ALL_FOUR, proof, 2) == why


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        # A new variable x3 that is equal to x1, defined by RAT clauses, the second of which resolves with the first.
        (b"5 3 -1 0 0\n6 -3 1 0 -5 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n", ""),
        (b"5 3 -1 0 0\n6 -3 1 0 0\n", "clause 6 of the proof does not follow from its hints"),
        (b"5 3 -1 0 0\n6 3 2 0 0\n7 -3 1 0 -5 0\n", "clause 7 of the proof lacks hints for some clauses with the"),
        (b"5 3 -1 0 0\n6 3 2 0 0\n7 -3 1 0 -5 -5 0\n", "clause 7 of the proof lacks hints for some clauses with the"),
        (b"5 3 -1 0 0\n5 d 5 0\n6 -3 1 0 -5 0\n", "clause 6 of the proof names clause -5, which is deleted"),
        (b"5 3 -1 0 0\n5 d 5 0\n6 -3 1 0 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n", ""),
        (b"5 3 2 0 0\n6 -3 1 0 -5 0\n", "clause 6 of the proof does not follow from its hints"),
        (b"5 3 2 0 0\n6 -3 1 0 -5 1 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n", ""),
    ],
)
def test_rat_clauses_need_a_hint_for_each_resolvent(proof: bytes, why: str) -> None:
    found = fault(ALL_FOUR, proof, 2)
    assert found.startswith(why)
    assert bool(found) == bool(why), found


def test_variables_far_beyond_the_formula_cost_nothing() -> None:
    assert fault(ALL_FOUR, b"5 2147483647 1 0 1 2 0\n6 1 0 1 2 0\n7 0 6 3 4 0\n", 2) == ""


def test_an_empty_clause_of_the_formula_needs_no_proof() -> None:
    assert fault([[1], []], b"") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"5 1 0 1 2 0\n", True),
        (b"c 1 0 2 0\n\n4 d 1 0\n", True),
        (b"1 2 0\n", False),
        (b"d 1 2 0\n", False),
        (b"0\n", False),
        (b"", False),
        (b"a\x04\0", False),
        (b"5 0 0", True),
    ],
)
def test_the_first_step_tells_lrat_from_drat(text: bytes, expected: bool) -> None:
    assert is_lrat(text) == expected
