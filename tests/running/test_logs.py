"""What programs print is kept as compressed files, and numbers are read out of it into the journal."""

import csv
import gzip
import json
import os
import random
import sqlite3
import sys
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from backends.contract import registry
from backends.programs.backend import Dimacs, told_to_print
from backends.programs.telling import telling_line
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.outcome import ROW, Batch, without_solutions
from harness.running.logs import searching, travelling
from harness.running.logs.columns import LogColumns, columns_of, numbers
from harness.running.logs.keeping import KeptLogs
from harness.running.logs.searching import PatternSearch
from harness.running.logs.travelling import PackedLogs, packed
from harness.storing.journal import open_journal
from puzzles.problem.columns import pack
from tests.conftest import Harness
from tests.journals import BOARD

pytestmark = pytest.mark.usefixtures("forked")

GOOD, NONE = "p cnf 2 1\n1 2 0\n", "p cnf 1 2\n1 0\n-1 0\n"
SOLVER = """
import sys, time
text = open(sys.argv[-1]).read()
print('c reading', flush=True)
print('warning: slow', file=sys.stderr, flush=True)
if 'p cnf 3' in text: time.sleep(60)
if 'p cnf 4' in text:
    while True: pass
none = '-1 0' in text
print(f'c conflicts: {17 if none else 3}   3.40 per second')
print('c decisions             : 5              (0.00 % random)')
print('c vivified: 12.5')
print('s UNSATISFIABLE' if none else 's SATISFIABLE\\nv 1 2 0')
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working directory with two formulas in `f`, a solver, and a file of columns."""
    (tmp_path / "f" / "sub").mkdir(parents=True)
    (tmp_path / "f" / "a.cnf").write_text(GOOD)
    (tmp_path / "f" / "sub" / "u.cnf").write_text(NONE)
    (tmp_path / "solver.py").write_text(SOLVER)
    (tmp_path / "columns.toml").write_text("vivified = 'c vivified: *([0-9.]+)'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def logged(harness: Harness, *words: str, output: str = "j.sqlite") -> int:
    """Run the solver with logs; return the exit code."""
    program = f"mine={sys.executable} solver.py"
    run = ("run", "f", "-b", "dimacs:mine", "--program", program, "--keep-logs", "logs", "-o", output)
    return harness(*run, "--log-columns", "columns.toml", *words).code


def test_output_and_errors_of_each_run_are_kept_and_found(folder: Path, harness: Harness) -> None:
    assert logged(harness, "-r", "2") == 0
    with open_journal("j.sqlite") as journal:
        found = journal.logs.of(0)
    assert sorted(found) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    for (repeat, puzzle), log in found.items():
        assert log.err is not None
        text = gzip.decompress((folder / log.out).read_bytes()).decode()
        assert text.splitlines()[:2] == ["c reading", f"c conflicts: {17 if puzzle == 2 else 3}   3.40 per second"]
        assert gzip.decompress((folder / log.err).read_bytes()) == b"warning: slow\n"
        assert (".r2." in log.out) == (repeat == 1)
    assert found[0, 2].out == "logs/j/dimacs-mine-extended/00002-sub-u.cnf.out.gz"
    report = harness("report", "j.sqlite")
    assert "logs:      4 runs" in report.out


def test_numbers_become_counters_and_columns_of_every_export(folder: Path, harness: Harness) -> None:
    logged(harness)
    harness("export", "j.sqlite", "--format", "csv", "-o", "a.csv")
    with open("a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["conflicts"], r["decisions"], r["restarts"], r["log_vivified"]) for r in rows] == [
        ("3", "5", "", "12.5"),
        ("17", "5", "", "12.5"),
    ]
    harness("export", "j.sqlite", "--format", "benchexec", "-o", "b")
    (path,) = Path("b").iterdir()
    columns = {c.get("title"): c.get("value") for c in ElementTree.parse(path).getroot().findall("run")[1]}
    assert (columns["conflicts"], columns["vivified"]) == ("17", "12.5")
    entry = harness("report", "j.sqlite", "--json", "-").summary["contenders"][0]
    assert entry["statistics"]["conflicts"] == {"known": 2, "median": 10.0, "total": 20.0}
    assert entry["statistics"]["vivified"] == {"known": 2, "median": 12.5, "total": 25.0}


@pytest.mark.slow
def test_contenders_are_ranked_and_plotted_by_a_number(folder: Path, harness: Harness) -> None:
    logged(harness, "-b", "native:cdcl")
    table = harness("report", "j.sqlite", "--statistics", "conflicts,vivified").out.split("\n\n")[-2].splitlines()
    assert [line.split()[0] for line in table[2:]] == ["native:cdcl/extended", "dimacs:mine/extended"]
    assert table[3].split()[1:] == ["10.0", "12.5"]
    for plot in ("cactus", "ecdf", "scatter"):
        done = harness("report", "j.sqlite", "--plot", plot, "--of", "conflicts")
        assert (done.code, "conflicts" in done.out) == (0, True)
    done = harness("report", "j.sqlite", "--plot", "cactus", "--of", "vivified")
    assert "native:cdcl/extended is left out: no vivified" in done.err
    refused = harness("report", "j.sqlite", "--plot", "par2", "--of", "conflicts")
    assert (refused.code, "--of conflicts goes with --plot cactus, ecdf, scatter" in refused.err) == (2, True)
    unknown = harness("report", "j.sqlite", "--statistics", "learned")
    assert (unknown.code, "--statistics learned: j.sqlite has decisions, conflicts" in unknown.err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "limits"), [("p cnf 3 0\n", ("-t", "0.5")), ("p cnf 4 0\n", ("--cpu", "0.3"))])
