"""Options of backends: what is taken, what is refused, and that solvers get them."""

import json
import re
import sys
from pathlib import Path

import pytest

from backends.contract import catalogue, conformance, registry
from backends.contract.answer import Ask
from backends.contract.options import (
    LARGEST_INT,
    BadOption,
    Option,
    configured_name,
    matching_options,
    option_data,
    parse_option,
    parse_options,
    shown,
    split_options,
)
from backends.cpsat.parameters import OPTIONS as CPSAT
from backends.pysat.parameters import OPTIONS as PYSAT
from encoders.direct import alldifferent
from encoders.registry import spec
from puzzles.boards.families import layout
from tests.effort import slow_after

KNOWN = (
    Option("on", "bool"),
    Option("level", "int", (0, 1, 2)),
    Option("seed", "int", least=0, most=9),
    Option("share", "float", least=0, most=1),
    Option("mode", "text", ("slow", "fast")),
)
PROGRAM = (Option("-", "argument"),)
LATIN = layout("latin 3")


@pytest.mark.parametrize(
    ("name", "plain", "words"),
    [
        ("b:v[a=1, b=x]", "b:v", ("a=1", "b=x")),
        ("b[*]", "b", ("*",)),
        ("b[--sat]", "b", ("--sat",)),
        ("b[34]", "b[34]", ()),  # a class of characters
        ("b:[xy]*[a=1]", "b:[xy]*", ("a=1",)),
        ("b", "b", ()),
    ],
)
def test_a_bracket_holds_options_if_it_states_one_else_it_is_part_of_a_glob(
    name: str, plain: str, words: tuple[str, ...]
) -> None:
    assert split_options(name) == (plain, words)


def test_values_have_the_type_of_their_option_and_names_are_in_order() -> None:
    words = ("share=.50", "seed=03", "on=TRUE", "mode=fast", "level=2")
    assert parse_options("b", KNOWN, words) == {"level": 2, "mode": "fast", "on": True, "seed": 3, "share": 0.5}
    assert configured_name("b", KNOWN, words) == "b[level=2,mode=fast,on=true,seed=3,share=0.5]"
    assert split_options(configured_name("b", KNOWN, words))[1] == (
        "level=2",
        "mode=fast",
        "on=true",
        "seed=3",
        "share=0.5",
    )


def test_arguments_of_programs_keep_their_order_and_form() -> None:
    assert configured_name("p", PROGRAM, ("-z", "--a=1=2", "-b=")) == "p[-z,--a=1=2,-b=]"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("nosuch=1", "b has no option 'nosuch': known are on, level, seed, share, mode"),
        ("on=1", "option 'on' can't be '1': expected false or true"),
        ("level=3", "option 'level' can't be '3': expected 0 or 1 or 2"),
        ("level", "option 'level' has no value"),
        ("seed=10", "option 'seed' can't be '10': expected a whole number from 0 up to 9"),
        ("seed=1.5", "option 'seed' can't be '1.5'"),
        ("share=nan", "option 'share' can't be 'nan': expected a number from 0 up to 1"),
        ("share=x", "option 'share' can't be 'x'"),
        ("mode=medium", "option 'mode' can't be 'medium': expected slow or fast"),
    ],
)
def test_an_unknown_option_and_a_wrong_value_are_refused_by_name(word: str, why: str) -> None:
    with pytest.raises(BadOption, match=re.escape(why)):
        parse_options("b", KNOWN, [word])


def test_of_many_options_those_are_named_that_are_spelled_alike() -> None:
    many = [Option(f"level-{n}", "bool") for n in range(30)] + [Option("restarts", "bool")]
    with pytest.raises(BadOption) as refused:
        parse_options("b", many, ["restart=1"])
    assert "known are restarts, " in str(refused.value)
    assert str(refused.value).endswith(" and 21 more: see `list --options b`")


def test_bounds_are_written_with_all_digits() -> None:
    assert Option("seed", "int", least=0, most=LARGEST_INT).expected() == "a whole number from 0 up to 2,147,483,647"
    assert Option("share", "float", least=0.001, most=1e300).expected() == "a number from 0.001 up to 1e+300"


