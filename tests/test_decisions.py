"""The list of decisions has each record, by its number and title."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "decisions"


def test_the_list_has_each_decision_in_order() -> None:
    records = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
    titles = [path.read_text().partition("\n")[0].removeprefix("# ").partition(". ") for path in records]
    listed = [row for row in (FOLDER / "README.md").read_text().splitlines() if row.startswith("| ") and "](" in row]
    expected = [f"| {n} | [{title}]({path.name}) |" for (n, _, title), path in zip(titles, records, strict=True)]
    assert [row[: len(start)] for row, start in zip(listed, expected, strict=True)] == expected