def test_a_program_that_is_stopped_leaves_what_it_has_printed(
    folder: Path, harness: Harness, formula: str, limits: tuple[str, ...]
) -> None:
    (folder / "f" / "a.cnf").write_text(formula)
    assert logged(harness, "--only", "a.cnf", *limits) == 4
    with open_journal("j.sqlite") as journal:
        (log,) = journal.logs.of(0).values()
    assert gzip.decompress((folder / log.out).read_bytes()) == b"c reading\n"


def test_a_program_within_a_sandbox_has_logs_too(folder: Path, harness: Harness) -> None:
    code = logged(harness, "--sandbox")
    if code == 2:
        pytest.skip("this system has no sandboxes")
    with open_journal("j.sqlite") as journal:
        assert sorted(journal.logs.of(0)) == [(0, 1), (0, 2)]


def test_a_failure_names_its_log(folder: Path, harness: Harness) -> None:
    (folder / "solver.py").write_text("import sys\nprint('c ERROR: no licence')\nprint('c bye')\nsys.exit(3)\n")
    assert logged(harness) == 4
    trouble = [line for line in harness("report", "j.sqlite").out.splitlines() if line.startswith("trouble")]
    text = " ".join(harness("report", "j.sqlite").out.split())
    assert len(trouble) == 1
    assert "exited with code 3: ERROR: no licence (and 1 more outcome)" in text
    assert "log: logs/j/dimacs-mine-extended/00001-a.cnf.out.gz" in text


@pytest.mark.slow
def test_paths_of_merged_journals_are_those_of_their_new_folder(folder: Path, harness: Harness) -> None:
    (folder / "parts").mkdir()
    for k in (1, 2):
        logged(harness, "--shard", f"{k}/2", output=f"parts/{k}.sqlite")
    assert harness("merge", "parts/1.sqlite", "parts/2.sqlite", "-o", "whole.sqlite").code == 0
    with open_journal("whole.sqlite") as journal:
        assert len(journal.logs.of(0)) == 2
        assert all((folder / log.out).is_file() for log in journal.logs.of(0).values())
        assert journal.logs.statistic_names() == ["vivified"]


@pytest.mark.slow
def test_the_page_links_logs(folder: Path, harness: Harness) -> None:
    logged(harness)
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.page.columns import logs_by_position

    with open_judged("j.sqlite") as run:
        found = logs_by_position(run.results(), 0)
    stem = "logs/j/dimacs-mine-extended/00001-a.cnf"
    assert found[0] == [f"{stem}.out.gz", f"{stem}.err.gz"]
    assert harness("report", "j.sqlite", "--html", "deep/page.html").code == 2, "no such folder"
    (folder / "deep").mkdir()
    assert harness("report", "j.sqlite", "--html", "deep/page.html").code == 0


