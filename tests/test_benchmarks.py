"""Benchmarks: their figures and intervals, the runner of all of them, and the page that is generated from records."""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.append(str(FOLDER))

import all as runner  # noqa: E402
import boards  # noqa: E402
import measuring  # noqa: E402
import readme  # noqa: E402
from figures import Figure, in_turn, mean_ratio, pair_ratio, show, table  # noqa: E402
from instances import CLASSES  # noqa: E402
from suite import BENCHMARKS, LEFT_OUT, TOOLS, Benchmark  # noqa: E402

from puzzles.formats import read  # noqa: E402

TYPED = re.compile(r"(?<![\w-])\d[\d,.]*\s?(s|ms|us|ns|MB|MiB|MB/s|1/s|times|puzzles/s|%|clauses)(?![\w-])")
WRITES = """
import json, os, sys
figures = [{"case": "", "way": "", "name": "cost", "value": VALUE}]
json.dump({"packages": os.environ["PYTHONPATH"], "figures": figures}, open(sys.argv[-1], "w"))
"""


def script(folder: Path, name: str, text: str, **fields: Any) -> Benchmark:
    """Return a benchmark whose script has this text."""
    path = folder / f"{name}.py"
    path.write_text(text)
    return Benchmark(str(path), "", "", **fields)


def entry(date: str, value: float, commit: str | None = "abc") -> dict[str, Any]:
    """Return a record with one figure."""
    origin: dict[str, Any] = {
        "command": "x.py",
        "date": date,
        "commit": commit,
        "machine": {"cpu": "A", "cores": 2},
        "load": [],
    }
    return origin | {"versions": {}, "figures": [Figure("c", "w", "cost", value, "s").as_dict()]}


def written(path: Path, benchmarks: Mapping[str, Any]) -> None:
    measuring.write_records({"benchmarks": benchmarks, "failures": {}}, path)


def test_the_readme_is_what_the_generator_makes_of_the_records() -> None:
    assert readme.README.read_text() == readme.filled(readme.TEMPLATE.read_text(), readme.records())


def test_the_prose_of_the_readme_states_no_measurement() -> None:
    prose = re.sub(r"\{\{[^}]+\}\}", "", readme.TEMPLATE.read_text())
    assert [match.group() for match in TYPED.finditer(prose)] == []


def test_every_script_is_in_the_suite_or_left_out_with_a_reason() -> None:
    scripts = {p.name for p in FOLDER.glob("*.py") if '__name__ == "__main__"' in p.read_text()} - {"all.py"}
    assert scripts == {b.script for b in BENCHMARKS.values()} | LEFT_OUT.keys()
    assert not {b.script for b in BENCHMARKS.values()} & LEFT_OUT.keys()


@pytest.mark.parametrize("name", ["phase", "cnf-structured"])
def test_a_class_has_as_many_instances_as_asked_for_and_a_seed_makes_them_again(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        CLASSES[name](folder, 3, 23)
    assert len(list(read(first))) == 23
    assert {p.name: p.read_bytes() for p in first.iterdir()} == {p.name: p.read_bytes() for p in second.iterdir()}


def test_the_best_of_pysat_is_that_of_the_class_and_other_solvers_do_not_count() -> None:
    costs = dict(zip(boards.CONTENDERS, (2.0, 1.0, 8.0, 6.0, 7.0, 9.0), strict=True))
    found = {
        name: {"solved": 3, "unsatisfiable": 1, "par2": cost, "seconds": {"median": cost, "max": None}}
        for name, cost in costs.items()
    }
    best = {f.name: f.value for f in boards.figures("latin", found, False) if f.way == boards.BEST}
    assert best == {"decided": 4, "PAR-2": 6000.0, "vs native": 3.0, "median": 6000.0}


def test_pairs_cancel_a_drift_that_single_costs_follow() -> None:
    rng = np.random.default_rng(3)
    second = np.exp(rng.uniform(0, np.log(2), (4, 20)))  # cost of the same work varies twofold
    pairs = np.stack([1.05 * second * np.exp(rng.normal(0, 0.02, (4, 20))), second], axis=2)
    value, low, high = pair_ratio(pairs.tolist())
    assert low < 1.05 < high
    assert high - low < 0.03
    assert low < value < high


def test_the_interval_covers_differences_between_rounds() -> None:
    rounds = [[(factor, 1.0)] * 20 for factor in (0.9, 1.0, 1.1, 1.0)]  # each round without any scatter
    _, low, high = pair_ratio(rounds)
    assert low < 0.98
    assert high > 1.02


def test_the_limits_of_few_rounds_are_those_of_student() -> None:
    value, low, high = mean_ratio([np.exp(x) for x in (-0.1, 0.0, 0.1)])
    assert value == pytest.approx(1)
    assert np.log(high) == pytest.approx(4.303 * 0.1 / np.sqrt(3), rel=0.001)
    assert low * high == pytest.approx(1)


def test_ways_take_turns_on_every_item() -> None:
    calls: list[str] = []
    assert in_turn({"a": lambda n: calls.append(f"a{n}") or n, "b": lambda n: calls.append(f"b{n}") or -n}, [1, 2]) == {  # type: ignore[func-returns-value]
        "a": [1, 2],
        "b": [-1, -2],
    }
    assert calls == ["a1", "b1", "a2", "b2"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (123456, "123,456"),
        (1234.5, "1,234"),
        (105.2, "105"),
        (0.0123, "0.0123"),
        (2.0, "2"),
        (100.4, "100"),
        (0.05, "0.05"),
    ],
)
def test_numbers_show_three_digits_and_counts_all(value: float, text: str) -> None:
    assert show(value) == text


