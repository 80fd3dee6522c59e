"""Right proofs are certified, and nothing wrong is: 43 minimal pseudo-Boolean proofs with their truth."""

import json
import re
from collections.abc import Iterator
from itertools import count, product
from random import Random

import pytest

from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from tests.conftest import ROOT
from tests.judging import rules

PROOFS = json.loads((ROOT / "tests" / "fixtures" / "pseudo-boolean-proofs.json").read_text())
TERM = re.compile(r"([+-]?[0-9]+) +(~?)([^ ;]+)")
AFTER = "pseudo-Boolean proof version {}\n{}"
TWO = SumProgramme(2, (row([(1, 1), (1, 2)], 1), row([(1, -1), (1, -2)], 1)))  # one of x1, x2


def terms(text: str, numbers: dict[str, int]) -> list[tuple[int, int]]:
    """Return the terms of a sum; names of the form x<n> have that number, others the next ones from 100 on."""
    found = []
    for a, negated, name in TERM.findall(text):
        number = int(name[1:]) if re.fullmatch("x[0-9]+", name) else numbers.setdefault(name, 100 + len(numbers))
        found.append((int(a), -number if negated else number))
    return found


def programme(opb: str) -> SumProgramme:
    """Return the programme of an OPB text, with the best value by all assignments."""
    rows, numbers = list[SumRow](), dict[str, int]()
    goal: dict[int, int] | None = None
    for line in (line for line in opb.splitlines() if not line.startswith("*")):
        if line.startswith("min:"):
            goal = {x: a for a, x in terms(line[4:], numbers)}
        elif found := re.search(r"(>=|<=|=) *([+-]?[0-9]+)", line):
            sides = terms(line[: found.start()].partition("@")[0] or line[: found.start()], numbers)
            rows += [row(sides, int(found[2]))] if found[1] != "<=" else []
            rows += [row([(-a, x) for a, x in sides], -int(found[2]))] if found[1] != ">=" else []
    variables = max(abs(x) for each in rows for x in each.terms)
    best = min(values(rows, goal), default=None) if goal is not None else None
    return SumProgramme(variables, tuple(rows), goal, best)


def values(rows: list[SumRow], goal: dict[int, int]) -> Iterator[int]:
    """Yield the sum of each solution."""
    for bits in product((0, 1), repeat=max(abs(x) for each in rows for x in each.terms)):
        true = {x if bit else -x for x, bit in zip(count(1), bits, strict=False)}
        if all(sum(a for x, a in each.terms.items() if x in true) >= each.degree for each in rows):
            yield sum(a for x, a in goal.items() if x in true)


@pytest.mark.parametrize("made", PROOFS, ids=[made["name"] for made in PROOFS])
def test_what_is_right_is_certified_and_nothing_else(made: dict[str, str]) -> None:
    problem, proof = programme(made["opb"]), made["proof"].encode()
    outcome, why = check(problem, proof)
    assert check_exactly(problem, proof) == (outcome, why)
    assert (outcome == CERTIFIED) == (made["truth"] == "right" or made["name"].startswith("3.0 hints are wrong"))
    assert (outcome == UNCHECKED) == why.startswith("format: line ")


@pytest.mark.parametrize("version", ["1.0", "1.2", "2.0", "3.0"])
@pytest.mark.parametrize(
    "line",
    ["pol 1 + ;", "pol 1 2 ;", "rup 1 x1 ;", "rup x1 >= 1 ;", "rup 1 x1 1 x2 >= 1 * ;", "unheard of ;", "pol 1 ü ;"],
)
def test_what_is_not_understood_is_unchecked_with_rule_and_line(version: str, line: str) -> None:
    known = "f 2 ;\n" if version < "2" else ""
    proof = AFTER.format(version, f"% a comment\n{known}{line}\n").encode()
    expected = UNCHECKED, f"format: line {3 + bool(known)} of the proof: this '{line.split()[0]}' is not understood"
    assert check(TWO, proof) == check_exactly(TWO, proof) == expected


def ended(steps: str, version: str = "3.0", conclusion: str = "UNSAT") -> bytes:
    """Return a proof with its output, conclusion and end."""
    end = f"output NONE ;\nconclusion {conclusion} ;\nend pseudo-Boolean proof ;\n"
    return AFTER.format(version, f"{steps}\n{end}").encode()


NONE = SumProgramme(2, (row([(1, 1), (1, 2)], 1), row([(1, -1)], 1), row([(1, -2)], 1)))


@pytest.mark.parametrize(
    "steps",
    ["rup 1 x1\n>= 1 ; rup\n>= 1 % x\n;", "@a pol 1 2\n+ ; pol @a 3 + ;", "@a rup >= 1 : ~ 1 2 3 ;", "* x\nrup >=1;"],
)
def test_statements_of_version_3_take_any_lines(steps: str) -> None:
    assert check(NONE, ended(steps)) == check_exactly(NONE, ended(steps)) == (CERTIFIED, "")


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (AFTER.format("3.0", "rup >= 1 ;\n").encode(), "line 3"),  # no end
        (AFTER.format("2.0", "rup >= 1 ;\nconclusion UNSAT\nend pseudo-Boolean proof\n").encode(), "line 3"),
        (ended("rup >= 1 ;").replace(b"proof ;\n", b"proof"), "line 5"),
        (ended("rup >= 1 ;", conclusion="NONE"), "line 4"),
        (ended("rup >= 1 ;", conclusion="UNSAT : 1"), "line 4"),
        (ended("rup 1 x1 >= 1 ;"), "line 4"),  # rows that propagation alone contradicts
        (ended("f 2 ; rup >= 1 ;"), "line 2"),
        (ended("rup >= 1 ; fail ;"), "line 2"),
    ],
)
def test_an_end_that_shows_no_claim_is_refused_with_its_line(proof: bytes, why: str) -> None:
    for checked in (check, check_exactly):
        outcome, reason = checked(NONE, proof)
        assert (outcome, reason[: len(why)]) == (REFUSED, why), reason