@pytest.mark.slow
def test_only_logs_in_the_folder_that_the_user_states_are_linked_and_packed(folder: Path, harness: Harness) -> None:
    logged(harness)
    elsewhere, own = folder.parent / f"{folder.name}-logs", "logs/j/dimacs-mine-extended/00001-a.cnf.out.gz"
    elsewhere.mkdir()
    (folder / "secret.gz").write_bytes(b"secret")
    (elsewhere / "00001-secret.out.gz").write_bytes(b"secret")
    (folder / "00002-link.err.gz").symlink_to(elsewhere / "00001-secret.out.gz")
    os.mkfifo(folder / "00003-pipe.out.gz")
    with closing(sqlite3.connect("j.sqlite")) as db:
        planted = [
            (own, f"../{elsewhere.name}/00001-secret.out.gz"),
            (str(elsewhere / "00001-secret.out.gz"), "00002-link.err.gz"),
            ("secret.gz", "/etc/passwd"),
            ("00003-pipe.out.gz", None),
        ]
        db.execute("delete from logs")
        insert = "insert into logs (contender, repeat, puzzle, out, err) values (0, ?, ?, ?, ?)"
        db.executemany(insert, [(i // 2, i % 2 + 1, *paths) for i, paths in enumerate(planted)])
        db.commit()
    for words, expected in (
        ([], {"logs/00/r1/00001-a.cnf.out.gz"}),
        (["--logs", str(elsewhere)], {"logs/00/r1/00001-secret.out.gz", "logs/00/r1/00002-link.err.gz"}),
    ):
        Path("p.zip").unlink(missing_ok=True)
        assert harness("export", "j.sqlite", "--to", "zip", "-o", "p.zip", *words).code == 0
        with zipfile.ZipFile("p.zip") as file:
            assert {name for name in file.namelist() if name.startswith("logs/")} == expected
            file.extract("journal.sqlite", "unpacked")
        with open_journal("unpacked/journal.sqlite") as journal:
            kept = {path for log in journal.logs.of(0).values() for path in log if path}
        assert all(path.startswith("logs/00/r") for path in kept), "no path of another file is left"
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.page.columns import logs_by_position

    with open_judged("j.sqlite") as run:
        results = run.results()
        assert logs_by_position(results, 0) == {0: [own]}
        assert logs_by_position(results, 0, str(elsewhere)) == {
            0: [f"../{elsewhere.name}/00001-secret.out.gz"],
            1: [str(elsewhere / "00001-secret.out.gz"), "00002-link.err.gz"],
        }


@pytest.mark.slow
def test_a_resumed_run_keeps_logs_if_told_so(folder: Path, harness: Harness) -> None:
    logged(harness)
    program = f"mine={sys.executable} solver.py"
    again = harness("run", "--resume", "j.sqlite", "--program", program, "--keep-logs", "logs")
    assert again.code == 0


def test_a_log_travels_whole_or_without_its_middle() -> None:
    short, noise = b"c conflicts: 12\n", random.Random(1).randbytes(3 * travelling.HALF)
    assert gzip.decompress(packed(short)) == short
    long = gzip.decompress(packed(noise))
    assert long.startswith(noise[: travelling.HALF])
    assert long.endswith(noise[-travelling.HALF :])
    assert b"\n... 524288 bytes are left out: too long for a cluster\n" in long


def test_a_lease_sends_no_more_than_its_share_of_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stems = {i: tmp_path / str(i) for i in range(3)}
    for stem in stems.values():
        stem.with_suffix(".out").write_bytes(b"c conflicts: 12\n")
    size = len(packed(b"c conflicts: 12\n")) + len(packed(b""))
    monkeypatch.setattr(travelling, "LEASE", 2 * size)
    batch = Batch(0, 0, BOARD, np.arange(1, 4), pack(BOARD, [BOARD.open] * 3), 3)
    outcomes = without_solutions(batch, np.zeros(3, ROW), {})
    logs = PackedLogs()
    assert list(logs.pack(replace(outcomes, logs=stems)).printed) == [0, 1]
    logs.begin()
    (kept,) = (
        KeptLogs(
            tmp_path / "logs",
            tmp_path / "j.sqlite",
            resolve(["native:norvig"])[0],
            LogColumns(),
            "{}.cnf".format,
            list[str]().append,
        )
        .keep(logs.pack(replace(outcomes, logs={2: stems[2]})))
        .kept.values()
    )
    assert gzip.decompress((tmp_path / kept.out).read_bytes()) == b"c conflicts: 12\n"
    assert kept.err is None


KISSAT = b"c conflicts:                               12                0.00 per second\n"
CADICAL = b"c conflicts:               12       340.10    per second\nc   chronological:  7  58.33 %  of conflicts\n"
MINISAT = b"restarts              : 7\nconflicts             : 12           (7366 /sec)\nconflict literals     : 99\n"
GLUCOSE = b"c restarts              : 7 (1 conflicts in avg)\nc conflicts             : 12           (3 /sec)\n"
CRYPTOMINISAT = b"c conflicts                : 12         (120.00  / sec)\n"
ROUNDINGSAT = b"c decisions 3\nc conflicts 12\nc restarts 1\n"
MINIZINC = b"%%%mzn-stat: nodes=20\n%%%mzn-stat: failures=12\n%%%mzn-stat-end\n"


@pytest.mark.parametrize("text", [KISSAT, CADICAL, MINISAT, GLUCOSE, CRYPTOMINISAT, ROUNDINGSAT, MINIZINC])
def test_statistics_of_known_solvers_are_read(text: bytes) -> None:
    assert numbers(LogColumns().of("dimacs:any"), (text,))["conflicts"] == 12


def test_the_last_match_counts_and_no_other_line_is_taken_for_one() -> None:
    text = b"c conflicts: 1\nc conflicts: 20 per second\nc conflicts in 99 rounds\nv conflicts: 3\n"
    assert numbers(LogColumns().of("x"), (text,)) == {"conflicts": 20}


def test_a_pattern_that_backtracks_is_left_out_with_a_note_and_the_others_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searching, "SECONDS", 0.2)
    notes: list[str] = []
    columns = columns_of({"slow": "(a*)*b([0-9]+)", "quick": "n=([0-9]+)"}, "c.toml")
    found = PatternSearch("dimacs:mine", columns.stated("dimacs:mine"), notes.append)
    assert found.numbers((b"n=7\n" + b"a" * 100_000,)) == {"quick": 7}
    assert notes == [
        "--log-columns: slow is left out from here on, for what dimacs:mine printed: more than 0.2 s of CPU time"
    ]
    assert found.numbers((b"n=8 b3\n",)) == {"quick": 8}


def test_known_patterns_and_long_numbers_take_no_time_and_no_exception() -> None:
    known = LogColumns().of("x")
    for text in (b"conflicts" + b" " * 300_000, b"c" + b" " * 300_000, b"conflicts " + b"7" * 300_000 + b"x"):
        assert numbers(known, (text,)) == {}
    assert numbers(known, (b"conflicts " + b"7" * 5000,)) == {}
    assert numbers(known, (b"conflicts " + b"0" * 5000 + b"12",)) == {"conflicts": 12}


def test_columns_of_a_contender_apply_to_it_alone_and_replace_known_ones() -> None:
    data = {"conflicts": "clashes=([0-9]+)", "dimacs:a*": {"mib": "^memory: ([0-9.e+-]+)$"}}
    columns, text = columns_of(data, "c.toml"), b"c conflicts: 5\nclashes=8\nmemory: 1.5e2\n"
    assert numbers(columns.of("dimacs:ab"), (text,)) == {"conflicts": 8, "mib": 150.0}
    assert numbers(columns.of("dimacs:b"), (text,)) == {"conflicts": 8}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = ", "Invalid value"),
        ("a = 3", "a: expected a regular expression as text"),
        ("a = 'x'", r"a: not a regular expression with a number: it has no group"),
        ("a = '('", "a: not a regular expression with a number: missing"),
        ("'a b' = '(x)'", "'a b' is no name of a column"),
    ],
)
def test_a_bad_file_of_columns_is_refused_in_one_line(folder: Path, harness: Harness, text: str, why: str) -> None:
    (folder / "columns.toml").write_text(text)
    done = harness("run", "f", "-b", "native:python", "--log-columns", "columns.toml")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert why in done.err


