"""Boards on one line are read and stored in short ways, which must give what the general ones give."""

import pickle
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.storing.journal import Journal
from puzzles.boards import families
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.readers.boards import grids as boards
from puzzles.readers.boards import marks
from puzzles.readers.boards.directives import Directives
from tests.boards import EASY, SOLVED
from tests.effort import examples

DIRECTIVES = ["#: sudoku 3x3", "#: latin 9, count 1", "#: count 2+", "#: sudoku 3x3, alphabet abcdefghi", "#: wrong"]
TAILS = ["", " ", "\r", " # remark", ",12.5", f",{SOLVED}", f" {SOLVED[::-1]}", f" {EASY}", ":1", ":0+", ":x", "|", "1"]
LAYOUTS = [  # of masks in 16, 32 and 64 bits, and in two words
    families.layout("sudoku 2x2", "αßγδ"),
    families.layout("latin 20", "abcdefghijklmnopqrst"),
    families.layout("latin 35", "".join(map(chr, range(0x400, 0x400 + 35)))),
    families.layout("latin 66", "".join(map(chr, range(0x4E00, 0x4E00 + 66)))),
]


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Draw a line: a board, mostly with a few wrong characters or a tail, a directive, a comment or nothing."""
    text = list(draw(st.sampled_from([EASY, EASY.replace(".", "0"), SOLVED])))
    for at, mark in draw(st.lists(st.tuples(st.integers(0, 80), st.sampled_from("123.0!xo-é a")), max_size=2)):
        text[at] = mark
    board = "".join(text)[: draw(st.sampled_from([81, 81, 81, 80]))] + draw(st.just("") | st.sampled_from(TAILS))
    return draw(st.sampled_from([board] * 6 + ["", "# comment", *DIRECTIVES]))


def read_text(text: str, options: ReaderOptions) -> tuple[list[Puzzle], str]:
    """Return the puzzles of a file up to an error, and the error."""
    found: list[Puzzle] = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.txt")
        path.write_text(text, encoding="utf-8")
        try:
            found.extend(read(path, options))  # which keeps what comes before an error
        except BadInput as e:
            return found, str(e).removeprefix(folder)
    return found, ""


@given(st.lists(lines(), min_size=1, max_size=8), st.sampled_from([None, None, "latin 9"]))
@settings(max_examples=examples(150), deadline=None)
def test_boards_on_one_line_are_read_as_the_general_reader_reads_them(text: list[str], stated: str | None) -> None:
    options = ReaderOptions(as_=stated)
    short = read_text("\n".join(text), options)
    with pytest.MonkeyPatch.context() as patch:
        never = (families.layout("latin 2"), 4, dict[str, int](), boards.NO_BOARD.match)
        patch.setattr(boards, "fast_path", lambda directives: never)
        assert short == read_text("\n".join(text), options)


def test_a_plain_board_takes_the_short_way_and_others_do_not() -> None:
    (plain, *_), _ = read_text(f"{EASY}\n", ReaderOptions())
    (spaced, *_), _ = read_text(" ".join(EASY), ReaderOptions())
    assert plain.marks == EASY
    assert spaced.masks is None
    assert plain == replace(spaced, name=plain.name)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_marked_instances_are_like_any_other(layout: Layout) -> None:
    cells = "".join((layout.values[0], layout.values[-1], ".", "!")[s % 4] for s in range(len(layout.squares)))
    masks = marks.mark_table(layout)
    marked = Puzzle.marked("a:1", layout, cells, masks, 2, True)
    plain = Puzzle("a:1", layout, marks.domains(layout, cells), 2, True)
    assert (marked, repr(marked), hash(marked)) == (plain, repr(plain), hash(plain))
    again = pickle.loads(pickle.dumps(Puzzle.marked("a:1", layout, cells, masks, 2, True)))
    assert again == plain
    assert replace(Puzzle.marked("a:1", layout, cells, masks, 2, True), count=3) == replace(plain, count=3)
    with pytest.raises(AttributeError, match="no attribute 'else'"):
        getattr(marked, "else")


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_domains_are_stored_alike_from_marks_and_from_masks_and_equal_ones_found(
    tmp_path: Path, layout: Layout
) -> None:
    masks, size = marks.mark_table(layout), len(layout.squares)
    letters = [mark for mark in masks if len(mark) == 1]
    texts = ["".join(letters[(i + 3 * s) % len(letters)] for s in range(size)) for i in range(7)]
    marked = [Puzzle.marked("a", layout, text, masks, None, False) for text in texts]
    plain = [Puzzle("a", layout, marks.domains(layout, text)) for text in texts]
    mixed = [marked[0], *plain[1:3], *marked[3:]]
    copied = [Puzzle.marked("a", layout, text, dict(masks), None, False) for text in texts]
    with Journal.create(tmp_path / "j.sqlite") as journal:
        for case in (marked, plain, mixed, copied):
            journal.corpora.add("corpus", case)
        stored = [domains for *_, domains in journal.instances.contents()]
        again = [(i, stored.index(own) + 1) for i, own in enumerate(stored, 1) if stored.index(own) + 1 < i]
        assert [*journal.corpora.repeated()] == again
    assert [stored[i : i + 7] for i in range(0, 28, 7)] == [stored[:7]] * 4


def test_the_short_way_is_for_layouts_whose_marks_are_characters() -> None:
    for stated, alphabet in (("latin 16", None), ("latin 1", None)):
        *_, is_board = boards.fast_path(Directives(stated, alphabet))
        assert is_board == boards.NO_BOARD.match
    layout, size, _, is_board = boards.fast_path(Directives("latin 5", "aßγdz"))
    assert (layout.name, size) == ("latin 5", 25)
    assert is_board("AßγD." * 5 + " a remark")
    assert not is_board("AßγD." * 4 + "AßγDx")
    assert not is_board("AßγD." * 4 + "AßγD")
