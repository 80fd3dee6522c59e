"""`run` from corpus line to exit code; long, since it has a test for each way in which a run can end."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.attacks.planting import wait_for
from tests.boards import EQUAL_GIVENS, NORVIG
from tests.conftest import ROOT, Harness, left_running

UNIQUE = NORVIG[0]
OTHERS = (NORVIG[2], "7..1523........92....3.....1....47.8.......6............9...5.6.4.9.7...8....6.1.")
TWO_KINDS = ("-b", "native:python", "-b", "pysat:minisat22")  # of backends, both start quickly


def corpus(folder: Path, *lines: str, head: str = "#: sudoku 3x3") -> Path:
    path = folder / "corpus.txt"
    path.write_text("\n".join([head, *lines, ""]))
    return path


def test_three_contenders_agree_on_hardest(harness_process: Harness) -> None:
    done = harness_process("run", "hardest.txt", "--json", "-")
    assert done.code == 0, done.err
    assert [c["name"] for c in done.summary["contenders"]] == ["native", "pysat:cadical195/extended", "cpsat"]
    assert [c["solved"] for c in done.summary["contenders"]] == [11, 11, 11]
    agreement = done.summary["agreement"]
    assert (agreement["agreed"], agreement["verified"], agreement["disagreements"]) == (11, 33, [])


def test_the_table_shows_ranking_agreement_and_journal(harness: Harness) -> None:
    done = harness("run", "hardest", *TWO_KINDS, "-n", 3, "-m", 2000)
    lines = done.out.splitlines()
    kept = r"with child processes( \(sampled\))?|of the solver alone \(cgroup\)"  # as the system allows
    limits = rf"limit 10 s and 2,000 MiB ({kept})" if sys.platform == "linux" else "limit 10 s"
    head = rf"hardest\.txt: 3 puzzles, sudoku 3x3 \| 2 contenders, cold, {limits} \| seed 1 \|"
    assert re.match(head, lines[0]), lines[0]
    assert lines[2].split()[:3] == ["contender", "solved", "timeout"], "all are satisfiable"
    assert any(line.startswith("agreement: 3 of 3 puzzles | 6 of 6 solutions verified") for line in lines)
    assert any(line.startswith("journal:   results/") for line in lines)
    assert done.err == ""


@pytest.mark.parametrize(("form", "solved"), [("markdown", "2/2"), ("csv", ",2,native:python,2,")])
def test_other_formats_hold_the_same_rows(harness: Harness, form: str, solved: str) -> None:
    done = harness("run", "hardest", "-b", "native:python", "-n", 2, "--format", form)
    assert done.code == 0
    assert any("native:python" in line and solved in line for line in done.out.splitlines())


def test_count_two_distinguishes_unique_several_and_none(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, UNIQUE, EQUAL_GIVENS, "." * 81)
    done = harness("run", path, *TWO_KINDS, "--count", 2, "--json", "-")
    assert done.code == 0, done.err
    agreement = done.summary["agreement"]
    assert (agreement["unique"], agreement["none"], agreement["several"], agreement["uncounted"]) == (1, 1, 1, 0)
    assert all(c["uncertified"] == 2 for c in done.summary["contenders"])


@pytest.mark.parametrize(
    ("trick", "count"), [("wrong_grid", 1), ("unsatisfiable", 1), ("too_few", 2), ("twice", 2)], ids=lambda x: str(x)
)
def test_a_wrong_answer_exits_1_and_blames_its_contender_alone(
    harness: Harness, tmp_path: Path, trick: str, count: int
) -> None:
    path = corpus(tmp_path, UNIQUE, "." * 81)
    done = harness("run", path, "-b", f"bad:{trick}", *TWO_KINDS, "--count", count, "--json", "-")
    assert done.code == 1
    for blamed in done.summary["agreement"]["disagreements"]:
        assert blamed["contenders"] == [f"bad:{trick}"]
        assert blamed["puzzle"] == "corpus.txt:3"
    assert done.contender(f"bad:{trick}")["wrong"] == 1


@pytest.mark.parametrize(("claim", "count"), [(0, 1), (1, 2), (2, 2)])
def test_a_false_count_is_blamed_on_the_corpus(harness: Harness, tmp_path: Path, claim: int, count: int) -> None:
    puzzle = "." * 81 if claim == 1 else UNIQUE
    path = corpus(tmp_path, f"{OTHERS[0]}:1", f"{puzzle}:{claim}")
    done = harness("run", path, *TWO_KINDS, "--count", count)
    assert done.code == 2, done.out
    assert "CORPUS WRONG: corpus.txt:3: the corpus claims" in done.out
    assert "WRONG: native" not in done.out


@pytest.mark.slow
def test_a_timeout_is_incomplete(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, UNIQUE, OTHERS[0])
    done = harness("run", path, "-b", "bad:stubborn", "-b", "native:python", "-o", "j.sqlite")
    assert done.code == 0, "neither has an open first square"
    path = corpus(tmp_path, "." + UNIQUE[1:], OTHERS[0])
    done = harness("run", path, "-b", "bad:stubborn", "-t", 2, "--json", "-")
    assert done.code == 4
    assert done.contender("bad:stubborn")["timeout"] == 1
    assert done.contender("bad:stubborn")["solved"] == 1


def test_a_hang_in_c_is_killed_at_its_limit(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, "." + UNIQUE[1:])
    harness("run", path, "-b", "bad:hang", "-t", 0.5, "-o", "j.sqlite")
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        ((wall, detail),) = db.execute("select wall, detail from outcomes").fetchall()
    assert detail == "killed after 0.5 s"
    assert wall / 1e9 > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("burnt", "said", "least"), [(0.2, "", 0.2), (60.0, "killed after 0.4 s of CPU time", 0.4)], ids=["ends", "killed"]
)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a process itself knows its processor time")
def test_processor_time_of_a_program_counts_for_its_contender(
    harness: Harness, tmp_path: Path, burnt: float, said: str, least: float
) -> None:
    source = f"import time\nwhile time.process_time() < {burnt}: pass\nprint('unknown')"
    program = tmp_path / "burn.py"
    program.write_text(source)
    limits = ("--cpu", 0.4, "-t", 50)
    named = ("-b", "lines:burn", "--program", f"burn={sys.executable} {program}")
    harness("run", corpus(tmp_path, UNIQUE), *named, *limits, "-o", "j.sqlite")
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        ((cpu, wall, detail),) = db.execute("select cpu, wall, detail from outcomes").fetchall()
    assert (detail or "") == said
    assert wall > 0
    assert cpu / 1e9 >= least  # of a killed worker as its parent saw it


@pytest.mark.slow
def test_scrambling_changes_no_verdict(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, UNIQUE, EQUAL_GIVENS, "." * 81, *OTHERS)
    done = harness("run", path, *TWO_KINDS, "--count", 2, "--scramble", "-r", 3, "--json", "-")
    assert done.code == 0, done.out
    agreement = done.summary["agreement"]
    assert (agreement["unique"], agreement["none"], agreement["several"]) == (3, 1, 1)


def rows(path: Path) -> list[tuple[int, ...]]:
    """Return the columns that are equal in an undisturbed and a resumed run."""
    with closing(sqlite3.connect(path)) as db:
        query = "select contender, repeat, puzzle, verdict, status, found, valid, solutions from outcomes"
        return db.execute(f"{query} order by 1, 2, 3").fetchall()


def state(path: Path) -> object:
    """Return a value that is true once the journal has a state, so its puzzles are loaded."""
    with closing(sqlite3.connect(path)) as db:
        known = db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
        return known and db.execute("select 1 from meta where key = 'state'").fetchone()


def start(folder: Path, environment: dict[str, str], *arguments: str | int | Path) -> subprocess.Popen[str]:
    """Start a run in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "harness", "run", *map(str, arguments)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_killed_and_resumed_run_equals_an_undisturbed_one(
    harness: Harness, tmp_path: Path, environment: dict[str, str]
) -> None:
    common = ("hardest", *TWO_KINDS, "-r", 4)
    assert harness("run", *common, "-o", "whole.sqlite").code == 0
    random = Random(7)
    path = tmp_path / "killed.sqlite"
    process = start(tmp_path, environment, *common, "-o", path)
    kills = 0
    while True:
        time.sleep(0.3 + random.random())
        if process.poll() is not None:
            break
        process.kill()
        process.communicate()
        kills += 1
        if path.exists() and state(path):
            process = start(tmp_path, environment, "--resume", path)
        else:
            path.unlink(missing_ok=True)
            process = start(tmp_path, environment, *common, "-o", path)
        if kills == 4:
            break
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0, out + err
    assert kills
    assert rows(path) == rows(tmp_path / "whole.sqlite")


