"""Bad input is refused in one line that names the file and the line; nothing is left behind."""

from pathlib import Path

import pytest

from tests.conftest import Harness
from tests.importing.files import result_file, run

BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
EXTERNAL = '<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n'
GOOD = run("x", "true", walltime="1s")


def refused(harness: Harness, form: str, path: Path, *more: object) -> str:
    """Import a file and return the only line of the error."""
    done = harness("import", "--format", form, path, "-o", "j.sqlite", *map(str, more))
    assert (done.code, done.err.count("\n")) == (2, 1), done.err
    assert str(path) in done.err
    assert not list(Path().glob("j.sqlite*"))
    return done.err


@pytest.mark.parametrize(
    ("runs", "prolog", "line", "why"),
    [
        ([GOOD], BOMB, 2, "declares the entity 'a', which is not allowed"),
        ([GOOD], EXTERNAL, 2, "declares the entity 'f', which is not allowed"),
        ([run("x", "true", walltime="-1s")], "", 3, "'-1s' is not a time from 0 in seconds"),
        ([GOOD, run("y", "true", walltime="nan")], "", 4, "'nan' is not a time from 0 in seconds"),
        ([run("x", "true", walltime="1e999s")], "", 3, "'1e999s' is longer than 1000000000 s"),
        ([run("x", "true", walltime="1s", memory="-5B")], "", 3, "'-5' is not a whole number"),
        ([run("x", "true")], "", 3, "'solver' has an answer to 'x', but no time"),
        ([GOOD, GOOD], "", 4, "the run 'x' is there twice"),
        ([run("", "true", walltime="1s")], "", 3, "the run has no name"),
        ([GOOD, run("y", "maybe", walltime="1s")], "", 4, "status is 'maybe', which is not known, and category is ''"),
        ([run("x", "proved", category="correct", walltime="1s")], "", 3, "status is 'proved'"),
        (
            [run("x", "maybe", category="certain")],
            "",
            3,
            "status is 'maybe', which is not known, and category is 'cert",
        ),
        ([run("x", "true", "maybe", walltime="1s")], "", 3, "expectedVerdict is 'maybe', not true or false"),
    ],
    ids=lambda value: str(value)[:12] if isinstance(value, str) else "",
)
def test_bad_result_files(tmp_path: Path, harness: Harness, runs: list[str], prolog: str, line: int, why: str) -> None:
    path = result_file(tmp_path / "a.xml", runs, prolog=prolog)
    assert f"a.xml:{line}: {why}" in refused(harness, "benchexec", path)


@pytest.mark.parametrize("content", [b"", b"junk", b"\x00\xff\xfe", b"<table/>", b"BZh9junk", b"\x1f\x8b\x08junk"])
def test_junk_is_no_result_file(tmp_path: Path, harness: Harness, content: bytes) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(content)
    refused(harness, "benchexec", path)


