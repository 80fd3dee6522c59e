"""Pseudo-Boolean proofs against all assignments; the checker in columns against that with Python integers."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.judging.checkers.pseudo_boolean.columns import IDS, OPEN, OVERFLOW, ROWS
from harness.judging.checkers.pseudo_boolean.machine import Machine
from harness.judging.checkers.pseudo_boolean.paused import take
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from tests.effort import examples
from tests.judging.sums import Drawn, changed, drawn, tampered, tree_proof, with_solution

COVER = (row([(1, 1), (1, 2)], 1), row([(1, 2), (1, 3)], 1), row([(1, 1), (1, 3)], 1))  # two of three
TWO = SumProgramme(3, COVER, {1: 1, 2: 1, 3: 1}, 2)
DIVIDED = "l 1\nl 2\nl 3\nsoli x1 x2 ~x3\npol 1 2 + 3 + 2 d\npol 5 4 +\nc 6\n"
FALSE = "its solution breaks a row, or lacks a variable of the objective"
seeds = st.integers(0, 1 << 40)


def proof(steps: str, version: str = "1.1") -> bytes:
    return f"pseudo-Boolean proof version {version}\n{steps}".encode()


def best(values: dict[tuple[int, ...], int]) -> int | None:
    return min(values.values(), default=None)


def both(programme: SumProgramme, text: bytes) -> tuple[int, str]:
    """Check with both checkers, which must agree; return the outcome and the reason."""
    found, other = check(programme, text), check_exactly(programme, text)
    assert found[0] == other[0], (text.decode(), found, other)
    return found


@given(seeds)
@settings(max_examples=examples(80))
def test_the_proof_of_a_complete_search_is_certified_with_the_value_by_all_assignments(seed: int) -> None:
    random = Random(seed)
    made = drawn(random, 6)
    values = made.values()
    if made.goal is not None or not values:
        assert both(made.programme(best(values)), tree_proof(made, values, random)) == (CERTIFIED, "")


@given(seeds)
@settings(max_examples=examples(120))
def test_no_tampered_proof_certifies_a_worse_solution_as_the_best_or_that_none_exists(seed: int) -> None:
    random = Random(seed)
    made = drawn(random, 5)
    values = made.values()
    if not values:
        return
    text = tree_proof(made, values, random)
    worse = [solution for solution in values if values[solution] > min(values.values())]
    claim = None
    if worse and made.goal is not None:
        solution = random.choice(worse)
        claim, text = values[solution], with_solution(text, solution)
    for _ in range(3):
        assert both(made.programme(claim), tampered(text, made.variables, random))[0] != CERTIFIED


@given(seeds)
@settings(max_examples=examples(100))
def test_the_proof_of_a_changed_programme_certifies_nothing_wrong_of_the_original(seed: int) -> None:
    random = Random(seed)
    made = drawn(random, 5)
    other = changed(made, random)
    values, others = made.values(), other.values()
    claim = best(others) if made.goal is not None else None
    if best(values) == best(others) or (claim is not None and claim not in values.values()):
        return
    assert both(made.programme(claim), tree_proof(other, others, random))[0] != CERTIFIED


def test_division_proves_a_bound_that_propagation_does_not_see() -> None:
    assert both(TWO, proof(DIVIDED)) == (CERTIFIED, "")
    assert both(TWO, proof("l 1\nrup +1 x1 +1 x2 +1 x3 >= 2 ;\n")) == (
        REFUSED,
        "line 3 of the proof: its row does not follow",
    )
    assert (
        both(TWO._replace(best=3), proof(DIVIDED))[1] == "line 5 of the proof: its solution is better than the answer"
    )


@pytest.mark.parametrize(
    "steps",
    [
        "f 3\npol 1 2 + 3 + 2 d x1 + ~x1 +\n",  # x1 + ~x1 is 1: weaker by 0
        "p 1 0\n",
    ],
)
def test_a_proof_that_ends_early_is_refused(steps: str) -> None:
    found = both(TWO._replace(best=4), proof(steps, "1.0"))
    assert found[0] == REFUSED


def test_the_steps_of_version_1_0_are_read() -> None:
    text = proof("l 1\nl 2\nl 3\no x1 x2 ~x3\np 1 2 + 3 + 2 d 0\np 5 4 + 0\nc 6 0\n", "1.0")
    assert both(TWO, text) == (CERTIFIED, "")


def test_every_rule_of_cutting_planes_on_the_stack() -> None:
    steps = "l 1\nl 2\nl 3\npol 1 2 3 + 2 * 2 d + 2 d\nsoli x1 x2 ~x3\npol 4 s 5 +\n"
    assert both(TWO, proof(steps)) == (CERTIFIED, "")
    heavy = SumProgramme(2, (row([(2, 1), (1, 2)], 2), row([(1, -1)], 0)), {1: 1}, 1)
    assert both(heavy, proof("l 1\nsoli x1 x2\npol 1 x2 w 2 d 2 +\n")) == (CERTIFIED, "")
    wrong = "l 1\nl 2\nl 3\npol 1 2 3 + 2 * 3 d +\nsoli x1 x2 ~x3\npol 4 5 +\nc -1\n"
    assert both(TWO, proof(wrong))[0] == REFUSED


def test_a_row_times_0_is_nothing_wherever_it_stands() -> None:
    steps = "l 1\nl 2\nl 3\nsoli x1 x2 ~x3\npol 1 2 + 3 + ~x1 0 * + 2 0 * + 1 2 0 * + 0 * + 2 d\npol 5 4 +\nc 6\n"
    assert both(TWO, proof(steps)) == (CERTIFIED, "")
    assert both(TWO, proof("l 1\npol 1 0 *\nc 2\n")) == (
        REFUSED,
        "line 4 of the proof: nothing contradicts itself there",
    )
    assert both(TWO, proof("l 1\npol 1 -1 *\n"))[1] == "format: line 3 of the proof: this 'pol' is not understood"


def test_a_new_variable_may_be_defined_in_both_directions() -> None:
    defined = "red +1 ~x4 +1 x1 >= 1 ; x4 0\nred +1 x4 +1 ~x1 >= 1 ; x4 -> 1\n"
    assert both(
        TWO,
        proof(
            defined
            + DIVIDED.replace("5", "7").replace(" 4 ", " 6 ").replace("1 2 + 3", "3 4 + 5").replace("c 6", "c 8")
        ),
    ) == (
        CERTIFIED,
        "",
    )
    third = TWO._replace(best=3)
    assert both(third, proof("red +1 ~x4 +1 x1 >= 1 ; x4 0\nred +1 x4 >= 1 ; x4 1\n")) == (
        REFUSED,
        "line 3 of the proof: its row does not follow",
    )


@pytest.mark.parametrize(
    ("steps", "outcome", "why"),
    [
        ("red +1 x1 >= 1 ; x1 1\n", REFUSED, "line 2 of the proof: its row does not follow"),
        ("red +1 x4 >= 1 ; x4 x1\n", REFUSED, "line 2 of the proof: its row does not follow"),
        ("a +1 x1 +1 x2 >= 2 ;\n", UNCHECKED, "format: line 2 of the proof: its row is asserted without a proof"),
        ("dom +1 x1 >= 1 ; x1 1\n", REFUSED, "line 2 of the proof: its row does not follow"),
        ("soli x1\n", REFUSED, f"line 2 of the proof: {FALSE}"),
        ("soli x1 ~x2 ~x3\n", REFUSED, f"line 2 of the proof: {FALSE}"),
        ("l 4\n", REFUSED, "line 2 of the proof: there is no row of this number"),
        ("l 1\ndel id 1\npol 1 s\n", REFUSED, "line 4 of the proof: there is no row of this number"),
        ("l 1\npol 1 0 d\n", UNCHECKED, "format: line 3 of the proof: this 'pol' is not understood"),
        ("l 1\npol 1 +\n", UNCHECKED, "format: line 3 of the proof: this 'pol' is not understood"),
        ("", REFUSED, "line 2 of the proof: nothing contradicts itself there"),
    ],
)
def test_what_is_not_believed_and_why(steps: str, outcome: int, why: str) -> None:
    assert both(TWO, proof(steps)) == (outcome, why)


def test_a_weaker_bound_than_the_best_is_the_only_assertion_that_is_believed() -> None:
    assert both(TWO, proof("a -1 x1 -1 x2 -1 x3 >= -1 ;\nl 1\nl 2\nl 3\npol 2 3 + 4 + 2 d 1 +\n")) == (CERTIFIED, "")
    assert both(TWO, proof("a -1 x1 -1 x2 -1 x3 >= 0 ;\n"))[0] == UNCHECKED


def test_deleted_rows_propagate_no_longer_but_those_of_the_programme_do() -> None:
    rows = [row([(1, a), (1, b)], 1) for a in (1, -1) for b in (2, -2)]
    assert both(SumProgramme(2, tuple(rows)), proof("l 1\ndel id 1\nrup +1 x1 >= 1 ;\n")) == (CERTIFIED, "")
    kept = "red +1 x4 +1 x3 >= 1 ; x4 1\n"
    assert both(SumProgramme(3, tuple(rows[:2])), proof(f"{kept}rup +1 x4 +1 x3 >= 1 ;\n"))[1].startswith("line 4")
    for deleted in ("del id 1", "d 1 0", "del range 1 2"):
        lost = both(SumProgramme(3, tuple(rows[:2])), proof(f"{kept}{deleted}\nrup +1 x4 +1 x3 >= 1 ;\n"))
        assert lost == (REFUSED, "line 4 of the proof: its row does not follow")


@pytest.mark.parametrize("bits", [40, 58, 60, 61, 62, 63, 64, 100])
def test_numbers_of_any_size_are_exact(bits: int) -> None:
    k = 1 << bits
    programme = SumProgramme(2, (row([(k, 1), (k - 1, 2)], k),), {1: k, 2: 1}, k)
    assert both(programme, proof("l 1\nsoli x1 ~x2\n")) == (CERTIFIED, "")
    wrong = programme._replace(
        goal={
            1: k,
            2: 1,
        },
        best=k + 1,
    )
    assert both(wrong, proof("l 1\nsoli x1 x2\npol 1 2 +\n"))[0] != CERTIFIED


@given(st.integers(50, 66), st.integers(50, 66), st.integers(2, 5))
@settings(max_examples=examples(60))
def test_products_and_sums_that_leave_64_bits_never_certify(a: int, b: int, times: int) -> None:
    """The row x1 >= 0, which holds, is multiplied until its numbers would wrap around."""
    programme = SumProgramme(2, (row([(1 << a, 1), (1, 2)], 0), row([(1, 1), (1, 2)], 1)))
    steps = f"l 1\nl 2\npol 1{f' {(1 << b) - 1} *' * times} 2 {1 << b} * + 1 +\nrup >= 1 ;\n"
    assert both(programme, proof(steps))[0] == REFUSED


def test_columns_hand_over_what_they_can_not_hold() -> None:
    made = Drawn(2, [([(1 << 60, 1), (1 << 60, 2)], 1 << 60)], [(1, 1), (1, 2)])
    programme = made.programme()
    for steps, end in (("l 1\npol 1 4 *\n", OVERFLOW), ("l 1\npol 1 2 d\n", OPEN), (f"pol 1 {1 << 58} *\n", OVERFLOW)):
        assert Machine(programme, proof(steps)).check(take)[0] == end


def test_a_row_states_a_sum_of_positive_terms() -> None:
    assert row([(3, 1), (-2, 2), (1, -3)], 1) == SumRow({1: 3, -2: 2, -3: 1}, 3)
    assert row([(3, 1), (3, -1)], 4) == SumRow({}, 1)


def repeating(random: Random, made: Drawn) -> bytes:
    """Return steps that show a few rows again and again, delete some of their numbers, and use others."""
    pool = [
        " ".join(
            f"+{random.choice((1, 1, 2))} {random.choice(('', '~'))}x{x}"
            for x in random.sample(range(1, made.variables + 1), random.randint(1, min(3, made.variables)))
        )
        + f" >= {random.choice((1, 1, 2))} ;"
        for _ in range(4)
    ]
    lines, numbers = [f"red +1 ~x{made.variables + 1} +1 x1 >= 1 ; x{made.variables + 1} 0"], 1
    for _ in range(random.randint(5, 25)):
        kind = random.random()
        if kind < 0.6:
            lines.append(f"rup {random.choice(pool)}")
        elif kind < 0.8:
            lines.append(f"del id {random.randint(1, numbers)}")
            continue
        else:
            lines.append(f"pol {random.randint(1, numbers)} {random.randint(1, numbers)} +")
        numbers += 1
    return proof("\n".join([*lines, f"c {numbers}", ""]))


@given(seeds)
@settings(max_examples=examples(400))
def test_rows_that_are_shown_again_are_held_until_their_last_number_is_deleted(seed: int) -> None:
    random = Random(seed)
    made = drawn(random, 4)
    values = made.values()
    both(made.programme(best(values) if made.goal is not None else None), repeating(random, made))


def test_a_row_shown_twice_is_stored_once_and_outlives_one_of_its_numbers() -> None:
    clause = "rup +1 x1 +1 x2 >= 1 ;\n"
    weak = SumProgramme(3, COVER[:1])
    kept = proof(f"{clause}rup +1 x2 +1 x1 >= 1 ;\ndel id 1\npol 2 x1 w\nc 3\n")
    assert both(weak, kept) == (REFUSED, "line 6 of the proof: nothing contradicts itself there")
    assert both(weak, proof(f"{clause}{clause}del id 1 2\npol 2 x1 w\n"))[1].startswith(
        "line 5 of the proof: there is no row"
    )
    machine = Machine(weak, proof(clause * 50))
    machine.check(take)
    assert machine.s.counts[ROWS] == 2, "the programme's row, and the clause once"
    assert machine.s.counts[IDS] == 50


def test_rows_with_the_same_place_in_the_table_are_told_apart() -> None:
    """Rows that differ in one degree, literal or coefficient follow or not each by itself."""
    programme = SumProgramme(3, (row([(1, 1), (1, 2), (1, 3)], 2),))
    for wrong in ("+1 x1 +1 x2 >= 2", "+1 x1 +1 ~x2 >= 1", "+1 x1 >= 1", "+2 x1 +1 x2 >= 2"):
        found = both(programme, proof(f"rup +1 x1 +1 x2 >= 1 ;\nrup {wrong} ;\n"))
        assert found == (REFUSED, "line 3 of the proof: its row does not follow"), wrong


def test_deleted_rows_leave_their_room_and_the_rest_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.judging.checkers.pseudo_boolean.machine.ROOM", 8)
    lost = "@a pol 1 2 + ;\n@b pol 2 3 + ;\ndel id -2 ;\n@c pol 1 @b + ;\ndel id @b @c ;\n" * 100
    steps = f"@kept pol 1 2 + 3 + 2 d ;\n{lost}e 1 x1 1 x2 1 x3 >= 2 : @kept ;\nsoli x1 x2 ~x3 ;\n"
    text = proof(f"{steps}output NONE ;\nconclusion BOUNDS 2 2 ;\nend pseudo-Boolean proof ;\n", "3.0")
    machine = Machine(TWO, text)
    machine.check(take)
    assert machine.s.counts[IDS] > 300
    assert len(machine.s.code) < 64
    assert both(TWO, text) == (CERTIFIED, "")
