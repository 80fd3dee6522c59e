"""Instances that are not read: unsupported for every contender, by name, and no hindrance to others."""

import re
from pathlib import Path

import pytest

from tests.conftest import Harness

STRETCH = (
    '<instance format="XCSP3" type="CSP">\n<variables> <array id="x" size="[3]"> 0..2 </array> </variables>\n'
    "<constraints> <stretch> <list> x[] </list> <values> 0 1 2 </values> <widths> 1..2 1..2 1..2 </widths> </stretch>"
    " </constraints>\n</instance>\n"
)
CONTENDERS = ("-b", "cpsat", "-b", "pysat:minisat22")
GROUPS = "DIMACS files of type 'gcnf' (group CNF, with groups '{1}' of clauses)"
WHY = "unsupported: the reader does not support stretch"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "stretch.xml").write_text(STRETCH)
    return folder


def test_the_other_files_of_a_folder_run(harness: Harness, folder: Path) -> None:
    (folder / "easy.cnf").write_text("p cnf 2 1\n1 2 0\n")
    done = harness("run", folder, *CONTENDERS, "--json", "-")
    assert done.code == 0, done.err
    assert [(c["solved"], c["unsupported"]) for c in done.summary["contenders"]] == [(1, 1), (1, 1)]
    assert f"note: {folder / 'stretch.xml'}: not supported: stretch" in done.err


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.opb", "min: +1 x1 ;\nmin: +1 x2 ;\n+1 x1 +1 x2 >= 1 ;\n", "several objectives"),
        ("a.gcnf", "c groups\np gcnf 2 2 1\n{0} 1 0\n{1} 2 0\n", GROUPS),
    ],
)
def test_other_formats_are_unsupported_by_name(harness: Harness, folder: Path, name: str, text: str, why: str) -> None:
    (folder / "stretch.xml").unlink()
    (folder / name).write_text(text)
    (folder / "easy.cnf").write_text("p cnf 2 1\n1 2 0\n")
    done = harness("run", folder, *CONTENDERS, "-o", "a.sqlite")
    assert done.code == 0
    assert done.out.startswith("files: 2 instances, 1 unsupported instance, 1 CNF formula | ")
    assert re.fullmatch(f"note: {re.escape(f'{folder / name}: not supported: {why}')}(; [^\n]*)?\n", done.err)
    assert f"trouble: cpsat: {name}: unsupported: the reader does not support {why}" in done.out


def test_a_folder_of_such_files_alone_is_incomplete(harness: Harness, folder: Path) -> None:
    done = harness("run", folder, *CONTENDERS)
    assert done.code == 4
    assert f"trouble: cpsat: stretch.xml: {WHY}" in done.out
    assert f"trouble: pysat:minisat22/extended: stretch.xml: {WHY}" in done.out


def test_solve_says_why_nothing_is_known(harness: Harness, folder: Path) -> None:
    done = harness("solve", folder / "stretch.xml", "-b", "cpsat")
    assert (done.code, WHY in done.out.replace("unknown (unsupported)", "unsupported")) == (0, True)


@pytest.mark.parametrize(
    ("words", "code", "last"),
    [
        (("count", "-b", "cpsat"), 4, f"stretch.xml: cpsat: not counted: {WHY}"),
        (("show",), 0, "stretch.xml: unsupported instance, not supported: stretch"),
        (("encode",), 2, "harness: the reader does not support stretch"),
        (("encode", "--to", "xcsp3"), 2, "harness: the reader does not support stretch"),
    ],
)
def test_other_verbs_say_why_too(harness: Harness, folder: Path, words: tuple[str, ...], code: int, last: str) -> None:
    done = harness(words[0], folder / "stretch.xml", *words[1:])
    assert (done.code, (done.err + done.out).splitlines()[-1]) == (code, last)


def test_bad_xcsp3_ends_with_code_2_and_one_line_while_the_rest_runs(harness: Harness, folder: Path) -> None:
    (folder / "bad.xml").write_text(STRETCH.replace("stretch", "strech"))
    done = harness("run", folder, *CONTENDERS)
    assert done.code == 2
    malformed = "note: malformed: bad.xml:3: unknown constraint <strech>"
    assert done.err.splitlines() == [f"note: {folder / 'stretch.xml'}: not supported: stretch", malformed]
    assert f"trouble: cpsat: stretch.xml: {WHY}" in done.out


def test_a_formula_without_variables_runs(harness: Harness, folder: Path) -> None:
    (folder / "empty.cnf").write_text("p cnf 0 1\n0\n")
    done = harness("run", folder / "empty.cnf", *CONTENDERS, "--json", "-")
    assert (done.code, [c["unsatisfiable"] for c in done.summary["contenders"]]) == (0, [1, 1])
