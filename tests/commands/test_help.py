"""Help on one screen, advice on mistyped words, units of quantities, and errors as objects."""

import json
from pathlib import Path

import pytest

from harness.cli import GROUPS, UNLISTED, VERBS, CommandParser, complete, make_parser
from harness.commands.arguments import mebibytes, positive_seconds
from tests.conftest import ROOT, Harness


def test_the_verbs_fit_a_screen(harness: Harness) -> None:
    lines = harness("--help").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    shown = [line[9:].split()[0] for line in lines[3:]]
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["slove", "x"], "no verb 'slove': did you mean solve?"),
        (["report", "j", "--formt", "csv"], "unrecognized arguments: --formt csv; did you mean --format?"),
        (["count", "hardest", "--count", "2"], "--limit N stops at N"),
        (["encode", "x", "--qqqq"], "unrecognized arguments: --qqqq\n"),
        ([], "state what to do"),
    ],
)
def test_a_mistyped_word_is_told_with_the_one_that_may_be_meant(words: list[str], said: str, harness: Harness) -> None:
    done = harness(*words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_quantities_have_units() -> None:
    assert [positive_seconds(text) for text in ("3", "500ms", "5m", "1.5h", "1e3", "2 s")] == [
        3,
        0.5,
        300,
        5400,
        1000,
        2,
    ]
    assert [mebibytes(text) for text in ("0", "512", "512M", "3G", "3GiB", "1T")] == [0, 512, 512, 3072, 3072, 1 << 20]
    for parse, text in ((positive_seconds, "5q"), (positive_seconds, "m"), (positive_seconds, "0s"), (mebibytes, "3Q")):
        with pytest.raises(Exception, match="is not a"):
            parse(text)


def test_an_error_is_an_object_where_json_is_asked_for(harness: Harness, tmp_path: Path) -> None:
    done = harness("run", "nosuch", "--json", "-")
    assert (done.code, json.loads(done.out)["exit"]) == (2, 2)
    assert json.loads(done.out)["error"] in done.err
    assert harness("report", "nosuch.sqlite", f"--json={tmp_path / 'a.json'}").code == 2
    assert "no such journal" in json.loads((tmp_path / "a.json").read_text())["error"]
    assert "error" in json.loads(harness("run", "hardest", "--json", "-", "--timout", "3").out)