MALFORMED = (
    "w off",
    *("pol 1 : 1 * +", "pol s", "pol 1 s n w", "pol 1 id 1 +", "rup 1 -> x1 >= 1", "pbc 1 x1 >= 1 : x"),
    *("del", "del id id 1", "del id 1 x1", "del id 1 : x1 -> 0 x2", "del range m 4", "del range 1 2 3"),
    *("red 1 y1 >= 1 : y1 -> 1 ->", "red 1 y1 >= 1 : -> y1 1", "red 1 y1 >= 1 : y1 -> 1 : y1 -> 1"),
)


@pytest.mark.parametrize(
    ("proof", "outcome"),
    [
        (ended("rup >= 1 ;").replace(b"conclusion", b"rup >= 1 ;\nconclusion"), REFUSED),  # a step behind the output
        *((ended(f"{step} ; rup >= 1 ;"), UNCHECKED) for step in MALFORMED),
        (ended("red 1 x1 >= 1 : x1 -> 1 : subproof proofgoal ; qed ; qed ; rup >= 1 ;"), UNCHECKED),
    ],
)
def test_both_checkers_read_a_malformed_statement_alike(proof: bytes, outcome: int) -> None:
    """Each was certified by one of them, or ended in a traceback."""
    assert check(NONE, proof) == check_exactly(NONE, proof)
    assert check(NONE, proof)[0] == outcome


ONE = SumProgramme(2, (row([(1, 1), (1, 2)], 1),), {1: 1, 2: 1}, 1)


@pytest.mark.parametrize(
    ("conclusion", "outcome"),
    [
        ("BOUNDS 1 1 : x1 ~x2", CERTIFIED),
        ("BOUNDS 1 : 1 INF", CERTIFIED),
        ("BOUNDS 0 1 : x1 ~x2", REFUSED),  # weaker than the claim
        ("BOUNDS 1 1 : x1 x2", REFUSED),
        ("BOUNDS 1 1", REFUSED),
        ("BOUNDS 2 2 : x1 x2", REFUSED),
        ("BOUNDS INF INF", REFUSED),
        ("UNSAT", REFUSED),
    ],
)
def test_a_held_row_shows_a_lower_bound_and_a_solution_the_upper_one(conclusion: str, outcome: int) -> None:
    proof = ended("", conclusion=conclusion)
    assert check(ONE, proof)[0] == check_exactly(ONE, proof)[0] == outcome


def test_names_and_labels_of_the_formula_are_those_of_the_proof() -> None:
    named = NONE._replace(names={"x2": 1, "i[_1][b0]": 2}, labels={"@l": 3})
    proof = ended("rup 1 x2 >= 1 ; pol @l 1 + ; pol -1 ~x1 + 2 + ;")
    assert check(named, proof)[0] == check_exactly(named, proof)[0] == REFUSED
    proof = ended("pol @l 1 + ; pol 2 -1 + ; rup 1 i[_1][b0] >= 1 ;")
    assert check(named, proof) == check_exactly(named, proof) == (CERTIFIED, "")


@pytest.mark.parametrize("first", ["4.0", "2", "", "2.0 or so"])
def test_an_unknown_version_is_not_understood(first: str) -> None:
    outcome, why = check(TWO, AFTER.format(first, "rup >= 1 ;\n").encode())
    assert (outcome, why[: len("format: line 1 of the proof")]) == (UNCHECKED, "format: line 1 of the proof")


@pytest.mark.parametrize("version", ["1.0", "2.0", "3.0"])
def test_what_is_understood_and_does_not_follow_is_refused(version: str) -> None:
    for line in ("rup 1 x1 >= 1 ;", "pol 7 ;"):
        text = f"{'f 2 ;' if version < '2' else '* nothing'}\n{line}\n"
        for checked in (check, check_exactly):
            assert checked(TWO, AFTER.format(version, text).encode())[0] == REFUSED


@pytest.mark.parametrize("seed", range(60))
def test_no_proof_over_all_rules_certifies_a_false_claim(seed: int) -> None:
    """A statement that a checker refuses is left out, so each proof runs to its end; the other checker agrees."""
    random = Random(seed)
    made = rules.made(random)
    first, second = (check, check_exactly) if seed % 2 else (check_exactly, check)
    lines = rules.Writer(made.programme, random).proof(random.randint(5, 30))
    outcome, _, left = rules.surviving(first, made.programme, lines)
    assert second(made.programme, rules.text(left))[0] == outcome
    assert made.right or outcome != CERTIFIED
