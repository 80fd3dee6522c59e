"""Published results of optimisation: challenges and evaluations (real ones: docs/reference/optimisation.md)."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conftest import Done, Harness

CHALLENGE: dict[str, Any] = {  # two solvers, a problem of each sense, and one that nobody solves
    "solvers": ["a-free", "b-free"],
    "problems": ["open", "least", "most"],
    "kind": ["SAT", "MIN", "MAX"],
    "instances": [[3], [0, 1], [2]],
    "benchmarks": ["one", "two", "three", "four"],
    "results": [["SC", "S", "S", "S"], ["S", "UNK", "SC", "C"]],
    "times": [[2000, 10000, 10000, 3000], [10000, " ", 4500, 1000]],
    "objectives": [[7, -3, 5, " "], [9, " ", 8, " "]],
    "step_obj": [[[9, 7], [-3], [1, 5], [" "]], [[9], [], [8], []]],
    "step_times": [[[500, 1500], [9000], [100, 200], [3000]], [[7000], [], [4000], []]],
}
PAIRS = (
    '<table border="1">\n<tr><th>Benchmark</th><th>a</th><th>b</th></tr>\n'
    "<tr><td>x.wcnf</td><td>1.5 (7)</td><td>3600.0 (-)</td>\n<tr><td>y.wcnf</td><td>0.2 (3)</td><td>0.4 (3)</td></tr>\n"
)
SCORES = (
    '<table border="1">\n<tr><th>Instance</th><th>Best-cost</th><th>a</th><th>b</th></tr>\n'
    "<tr><td>x.wcnf</td><td>3</td><td>1 (3)</td><td>0.5 (7)</td></tr>\n"
    "<tr><td>y.wcnf</td><td>9</td><td>0 (-)</td><td>0.25 (39)</td></tr>\n</table>"
)
FRAME = (
    "<table><thead><tr><th></th><th>Best-Sol</th><th>VBS</th><th>a</th><th>b</th></tr>\n"
    "<tr><th>Instance</th><th></th><th></th><th></th><th></th></tr></thead>\n"
    "<tr><th>x.wcnf</th><td>3</td><td>3</td><td>3</td><td>7</td></tr>\n"
    "<tr><th>y.wcnf</th><td>&lt;NA&gt;</td><td>39</td><td>&lt;NA&gt;</td><td>39</td></tr></table>"
)
TIMES = "Name,a,a,VBS\nx.wcnf,1.5,FAILED,1.5\ny.wcnf,0.25,3.5,0.25\n"


def imported(harness: Harness, form: str, path: Path, text: str, limit: float = 10) -> Done:
    path.write_text(text)
    return harness("import", "--format", form, path, "-t", limit, "-o", "j.sqlite")


def points(harness: Harness, score: str) -> dict[str, float]:
    rows = harness("report", "j.sqlite", "--rank", score, "--json", "-").summary["ranking"]["contenders"]
    return {row["name"]: row["score"] for row in rows}


def cells(harness: Harness) -> dict[tuple[str, str], dict[str, Any]]:
    rows = json.loads(harness("export", "j.sqlite", "--to", "json").out)
    return {(row["puzzle"], row["contender"]): row for row in rows}


def test_a_challenge_keeps_values_with_their_sign_and_what_was_proved(tmp_path: Path, harness: Harness) -> None:
    done = imported(harness, "minizinc", tmp_path / "r.json", json.dumps({"results": CHALLENGE}))
    assert "satisfiable says a-free; unsatisfiable says b-free" in done.out
    assert "8 results: 4 S, 2 SC, 1 UNK, 1 C" in done.err
    found = cells(harness)
    assert [found["least/one", c]["objective"] for c in ("a-free", "b-free")] == [7, 9]
    assert [found["most/three", c]["objective"] for c in ("a-free", "b-free")] == [5, 8]
    assert [found["most/three", c]["optimal"] for c in ("a-free", "b-free")] == [False, True]
    assert found["least/one", "a-free"]["improvements"] == 2


def test_columns_without_a_frame_and_words_of_early_years_are_read(tmp_path: Path, harness: Harness) -> None:
    early = CHALLENGE | {"results": [["SC", "SU", "ERROR Incorrect", "UC"], ["UU", "E", "UNKNOWN", "UC"]], "year": 2011}
    early = {key: column for key, column in early.items() if not key.startswith("step")}
    assert imported(harness, "minizinc", tmp_path / "r.json", json.dumps(early)).code == 0
    found = {(p.partition("/")[2], c[0]): row for (p, c), row in cells(harness).items()}
    names = ("one", "two", "three", "four")
    assert [found[n, "a"]["status"] for n in names] == ["satisfiable"] * 3 + ["unsatisfiable"]
    assert [found[n, "a"]["verdict"] for n in names] == ["uncertified", "unknown", "wrong", "uncertified"]
    assert [found[n, "b"]["reason"] for n in names] == ["timeout", "error", "timeout", "none"]


def test_points_of_an_imported_challenge_follow_the_rules(tmp_path: Path, harness: Harness) -> None:
    agreed = CHALLENGE | {"results": [["SC", "S", "S", "S"], ["S", "UNK", "SC", "S"]]}
    assert imported(harness, "minizinc", tmp_path / "r.json", json.dumps({"results": agreed})).code == 0
    shared = 1 / (3 + 1)  # open/four: a takes 3 s, b one second
    assert points(harness, "minizinc") == pytest.approx({"a-free": 2 + shared, "b-free": 1 + (1 - shared)})


def test_an_imported_journal_of_values_is_judged_again_and_compared(tmp_path: Path, harness: Harness) -> None:
    imported(harness, "maxsat", tmp_path / "t.html", SCORES, 60)
    before = harness("report", "j.sqlite", "--json", "-").summary["contenders"]
    assert "0 verdicts revised" in harness("judge", "j.sqlite").out
    assert harness("report", "j.sqlite", "--json", "-").summary["contenders"] == before
    assert "no solution verified: imported results hold none" in harness("report", "j.sqlite").out
    assert "better on 0, worse on 0, same on 1 of 2" in harness("compare", "j.sqlite", "j.sqlite").out


@pytest.mark.parametrize("text", [SCORES, FRAME], ids=["scores", "costs"])
def test_best_costs_give_the_averages_of_the_evaluation(text: str, tmp_path: Path, harness: Harness) -> None:
    assert imported(harness, "maxsat", tmp_path / "t.html", text, 60).code == 0
    best = 9 if text is SCORES else 39  # without a published one, the best of all solvers
    assert points(harness, "maxsat-anytime") == pytest.approx({"a": 1 / 2, "b": (4 / 8 + (1 + best) / 40) / 2})


def test_optima_are_proved_at_their_times(tmp_path: Path, harness: Harness) -> None:
    done = imported(harness, "maxsat", tmp_path / "t.html", PAIRS, 3600)
    assert "times and optima: 2 instances, 2 solvers; cells: 3 with an answer, 1 without an answer" in done.err
    assert points(harness, "maxsat") == {"a": 2, "b": 1}
    row = cells(harness)["x.wcnf", "a"]
    assert (row["objective"], row["optimal"], row["wall_ns"]) == (7, True, 1_500_000_000)


def test_a_table_of_times_alone_counts_what_is_solved(tmp_path: Path, harness: Harness) -> None:
    assert "times until an optimum" in imported(harness, "maxsat", tmp_path / "t.csv", TIMES, 3600).err
    entries = harness("report", "j.sqlite", "--json", "-").summary["contenders"]
    assert {c["name"]: c["solved"] for c in entries} == {"a": 2, "a (2)": 1}


def test_a_cost_that_a_spreadsheet_rounded_is_read(tmp_path: Path, harness: Harness) -> None:
    imported(harness, "maxsat", tmp_path / "t.html", SCORES.replace("0.25 (39)", "0.25 (3.9E+016)"), 60)
    assert cells(harness)["y.wcnf", "b"]["objective"] == 39 * 10**15


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d.pop("kind"), "kind is not a list of texts"),
        (lambda d: d["kind"].__setitem__(1, "LEAST"), "'least' is 'LEAST', not SAT, MIN, MAX"),
        (lambda d: d["results"][0].__setitem__(1, "OK"), "'a-free', 'least/two': result is 'OK', not"),
        (lambda d: d["times"].pop(), "times is not a list for each of 2 solvers"),
        (lambda d: d["times"][0].__setitem__(0, -1), "'-1' is not a time in milliseconds"),
        (lambda d: d["times"][0].__setitem__(0, " "), "SC without a time"),
        (lambda d: d["objectives"][0].__setitem__(0, 1.5), "the objective '1.5' is not an integer"),
        (lambda d: d["instances"][1].append(0), "instances of 'least': '0' is no benchmark of its own"),
    ],
)
def test_a_bad_challenge_is_one_line(
    change: Callable[[dict[str, Any]], object], why: str, tmp_path: Path, harness: Harness
) -> None:
    data = json.loads(json.dumps(CHALLENGE))
    change(data)
    done = imported(harness, "minizinc", tmp_path / "r.json", json.dumps({"results": data}))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("<p>nothing</p>", 1, "not a table of a MaxSAT Evaluation"),
        (SCORES.replace("Instance", "Family"), 2, "not a table of a MaxSAT Evaluation"),
        (SCORES.replace("<td>0.5 (7)</td>", ""), 3, "3 cells, but there are 4 columns"),
        (SCORES.replace("0.5 (7)", "0.5 (7.5)"), 3, "b: '0.5 (7.5)' is not a score and a cost"),
        (SCORES.replace("y.wcnf", "x.wcnf"), 4, "the instance 'x.wcnf' is there twice"),
        (PAIRS.replace("0.4 (3)", "soon"), 4, "b: 'soon' is not a time and a cost"),
    ],
)
def test_a_bad_table_is_one_line_with_its_line(
    text: str, line: int, why: str, tmp_path: Path, harness: Harness
) -> None:
    done = imported(harness, "maxsat", tmp_path / "t.html", text, 3600)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert re.search(rf"t\.html:{line}: {re.escape(why)}", done.err)


@pytest.mark.parametrize(("form", "text"), [("minizinc", json.dumps({"results": CHALLENGE})), ("maxsat", SCORES)])
def test_mutated_files_are_read_or_refused_in_one_line(form: str, text: str, tmp_path: Path, harness: Harness) -> None:
    random = Random(1)
    for _ in range(40):
        at = random.randrange(len(text))
        put, cut = random.choice(["", "9", "-", "[", '"', "<", "\x00", "é"]), random.randint(0, 3)
        mutated = text[:at] + put + text[at + cut :]
        done = imported(harness, form, tmp_path / "t.html", mutated, 60)
        assert done.code in (0, 1) or (done.code, done.err.count("\n")) == (2, 1), (mutated, done.err)
        Path("j.sqlite").unlink(missing_ok=True)


@pytest.mark.parametrize("form", ["minizinc", "maxsat"])
def test_a_competition_states_no_limit(form: str, tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.html").write_text(SCORES)
    done = harness("import", "--format", form, tmp_path / "t.html", "-o", "j.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "state it with -t SECONDS" in done.err
