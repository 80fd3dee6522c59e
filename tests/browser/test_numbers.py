"""Numbers on the page: those of `report --json`, and under a filter those computed here over the same instances."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.reporting.frame.results import State
from tests.browser.conftest import Open
from tests.browser.journals import LIMIT, Made
from tests.browser.test_rankings import FIELDS

COMPUTED = {*FIELDS, "fastest"}  # by the page, so that a filter changes them


def at(entry: Any, path: str) -> Any:
    """Return what an entry holds at a path such as cpu.seconds.mean."""
    for key in path.split("."):
        entry = entry[key]
    return entry


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_every_figure_of_a_contender_is_that_of_json(open_page: Open, small: Made, clock: str) -> None:
    every = open_page(small, f"#clock={clock}&rank=solved&more=true").values("#ranking")
    shown = {(name, field): value for (name, field), value in every.items() if field not in COMPUTED}
    entries = {c["name"]: c for c in small.summary["contenders"]}
    prefix = "cpu." if clock == "cpu" else ""
    assert shown == {(name, field): at(entries[name], field) for name, field in shown}
    fields = {field for _, field in shown}
    states = {state.name.lower() for state in State if state > State.PROOFLESS}
    assert fields >= states | {"solved", "satisfiable", "unsatisfiable", "uncertified"}
    assert fields >= {prefix + key for key in ("par2", "par10", "seconds.median", "seconds.p95", "puzzles_per_second")}
    assert len(shown) == len(entries) * len(fields)


def test_agreement_is_that_of_json(open_page: Open, small: Made) -> None:
    found = open_page(small)
    shown = {key.removeprefix("agreement."): value for (_, key), value in found.values("#agreement").items()}
    agreement = small.summary["agreement"]
    assert shown == {key: agreement[key] for key in shown}
    counted = {key for key, value in agreement.items() if isinstance(value, int) and value and key != "puzzles"}
    assert counted <= shown.keys()
    text = found.page.inner_text("#agreement")
    assert f"Of {agreement['puzzles']} puzzles" in text
    assert f"Disagreements ({len(agreement['disagreements'])})" in text
    assert all(d["why"] in text for d in agreement["disagreements"])
    assert all(warning in text for warning in small.summary["warnings"])


def expected(column: dict[str, Any], keep: Any) -> dict[str, float | None]:
    """Return figures over the kept instances, by the definitions of docs/reference/summary.md."""
    state, unsatisfiable = column["state"][keep], column["unsatisfiable"][keep]
    times = np.nan_to_num(column["wall"][keep][state == State.DECIDED])
    asked, decided = int((state != State.NONE).sum()), len(times)
    counts = {s.name.lower(): int((state == s).sum()) for s in State if s > State.PROOFLESS}
    par = {k: (times.sum() + k * LIMIT * (asked - decided)) / asked for k in (2, 10)}
    return {
        **counts,
        "solved": decided,
        "satisfiable": decided - int(unsatisfiable.sum()),
        "unsatisfiable": int(unsatisfiable.sum()),
        "par2": par[2],
        "par10": par[10],
        "seconds.median": float(np.median(times)) if decided else None,
        "seconds.mean": float(times.mean()) if decided else None,
        "seconds.p95": float(np.quantile(times, 0.95)) if decided else None,
        "seconds.max": float(times.max()) if decided else None,
    }


Keep = Callable[[Made], Any]
FILTERS: dict[str, Keep] = {
    "search=made%3A1": lambda made: [name.startswith("made:1") for name in made.names],
    "where=cpsat%3Dtimeout": lambda made: made.columns["cpsat"]["state"] == State.TIMEOUT,
    "where=*%3Dunsolved&search=2": lambda made: [
        "2" in name and any(c["state"][i] > State.DECIDED for c in made.columns.values())
        for i, name in enumerate(made.names)
    ],
    "timed=native&from=0.002&to=0.004": lambda made: (
        (made.columns["native"]["wall"] >= 0.002) & (made.columns["native"]["wall"] <= 0.004)
    ),
}


@pytest.mark.parametrize("address", FILTERS)
def test_sums_under_a_filter_are_those_of_its_instances(open_page: Open, small: Made, address: str) -> None:
    keep = np.asarray(FILTERS[address](small))
    assert 0 < keep.sum() < len(keep)
    found = open_page(small, f"#{address}&rank=solved&more=true")
    assert found.page.inner_text("#filters .count") == f"{keep.sum()} of {len(keep)} puzzles"
    shown = found.values("#ranking")
    compared = 0
    for name, column in small.columns.items():
        for field, value in expected(column, keep).items():
            if (name, field) in shown:
                assert shown[name, field] == (value if value is None else pytest.approx(value, rel=1e-9)), (name, field)
                compared += 1
    assert compared >= 10 * len(small.columns)
    assert int(found.page.get_attribute(".grid", "aria-rowcount") or 0) == keep.sum() + 1


def test_a_count_is_a_link_to_as_many_instances(open_page: Open, small: Made) -> None:
    found = open_page(small, "#more=true")
    links = found.page.locator("#ranking span[data-field]:has(a)")
    assert links.count() >= 15
    for k in range(links.count()):
        count = str(links.nth(k).get_attribute("data-value"))
        links.nth(k).locator("a").click()
        found.settle()
        assert found.page.inner_text("#filters .count") == f"{count} of {len(small.names)} puzzles"
        found.click(".chips button")


def test_details_have_each_outcome_with_its_exact_times_and_its_command(open_page: Open, small: Made) -> None:
    found = open_page(small, "#open=made%3A6")
    at_six = {name: column["state"][5] for name, column in small.columns.items()}
    states = found.page.eval_on_selector_all(
        "#details tbody",
        "all => all.map(e => [e.dataset.contender, e.querySelector('[data-field=state]').dataset.value])",
    )
    assert dict(states) == {name: State(state).name.lower() for name, state in at_six.items()}
    assert at_six["cpsat"] == State.ERROR
    assert "worker died: signal 11" in found.page.inner_text("#details tbody[data-contender=cpsat]")
    wall = found.page.get_attribute("#details [data-contender=native] [data-field=wall]", "data-value")
    found.page.click("#details [data-contender=cpsat] button")
    command = found.page.inner_text("#details [data-contender=cpsat] .copyable code")
    assert command.startswith("python -m harness solve '/my puzzles/made:6' -b cpsat")
    assert float(wall or 0) == pytest.approx(small.columns["native"]["wall"][5] * 1e9, abs=0.1)