@pytest.mark.slow
def test_ctrl_c_leaves_a_partial_table_and_a_journal_to_resume(
    harness: Harness, tmp_path: Path, environment: dict[str, str]
) -> None:
    path = corpus(tmp_path, *OTHERS, "." + UNIQUE[1:], UNIQUE)
    process = start(tmp_path, environment, path, "-b", "native:python", "-b", "bad:hang", "-t", 1000, "-o", "j.sqlite")
    assert wait_for((tmp_path / "hanging").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=200)
    assert process.returncode == 130, out + err
    assert "2 contenders" in out
    assert "interrupted" in out
    assert "Traceback" not in err
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        assert db.execute("select value from meta where key = 'state'").fetchone() == ('"interrupted"',)
    assert left_running(environment) == []


def test_a_resumed_run_refuses_what_has_changed(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, UNIQUE)
    assert harness("run", path, "-b", "native:python", "-o", "j.sqlite").code == 0
    corpus(tmp_path, *OTHERS)
    assert harness("run", "--resume", "j.sqlite").code == 0, "nothing is left to run"
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        for table in ("outcomes", "leases"):
            db.execute(f"delete from {table}")
    done = harness("run", "--resume", "j.sqlite")
    assert done.code == 2
    assert "corpus.txt has changed" in done.err
    assert harness("run", "--resume", "j.sqlite", "--force").code == 0


