"""The list of decisions has each number once, with a page of its own or the one that holds its content."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "decisions"
DIARIES = FOLDER.parent.parent / "benchmarks" / "diaries"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
LIST = (FOLDER / "README.md").read_text(encoding="utf-8")
MOST_LINES = 70  # of a page; about 60 are aimed at, tables may need some more


def rows(text: str) -> dict[int, tuple[str, str]]:
    """Return the cells of each row by its number, in the order of the text."""
    found = re.findall(r"(?m)^\| (\d+) \| (.*) \| (.*) \|$", text)
    twice = sorted({number for number, _, _ in found if sum(number == other for other, _, _ in found) > 1})
    assert not twice, f"numbers with two rows, perhaps of a merge that kept both lists: {twice}"
    return {int(number): (decision, where) for number, decision, where in found}


def linked(cell: str) -> list[Path]:
    return [(FOLDER / link).resolve() for link in re.findall(r"\]\(([^)]+)\)", cell)]


def test_each_page_has_its_row_by_number_and_title() -> None:
    listed = {number: decision for number, (decision, _) in rows(LIST).items() if decision.startswith("[")}
    headings = [
        path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").partition(". ") for path in PAGES
    ]
    titles = {int(n): f"[{title}]({path.name})" for (n, _, title), path in zip(headings, PAGES, strict=True)}
    assert listed == titles
    assert [int(path.name[:4]) for path in PAGES] == sorted(titles)


def test_each_number_is_in_a_room_and_rooms_ascend() -> None:
    rooms = LIST.split("\n## ")[1:]
    assert [number for room in rooms for number in sorted(rows(room))] == list(rows(LIST))


def test_a_number_without_a_page_names_one() -> None:
    for number, (decision, where) in rows(LIST).items():
        assert decision.startswith("[") or linked(where)[0] in PAGES, f"decision {number}"


def test_each_diary_is_listed() -> None:
    texts = [LIST, *(path.read_text(encoding="utf-8") for path in PAGES)]
    found = {path for text in texts for path in linked(text)}
    assert set(DIARIES.glob("*.md")) <= found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem[:4])
def test_a_decision_is_one_page(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