def test_a_file_of_columns_that_is_missing_is_named() -> None:
    from harness.running.logs.columns import read_columns

    with pytest.raises(BadUsage, match=r"none\.toml: no such file"):
        read_columns(Path("none.toml"))


@pytest.mark.parametrize(
    ("stderr", "stdout", "line"),
    [
        (b"loading\nno licence", b"", "no licence"),
        (b"Error: cannot open x\nstack:\n  at y\n", b"", "Error: cannot open x"),
        (b"Traceback (most recent call last):\n  File 'x'\nValueError: bad\n", b"", "ValueError: bad"),
        (b"", b"c parsing\nc PARSE ERROR in line 3\nc done\n", "PARSE ERROR in line 3"),
        (b"note\n", b"c fatal error\nc done\n", "fatal error"),
        (b"", b"s UNKNOWN\n", ""),
        (b"", b"", ""),
    ],
)
def test_the_telling_line_is_the_first_that_names_a_failure(stderr: bytes, stdout: bytes, line: str) -> None:
    assert telling_line(stderr, stdout) == line


def test_a_known_program_is_called_without_its_quiet_option_when_its_output_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kissat", "minisat", "clasp"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert told_to_print("dimacs:kissat") == {
        "kissat": "kissat '--time={seconds}' '--seed={seed}' --no-binary '{cnf}' '{proof}'"
    }
    assert told_to_print("dimacs:minisat") == {
        "minisat": "minisat -verb=1 '-rnd-seed={seed}' '-cpu-lim={seconds}' '{cnf}' '{out}'"
    }
    assert told_to_print("dimacs:kissat", {"kissat": "mine -q"}) == {}, "the user's command is taken as it is"
    loud = registry.find("dimacs:kissat", told_to_print("dimacs:kissat"))
    assert isinstance(loud, Dimacs)
    assert "-q" not in loud.command.words, "a stated command goes before a known one"
    assert told_to_print("opb:clasp") == told_to_print("native") == {}


@pytest.mark.slow
def test_logs_are_part_of_the_summary_of_a_run(folder: Path, harness: Harness) -> None:
    logged(harness, "--json", "s.json")
    assert json.loads(Path("s.json").read_text())["logs"] == 2