def test_a_resume_with_other_jobs_or_on_another_machine_is_recorded_and_warned_of(
    harness: Harness, tmp_path: Path
) -> None:
    path = corpus(tmp_path, UNIQUE)
    assert harness("run", path, "-b", "native:python", "-r", "2", "-o", "j.sqlite").code == 0
    assert "note:" not in harness("run", "--resume", "j.sqlite").err
    other = '{"cpu": "another", "cores": 99}'
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        db.execute("update meta set value = ? where key = 'host'", (other,))
        db.execute("update places set host = ? where id = 1", (other,))
        for table in ("outcomes", "leases"):
            db.execute(f"delete from {table} where repeat = 1")
    done = harness("run", "--resume", "j.sqlite", "--no-pin")
    (note,) = [line for line in done.err.splitlines() if "resumed" in line]
    assert note.startswith("note: resumed with other pin (True and False), machine (another, 99 cores and ")
    assert "warning: resumed with other settings (1 job; 1 job, not pinned)" in done.out
    assert "warning: mixed hosts (1: another, 99 cores; 2: " in done.out


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table t (x)")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda p: p.write_text("no journal\n"), "not a journal"),
        (foreign, "not a journal of this tool"),
        (lambda p: p.mkdir(), "is a directory"),
        (lambda p: None, "no such journal"),
    ],
    ids=["text", "foreign", "folder", "missing"],
)
def test_a_file_that_is_not_a_journal_is_refused_in_one_line(
    harness: Harness, tmp_path: Path, make: object, text: str
) -> None:
    path = tmp_path / "x.sqlite"
    make(path)  # type: ignore[operator]
    done = harness("run", "--resume", path)
    assert done.code == 2
    assert text in done.err
    assert len(done.err.splitlines()) == 1


def test_a_journal_of_a_newer_schema_is_refused(harness: Harness, tmp_path: Path) -> None:
    assert harness("run", "hardest", "-n", 1, "-b", "native:python", "-o", "j.sqlite").code == 0
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        db.execute("pragma user_version = 99")
    done = harness("run", "--resume", "j.sqlite")
    assert done.code == 2
    assert "schema 99 is newer" in done.err


