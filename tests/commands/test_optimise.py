"""Verbs on instances with an objective: they optimise, say how far they came, and refuse by name what only counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Harness

WCNF = "h 1 2 0\nh 1 3 0\nh 2 3 0\n3 -1 0\n4 -2 0\n5 -3 0\n"  # two of three, and the cheapest two cost 7
INFEASIBLE = "h 1 0\nh -1 0\n5 1 0\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.wcnf"
    path.write_text(WCNF)
    return path


def test_solve_exits_30_with_an_optimum_and_says_its_value(harness: Harness, file: Path) -> None:
    done = harness("solve", file)
    assert done.code == 30, done.err
    assert done.out.splitlines()[0] == "v x1 x2 -x3"
    assert "cpsat: optimum 7, unconfirmed, " in done.out, "only one solver says that nothing is better"
    assert f"run {file} -b cpsat,pysat:rc2`" in done.err.replace("\n", " ")


def test_solve_exits_10_with_a_solution_that_is_not_proved_and_20_without_one(harness: Harness, file: Path) -> None:
    done = harness("solve", file, "-b", "better:modest")
    assert (done.code, "a solution of value 7, perhaps not the least (stuck)" in done.out) == (10, True)
    file.write_text(INFEASIBLE)
    assert harness("solve", file).code == 20


def test_solve_exits_1_if_a_stated_value_is_not_that_of_the_solution(harness: Harness, file: Path) -> None:
    done = harness("solve", file, "-b", "better:cheap")
    assert done.code == 1
    assert "it states another value than that of its solution" in done.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("run", "--count", "2"), "has an objective, which does not go with --count 2"),
        (("run", "--scramble"), "has an objective, which does not go with --scramble"),
        (("run", "-b", "pysat+warm"), "has an objective, which does not go with pysat:cadical195/extended+warm"),
        (
            ("run", "-b", "native:dlx"),
            "native:dlx takes no objective (with --ignore-objective instances are decided)",
        ),
        (("solve", "-b", "pysat"), "pysat:cadical195 takes no objective"),
        (("solve", "--count", "2"), "has an objective: the best solution is asked for, so --count does not go with it"),
        (("count",), "has an objective: count takes no objective"),
    ],
)
def test_what_does_not_go_with_an_objective_is_refused_by_name(
    harness: Harness, file: Path, words: tuple[str, ...], why: str
) -> None:
    verb, *rest = words
    done = harness(verb, file, *rest)
    assert done.code == 2
    assert why in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_an_ignored_objective_is_decided_and_the_journal_says_so(harness: Harness, file: Path, tmp_path: Path) -> None:
    journal = tmp_path / "j.sqlite"
    done = harness("run", file, "--ignore-objective", "-b", "native,cpsat", "--count", "2", "-o", journal)
    assert done.code == 0, done.err
    assert " | objectives ignored" in done.out.splitlines()[0]
    summary = harness("report", journal, "--json", "-").summary
    assert (summary["ignore_objective"], summary["agreement"]["objectives"]) == (True, 0)
    assert harness("count", file, "--ignore-objective").out.strip().endswith("4 solutions, and no others")


def test_a_glob_leaves_out_what_cannot_optimise_with_a_note(harness: Harness, file: Path) -> None:
    done = harness("run", file, "-b", "native:d*,cpsat", "--json", "-")
    assert [c["name"] for c in done.summary["contenders"]] == ["cpsat"]
    assert "left out: native:dlx takes no objective" in done.err


def test_a_glob_leaves_out_default_contenders_that_cannot_optimise(harness: Harness, file: Path) -> None:
    done = harness("run", file, "-b", "pysat:*a*", "--json", "-")
    assert done.code == 0, done.err
    assert "left out: pysat:cadical195 takes no objective" in done.err
    assert "pysat:rc2-stratified/extended" in {c["name"] for c in done.summary["contenders"]}


def test_an_instance_that_is_decided_stands_beside_one_that_is_optimised(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "two.wcnf").write_text(WCNF)
    (tmp_path / "mixed" / "plain.cnf").write_text("p cnf 2 1\n1 2 0\n")
    done = harness("run", tmp_path / "mixed", "-b", "cpsat,pysat:glucose4", "--json", "-")
    cpsat, glucose = done.contender("cpsat"), done.contender("pysat:glucose4/extended")
    assert (cpsat["solved"], glucose["solved"], glucose["unsupported"]) == (2, 1, 1)
    assert (cpsat["objective"]["instances"], glucose["objective"]["none"]) == (1, 1)
    assert "unsupported: 1 of 2 instances" in done.err


def golden(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def claimed(file: Path, status: str, value: str = "") -> Path:
    folder = file.parent / "claimed"
    folder.mkdir(exist_ok=True)
    (folder / file.name).write_text(WCNF)
    (folder / "expected.csv").write_text(f"file,status,value\n{file.name},{status},{value}\n")
    return folder


@pytest.mark.slow
def test_a_golden_file_holds_the_optimum_and_says_when_it_is_no_longer_proved_or_another(
    harness: Harness, file: Path, tmp_path: Path
) -> None:
    corpus, path = claimed(file, "optimal", "7"), tmp_path / "golden.jsonl"
    check = ("check", corpus, "--golden", path)
    assert harness(*check, "-b", "cpsat", "--update").code == 0
    entry = golden(path)
    assert (entry["optimum"], entry["status"], entry["count"]) == ("7", "optimal", "?")
    assert harness(*check, "-b", "cpsat").code == 0
    weaker = harness(*check, "-b", "better:modest")
    assert (weaker.code, "weaker: two.wcnf: optimum 7, no longer proved" in weaker.out) == (4, True)
    path.write_text(json.dumps(entry | {"optimum": "8"}) + "\n")
    changed = harness(*check, "-b", "better:modest")
    assert (changed.code, "changed: two.wcnf: optimum 8 -> a solution of value 7" in changed.out) == (1, True)
    path.write_text(json.dumps(entry | {"optimum": "7.5"}) + "\n")
    assert "golden.jsonl:1: not an entry of a golden file" in harness(*check, "-b", "cpsat").err


@pytest.mark.parametrize(
    ("status", "value", "code", "why"),
    [
        ("optimal", "7", 0, ""),
        ("best known", "9", 0, ""),
        ("best known", "7", 0, ""),
        ("sat", "", 0, ""),
        ("optimal", "8", 2, "the corpus claims the optimum 8, but a solution of value 7 was found and checked"),
        (
            "unsat",
            "",
            2,
            "the corpus claims that there is no solution, but a solution of value 7 was found and checked",
        ),
    ],
)
def test_a_claimed_optimum_is_checked_and_a_better_value_than_the_best_known_is_no_error(
    harness: Harness, file: Path, status: str, value: str, code: int, why: str
) -> None:
    done = harness("run", claimed(file, status, value), "-b", "cpsat", "--json", "-")
    assert done.code == code, done.err
    assert [d["why"] for d in done.summary["agreement"]["disagreements"]] == [why] * bool(why)


def test_an_optimum_worse_than_the_claim_is_wrong(harness: Harness, file: Path) -> None:
    done = harness("run", claimed(file, "optimal", "6"), "-b", "cpsat", "--json", "-")
    (entry,) = done.summary["agreement"]["disagreements"]
    assert (done.code, entry["why"]) == (1, "says that 7 is the optimum, but the corpus claims the optimum 6")


@pytest.mark.slow
def test_shards_and_merged_journals_say_what_the_whole_run_says(harness: Harness, tmp_path: Path) -> None:
    corpus = tmp_path / "several"
    corpus.mkdir()
    for i in range(6):
        (corpus / f"{i}.wcnf").write_text(WCNF.replace("3 -1 0", f"{3 + i} -1 0"))
    run = ("run", corpus, "-b", "cpsat,better:honest,better:modest")
    harness(*run, "-o", tmp_path / "whole.sqlite")
    shards = [tmp_path / f"{k}.sqlite" for k in (1, 2, 3)]
    for k, path in enumerate(shards, 1):
        harness(*run, "--shard", f"{k}/3", "-o", path)
    merged = tmp_path / "merged.sqlite"
    assert harness("merge", *shards, "-o", merged).code in (0, 4)
    tables = []
    for path in (tmp_path / "whole.sqlite", merged):
        summary = harness("report", path, "--json", "-").summary
        kept = ("instances", "optimal", "feasible", "none", "best", "gap")
        tables.append(
            {c["name"]: [c["objective"][key] for key in kept] for c in summary["contenders"]} | summary["agreement"]
        )
    assert tables[0] == tables[1]
    rows = json.loads(harness("export", merged, "--to", "json").out)
    assert {row["puzzle"]: row["objective"] for row in rows} == {f"{i}.wcnf": min(7 + i, 8 + i, 9) for i in range(6)}
