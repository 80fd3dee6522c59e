"""Proofs of constraint programming: inferences, nogoods, conclusions, and what they certify."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.judging.checkers.flat.domains import Atom, Domains
from harness.judging.checkers.flat.drcp import FlatClaim, check
from harness.judging.checkers.flat.inferences import TESTS
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from puzzles.formats import read
from puzzles.generating.problems import random_problem
from puzzles.problem import Instance
from tests.judging.drcp import changed, claimed, every, proved

# A post; domains that it excludes, and wider ones that it does not.
POSTS: list[tuple[str, tuple[Any, ...], list[Any], list[Any]]] = [
    ("linear", ({0: 2, 1: -1}, "<=", 3), [range(3, 5), range(3)], [range(3, 5), range(4)]),
    ("linear", ({0: 2, 1: 1}, "=", 4), [(0, 2), (1, 3)], [(0, 2), (0, 3)]),
    ("linear", ({0: 3, 1: 3, 2: 1}, "=", 7), [(1,), (1,), range(1)], [(1,), (1,), range(2)]),
    ("linear", ({0: 1, 1: 1}, "!=", 4), [(1,), (3,)], [(1,), (2, 3)]),
    ("reified", (0, {1: 1}, ">=", 3), [(0,), (3, 4)], [(0,), (2, 4)]),
    ("reified", (0, {1: 1}, "=", 3), [(1,), (2, 4)], [(1,), (2, 3, 4)]),
    ("clause", ([1, -2],), [(0,), (1,)], [(0,), (0, 1)]),
    ("all_different", ([0, 1, 2],), [(1,), (1, 2), (1,)], [(1,), (1, 2), (1, 3)]),
    ("product", (0, 1, 2), [range(-2, 4), range(-3, 5), range(13, 20)], [range(-2, 4), range(-3, 5), range(12, 20)]),
    ("quotient", (0, 1, 2), [range(-7, 8), range(-3, 4), range(8, 9)], [range(-7, 8), range(-3, 4), range(7, 9)]),
    ("quotient", (0, 1, 2), [range(7, 9), range(2, 4), range(2)], [range(7, 9), range(2, 4), range(3)]),
    ("absolute", (0, 1), [range(-3, 3), range(4, 9)], [range(-3, 3), range(3, 9)]),
    ("extreme", ("maximum", [0, 1], 2), [range(3), range(4), range(4, 9)], [range(3), range(5), range(4, 9)]),
    ("extreme", ("minimum", [0, 1], 2), [range(3), range(4), range(3, 9)], [range(3, 4), range(4), range(3, 9)]),
    ("element", ([0, 1], 2, 1, 3), [(1,), (2,), (0, 2, 3), (1,)], [(1,), (2,), (0, 2, 3), (1, 2)]),
]


@pytest.mark.parametrize(("name", "arguments", "none", "some"), POSTS)
def test_a_post_excludes_domains_without_a_solution_of_it(
    name: str, arguments: tuple[Any, ...], none: list[Any], some: list[Any]
) -> None:
    assert TESTS[name](Domains(none), *arguments)
    assert not TESTS[name](Domains(some), *arguments)


def test_domains_have_holes() -> None:
    domains = Domains([range(6), range(6)], [Atom(0, ">=", 1), Atom(0, "!=", 1), Atom(0, "!=", 3), Atom(1, "==", 3)])
    assert domains.values(0) == [2, 4, 5]
    assert TESTS["linear"](domains, {0: 1, 1: -1}, "=", 0)
    domains.take(Atom(0, "<=", 1))
    assert domains.empty


# x0 < x1 and x1 < x0 over 0 to 1, whose sum is x2 in 0 to 2; tag 4 is a post that no step names.
ORDERED = FlatClaim(
    [range(2), range(2), range(3)],
    [
        ("linear", ({0: 1, 1: -1}, "<", 0)),
        ("linear", ({2: 1, 0: -1, 1: -1}, "=", 0)),
        ("linear", ({0: 1}, "<=", 1)),
    ],
    goal=2,
    least=1,
)
BOUND = """a 1 [x1 <= 0]
a 2 [x0 >= 0]
i 5 1 2 0 c:2 l:linear_bounds
i 6 0 2 l:initial_domain
n 7 1 2 0 6 5
a 3 [x2 <= 0]
i 8 -1 2 3 0 c:3 l:linear_bounds
i 9 2 0 -1 c:7 l:nogood
i 10 0 2 l:initial_domain
n 11 3 0 10 9 8
c -3
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("", "", CERTIFIED),
        ("c -3", "c 2", REFUSED),  # about another variable
        ("c -3", "c UNSAT", REFUSED),
        ("c -3\n", "", REFUSED),
        ("0 c:2", "0 c:4", REFUSED),
        ("0 -1 c:7", "0 -1 c:12", REFUSED),
        ("n 7 1", "n 3 1", REFUSED),  # the number of a post
        ("0 6 5", "0 6", REFUSED),
        ("0 10 9 8", "0 8 9 10", REFUSED),  # an order in which 8 does not apply
        ("0 10 9 8", "0 10 9 5 8", REFUSED),  # of the nogood before
        ("a 3 [x2 <= 0]", "a 3 [x2 <= 1]", REFUSED),
        ("a 3 [x2 <= 0]", "a 3 [x3 <= 0]", REFUSED),
        ("0 c:2 l:linear_bounds", "0 c:4 l:circuit", UNCHECKED),
        ("c -3", "conclude", UNCHECKED),
    ],
)
def test_each_part_of_a_proof_counts(old: str, new: str, outcome: int) -> None:
    assert old in BOUND
    assert check(ORDERED, BOUND.replace(old, new, 1).encode())[0] == outcome


