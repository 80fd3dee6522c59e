"""Programs that read XCSP3: answers in all their forms, and one clear reason for anything else that they print."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Backend, Listener, Reason, Status, Unsupported
from backends.contract.cases import CASES
from backends.programs.known_programs import KNOWN
from backends.programs.process import ProgramFailed
from backends.programs.xcsp3 import XcspNotation
from encoders.direct import alldifferent, constraints, text
from encoders.formula import Formula
from puzzles.constraints.all_different import AllDifferent
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Integers, Solution

NAMES = ("x[0][0]", "x[0][1]", "x[1][0]", "x[1][1]", "y", "7")
GRID = constraints(Problem("grid", NAMES, Integers((-1, 0, 2, 7)), (AllDifferent(((0, 1, 2),)),)))
DOMAINS = (*[0b0111] * 5, 0b1000)
THREE = constraints(Problem("three", tuple("abc"), Integers(range(3)), (AllDifferent(((0, 1, 2),)),)))


def parsed(listed: str, values: str, original: bool = True) -> list[int]:
    """Return the model in which these values stand for these variables, in several 'v' lines."""
    lines = ["c v x", "s SATISFIABLE", "v <instantiation type='solution'>", f"v <list> {listed} </list>"]
    words = values.split()
    lines += [f"v <values> {' '.join(words[:2])}", f"v {' '.join(words[2:])} </values>", "v </instantiation>"]
    status, model = XcspNotation(GRID).parse("\n".join(lines).encode(), DOMAINS, original)
    assert status == 10
    return model


ANSWERS = {
    "plain": ("x[0][0] x[0][1] x[1][0] x[1][1] y", "-1 0 2 0 -1", [0, 1, 2, 1, 0]),
    "an array": ("x[][] y", "-1 0 2 0 -1", [0, 1, 2, 1, 0]),
    "parts of an array": ("y x[1][] x[0][0..1]", "-1 0 2 0 -1", [1, 0, 1, 2, 0]),
    "repeated values": ("x[][] y", "-1 0x3 2", [0, 1, 1, 1, 2]),
    "any value": ("x[][] y", "-1 *x3 *", [0, 0, 0, 0, 0]),
    "numbers that the problem lacks": ("x[][] y", "-1 5 0 9 2", [0, 4, 1, 4, 2]),
}


@pytest.mark.parametrize(("listed", "values", "wanted"), ANSWERS.values(), ids=ANSWERS)
def test_answer_to_the_original_file(listed: str, values: str, wanted: list[int]) -> None:
    assert parsed(listed, values) == [*wanted, 3], "the constant 7 is not in the file"


def test_answer_to_a_written_file() -> None:
    assert parsed("v1 v2 v3 v4 v5 v6 a1", "-1 0 2 0 -1 7 5", original=False) == [0, 1, 2, 1, 0, 3]


def test_colours_and_lines_of_any_indentation_are_read() -> None:
    output = (
        b"\x1b[92ms SATISFIABLE\x1b[0m\n\x1b[92m\nv\x1b[0m  <instantiation id='sol1'> <list> x[][] y </list> "
        b"<values> 0x4 2 </values> </instantiation>\n\x1b[92md FOUND SOLUTIONS\x1b[0m 1\n"
    )
    assert XcspNotation(GRID).parse(output, DOMAINS, True) == (10, [1, 1, 1, 1, 2, 3])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file of the program `mine`."""
    return tmp_path / "mine.py"


def backend(path: Path) -> Backend:
    """Return the backend of the program in a file."""
    return registry.find("xcsp3:mine", {"mine": f"'{sys.executable}' '{path}'"})


def ask(path: Path, source: str, formula: Formula = THREE, domains: Domains = (7, 7, 7), seconds: float = 10) -> Answer:
    path.write_text(source)
    session = backend(path).open(formula)
    try:
        return session.ask(Ask(domains, seconds=seconds))
    finally:
        session.close()


def said(listed: str, values: str) -> str:
    return f"s SATISFIABLE\\nv <list> {listed} </list> <values> {values} </values>"


HOSTILE = {
    "no model": ("s SATISFIABLE", "no <list> in 'v' lines"),
    "no values": ("s SATISFIABLE\\nv <list> v1 v2 v3 </list> <values> 1 2", "no <values> in 'v' lines"),
    "an unknown variable": (said("v1 v2 v9", "1 2 0"), "names 'v9', which is no variable"),
    "a variable twice": (said("v1 v2 v2", "1 2 0"), "names v2 twice"),
    "a variable without a value": (said("v1 v2", "1 2"), "no value for v3"),
    "too few values": (said("v1 v2 v3", "1 2"), "2 values for a list of 3 variables"),
    "too many values": (said("v1 v2 v3", "1 2 0 1"), "more values than a list of 3 variables takes"),
    "a value without end": (said("v1 v2 v3", "1x999999999 2"), "more values than a list of 3 variables takes"),
    "no integers": (said("v1 v2 v3", "1 two 3.5"), "'two', which is no integer"),
    "a number without end": (said("v1 v2 v3", "9" * 5000 + " 1 2"), "which is no integer"),
    "two results": (said("v1 v2 v3", "1 2 0") + "\\ns UNSATISFIABLE", "two different results"),
}


