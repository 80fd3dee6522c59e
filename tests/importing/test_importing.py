"""Results of others become a journal: what they state is kept, what they do not state stays unknown."""

import bz2
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.importing.benchexec import read_benchexec
from harness.importing.record import nanoseconds
from harness.model.outcome import Verdict
from harness.model.settings import Limits
from harness.reporting.page.columns import journal_columns
from harness.reporting.page.container import Container
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.importing.files import result_file, run

TIME = {"cputime": "1.5s", "walltime": "1.600000001s"}


def verdicts(path: Path, contender: int = 0) -> dict[str, str]:
    """Return the verdict on each instance, by name."""
    with open_journal(path) as journal:
        c = journal.outcomes.columns(contender, "puzzle", "verdict")
        pairs = zip(c["puzzle"].tolist(), c["verdict"].tolist(), strict=True)
        return {journal.instances.name(i): Verdict(verdict).name for i, verdict in pairs}


def test_answers_without_solutions_are_never_verified_and_only_claims_confirm_them(
    tmp_path: Path, harness: Harness
) -> None:
    runs = [
        run("yes", "true", **TIME),
        run("no", "false", **TIME),
        run("yes-claimed", "true", "true", **TIME),
        run("no-claimed", "false(unreach-call)", "false(unreach-call)", **TIME),
        run("yes-refuted", "true", "false", **TIME),
        run("no-refuted", "false", "true", **TIME),
        run("called-wrong", "true", "true", category="wrong", **TIME),
        run("no-called-wrong", "false", "false", category="wrong", **TIME),
    ]
    path = result_file(tmp_path / "a.xml", runs)
    assert harness("import", "--format", "benchexec", path, "-o", "j.sqlite").code == 0
    expected = dict(zip(("yes", "no"), ("UNCERTIFIED",) * 2, strict=True))
    expected |= {"yes-claimed": "CORRECT", "no-claimed": "CORRECT"}
    expected |= dict.fromkeys(("yes-refuted", "no-refuted", "called-wrong", "no-called-wrong"), "WRONG")
    assert verdicts(Path("j.sqlite")) == expected
    done = harness("report", "j.sqlite", "--json", "-")
    assert done.code == 1
    assert (done.summary["agreement"]["verified"], done.summary["contenders"][0]["verified"]) == (0, 0)
    assert done.summary["imported"] == {"format": "benchexec", "files": [str(path)]}
    why = {d["puzzle"]: d["why"] for d in done.summary["agreement"]["disagreements"]}
    assert why == {
        "yes-refuted": "says satisfiable, but the corpus claims no solution",
        "no-refuted": "says that no solution exists, but the corpus claims 1+",
        "called-wrong": "the imported results call its answer wrong",
        "no-called-wrong": "the imported results call its answer wrong",
    }
    assert "0 verdicts revised" in harness("judge", "j.sqlite").out


def test_statuses_times_memory_and_machine_are_kept_exactly(tmp_path: Path, harness: Harness) -> None:
    words = ("TIMEOUT", "OUT OF MEMORY", "SEGMENTATION FAULT", "ERROR (7)", "unknown", "unknown (unsupported)", "done")
    runs = [run("a", "true", memory="123B", **TIME), *(run(word, word) for word in words)]
    source = read_benchexec(str(result_file(tmp_path / "a.xml", runs)))
    first, *others = source.results
    assert (first.wall, first.cpu, first.peak) == (1_600_000_001, 1_500_000_000, 123)
    assert [r.reason.name for r in others] == ["TIMEOUT", "MEMORY", "CRASH", "ERROR", "STUCK", "UNSUPPORTED", "NONE"]
    assert [r.note for r in others[2:4]] == ["SEGMENTATION FAULT", "ERROR (7)"]
    assert (source.limits, source.memory, source.hosts) == (Limits(None, 60.0), 1_000_000, [("CPU X", 4)])
    assert harness("import", "--format", "benchexec", tmp_path / "a.xml", "-o", "j.sqlite").code == 0
    with open_journal("j.sqlite") as journal:
        rows = {row.who[1]: row for row in journal.outcomes.rows()}
        assert journal.facts.all()["host"] == {"cpu": "CPU X", "cores": 4}
    assert len(rows) == len(words) + 1
    assert rows["a"].measured[5:7] == (1_600_000_001, 1_500_000_000)


