"""The sentence on who wins says no more than ranks and intervals do, and of copies it never names a winner."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.commands.html import write_page
from harness.reporting.frame.advice import advised_clock
from harness.reporting.frame.entries import HeadlineEntry
from harness.reporting.frame.results import Results
from harness.reporting.frame.summary import summarise
from harness.reporting.page.trust import trust
from harness.reporting.views.comparing import headline as compared
from harness.reporting.views.comparing.comparison import compared as compare_journals
from harness.reporting.views.ranking.headline import Standings, headline
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.result import of_results
from harness.reporting.writing.labels import common_start, short_names
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.journals import make, noisy
from tests.searching import Made as Searched
from tests.searching import optimised

NAMES = ("a", "b", "c", "d", "e")


def said(ranks: Sequence[tuple[int, int]] | None, **more: Any) -> HeadlineEntry:
    """Return the headline of contenders a, b, ... with these ranks and a PAR-2 of 1 s, 1.4 s, ..."""
    names = NAMES[: len(ranks or NAMES)]
    known = ranks and dict(zip(names, ranks, strict=True))
    par2, solved = {name: 1 + 0.4 * k for k, name in enumerate(names)}, dict.fromkeys(names, 9)
    facts: dict[str, Any] = {"par2": par2, "solved": solved, "ranks": known} | more
    return headline(Standings("wall", "puzzle", 10, **facts))


def test_a_winner_needs_rank_1_alone() -> None:
    found = said([(1, 1), (2, 3), (2, 3)])
    assert found["sentence"] == "a wins: 1.40 times faster than b by PAR-2"
    assert (found["winner"], found["first"]) == ("a", ["a"])


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ([(1, 2), (1, 2), (3, 3)], "First place is open: a or b"),
        ([(1, 3), (1, 3), (1, 3)], "First place is open: a, b or c"),
        ([(1, 2), (2, 3), (1, 3)], "First place is open: a or c"),
        ([(1, 5)] * 5, "First place is open: all 5 contenders may be first; a has the least PAR-2"),
    ],
)
def test_an_open_first_place_names_those_that_may_have_it(ranks: list[tuple[int, int]], sentence: str) -> None:
    found = said(ranks)
    assert found["sentence"] == sentence
    assert found["winner"] is None


def test_without_tests_without_answers_or_alone_nobody_wins() -> None:
    assert said(None)["sentence"] == "First place is not tested: a has the least PAR-2"
    none = said([(1, 2), (1, 2)], solved={"a": 0, "b": 0})
    assert none["sentence"] == "Nobody is first: no contender decided an instance"
    one = said([(1, 2), (1, 2)], solved={"a": 3, "b": 0})
    assert one["sentence"] == "a alone decides instances: 3 of 10 puzzles"
    open_of_two = said([(1, 3)] * 3, solved={"a": 3, "b": 2, "c": 0})
    assert open_of_two["sentence"] == "First place is open: a or b", "c decided nothing"
    empty = said([], par2={}, solved={})
    assert empty["sentence"] == "Nobody is first: no contender has times and right answers alone"
    alone = said([(1, 1)], unranked=2)
    assert (
        alone["sentence"] == "a is the only contender without a wrong answer and with times: it decides 9 of 10 puzzles"
    )
    assert {found["winner"] for found in (said(None), none, empty, alone)} == {None}


def test_details_have_the_margin_the_pair_the_ranks_and_scores_that_disagree() -> None:
    more = {"faster": (2, 6, 8), "leaders": {"Borda": ["b"], "number decided": ["a", "b"], "CPU time": ["c"]}}
    assert said([(1, 2), (1, 2), (3, 3)], **more)["details"] == [
        "a has PAR-2 1.00 s of wall time and decides 9 of 10.",
        "b is 1.40 times behind, and faster on 6 of the 8 that both decide.",
        "On other instances like these both may rank 1 to 2 (95 %).",
        "By Borda b is first, by CPU time c.",
    ]


Opened = Callable[[Path], Results]


@pytest.fixture
def results_of() -> Iterator[Opened]:
    """Return what opens a journal and judges it again."""
    with ExitStack() as stack:
        yield lambda path: Run(stack.enter_context(open_journal(path))).rejudge().results()


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_copies_of_a_solver_have_no_winner(seed: int, repeats: int, tmp_path: Path, results_of: Opened) -> None:
    drift = np.exp(np.random.default_rng(seed).normal(0, 0.03, (5, repeats, 1)))
    times = {f"copy@{k}": noisy(10 * seed + k, repeats, 60) * drift[k] for k in range(5)}
    found = of_results(results_of(make(tmp_path / "aa.sqlite", times)), "wall")
    assert found["winner"] is None
    assert found["sentence"].startswith("First place is open: ")


@pytest.mark.parametrize("clock", ["wall", "cpu"])
@pytest.mark.parametrize("factor", [1.0, 1.1, 1.5, 30.0])
def test_the_sentence_follows_the_ranking(factor: float, clock: str, tmp_path: Path, results_of: Opened) -> None:
    times = {"x": noisy(1, 3, 40), "slow": noisy(3, 3, 40, factor=3.0), "y": noisy(2, 3, 40, factor=factor)}
    results = results_of(make(tmp_path / "j.sqlite", times))
    found, ranks = of_results(results, clock), rank(results, "par2", clock).contenders
    may_be_first = [c.name for c in ranks if c.rank_low == 1]
    assert found["first"] == may_be_first
    assert found["winner"] == (ranks[0].name if ranks[0].rank_high == 1 else None)
    assert (found["winner"] is None) == (factor == 1.0)


def test_a_contender_with_a_wrong_answer_is_no_winner_however_fast(
    tmp_path: Path, harness: Harness, results_of: Opened
) -> None:
    times = {"liar": noisy(1, 3, 40, factor=0.01), "x": noisy(2, 3, 40), "slow": noisy(3, 3, 40, factor=3.0)}
    path = make(tmp_path / "j.sqlite", times, odd={"liar": {"wrong": [3, 4]}})
    found = of_results(results_of(path), "wall")
    assert (found["winner"], found["first"]) == ("x", ["x"])
    assert "liar" not in " ".join([found["sentence"], *found["details"]])
    last = harness("report", path).out.splitlines()[-1]
    assert last == f"result:    {found['sentence']} (wall time)"


def test_the_clock_is_the_one_that_warnings_advise(tmp_path: Path, harness: Harness, results_of: Opened) -> None:
    wall = {"x": noisy(1, 3, 40), "y": noisy(2, 3, 40, factor=0.5)}
    waited = {"x": wall["x"] * 0.1, "y": wall["y"] * 0.9}
    busy = make(tmp_path / "busy.sqlite", wall, cpu_times=waited)
    assert advised_clock(results_of(busy)) == "cpu"
    assert advised_clock(results_of(make(tmp_path / "quiet.sqlite", wall))) == "wall"
    threads = {"x": waited["x"], "y": wall["y"] * 3}
    assert advised_clock(results_of(make(tmp_path / "threads.sqlite", wall, cpu_times=threads))) == "wall"
    late = {"batches": 1, "puzzles": 40, "reported": 10**9, "waited": 10**12}
    liar = make(tmp_path / "liar.sqlite", wall, cpu_times={"x": wall["x"] * 0.1, "y": wall["y"]}, clocks={"x": late})
    assert advised_clock(results_of(liar)) == "wall", "times that are impossible advise nothing"
    lines = harness("report", busy).out.splitlines()
    assert any("trust CPU times (--time cpu)" in line for line in lines)
    assert lines[-1].startswith("result:    y wins: ")
    assert lines[-1].endswith(" (wall time)")


@pytest.mark.parametrize(("time", "first", "named"), [((), "y", "wall"), (("--time", "cpu"), "x", "CPU")])
def test_table_ratio_and_result_are_by_one_clock(
    time: Sequence[str], first: str, named: str, tmp_path: Path, harness: Harness
) -> None:
    wall = {"x": noisy(1, 3, 40), "y": noisy(2, 3, 40, factor=0.5)}
    busy = make(tmp_path / "busy.sqlite", wall, cpu_times={"x": wall["x"] * 0.1, "y": wall["y"] * 0.9})
    lines = harness("report", busy, "--rank", "par2", *time).out.splitlines()
    result = next(line for line in lines if line.startswith("result:"))
    assert result.startswith(f"result:    {first} wins: ")
    assert result.endswith(f" ({named} time)")
    row = next(line for line in lines if line.startswith(("x ", "y ")))
    assert row.startswith(first)
    assert " 1.00x" in row
    ratio = result.split("wins: ")[1].split(" times")[0]
    assert any(f" {ratio}x" in line for line in lines)
    assert next(line for line in lines if line.startswith("1 ")).split()[1] == first


def comparison(ratios: Sequence[tuple[float, float, float, str]]) -> Any:
    """Return what `compare --json` has of contenders a, b, ... with these ratios, intervals and calls."""
    none: dict[str, Any] = {kind: [] for kind in ("conflict", "wrong", "lost", "gained")}
    entries = [
        {"after": {"contender": name}, "call": call, "times": {"cpu": dict(zip(ENDS, ends, strict=True), call=call)}}
        for name, (*ends, call) in zip(NAMES, ratios, strict=False)
    ]
    return {"threshold": 0.05, "comparisons": [entry | none for entry in entries]}


ENDS = ("ratio", "low", "high")


def test_a_change_is_called_only_where_compare_calls_it() -> None:
    changed = compared.headline(comparison([(1.31, 1.2, 1.4, "regressed"), (0.5, 0.4, 0.6, "improved")]))
    assert changed["sentence"] == "Slower: a 1.31 times; Faster: b 2.00 times"
    same = compared.headline(comparison([(1.01, 0.99, 1.03, "same")] * 2))
    assert same["sentence"] == "No change: every ratio is within 5 %"
    doubt = compared.headline(comparison([(0.97, 0.7, 1.2, "inconclusive"), (0.91, 0.88, 0.94, "inconclusive")]))
    assert doubt["sentence"] == "No change shown: 2 contenders at 0.91 to 0.97 times the older time"
    assert doubt["details"] == ["Widest interval (99 %): 0.70 to 1.20 times, a, CPU time."]


def test_two_runs_of_the_same_show_no_change_and_a_loss_is_told(tmp_path: Path) -> None:
    times = {"x": noisy(1, 3, 40), "y": noisy(2, 3, 40)}
    again = {"x": noisy(3, 3, 40), "y": noisy(4, 3, 40)}
    paths = make(tmp_path / "a.sqlite", times), make(tmp_path / "b.sqlite", again, odd={"y": {"undecided": [5]}})
    with open_journal(paths[0]) as a, open_journal(paths[1]) as b:
        before, after = (Run(journal).rejudge().results() for journal in (a, b))
        found = compared.headline(compare_journals(before, after)[1])
    assert found["sentence"].startswith("No change")
    assert found["details"][0] == "y lost 1 instance."


def test_names_lose_what_they_share_and_stay_apart() -> None:
    names = ["native", "pysat:cadical195/extended", "pysat:glucose4/extended", "lines:mine"]
    assert short_names(names)[0] == dict(zip(names, ["native", "cadical195", "glucose4", "lines:mine"], strict=True))
    assert short_names(names)[1] == ["/extended", "pysat:"]
    two = ["pysat:x/order", "pysat:x/log", "x"]
    assert list(short_names(two)[0].values()) == ["x/order", "x/log", "x"]
    clash = ["pysat:x", "pysat:y", "x"]
    assert list(short_names(clash)[0].values()) == clash
    assert short_names(["dimacs:k[--a/b]", "dimacs:k[--c]"])[0]["dimacs:k[--a/b]"] == "k[--a/b]"


def test_the_common_start_of_names_ends_with_a_folder() -> None:
    assert common_start(["a/b/c1.cnf", "a/b/c2.cnf"]) == "a/b/"
    assert common_start(["a/b/c.cnf", "a/bc/c.cnf"]) == "a/"
    assert common_start(["a/b.cnf"]) == common_start(["x", "y"]) == common_start([]) == ""


def test_the_trust_strip_counts_what_is_wrong_unproved_and_undecided(tmp_path: Path, results_of: Opened) -> None:
    odd = {"liar": {"wrong": [3, 4], "undecided": [7]}, "x": {"undecided": [5, 7], "unsatisfiable": []}}
    path = make(tmp_path / "j.sqlite", {"liar": noisy(1, 1, 40), "x": noisy(2, 1, 40)}, odd=odd)
    results = results_of(path)
    tiles = trust(results, summarise(results), "wall")
    told = {tile["head"]: (tile["mark"], tile["text"], tile["where"]) for tile in tiles}
    assert told["1 contender wrong"] == ("bad", "liar on 2 instances", "liar=wrong")
    assert told["quiet machine"][:2] == ("good", "speed varied by 0 %; wall time opens")
    assert told["77 solutions checked"][:2] == ("bad", "2 do not hold; those of all others hold")
    assert told["1 decided by nobody"] == ("open", "3 by one contender alone", "*=nobody")


def test_a_page_of_one_contender_is_written(tmp_path: Path, results_of: Opened) -> None:
    results = results_of(make(tmp_path / "one.sqlite", {"x": noisy(1, 1, 3)}))
    write_page(str(tmp_path / "one.html"), [results], [summarise(results)])
    assert (tmp_path / "one.html").stat().st_size > 10_000


def values(*of: int) -> list[Searched]:
    """Return searches that reach these values, the values below 10 proved."""
    return [Searched([(0.1, value)], proved=0.2 if value < 10 else None) for value in of]


@pytest.mark.parametrize(
    ("b", "sentence", "detail"),
    [
        ([15] * 20, "a wins: it has the best value on all 20 and proves all 20", "b has the best value on 0 of 20"),
        (
            [5] * 20,
            "First place is open: a or b; each has the best value on all 20 and proves all 20",
            "is never behind",
        ),
        (
            [5] * 8 + [10] * 12,
            "a wins: it has the best value on all 20",
            "proves 8, and is 50.0 % behind in the median",
        ),
        (
            [5] * 19 + [10],
            "First place is open: a or b; a has the best value on all 20",
            "is 2.50 % behind in the mean",
        ),
    ],
)
def test_a_corpus_that_asks_for_values_opens_with_them(
    b: list[int], sentence: str, detail: str, tmp_path: Path, results_of: Opened
) -> None:
    made = {"a": values(*[5] * 20), "b": values(*b), "none": [Searched()] * 20}
    found = of_results(results_of(optimised(tmp_path / "j.sqlite", made)), "wall")
    assert found["sentence"].startswith(sentence)
    assert detail in " ".join(found["details"])
    assert found["winner"] == ("a" if "wins" in sentence else None)


def test_a_corpus_without_values_opens_with_times(tmp_path: Path, results_of: Opened) -> None:
    none = {"a": [Searched()] * 3, "b": [Searched()] * 3}
    assert "Nobody is first" in of_results(results_of(optimised(tmp_path / "j.sqlite", none)), "wall")["sentence"]