def test_an_option_is_stated_once() -> None:
    with pytest.raises(BadOption, match="'seed' is stated twice"):
        parse_options("b", KNOWN, ["seed=1", "seed=2"])


def test_a_glob_matches_the_values_that_are_listed() -> None:
    assert matching_options("b", KNOWN, ("level=*",)) == [("level=0",), ("level=1",), ("level=2",)]
    assert matching_options("b", KNOWN, ("mode=f*", "on=*")) == [("mode=fast", "on=false"), ("mode=fast", "on=true")]
    assert len(matching_options("b", KNOWN, ("*",))) == 2 + 3 + 2
    assert matching_options("p", PROGRAM, ("--x=*",)) == [("--x=*",)]
    with pytest.raises(BadOption, match=r"match 'seed=\*'"):
        matching_options("b", KNOWN, ("seed=*",))


@pytest.mark.parametrize("option", [*KNOWN, *PROGRAM], ids=lambda option: option.name)
def test_an_option_is_the_same_from_plain_data(option: Option) -> None:
    assert parse_option(json.loads(json.dumps(option_data(option)))) == option


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "not stated in fields"),
        ({"name": "a b", "type": "int", "values": []}, "'a b' is no name"),
        ({"name": "a", "type": "long", "values": []}, "type or values of a"),
        ({"name": "a", "type": "int", "values": [[]]}, "type or values of a"),
        ({"name": "a", "type": "int", "values": [], "least": "0"}, "the bounds of a"),
    ],
)
def test_an_option_of_bad_form_is_refused(data: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_option(data)


def test_cp_sat_takes_each_parameter_with_each_value_that_is_listed() -> None:
    from ortools.sat.python import cp_model

    for option in CPSAT:
        bounds = [int(b) if option.type == "int" else b for b in (option.least, option.most) if b is not None]
        for value in option.listed() or bounds:
            parameters = cp_model.CpSolver().parameters
            assert parameters.merge_text_format(f"{option.name}: {shown(value)}"), option.name
            held = getattr(parameters, option.name)
            assert getattr(held, "name", held) == value, option.name


def test_ergo_takes_each_parameter() -> None:
    from pysat.solvers import Solver

    for option in PYSAT["ergo"]:
        for value in option.listed() or (option.least,):
            with Solver("ergo") as solver:
                solver.configure({option.name: int(value) if option.type == "int" else value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    ["pysat:cadical195[restart=0,seed=5]", "pysat:glucose42[rnd-freq=0.9,rnd-seed=7]", "pysat:ergo[restart-first=2]"],
)
def test_a_parameter_changes_the_search_of_a_solver(name: str) -> None:
    """Both parameters of Glucose are set, though its `configure` sets the first of several alone."""
    formula, empty = spec("minimal").formula(layout("latin 12")), (0xFFF,) * 144
    names = [split_options(name)[0], name]
    counters = [registry.find(n).open(formula).ask(Ask(empty)).counters for n in names]
    assert counters[0] != counters[1]


@pytest.mark.parametrize(
    "name", slow_after(1, ["cpsat[cp_model_presolve=false]", "pysat:cadical195[elim=0]", "pysat:ergo[emulate=g3]"])
)
def test_a_configured_backend_conforms(name: str) -> None:
    assert conformance.check(registry.find(name)) == []


def test_cp_sat_with_several_workers_does_not_count() -> None:
    """Its enumeration with four workers ends as if complete before it has all solutions: docs/decisions/0035."""
    assert "count" not in catalogue.describe("cpsat[num_workers=4]").can
    assert "count" in catalogue.describe("cpsat[num_workers=1,linearization_level=2]").can
    answer = registry.find("cpsat[num_workers=2]").open(alldifferent(LATIN)).ask(Ask(LATIN.open))
    assert len(answer.solutions) == 1


def test_arguments_follow_the_command_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"import sys; open({str(tmp_path / 'seen')!r}, 'w').write(' '.join(sys.argv[1:-1]))\n")
    programs = {"mine": f"{sys.executable} {path} -q"}
    session = registry.find("dimacs:mine[--sat,--seed=3]", programs).open(spec("minimal").formula(LATIN))
    session.ask(Ask(LATIN.open))
    session.close()
    assert (tmp_path / "seen").read_text() == "-q --sat --seed=3"