@pytest.mark.parametrize(("output", "why"), HOSTILE.values(), ids=HOSTILE)
def test_output_that_breaks_the_protocol_is_an_error_with_its_reason(mine: Path, output: str, why: str) -> None:
    with pytest.raises(ProgramFailed, match=why) as error:
        ask(mine, f"print('{output}')")
    assert len(str(error.value)) < 200


def test_wrong_values_are_passed_on_to_the_judge(mine: Path) -> None:
    assert ask(mine, f"print('{said('v1 v2 v3', '1 1 99')}')").solutions == ((1, 1, 3),)


@pytest.mark.parametrize("word", ["", "s UNKNOWN", "s TIRED", "v <list> v1 </list>"])
def test_no_answer_is_unknown(mine: Path, word: str) -> None:
    answer = ask(mine, f"print('{word}')")
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)


@pytest.mark.parametrize("end", ["", "; sys.exit('no rows')"])
def test_a_program_that_states_unsupported_is_unsupported(mine: Path, end: str) -> None:
    with pytest.raises(Unsupported, match=f"states 's UNSUPPORTED'{': no rows' if end else ''}$"):
        ask(mine, f"import sys; print('s UNSUPPORTED'){end}")


def test_endless_output_is_an_error_and_an_endless_search_a_timeout(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 1 << 20)
    with pytest.raises(ProgramFailed, match="printed more than 1 MiB"):
        ask(mine, "while True: print('v <list> ' * 1000)")
    answer = ask(mine, "import time; time.sleep(60)", seconds=0.2)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_a_reply_of_many_lists_takes_linear_time() -> None:
    listed = " ".join(f"x[{i}]" for i in range(100_000))
    output = f"s SATISFIABLE\nv <list> {listed} </list> <values> 0x100000 </values>".encode()
    form = constraints(Problem("p", listed.split(), Integers(range(2)), ()))
    assert XcspNotation(form).parse(output, (3,) * 100_000, True) == (10, [0] * 100_000)


def test_text_is_no_formula_for_a_file(mine: Path) -> None:
    mine.write_text("")
    with pytest.raises(Unsupported, match="not Text"):
        backend(mine).open(text(CASES[0].problem))


GOAL = LinearObjective.of({0: 3, 1: -1}, 10, maximise=True)  # -3 a + b - 10 is minimised
BEST = Problem("best", tuple("abc"), Integers(range(3)), (AllDifferent(((0, 1, 2),)),), objective=GOAL)
PRINTED = """
print('\\x1b[92mo 13   0.03  ham=0\\x1b[0m'); print('o 16 0.5'); print('s OPTIMUM FOUND'); print()
print("v <instantiation type='solution' cost='16'>"); print('v <list> {} </list>')
print('v <values> 2 0 1 </values>'); print('v </instantiation>')
"""


@pytest.mark.parametrize("original", [False, True])
def test_values_are_those_of_the_source_which_maximises(mine: Path, tmp_path: Path, original: bool) -> None:
    mine.write_text(PRINTED.format("a b c" if original else "v1 v2 v3"))
    heard = list[int]()

    class Heard(Listener):
        def improved(self, value: int, solution: Solution | None) -> None:
            heard.append(value)

    session = backend(mine).open(constraints(BEST))
    answer = session.ask(Ask(BEST.open, listener=Heard(), source=tmp_path / "own.xml" if original else None))
    session.close()
    assert (answer.solutions, answer.value, answer.complete) == (((2, 0, 1),), -16, True)
    assert heard[-1] == -16
    assert heard in ([-13, -16], [-16])


def test_the_value_beside_a_solution_is_its_own(mine: Path) -> None:
    answer = ask(mine, PRINTED.format("v1 v2 v3").replace("cost='16'", "cost='15'"), constraints(BEST))
    assert answer.value == -15, "which the judge refutes"
    answer = ask(mine, PRINTED.format("v1 v2 v3").replace(" cost='16'", ""), constraints(BEST))
    assert answer.value == -16


def test_coefficients_that_solvers_do_not_read_are_refused_by_name(mine: Path) -> None:
    mine.write_text("")
    for goal in (LinearObjective.of({0: 1 << 31}), LinearObjective.of({0: 1}, -(1 << 70))):
        with pytest.raises(Unsupported, match="xcsp3:mine takes no objectives with coefficients above 2,147,483,646"):
            backend(mine).open(constraints(replace(BEST, objective=goal)))


@pytest.mark.programs
@pytest.mark.skipif(KNOWN["cosoco"].words() is None, reason="cosoco is not installed")
def test_cosoco_finds_all_solutions_of_boards() -> None:
    for case in CASES:
        if len(case.domains) <= 16 and case.total <= 2:
            session = registry.find("xcsp3:cosoco").open(alldifferent(case.problem))
            answer = session.ask(Ask(case.domains, 3))
            session.close()
            assert (len(answer.solutions), answer.complete) == (case.total, True), case.name
            assert not any(violations(case.problem, case.domains, s) for s in answer.solutions)


def test_a_written_file_names_variables_that_are_in_no_constraint() -> None:
    text = XcspNotation(GRID).text(DOMAINS, [])
    assert all(b"<intension> ge(v%d," % k in text for k in (4, 5)), "ACE prints values of named variables alone"
    assert text.count(b"v1 v2 v3") == 1