def test_an_unwritable_results_folder_is_reported_in_one_line(harness: Harness, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        (tmp_path / "results").write_text("a file where the folder should be")
    else:
        (tmp_path / "results").mkdir(mode=0o500)
    done = harness("run", "hardest", "-n", 1, "-b", "native:python")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert "results" in done.err


def test_an_existing_journal_is_not_overwritten(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "j.sqlite").write_text("precious")
    done = harness("run", "hardest", "-o", "j.sqlite")
    assert done.code == 2
    assert (tmp_path / "j.sqlite").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-b", "nobody"], "unknown backend 'nobody'"),
        (["-b", "minisat"], "did you mean dimacs:minisat or pysat:minisat22"),
        (["-b", "CPSAT"], "did you mean cpsat?"),
        (["-b", "cadcial"], "did you mean dimacs:cadical?"),
        (
            ["-b", "mine", "--program", "mine=true"],
            "name a program by the format that it reads: dimacs:mine, wcnf:mine",
        ),
        (["-b", "clingcon"], "did you mean clingo?"),
        (["-b", "nobody,cpsat/extended,pysat:nobody"], "takes no extended encoding; unknown backend 'pysat:nobody'"),
        (["-b", "pysat:nobody"], "unknown backend 'pysat:nobody'"),
        (["-b", "cpsat/extended"], "takes no extended encoding"),
        (["-b", "pysat/nothing"], "unknown encoding 'nothing'"),
        (["-b", "pysat+nothing"], "unknown at-most-one encoding 'nothing'"),
        (["-b", "native+warm"], "can't be kept warm"),
        (["-b", "native@old"], "no --env old=PYTHON"),
        (["-b", "a/b/c"], "is not BACKEND"),
        (["-t", "0"], "not a number of seconds"),
        (["-n", "x"], "not a whole number"),
        (["--json", "nowhere/summary.json"], "nowhere/summary.json: No such file or directory"),
        (["--env", "old=/nowhere/python"], "not a Python interpreter that can be run"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_bad_usage_exits_2_with_its_reason(harness: Harness, arguments: list[str], text: str) -> None:
    done = harness("run", "hardest", *arguments)
    assert done.code == 2
    assert text in done.err
    assert "Traceback" not in done.err


def test_proofs_certify_and_bad_proofs_are_counted_by_contender(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, UNIQUE, EQUAL_GIVENS)
    done = harness("run", path, "-b", "pysat", "-b", "native", "--count", 2, "--proof", "--json", "-")
    assert done.code == 0, done.out
    assert done.contender("pysat:cadical195/extended")["certified"] == 2
    assert [c["uncertified"] for c in done.summary["contenders"]] == [0, 0]
    done = harness("run", path, "-b", "pysat:maplesat", "--count", 2, "--proof", "--json", "-")
    assert done.code == 1
    assert done.contender("pysat:maplesat/extended")["refused"] == 1
    assert done.contender("pysat:maplesat/extended")["wrong"] == 0


def test_another_interpreter_takes_part_in_the_same_run(harness: Harness, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    path = corpus(tmp_path, UNIQUE, *OTHERS)
    done = harness("run", path, "-b", "cpsat", "-b", "cpsat@old", "--env", f"old={python}", "--json", "-")
    assert done.code == 0, done.out + done.err
    assert done.contender("cpsat@old")["solved"] == 3
    assert done.contender("cpsat@old")["version"].startswith("ortools")


@pytest.mark.slow
def test_two_jobs_give_the_same_outcomes_as_one(harness: Harness, tmp_path: Path) -> None:
    common = ("run", "hardest", *TWO_KINDS, "-r", 2)
    assert harness(*common, "-o", "one.sqlite").code == 0
    assert harness(*common, "-j", 2, "-o", "two.sqlite").code == 0
    assert rows(tmp_path / "one.sqlite") == rows(tmp_path / "two.sqlite")


@pytest.mark.slow
def test_a_full_disk_during_a_run_is_reported_in_one_line(tmp_path: Path, environment: dict[str, str]) -> None:
    import resource

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    command = [
        sys.executable,
        "-m",
        "harness",
        "run",
        "minimal",
        "easy",
        "-b",
        "native:python",
        "-r",
        "9",
        "-o",
        "j.sqlite",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, preexec_fn=bound, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2, done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "j.sqlite" in done.stderr


@pytest.mark.slow
def test_native_contenders_alone_count_but_do_not_confirm(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "bare.txt").write_text("\n".join(NORVIG) + "\n")  # without claims
    done = harness("run", "bare.txt", "--count", "2", "-b", "native:python", "-b", "native:norvig")
    assert done.code == 0
    assert "3 unconfirmed, stated by one kind of solver alone (all have native inside): add another kind" in done.out
    done = harness("run", "bare.txt", "--count", "2", "-b", "pysat:minisat22", "-b", "pysat:cadical195/minimal")
    assert ": add another kind, such as cpsat or native, to confirm" in done.out
    confirmed = harness("run", "bare.txt", "--count", "2", "-b", "native:python", "-b", "pysat:minisat22")
    assert "3 unique" in confirmed.out
    assert "alone" not in confirmed.out


def test_two_corpora_of_one_file_name_stay_separate(harness: Harness, tmp_path: Path) -> None:
    for folder, puzzle in (("a", "1...\n..2.\n.3..\n...4"), ("b", "..1.\n2...\n....\n...4")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.txt").write_text(f"#: sudoku 2x2\n{puzzle}\n")
    done = harness("run", "a/same.txt", "b/same.txt", "-b", "native:python", "--json", "-")
    assert done.summary["corpora"] == [{"name": "a/same.txt", "puzzles": 1}, {"name": "b/same.txt", "puzzles": 1}]


def test_a_correct_stated_solution_outweighs_two_independent_wrong_answers(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text("quizzes,solutions\n.342421324313124,1342421324313124\n")
    (tmp_path / "liar.py").write_text("import sys\nfor line in sys.stdin:\n    print('unsatisfiable', flush=True)\n")
    liars = ("-b", "bad:unsatisfiable", "-b", "lines:liar", "--program", f"liar={sys.executable} liar.py")
    done = harness("run", "claims.csv", "--as", "sudoku 2x2", *liars, "--json", "-")
    assert done.code == 1
    blamed = done.summary["agreement"]["disagreements"]
    assert [(d["contenders"], d.get("corpus")) for d in blamed] == [(["bad:unsatisfiable", "lines:liar"], None)]


def test_docs_of_the_journal_name_every_table_and_meta_key(harness: Harness, tmp_path: Path) -> None:
    assert harness("run", "hardest", "-n", "1", "-b", "native:python", "-o", "j.sqlite").code == 0
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        keys = {key for (key,) in db.execute("select key from meta")}
        tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    text = (ROOT / "docs/reference/journal.md").read_text()
    assert [word for word in sorted(keys | tables) if f"`{word}`" not in text] == []
