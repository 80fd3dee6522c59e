"""Columns of the page: what is stored, in how many bytes, and what has no room."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.errors import BadUsage
from harness.reporting.frame.results import State
from harness.reporting.page import drawings, report
from harness.reporting.page.columns import half_nanoseconds
from harness.reporting.page.container import Container, zigzag
from harness.runs.runner import Run
from harness.showing.pictures import picture, pictures
from harness.storing.journal import open_journal
from tests.journals import make, noisy
from tests.reporting.page import fixture


def test_the_container_that_the_tests_of_the_page_read_is_what_python_writes() -> None:
    stored = json.loads(fixture.PATH.read_text(encoding="utf-8"))
    assert fixture.fixture() == stored, "run `python -m tests.reporting.page.fixture`"


@given(st.lists(st.integers(0, (1 << 53) - 1), max_size=20))
def test_planes_hold_whole_numbers(numbers: list[int]) -> None:
    into = Container()
    into.add([1, 2, 3])
    text, length = into.add_texts(["\u202e</script>", "\udc80"])
    offset, count, planes = into.add(np.array(numbers, np.int64))
    packed = gzip.decompress(into.packed({"x": "\u202e</script>"}))
    size = int.from_bytes(packed[:4], "little")
    stored = packed[4 + size + length + offset :]
    assert json.loads(packed[4 : 4 + size]) == {"x": "\u202e</script>", "texts": length}
    assert json.loads(packed[4 + size + text :][:length]) == ["\u202e</script>", "\udc80"]
    assert len(stored) == count * planes
    assert [sum(stored[k * count + i] << 8 * k for k in range(planes)) for i in range(count)] == numbers


@given(st.integers(-(1 << 52), 1 << 52))
def test_zigzag_numbers_are_not_negative_and_differ(number: int) -> None:
    (found,) = zigzag(np.array([number], np.int64)).tolist()
    assert found == (2 * number if number >= 0 else -2 * number - 1)


@given(st.integers(1, 1 << 50))
def test_seconds_give_back_the_half_nanoseconds_below_six_days(halves: int) -> None:
    seconds = np.array([halves / 2 / 1e9, np.nan])
    assert half_nanoseconds(seconds).tolist() == [halves, 0]


def test_drawings_begin_with_what_failed_and_then_what_took_long(tmp_path: Path) -> None:
    odd = {"y": {"undecided": [70], "crashed": [40]}}
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1), "y": noisy(2, 1)}, odd=odd)
    with open_journal(path) as journal:
        results = Run(journal).rejudge().results()
        assert drawings.order(results)[:2].tolist() == [40, 70]
        slowest = max((i for i in range(100) if i not in (40, 70)), key=lambda i: results.contenders[0].wall[i + 1])
        assert slowest in drawings.order(results)[2:4]
        texts, which = drawings.drawings(results, pictures)
        assert (which > 0).all()
        assert texts[which[40] - 1] == picture(journal.instances.get(41))


def test_a_budget_of_drawings_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1)})
    monkeypatch.setattr(drawings, "MOST", 3)
    with open_journal(path) as journal:
        results = Run(journal).rejudge().results()
        texts, which = drawings.drawings(results, lambda instances: [instance.name for instance in instances])
        assert (len(texts), int((which > 0).sum())) == (3, 3)
        noise = np.random.default_rng(1)
        monkeypatch.setattr(drawings, "MOST", 100)
        texts, which = drawings.drawings(
            results, lambda many: [noise.bytes(20_000).hex() for _ in many], budget=100_000
        )
        assert 3 <= len(texts) <= 8


def test_verdicts_are_the_worst_of_the_repeats(tmp_path: Path) -> None:
    path = make(
        tmp_path / "j.sqlite",
        {"x": noisy(1, 2, 6), "y": noisy(2, 2, 6)},
        odd={"x": {"undecided": [2], "unsatisfiable": [4]}},
    )
    with open_journal(path, write=True) as journal:
        journal.db.execute("update outcomes set verdict = 4 where puzzle = 1 and repeat = 1 and contender = 0")
    with open_journal(path) as journal:
        x, _ = Run(journal).results().contenders
    assert x.verdict[1:].tolist() == [4, 0, 2, 0, 1, 0]
    assert x.verdict[0] == -1
    assert x.state[5] == State.WRONG


def test_a_page_refuses_more_results_than_a_browser_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 6)})
    monkeypatch.setattr(report, "MAX_RESULTS", 5)
    summary: Any = {}
    with (
        open_journal(path) as journal,
        pytest.raises(BadUsage, match="6 instances x 1 contenders: a page holds up to 5"),
    ):
        report.page([Run(journal).rejudge().results()], [summary], None, None, "", pictures)