def test_result_files_of_2015_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.xml"
    path.write_text(
        '<?xml version="1.0" ?><result benchmarkname="test" memlimit="3000 MB" timelimit="10 s" tool="CPAchecker">'
        '<columns><column title="status"/></columns><sourcefile name="a.c" files="[a.c]">'
        '<column title="status" value="true"/><column title="cputime" value="1.5s"/>'
        '<column title="memUsage" value="132337664"/></sourcefile></result>'
    )
    source = read_benchexec(str(path))
    (found,) = source.results
    assert (found.instance, found.status.name, found.cpu, found.peak) == ("a.c", "SATISFIABLE", 15 * 10**8, 132_337_664)
    assert (source.memory, source.limits.cpu) == (3_000_000_000, 10)


def test_words_of_smt_solvers_are_answers(tmp_path: Path, harness: Harness) -> None:
    runs = [
        run("sat", "sat", category="correct", **TIME),
        run("unsat", "UNSAT", category="correct-unconfirmed", **TIME),
        run("missing", "sat", category="missing", **TIME),
        run("wrong", "unsat", category="wrong", **TIME),
        run("error", "ERROR", category="error"),
        run("unknown", "unknown", category="unknown"),
    ]
    path = result_file(tmp_path / "a.xml", runs)
    assert harness("import", "--format", "benchexec", path, "-o", "j.sqlite").code == 0
    expected = {"sat": "CORRECT", "unsat": "CORRECT", "missing": "UNCERTIFIED", "wrong": "WRONG"}
    assert verdicts(Path("j.sqlite")) == expected | {"error": "ERROR", "unknown": "UNKNOWN"}
    (found,) = harness("report", "j.sqlite", "--json", "-").summary["contenders"]
    assert (found["error"], found["wrong"], found["unknown"]) == (1, 1, 1)


def test_no_row_vanishes_and_the_category_decides_where_the_words_are_not_known(tmp_path: Path) -> None:
    rows = {  # status, category, expected verdict -> answer, reason, note
        ("", "", ""): ("UNKNOWN", "NONE", ""),
        ("", "error", ""): ("UNKNOWN", "ERROR", ""),
        ("", "unknown", ""): ("UNKNOWN", "STUCK", ""),
        ("no idea", "unknown", ""): ("UNKNOWN", "STUCK", "no idea"),
        ("no idea", "missing", "true"): ("UNKNOWN", "NONE", "no idea"),
        ("boom", "error", ""): ("UNKNOWN", "ERROR", "boom"),
        ("killing time", "unknown", ""): ("UNKNOWN", "STUCK", "killing time"),
        ("proved", "correct", "true"): ("SATISFIABLE", "NONE", "proved"),
        ("proved", "wrong", "true"): ("UNSATISFIABLE", "NONE", "proved"),
        ("refuted", "correct", "false(sub)"): ("UNSATISFIABLE", "NONE", "refuted"),
        ("TIMEOUT (soft)", "error", ""): ("UNKNOWN", "TIMEOUT", ""),
        ("KILLED BY SIGNAL 9", "error", ""): ("UNKNOWN", "CRASH", "KILLED BY SIGNAL 9"),
    }
    runs = [
        run(f"{number}", status, expected, **({"category": category} if category else {}), **TIME)
        for number, (status, category, expected) in enumerate(rows)
    ]
    source = read_benchexec(str(result_file(tmp_path / "a.xml", [*runs, "<run name='none'></run>"])))
    found = [(r.status.name, r.reason.name, r.note) for r in source.results]
    assert found == [*rows.values(), ("UNKNOWN", "NONE", "")]


