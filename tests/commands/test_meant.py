"""Suggestions for mistyped words, and forms that people write: verbs, options, choices, times, sizes, folders."""

import argparse
from pathlib import Path

import pytest

from harness.commands.arguments import mebibytes, positive_seconds
from tests.conftest import Harness

CNF = "p cnf 2 1\n1 2 0\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rnu", "hardest"), "no choice 'rnu': did you mean run?"),
        (("slove", "hardest"), "no choice 'slove': did you mean solve?"),
        (("xyzzy",), "no choice 'xyzzy': choose from solve, count,"),
        (("run", "hardest", "--timout", "5"), "unrecognized arguments: --timout 5: did you mean --timeout"),
        (("run", "hardest", "--timout=5"), "unrecognized arguments: --timout=5: did you mean --timeout"),
        (("run", "hardest", "--xyzzy"), "unrecognized arguments: --xyzzy\n"),
        (("count", "f.cnf", "--count", "2"), "unrecognized arguments: --count 2: --limit N stops at N solutions"),
        (("encode", "f.cnf", "--to", "opd"), "no choice 'opd': did you mean opb?"),
        (("export", "j.sqlite", "--to", "cvs"), "no choice 'cvs': did you mean csv?"),
    ],
)
def test_a_mistyped_word_is_asked_back(harness: Harness, words: tuple[str, ...], said: str) -> None:
    done = harness(*words)
    assert (done.code, said in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5", 5),
        ("1e1", 10),
        (".5", 0.5),
        ("2.", 2),
        ("5m", 300),
        ("5 min", 300),
        ("500ms", 0.5),
        ("2H", 7200),
        ("3s", 3),
    ],
)
def test_a_time_has_a_unit_or_is_of_seconds(text: str, seconds: float) -> None:
    assert positive_seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("512", 512), ("3G", 3072), ("3GiB", 3072), ("1gb", 954), ("64M", 64), ("100k", 1), ("1T", 1 << 20)],
)
def test_a_size_has_a_unit_or_is_of_mebibytes(text: str, size: int) -> None:
    assert mebibytes(text) == size


@pytest.mark.parametrize("text", ["", "m", "5x", "-1m", "0s", "nan", "inf", "1e999", "5 m m", "0x5"])
def test_what_is_no_time_and_no_size_is_refused(text: str) -> None:
    for parse in (positive_seconds, mebibytes):
        with pytest.raises(argparse.ArgumentTypeError, match="such as"):
            parse("5g" if parse is positive_seconds and text == "m" else text)


def test_encode_makes_the_folder_of_its_file_and_names_what_is_in_its_way(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "f.cnf").write_text(CNF)
    assert harness("encode", "f.cnf", "-o", "new/folder/x.cnf").code == 0
    assert (tmp_path / "new" / "folder" / "x.cnf").read_text().endswith(CNF)
    done = harness("encode", "f.cnf", "-o", "f.cnf/x.cnf")
    assert (done.code, done.err) == (2, "harness: f.cnf: can't be written: File exists\n")


def test_show_says_that_solve_takes_no_tags(harness: Harness) -> None:
    done = harness("show", "1a343412" + "." * 8)
    assert done.code == 0
    assert "solve, count and run take the board with a dot for each letter" in done.out