def test_a_bound_below_the_claim_is_refused() -> None:
    assert check(ORDERED._replace(least=2), BOUND.encode()) == (
        REFUSED,
        "line 11 of the proof: its conclusion is weaker than the claim",
    )


@pytest.mark.parametrize(
    "kind", ["linear", "all_different", "table", "element", "minmax", "lex", "cumulative", "count"]
)
def test_proofs_of_pumpkin_are_certified_and_changed_ones_of_false_claims_are_not(kind: str) -> None:
    pytest.importorskip("pumpkin_solver")
    derived, false = 0, 0
    for seed in range(12):
        random = Random(f"{kind} {seed}")
        instance = random_problem([kind, "linear"], random)
        answer, solutions = proved(instance, 10_000), every(instance)
        if answer.proof is None:  # of a program that is refused before it is posted
            assert not solutions
            continue
        claim, of_instance = claimed(instance, answer.solutions)
        assert check(claim, answer.proof) == (CERTIFIED, ""), seed
        derived += of_instance
        if solutions:
            without, _ = claimed(instance, random.sample(solutions, len(solutions) - 1))
            assert all(check(without, changed(answer.proof, random))[0] != CERTIFIED for _ in range(5)), seed
            false += 5
    assert derived
    assert false


COP = """<instance format="XCSP3" type="COP"><variables><array id="x" size="[4]"> 1..6 </array></variables>
<constraints><allDifferent> x[] </allDifferent><sum><list> x[] </list><condition> (ge,13) </condition></sum>
</constraints><objectives><minimize type="sum"><list> x[] </list><coeffs> 4 3 2 1 </coeffs></minimize></objectives>
</instance>
"""


def cop(folder: Path) -> Instance[Any]:
    (folder / "a.xml").write_text(COP)
    (instance,) = read(folder / "a.xml")
    return instance


def test_an_optimum_of_a_cop_is_certified_of_the_instance_and_not_a_worse_value(tmp_path: Path) -> None:
    pytest.importorskip("pumpkin_solver")
    instance = cop(tmp_path)
    answer = proved(instance)
    assert answer.proof
    claim, derived = claimed(instance, answer.solutions)
    assert (check(claim, answer.proof), derived) == ((CERTIFIED, ""), True)
    worse = [solution for solution in every(instance) if solution != answer.solutions[0]][-1]
    assert check(claimed(instance, [worse])[0], answer.proof)[0] == REFUSED
