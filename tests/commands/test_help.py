"""Help on one screen, advice on mistyped words, units of quantities, and errors as objects."""

import json
from pathlib import Path

import pytest

from harness.cli import CommandParser, complete, make_parser
from harness.model.invocation import GROUPS, UNLISTED, VERBS
from tests.conftest import ROOT, Harness


def test_the_verbs_fit_a_screen(harness: Harness) -> None:
    lines = harness("--help").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    shown = [line[9:].split()[0] for line in lines[2:]]
    assert shown == [verb for verbs in GROUPS.values() for verb in verbs]
    assert {path.stem.rstrip("_") for path in (ROOT / "harness/commands").glob("*.py")} >= set(VERBS)
    assert set(VERBS) == {*shown, *UNLISTED}


@pytest.mark.parametrize("verb", ["run", "report"])
def test_the_options_that_most_people_use_fit_a_screen(verb: str, harness: Harness) -> None:
    short, whole = harness(verb, "--help"), harness(verb, "--help", "all")
    lines = short.out.splitlines()
    assert (short.code, whole.code) == (0, 0)
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    parser = CommandParser(prog=verb)
    complete(parser, verb)
    options = [action.option_strings[-1] for action in parser._actions if action.option_strings]
    assert all(option in whole.out for option in options)
    assert 10 <= sum(f"{option} " in short.out for option in options) <= 16


def test_each_verb_has_its_whole_help() -> None:
    parser = make_parser()
    (verbs,) = (action for action in parser._actions if action.choices and action.dest == "verb")
    assert verbs.choices is not None
    assert all("usage: " in verbs.choices[verb].format_help() for verb in VERBS)  # type: ignore[index]


def test_an_error_is_an_object_where_json_is_asked_for(harness: Harness, tmp_path: Path) -> None:
    done = harness("run", "nosuch", "--json", "-")
    assert (done.code, json.loads(done.out)["exit"]) == (2, 2)
    assert json.loads(done.out)["error"] in done.err
    assert harness("report", "nosuch.sqlite", f"--json={tmp_path / 'a.json'}").code == 2
    assert "no such journal" in json.loads((tmp_path / "a.json").read_text())["error"]
    assert "error" in json.loads(harness("run", "hardest", "--json", "-", "--timout", "3").out)


@pytest.mark.parametrize("verb", ["run", "check", "compare", "judge", "solve", "fuzz", "shrink", "replay"])
def test_the_whole_help_states_the_exit_codes(verb: str) -> None:
    parser = CommandParser(prog=verb)
    complete(parser, verb)
    assert "exit codes:" in parser.format_help()