@pytest.mark.parametrize("cores", ["8B", "many", "", "-1", "9" * 19])
def test_cores_that_are_no_number_are_unknown(tmp_path: Path, cores: str) -> None:
    path = result_file(tmp_path / "a.xml", [run("a", "true", **TIME)])
    path.write_text(path.read_text().replace('cores="4"', f'cores="{cores}"'))
    assert read_benchexec(str(path)).hosts == [("CPU X", 0)]


@pytest.mark.parametrize("pack", [bz2.compress, bytes], ids=["bzip2", "plain"])
def test_conflicting_answers_are_a_disagreement_that_blames_nobody(
    tmp_path: Path, harness: Harness, pack: Callable[[bytes], bytes]
) -> None:
    for tool, words in {"a": ("true", "true"), "b": ("false", "true"), "c": ("false", "TIMEOUT")}.items():
        runs = [run("x", words[0], **TIME), run("same", words[1], **TIME)]
        path = result_file(tmp_path / f"{tool}.xml", runs, tool)
        path.write_bytes(pack(path.read_bytes()))
    files = [tmp_path / f"{tool}.xml" for tool in "abc"]
    assert harness("import", "--format", "benchexec", *files, "-o", "j.sqlite").code == 0
    done = harness("report", "j.sqlite", "--json", "-")
    assert done.code == 1
    (found,) = done.summary["agreement"]["disagreements"]
    assert (found["puzzle"], found["contenders"], found["conflict"]) == ("x", ["a", "b", "c"], True)
    assert found["why"] == "satisfiable says a; unsatisfiable says b, c"
    assert [c["wrong"] for c in done.summary["contenders"]] == [0, 0, 0]
    assert (done.summary["agreement"]["agreed"], done.summary["agreement"]["outvoted"]) == (1, 0)
    assert "CONFLICT: x: satisfiable says a; unsatisfiable says b, c" in harness("report", "j.sqlite").out
    assert "CONFLICT" in harness("report", "j.sqlite", "--format", "github").out
    compared = harness("compare", "j.sqlite", "--contenders", "a", "b", "--json", "-")
    assert (compared.code, compared.summary["comparisons"][0]["conflict"]) == (1, ["x"])


