"""Entries of summaries and comparisons have the fields that their types and the documents state, and no others."""

from pathlib import Path
from typing import Any

from harness.reporting.frame.entries import (
    AgreementEntry,
    ComparisonEntry,
    ComparisonResult,
    ContenderEntry,
    DisagreementEntry,
    Summary,
    TroubleEntry,
)
from harness.reporting.frame.reading import open_judged
from harness.reporting.views.comparing.comparison import compared
from tests.journals import make, noisy

REPOSITORY = Path(__file__).parent.parent.parent


def fits(entry: Any, kind: Any) -> bool:
    """Return True if an entry has all required fields of its type, and no others than those of its type."""
    return bool(kind.__required_keys__ <= entry.keys() <= kind.__required_keys__ | kind.__optional_keys__)


def test_entries_are_of_their_types(tmp_path: Path) -> None:
    odd = {"b": {"wrong": [0], "error": [1]}}
    path = make(tmp_path / "j.sqlite", {name: noisy(i, 2, 6) for i, name in enumerate("ab")}, odd=odd)
    with open_judged(path) as judged:
        results = judged.results()
        summary, (_, compare) = judged.summary(), compared(results, results, ("a", "b"))
    assert fits(summary, Summary)
    assert fits(summary["agreement"], AgreementEntry)
    assert fits(compare, ComparisonResult)
    assert all(fits(c, ContenderEntry) for c in summary["contenders"])
    assert all(fits(t, TroubleEntry) for c in summary["contenders"] for t in c["trouble"])
    assert all(fits(c, ComparisonEntry) for c in compare["comparisons"])
    wrong = summary["agreement"]["disagreements"]
    assert wrong
    assert all(DisagreementEntry.__required_keys__ <= d.keys() for d in wrong)


def test_the_document_names_each_field_of_a_summary() -> None:
    text = (REPOSITORY / "docs/reference/summary.md").read_text()
    kinds: tuple[Any, ...] = (Summary, ContenderEntry, AgreementEntry)
    fields = {name for kind in kinds for name in kind.__required_keys__ | kind.__optional_keys__}
    assert sorted(name for name in fields if f"`{name}`" not in text) == ["logs_from"], "which is of the page alone"
