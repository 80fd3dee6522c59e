"""Nothing right is refused, and nothing wrong certified: 43 minimal pseudo-Boolean proofs with their truth."""

import json
import re
from collections.abc import Iterator
from itertools import count, product

import pytest

from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from tests.conftest import ROOT

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
def test_nothing_right_is_refused_and_nothing_wrong_certified(made: dict[str, str]) -> None:
    problem, proof = programme(made["opb"]), made["proof"].encode()
    outcome, why = check(problem, proof)
    assert check_exactly(problem, proof) == (outcome, why)
    assert outcome != (REFUSED if made["truth"] == "right" else CERTIFIED) or "formula unsat" in made["truth"]
    assert (outcome == UNCHECKED) == why.startswith("format: line ")


@pytest.mark.parametrize("version", ["1.0", "1.2", "2.0", "3.0"])
@pytest.mark.parametrize(
    "line",
    [
        *("pol 1 2 m ;", "pol 1 +", "pol @a ;", "pol 1 2 - ;", "rup 1 y1 >= 1 ;", "rup 1 x1 <= 0 ;", "rup 1 x1"),
        *(
            "rup 1 x0 >= 1 ;",
            "rup 1 x99999999999 >= 1 ;",
            "rup 1x1 >= 1 ;",
            "red 1 x9 >= 1 : x9 -> 1 ;",
            "@a rup >= 1 ;",
        ),
        *(
            "red 1 x1 >= 1 ; x1 1 ;",
            "del spec 1 x1 >= 1 ;",
            "rup 1 x1 1 x2 >= 1 * ;",
            "del id @a ;",
            "unheard of ;",
            "rup 1 ü >= 1 ;",
            "pol 1 2 c ;",
        ),
    ],
)
def test_what_is_not_understood_is_unchecked_with_rule_and_line(version: str, line: str) -> None:
    known = "f 2 ;\n" if version < "2" else ""
    proof = AFTER.format(version, f"% a comment\n{known}{line}\n").encode()
    outcome, why = check(TWO, proof)
    at, rule = 3 + bool(known), line.split()[0]
    stated = {
        f"format: line {at} of the proof: this '{rule}' is not understood",
        f"format: line {at} of the proof: its witness is not over new variables",
    }
    assert (outcome, why in stated) == (UNCHECKED, True), why
    assert check_exactly(TWO, proof) == (outcome, why)


@pytest.mark.parametrize("text", ["rup 1 x1\n>= 1 ;", "rup 1 x1 1 x2 >= 1 ; rup 1 x1 >= 1 ;"])
def test_statements_of_version_3_that_share_a_line_or_take_two_are_not_understood(text: str) -> None:
    proof = AFTER.format("3.0", text + "\n").encode()
    expected = UNCHECKED, "format: line 2 of the proof: this 'rup' is not understood"
    assert check(TWO, proof) == check_exactly(TWO, proof) == expected


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


def test_what_follows_the_contradiction_need_not_be_understood() -> None:
    none = SumProgramme(1, (row([(2, 1)], 1), row([(-1, 1)], 0), row([(1, 2)], 1)))
    proof = AFTER.format("2.0", "rup >= 1 ;\nrup 1 x0 >= 1 ;\n").encode()
    assert check(none, proof) == check_exactly(none, proof) == (CERTIFIED, "")