def test_a_table_of_one_figure_has_a_column_for_each_way() -> None:
    some = [Figure(case, way, "speed", n) for case, way, n in (("x", "a", 1), ("x", "b", 2), ("y", "b", 3))]
    lines = [re.sub(" +", " ", line) for line in table([*some, Figure("x", "a", "boards", 9)], "speed").splitlines()]
    assert [lines[0], *lines[2:]] == ["| | a | b |", "| x | 1 | 2 |", "| y | | 3 |"]


def test_a_failure_or_a_late_benchmark_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = {
        "fails": script(tmp_path, "fails", "raise SystemExit('no such solver')"),
        "late": script(tmp_path, "late", "import time; time.sleep(60)", minutes=0.002),
        "strange": script(tmp_path, "strange", WRITES.replace('os.environ["PYTHONPATH"]', "'/'").replace("VALUE", "1")),
        "without": Benchmark("x.py", "", "--tool {no-such-tool}"),
        "good": script(tmp_path, "good", WRITES.replace("VALUE", "2.5")),
    }
    monkeypatch.setattr(runner, "BENCHMARKS", some)
    monkeypatch.setattr(measuring, "commit", lambda checkout: "abc")
    path = tmp_path / "records.json"
    written(path, {"other": entry("2026-01-01", 1)})
    assert runner.record(list(some), True, {}, path) == 3
    printed = capsys.readouterr().out
    assert "fails: exit code 1: no such solver" in printed
    assert "without: skipped: it needs --with no-such-tool=PATH" in printed
    known = json.loads(path.read_text())
    assert known["benchmarks"].keys() == {"other", "good"}
    assert known["benchmarks"]["good"]["figures"] == [Figure("", "", "cost", 2.5).as_dict()]
    assert known["failures"] == {
        "fails": "exit code 1",
        "late": "it takes too long",
        "strange": "it measured the packages of another checkout",
        "without": "skipped",
    }


def test_a_success_replaces_the_failure_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BENCHMARKS", {"good": script(tmp_path, "good", WRITES.replace("VALUE", "2"))})
    monkeypatch.setattr(measuring, "commit", lambda checkout: "abc")
    path = tmp_path / "records.json"
    measuring.write_records({"benchmarks": {}, "failures": {"good": "it takes too long"}}, path)
    assert runner.record(["good"], True, {}, path) == 0
    assert json.loads(path.read_text())["failures"] == {}


can_pin = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="pins processes to a core")


@pytest.mark.parametrize("compared", [pytest.param("together", marks=can_pin), "in turn"])
def test_a_comparison_gives_the_ratio_of_two_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compared: str
) -> None:
    text = WRITES.replace("VALUE", "4 if os.getcwd().endswith('before') else 2")
    monkeypatch.setattr(runner, "BENCHMARKS", {"x": script(tmp_path, "x", text, compared=compared)})
    (tmp_path / "before").mkdir()
    found = {f.name: f for f in runner.compare(["x"], 2, True, {"old": str(tmp_path / "before")})}
    assert (found["old"].value, found["new"].value) == (4, 2)
    assert found["new / old"].value == pytest.approx(0.5)


def test_an_unknown_tool_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["all.py", "--with", "drat=/x"])
    with pytest.raises(SystemExit):
        runner.main()
    assert "--with takes NAME=PATH" in capsys.readouterr().err


def test_every_tool_of_the_suite_can_be_named() -> None:
    words = " ".join(f"{b.short} {b.full}" for b in BENCHMARKS.values())
    assert set(re.findall(r"\{(.+?)\}", words)) == {*TOOLS, "old"}


def test_the_latest_record_counts_and_one_carried_over_only_without_another(tmp_path: Path) -> None:
    written(tmp_path / "a.json", {"x": entry("2026-03-01", 1), "y": entry("2026-01-01", 2)})
    written(tmp_path / "b.json", {"x": entry("2026-02-01", 3), "z": entry("2026-01-01", 4, None)})
    written(tmp_path / "c.json", {"y": entry("2026-09-01", 5, None)})
    known = readme.records(tmp_path)
    assert {name: record["figures"][0]["value"] for name, record in known.items()} == {"x": 1, "y": 2, "z": 4}
    assert "carried over" in readme.where(known["z"])
    assert "carried over" not in readme.where(known["x"])


def test_placeholders_give_the_figures_of_a_record() -> None:
    text = readme.filled("It takes {{value x | c | w | cost}}.\n{{table x}}", {"x": entry("2026-01-01", 2.5)})
    assert text.startswith("It takes 2.5 s.\n|")
    with pytest.raises(KeyError):
        readme.filled("{{table y}}", {})
