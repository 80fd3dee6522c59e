"""Contenders, corpora and puzzles are named in the same ways by all verbs."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.model.patterns import meant
from tests.boards import EASY
from tests.conftest import Harness
from tests.programs import SUDOKU

USUAL = ("mixed", "support")  # defaults of the axes
QUICK = ("-b", "native:python")


def named(*names: str) -> list[SimpleNamespace]:
    """Return contenders with these full names."""
    fields = ("backend", "encoding", "at_most_one", "warm", "env", "linear", "table")
    values = {
        "native": ("native", "alldifferent", "pairwise", False, "", *USUAL),
        "pysat:cadical153/extended@old": ("pysat:cadical153", "extended", "pairwise", False, "old", *USUAL),
        "pysat:cadical153/minimal@old": ("pysat:cadical153", "minimal", "pairwise", False, "old", *USUAL),
        "pysat:cadical153/extended": ("pysat:cadical153", "extended", "pairwise", False, "", *USUAL),
        "pysat:glucose4/reduced+ladder": ("pysat:glucose4", "reduced", "ladder", False, "", *USUAL),
        "pysat:glucose4/order+linear=mdd+table=conflict": (
            *("pysat:glucose4", "order", "pairwise", False, "", "mdd", "conflict"),
        ),
    }
    return [SimpleNamespace(name=name, **dict(zip(fields, values[name], strict=True))) for name in names]


ALL = named(
    "native",
    "pysat:cadical153/extended@old",
    "pysat:cadical153/minimal@old",
    "pysat:cadical153/extended",
    "pysat:glucose4/reduced+ladder",
    "pysat:glucose4/order+linear=mdd+table=conflict",
)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("native", ["native"]),
        ("pysat:cadical153@old", ["pysat:cadical153/extended@old"]),
        ("pysat@old", ["pysat:cadical153/extended@old"]),
        ("pysat:cadical153/minimal@old", ["pysat:cadical153/minimal@old"]),
        ("pysat:glucose4+ladder", ["pysat:glucose4/reduced+ladder"]),
        ("pysat:glucose4", []),
        ("pysat:glucose4/order+table=conflict+linear=mdd", ["pysat:glucose4/order+linear=mdd+table=conflict"]),
        ("pysat:glucose4+linear=mdd+table=conflict", ["pysat:glucose4/order+linear=mdd+table=conflict"]),
        ("pysat:glucose4/order+linear=mdd", []),
        ("pysat:cadical153+warm", []),
    ],
)
def test_a_name_without_its_defaults_means_the_contender_of_a_journal(text: str, full: list[str]) -> None:
    assert [c.name for c in meant(text, ALL)] == full


def test_compare_takes_contenders_as_run_does(harness: Harness) -> None:
    words = ("run", "hardest", "-n", 1, "-b", "pysat:minisat22,native:python", "-o", "j.sqlite")
    assert harness(*words).code == 0
    done = harness("compare", "j.sqlite", "--contenders", "pysat:minisat22", "native:python", "--json", "-")
    assert done.summary["comparisons"][0]["before"]["contender"] == "pysat:minisat22/extended"
    done = harness("compare", "j.sqlite", "--contenders", "pysat:nosuch", "native:python")
    assert done.code == 2
    assert "no contender 'pysat:nosuch': choose from pysat:minisat22/extended, native:python" in done.err


def test_contenders_are_separated_by_commas(harness: Harness) -> None:
    done = harness("run", "hardest", "-n", 1, "-b", "native:python,native:norvig", "--json", "-")
    assert [c["name"] for c in done.summary["contenders"]] == ["native:python", "native:norvig"]
    done = harness("run", "hardest", "-b", "native:[np],,native")
    assert (done.code, len(done.err.splitlines())) == (2, 2)
    assert "empty name between its commas" in done.err


def test_a_comma_in_the_brackets_of_a_glob_separates_nothing() -> None:
    from harness.commands.arguments import names

    assert names("native:[n,p]*, cpsat") == ["native:[n,p]*", "cpsat"]


def test_a_glob_finds_the_programs_that_the_user_names(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SUDOKU)
    program = ("--program", f"mine={sys.executable} {tmp_path / 'mine.py'}")
    done = harness("run", "hardest", "-n", 1, "-b", "lines:*", *program, "--json", "-")
    assert [c["name"] for c in done.summary["contenders"]] == ["lines:mine"]
    assert done.summary["contenders"][0]["solved"] == 1
    done = harness("run", "hardest", "-n", 1, "-b", "lines:*")
    assert done.code == 2
    assert "define one with --program" in done.err


def test_a_corpus_is_one_line_of_a_file(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(f"#: sudoku 3x3\n{EASY}\n{'.' * 81}\n")
    done = harness("run", "two.txt:3", "two.txt:2", *QUICK, "--json", "-")
    assert [c["name"] for c in done.summary["corpora"]] == ["two.txt:3", "two.txt:2"]
    assert [c["puzzles"] for c in done.summary["corpora"]] == [1, 1]
    assert (
        harness("run", "two.txt:1", *QUICK).err
        == "harness: two.txt: no puzzle starts on line 1; the first is two.txt:2\n"
    )
    assert "no such file" in harness("run", "two.txt:0", *QUICK).err


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "check"])
def test_a_corpus_is_read_from_standard_input(environment: dict[str, str], tmp_path: Path, verb: str) -> None:
    words = [sys.executable, "-m", "harness", verb, "-", *QUICK, "--json", "-"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, input=f"{EASY}\n", capture_output=True, text=True)
    assert json.loads(done.stdout)["corpora"] == [{"name": "stdin", "puzzles": 1}], done.stderr


def test_a_puzzle_is_read_from_standard_input(environment: dict[str, str], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "harness", "show", "-"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, input=f"{EASY}\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout.count("|")) == (0, 18), done.stderr


@pytest.mark.slow
def test_a_run_on_standard_input_is_resumed_without_it(environment: dict[str, str], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "harness", "run", "-", *QUICK, "-o", "j.sqlite"]
    subprocess.run(words, cwd=tmp_path, env=environment, input=f"{EASY}\n", capture_output=True, text=True, check=True)
    words = [sys.executable, "-m", "harness", "run", "--resume", "j.sqlite"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0, done.stderr