def test_a_truncated_result_file_is_refused_wherever_it_ends(tmp_path: Path, harness: Harness) -> None:
    text = result_file(tmp_path / "a.xml", [GOOD] * 1).read_text().rstrip()
    for end in range(0, len(text) - 1, 157):
        (tmp_path / "a.xml").write_text(text[:end])
        assert "not XML" in refused(harness, "benchexec", tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("form", "text", "why"),
    [
        ("csv", "", ":1: no row of column names"),
        ("csv", "a,b\n1,2\n", ":1: no column instance or puzzle"),
        ("csv", "instance,contender,status,seconds\nx,a,sat\n", ":2: 3 cells, but there are 4 columns"),
        ("csv", "instance,contender,status,seconds\nx,a,maybe,1\n", ":2: status is 'maybe'"),
        ("csv", "instance,contender,status,seconds\nx,a,sat,1\nx,b,satt,1\n", ":3: status is 'satt', not sat, unsat"),
        ("csv", "instance,contender,status,reason,seconds\nx,a,unknown,bored,1\n", ":2: reason is 'bored'"),
        ("csv", "instance,contender,status,seconds\nx,a,sat,\u0663\n", ":2: '\u0663' is not a time"),
        ("csv", "instance,contender,status,seconds\nx,a,sat,1_0\n", ":2: '1_0' is not a time"),
        ("satcomp", "hash,a,vresult\nx,1,Satisfied\n", ":2: vresult is 'Satisfied', not sat, satisfiable, unsat"),
        ("csv", "instance,contender,status,seconds\nx,a,sat,-1\n", ":2: '-1' is not a time"),
        ("csv", "instance,contender,status,seconds\n,a,sat,1\n", ":2: the instance has no name"),
        ("csv", "instance,instance\n", ":1: two columns are named 'instance'"),
        ("csv", 'instance,contender,status,seconds\n"x,a,sat,1\n', ":2: unexpected end of data"),
        ("csv", "instance,contender,status,seconds\n", "no results"),
        ("satcomp", "name,a,vresult\n", ":1: no column hash, instance, benchmark, cnf, Name: the first one is 'name'"),
        ("satcomp", "hash,a\n", ":1: no column vresult, verified-result"),
        ("satcomp", "hash,vresult\n", ":1: no column of a solver"),
        ("satcomp", "hash,a,vresult\nx,1,sat\nx,2,sat\n", ":3: the instance 'x' is there twice"),
        ("satcomp", "hash,a,vresult\nx,11,sat\n", ": most times are beyond the limit of 10 s (-t)"),
        ("satcomp", "hash,a,vresult\nx,soon,sat\n", ":2: a: 'soon' is not a time"),
        ("satcomp", "hash,a,vresult\nx,1,true\n", ":2: vresult is 'true'"),
    ],
)
def test_bad_tables(tmp_path: Path, harness: Harness, form: str, text: str, why: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert why in refused(harness, form, path, "-t", 10)


def test_a_table_that_is_not_utf8_is_refused(tmp_path: Path, harness: Harness) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"instance,contender,status,seconds\n\xff,a,sat,1\n")
    assert "not UTF-8 text" in refused(harness, "csv", path)


def test_files_that_contradict_each_other_are_refused(tmp_path: Path, harness: Harness) -> None:
    result_file(tmp_path / "a.xml", [run("x", "true", "true", walltime="1s")])
    path = result_file(tmp_path / "b.xml", [run("x", "true", "false", walltime="1s")])
    done = harness("import", "--format", "benchexec", tmp_path / "a.xml", path, "-o", "j.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "b.xml: 'x' is satisfiable and unsatisfiable by its files" in done.err


def test_numbers_at_the_limits_give_a_journal_that_opens(tmp_path: Path, harness: Harness) -> None:
    path = result_file(tmp_path / "a.xml", [run("x", "true", walltime="1000000000s", memory=f"{(1 << 62) - 1}B")])
    text = path.read_text().replace("2026-01-01T", "9999-01-01T").replace('cores="4"', f'cores="{"9" * 18}"')
    path.write_text(text.replace("1000000B", f"{(1 << 62) - 1}B"))
    assert harness("import", "--format", "benchexec", path, "-o", "j.sqlite").code == 0
    assert harness("report", "j.sqlite").code == 0
    assert harness("export", "j.sqlite", "--format", "benchexec", "-o", "out").code == 0
    result_file(path, [run("x", "true", walltime="1s", memory=f"{1 << 62}B")])
    done = harness("import", "--format", "benchexec", path, "-o", "k.sqlite")
    assert f"a.xml:3: '{1 << 62}' is not a whole number from 0 to {(1 << 62) - 1}" in done.err


def test_a_result_a_thousand_times_is_no_reason_for_arrays_of_that_size(tmp_path: Path, harness: Harness) -> None:
    path = tmp_path / "t.csv"
    rows = [f"x,a,{i},sat,1\n" for i in range(1001)]
    path.write_text("instance,contender,repeat,status,seconds\n" + "".join(rows))
    assert "more than 1000 results of 'a' on one instance" in refused(harness, "csv", path, "-t", 10)
    path.write_text("instance,contender,status,seconds\nx,a,sat,1\n")
    assert (
        "'10000000000.0' is more than" in harness("import", "--format", "csv", path, "-t", 1e10, "-o", "j.sqlite").err
    )
