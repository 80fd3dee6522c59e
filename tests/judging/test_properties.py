"""Properties of verdicts on random outcomes: summaries and merged journals."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.judging.merging import merge
from harness.reporting.frame.entries import Summary, field_of
from harness.runs.runner import Run
from harness.storing.journal import Journal
from tests.effort import examples
from tests.journals import make

verdicts = st.lists(st.sampled_from(["right", "undecided", "crashed", "unsatisfiable"]), min_size=6, max_size=6)


def special(kinds: Sequence[str]) -> dict[str, list[int]]:
    return {kind: [i for i, k in enumerate(kinds) if k == kind] for kind in ("undecided", "crashed", "unsatisfiable")}


def judged(path: Path) -> Summary:
    """Return the summary of a journal after judging it again."""
    with Journal.open(path, write=True) as journal:
        made = Run(journal).rejudge(write=True)
        made.finish("complete")
        return made.summary()


@given(st.lists(verdicts, min_size=1, max_size=3))
@settings(max_examples=examples(25))
def test_a_summary_counts_each_puzzle_once_and_every_refuted_answer_as_wrong(every: list[list[str]]) -> None:
    with TemporaryDirectory() as folder:
        names = [f"c{i}" for i in range(len(every))]
        odd = {name: special(kinds) for name, kinds in zip(names, every, strict=True)}
        path = make(Path(folder, "j.sqlite"), {name: np.full((1, 6), 0.5) for name in names}, odd=odd)
        summary = judged(path)
    solved = [any(kinds[i] == "right" for kinds in every) for i in range(6)]
    for entry, kinds in zip(summary["contenders"], every, strict=True):
        parts = ("satisfiable", "unsatisfiable", "unknown", "timeout", "memory", "error", "wrong")
        assert sum(field_of(entry, part) for part in parts) == 6
        assert entry["solved"] == entry["satisfiable"] + entry["unsatisfiable"]
        assert entry["wrong"] == sum(k == "unsatisfiable" and solved[i] for i, k in enumerate(kinds))
        assert (entry["timeout"], entry["error"]) == (kinds.count("undecided"), kinds.count("crashed"))


@given(verdicts, verdicts)
@settings(max_examples=12)
def test_merging_is_symmetric(left: list[str], right: list[str]) -> None:
    agreements = []
    with TemporaryDirectory() as folder:
        paths = [
            make(Path(folder, f"{name}.sqlite"), {name: np.full((1, 6), 0.5)}, odd={name: special(kinds)})
            for name, kinds in (("a", left), ("b", right))
        ]
        for turn, order in enumerate((paths, paths[::-1])):
            with (
                Journal.open(order[0]) as a,
                Journal.open(order[1]) as b,
                merge([a, b], Path(folder, f"{turn}.sqlite")) as journal,
            ):
                summary = Run(journal).rejudge().summary()
            agreement: Any = summary["agreement"]
            blamed = sorted((d["puzzle"], sorted(d["contenders"]), d["why"]) for d in agreement.pop("disagreements"))
            agreements.append((agreement, blamed, summary["exit"]))
    assert agreements[0] == agreements[1]