def test_satcomp_tables_state_a_time_or_twice_the_limit(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text("hash,kissat,cadical,vresult\naa,12.25,10000,sat\nbb,10000,3.5,unsat\ncc,10000.0,10000,unknown\n")
    done = harness("import", "--format", "satcomp", table, "-o", "j.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "-t SECONDS" in done.err
    assert harness("import", "--format", "satcomp", table, "-t", 5000, "-o", "j.sqlite").code == 0
    summary = harness("report", "j.sqlite", "--json", "-").summary
    keys = ("satisfiable", "unsatisfiable", "unknown", "par2")
    entries = {c["name"]: tuple(c[key] for key in keys) for c in summary["contenders"]}
    assert entries == {"kissat": (1, 0, 2, 20012.25 / 3), "cadical": (0, 1, 2, 20003.5 / 3)}
    assert verdicts(Path("j.sqlite")) == {"aa": "CORRECT", "bb": "UNKNOWN", "cc": "UNKNOWN"}


def test_a_small_csv_needs_an_instance_a_contender_a_status_and_a_time(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text("instance,solver,status,seconds\n'=x,a,SAT,0.25\n'=x,a,sat,0.5\n'=x,b,timeout,\n")
    done = harness("import", "--format", "csv", table, "-o", "j.sqlite")
    assert done.err.endswith("t.csv:3: 'a' on '=x' is there twice\n")
    table.write_text("instance,solver,repeat,status,seconds\n'=x,a,0,SAT,0.25\n'=x,a,1,sat,0.5\n'=x,b,0,timeout,\n")
    assert "-t SECONDS" in harness("import", "--format", "csv", table, "-o", "j.sqlite").err
    assert harness("import", "--format", "csv", table, "-t", 9, "-o", "j.sqlite").code == 0
    with open_journal("j.sqlite") as journal:
        rows = [(row.who[1], row.who[2], row.who[4], row.measured[5]) for row in journal.outcomes.rows()]
        assert rows == [("=x", "a", 0, 250_000_000), ("=x", "a", 1, 500_000_000), ("=x", "b", 0, 0)]
        assert journal.facts.settings().limit == 9.0


def test_a_table_of_wall_times_has_no_cpu_times(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text("instance,solver,status,seconds\nx,a,SAT,0.25\ny,a,SAT,0.5\nx,b,SAT,1\ny,b,timeout,\n")
    assert harness("import", table, "--format", "csv", "-t", "5", "-o", "i.sqlite").code in (0, 4)
    done = harness("report", "i.sqlite", "--json", "s.json", "--rank", "par2", "--time", "cpu")
    heads, _, *rows = next(part for part in done.out.split("\n\n") if part.startswith("contender")).splitlines()[:4]
    assert [dict(zip(heads.split(), row.split(), strict=False))["PAR-2"] for row in rows] == ["-", "-"]
    text = harness("report", "i.sqlite").out
    assert "250 ms" in text or "375 ms" in text
    a, b = harness("report", "i.sqlite", "--json", "-").summary["contenders"]
    assert (a["cpu"]["seconds"]["mean"], a["cpu"]["par2"], a["cpu"]["puzzles_per_second"]) == (None, None, None)
    assert a["seconds"]["mean"] == 0.375
    assert b["par2"] is not None
    ranking = json.loads(Path("s.json").read_text())["ranking"]
    assert [c["rank"] for c in ranking["contenders"]] == [None, None]
    plot = harness("report", "i.sqlite", "--plot", "cactus", "--time", "cpu")
    assert "a is left out: its CPU times are not known" in plot.err
    with open_journal("i.sqlite") as journal:
        results = Run(journal).rejudge().results()
        summary: Any = {}
        columns = journal_columns(results, summary, lambda instances: [""] * len(instances), Container())
    assert [c["timed"] for c in columns["contenders"]] == [{"wall": True, "cpu": False}] * 2


def test_an_imported_journal_is_not_resumed_and_merges_with_its_like(tmp_path: Path, harness: Harness) -> None:
    for tool in "ab":
        result_file(tmp_path / f"{tool}.xml", [run("x", "true", **TIME), run("y", "false", **TIME)], tool)
        assert harness("import", "--format", "benchexec", f"{tool}.xml", "-o", f"{tool}.sqlite").code == 0
    done = harness("run", "--resume", "a.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "made by importing" in done.err
    assert harness("merge", "a.sqlite", "b.sqlite", "-o", "c.sqlite").code == 0
    summary = harness("report", "c.sqlite", "--json", "-").summary
    assert ([c["name"] for c in summary["contenders"]], summary["agreement"]["agreed"]) == (["a", "b"], 2)
    assert summary["imported"]["files"] == ["a.xml", "b.xml"]


def test_the_same_contender_in_several_files_has_repeats_and_another_version_another_name(
    tmp_path: Path, harness: Harness
) -> None:
    for name in ("1", "2"):
        result_file(tmp_path / f"{name}.xml", [run("x", "true", **TIME)])
    text = (tmp_path / "1.xml").read_text()
    (tmp_path / "3.xml").write_text(text.replace('version="1.2"', 'version="2"'))
    assert harness("import", "--format", "benchexec", "1.xml", "2.xml", "3.xml", "-o", "j.sqlite").code == 0
    with open_journal("j.sqlite") as journal:
        assert [(row.who[2], row.who[4]) for row in journal.outcomes.rows()] == [
            ("solver", 0),
            ("solver", 1),
            ("solver@2", 0),
        ]


def test_times_are_read_exactly() -> None:
    texts = ("0", "1", "1.5s", "2 min", "1e-9", "0.0000000005", "0.0000000004", "1.25E2s", "0e200", "1000000000")
    exact = (0, 10**9, 1_500_000_000, 120 * 10**9, 1, 1, 0, 125 * 10**9, 0, 10**18)
    assert tuple(map(nanoseconds, texts)) == exact
