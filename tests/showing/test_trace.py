"""`show` and `trace` print what the solver did, and fit the page.

Long because each variant that can be traced is followed on the same boards, with the checks of its steps beside it.
"""

import argparse
import re
from functools import reduce
from itertools import combinations, pairwise
from operator import or_
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backends.contract.answer import Ask
from backends.native import backtracking, norvig, splitting, subsets
from backends.native.board import board
from backends.native.budget import Budget
from backends.native.splitting import Branch, ChangedRound, Contradiction, Event, Grid, Solved, Split
from backends.native.subsets import Fixpoint
from encoders.formula import AllDifferent
from harness.commands import show, trace
from harness.model.errors import BadUsage
from harness.showing.axes import drawn
from harness.showing.narrator import Narrator, digits_to_masks, to_masks
from harness.showing.pencil import Marks, candidates_text, contradiction, paint, pencil, unit_name
from harness.showing.tagged_input import read_tagged
from puzzles.boards.families import draw, layout
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text
from puzzles.problem.values import Domains
from tests.boards import EQUAL_GIVENS, NORVIG
from tests.brute_force import solutions
from tests.effort import examples
from tests.native.boards import FORMULA, NINE, boards, nine

HARD = NORVIG[0]
DEDUCES = [backend for backend in trace.TRACED if backend != "native:backtracking"]
FOUR = "1..............4"  # sudoku 2x2


def printed(verb: ModuleType, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Return the output of a verb."""
    parser = argparse.ArgumentParser()
    verb.add_arguments(parser)
    assert verb.run(parser.parse_args(args)) == 0
    return capsys.readouterr().out


def events(formula: AllDifferent, domains: Domains) -> list[Event]:
    return list(splitting.trace(board(formula), domains, Budget(Ask(domains, count=5000))))


def consistent(solution: tuple[int, ...], game: Grid) -> bool:
    return all(v in candidates for v, candidates in zip(solution, game, strict=True))


@given(boards())
@settings(max_examples=examples(150), deadline=None)
def test_every_event_of_splitting_is_sound(given_board: tuple[AllDifferent, Domains]) -> None:
    formula, domains = given_board
    every = solutions(formula, domains)
    assume(len(every) <= 200)  # each event is compared with every solution
    last: Grid = []
    solved = []
    for event in events(formula, domains):
        below = {s for s in every if all(s[q] == v for q, v in event.path)}
        match event:
            case ChangedRound():
                last = event.after
                assert all(a <= b for a, b in zip(event.after, event.before, strict=True))
                assert event.after != event.before
                assert all(consistent(s, event.after) for s in below), "a round ruled out part of a solution"
            case Contradiction():
                assert not below, "a branch that has a solution was called broken"
                if event.u is not None and not event.squares and last:
                    assert not any(event.values & last[s] for s in formula.units[event.u])
                if event.u is not None and event.squares and last:
                    assert len(event.squares) > len(event.values)
                    assert set(event.squares) <= set(formula.units[event.u])
                    assert all(last[s] <= event.values for s in event.squares)
            case Split():
                assert {s[event.square] for s in below} <= set(event.values)
            case Branch():
                last = []
            case Solved():
                solved.append(tuple(next(iter(candidates)) for candidates in event.grid))
    assert set(solved) == every
    assert len(solved) == len(every)


@given(boards())
@settings(max_examples=examples(100), deadline=None)
def test_every_event_of_subsets_is_sound(
    given_board: tuple[AllDifferent, Domains],
) -> None:
    formula, domains = given_board
    last = list(domains)
    for event in subsets.trace(board(formula), domains, Budget(Ask(domains))):
        match event:
            case subsets.Pass():
                assert event.before == last != event.after
                last = event.after
            case subsets.NoSubset(u=None):
                assert event.n == 1
                assert not all(last)
                assert all(last[s] for unit in formula.units for s in unit)
            case subsets.NoSubset(u=u):
                assert u is not None
                unit = formula.units[u]
                places = [sum(1 << s for s in unit if last[s] >> v & 1) for v in range(formula.values)]
                rows = [last[s] for s in unit], places if len(unit) == formula.values else []
                groups = [group for row in rows for group in combinations(row, event.n)]
                assert any(reduce(or_, group).bit_count() < event.n for group in groups)
            case Fixpoint():
                assert event.domains == last
                assert all(last)


def test_rounds_are_numbered_from_one_after_each_split() -> None:
    number, numbers = 0, []
    for event in events(FORMULA, nine(HARD)):
        if isinstance(event, ChangedRound):
            number += 1
            assert event.number == number
            numbers.append(number)
        else:
            number = 0
    assert max(numbers) > 3
    assert numbers.count(1) > 10


def read_back(lines: list[str]) -> list[set[int]]:
    """Return the candidates that a 9x9 drawing shows, by square."""
    rows = [line for line in lines if "-+-" not in line]
    bare = [re.sub(r"[|]", " ", line).ljust(35) for line in rows]
    cells = ["".join(bare[3 * r + k][4 * c : 4 * c + 3] for k in range(3)) for r in range(9) for c in range(9)]
    return [{int(character) for character in cell if character.isdecimal()} for cell in cells]


@given(st.lists(st.integers(1, 511), min_size=81, max_size=81))
@settings(max_examples=examples(30), deadline=None)
def test_pencil_marks_read_back_as_the_candidates_they_show(candidates: list[int]) -> None:
    drawn = [line for line, _ in pencil(NINE, candidates, Marks(before=NINE.open))]
    assert read_back(drawn) == [{v + 1 for v in range(9) if mask >> v & 1} for mask in candidates]
    assert {len(line) for line in drawn} == {35}


def test_each_round_is_drawn_as_it_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(trace, capsys, HARD).splitlines()
    rounds = [e for e in events(FORMULA, nine(HARD)) if isinstance(e, ChangedRound)]
    starts = [i for i, line in enumerate(lines) if line.startswith("Round")]
    assert 0 < len(starts) <= len(rounds)
    for start, event in zip(starts, rounds, strict=False):
        begin = start + 2
        assert lines[begin - 1].split() == 2 * list("123456789")
        drawn = [line.ljust(80) for line in lines[begin : begin + 29]]
        assert "".join(line[:2] for line in drawn).split() == list("ABCDEFGHI")
        assert [line[:2] for line in drawn] == [line[43:45] for line in drawn]
        left, right = [line[2:37] for line in drawn], [line[45:] for line in drawn]
        assert read_back(left) == [{v + 1 for v in c} for c in event.before]
        assert read_back(right) == [{v + 1 for v in c} for c in event.after]


def test_a_trace_of_a_nine_by_nine_fits_80_columns_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(trace, capsys, HARD, "--count", "2")
    assert max(map(len, out.splitlines())) <= 80
    assert "\033" not in out
    assert "SPLIT" in out
    assert "BRANCH 2 of 2" in out
    assert re.search(r"BROKEN: (row|column|box) \S+ has", out)
    assert out.rstrip().splitlines()[-1].startswith("1 solution, and there is no other:")


def test_only_tagged_squares_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tagged = HARD[:2] + "a.b" + HARD[5:]
    out = printed(trace, capsys, tagged)
    assert "tagged squares: a (A3) and b (A5)" in out
    changes = [line for line in out.splitlines() if "->" in line]
    assert changes
    assert all(set(re.findall(r"[A-I]\d", line)) <= {"A3", "A5"} for line in changes)
    assert re.search(r"a A3 +123456789 -> 1369", out)


def test_tags_are_read_on_drawn_boards_and_beside_capital_values(tmp_path: Path) -> None:
    rows = [HARD[i : i + 9] for i in range(0, 81, 9)]
    rows[4] = rows[4][:8] + "q"
    path = tmp_path / "drawn.txt"
    path.write_text("# a comment with letters\n" + HARD + "\n" + "\n".join(rows) + "\n")
    puzzle, tags = read_tagged(str(path), ReaderOptions(), 2)
    assert tags == {44: "q"}
    assert puzzle.domains == nine(HARD)
    sixteen = "1G" + "." * 13 + "a" + "." * 240
    puzzle, tags = read_tagged(sixteen, ReaderOptions("sudoku 4x4"), 1)
    assert tags == {15: "a"}
    assert puzzle.domains[1] == 1 << 15


def test_letters_that_are_values_are_not_tags() -> None:
    puzzle, tags = read_tagged("1g" + "." * 254, ReaderOptions("sudoku 4x4"), 1)
    assert not tags
    assert puzzle.domains[1] == 1 << 15


def test_unreadable_input_is_refused_as_without_tags() -> None:
    with pytest.raises(BadInput, match="80 characters"):
        read_tagged("a" + "." * 79, ReaderOptions(), 1)
    with pytest.raises(BadInput):
        read_tagged("nosuchfile.txt", ReaderOptions(), 1)


def test_other_backends_cannot_be_traced(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadUsage, match="native:python cannot be traced: use -b native:splitting or native:norvig or"):
        printed(trace, capsys, HARD, "-b", "native:python")


def test_a_trace_says_when_there_is_no_solution_and_when_time_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(trace, capsys, EQUAL_GIVENS)
    assert "BROKEN: row A takes 5 once, but A1 and A2 can be nothing else" in out
    assert "no solution" in out
    assert "Time is up" in printed(trace, capsys, HARD, "-t", "0.000001")


def test_a_trace_of_subsets_ends_solved_stuck_or_broken(capsys: pytest.CaptureFixture[str]) -> None:
    stuck = NORVIG[2]
    out = printed(trace, capsys, stuck, "-b", "native:subsets")
    ended = play_subsets(nine(stuck))[-1]
    assert isinstance(ended, Fixpoint)
    left = sum(d.bit_count() > 1 for d in ended.domains)
    assert f"STUCK: no subset rules out more, and {left} squares stay open" in out
    assert "stuck: not solved, which says nothing about solvability: " in out
    (solution,) = [e.grid for e in events(FORMULA, nine(stuck)) if isinstance(e, Solved)][:1]
    assert all(ended.domains[s] >> v & 1 for s, (v,) in enumerate(solution)), "a true value was ruled out"
    assert "1 solution, and there is no other" in printed(trace, capsys, HARD, "-b", "native:subsets")
    assert "BROKEN: row A has nothing left" in printed(trace, capsys, EQUAL_GIVENS, "-b", "native:subsets")


def test_a_trace_of_subsets_names_each_pair_its_unit_and_its_squares(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(trace, capsys, HARD, "-b", "native:subsets")
    named = re.findall(
        r"^  (naked|hidden) (pair|triple) (\d(?: \d)+) in (?:row|column|box) \S+: (.*)$", out, re.MULTILINE
    )
    assert {(kind, name) for kind, name, *_ in named} >= {("naked", "pair"), ("hidden", "pair")}
    for _, name, values, squares in named:
        assert len(values.split()) == len(re.findall(r"[A-I]\d", squares)) == {"pair": 2, "triple": 3}[name]
    assert "\nNaked and hidden pairs: " in out


def test_the_groups_of_a_pass_explain_every_change() -> None:
    for event in play_subsets(nine(HARD)):
        if isinstance(event, subsets.Pass):
            replayed = list(event.before)
            for group in event.groups:
                mask = sum(1 << v for v in group.values)
                rest = set(FORMULA.units[group.u]) - set(group.squares)
                for s in group.squares if group.hidden else rest:
                    replayed[s] &= mask if group.hidden else ~mask
            assert replayed == event.after


@given(boards())
@settings(max_examples=examples(100), deadline=None)
def test_every_event_of_norvig_is_sound(given_board: tuple[AllDifferent, Domains]) -> None:
    formula, domains = given_board
    every = solutions(formula, domains)
    assume(len(every) <= 200)
    solved = []
    for event in norvig.trace(board(formula), domains, Budget(Ask(domains, count=5000))):
        below = {s for s in every if all(s[q] == v for q, v in event.path)}
        match event:
            case norvig.Propagated():
                last = digits_to_masks(event.after)
                assert all(last[s] >> v & 1 for solution in below for s, v in enumerate(solution))
            case Contradiction():
                assert not below
                if event.u is None:
                    assert not any(last[s] for s in event.squares)
                elif not event.squares:
                    assert not any(last[s] >> v & 1 for s in formula.units[event.u] for v in event.values)
            case Solved():
                solved.append(tuple(v for (v,) in event.grid))
    assert set(solved) == every
    assert len(solved) == len(every)


def test_norvig_is_traced_by_its_assignments(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(trace, capsys, HARD, "-b", "native:norvig", "--count", "2")
    assert "\nAssign the givens: " in out
    assert re.search(r"\nBRANCH 1 of 2: try (\w\d=\d)\n\nAssign \1 and propagate: ", out)
    assert "BROKEN: " in out
    assert out.rstrip().splitlines()[-1].startswith("1 solution, and there is no other: ")


@pytest.mark.parametrize("backend", DEDUCES)
def test_a_brief_trace_is_the_headings_alone(capsys: pytest.CaptureFixture[str], backend: str) -> None:
    whole, brief = (printed(trace, capsys, HARD, "-b", backend, *more) for more in ((), ("--brief",)))
    assert "|" not in brief
    assert "SOLVED" in brief
    kept = iter(whole.splitlines())
    assert all(line in kept for line in brief.splitlines()), "it is not a part of the whole trace, in order"
    assert len(brief) < len(whole) / 4


def play_subsets(domains: Domains) -> list[subsets.Event]:
    return list(subsets.trace(board(FORMULA), domains, Budget(Ask(domains))))


def test_colour_is_in_the_trace_and_changes_no_character(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = Puzzle("p", NINE, nine(HARD))
    outs = []
    for colour in (False, True):
        narrator = Narrator(puzzle, {}, 80, colour)
        for event in events(FORMULA, puzzle.domains):
            narrator.show(event)
        outs.append(capsys.readouterr().out)
    assert "\033[" in outs[1]
    stripped = re.sub(r"\033\[[0-9;]*m", "", outs[1])
    assert [line.rstrip() for line in stripped.splitlines()] == outs[0].splitlines()


def test_colour_codes_cover_exactly_their_brush() -> None:
    assert paint("ab c", "k  o", True) == "\033[1ma\033[0mb \033[31mc\033[0m"


@given(boards())
@settings(max_examples=examples(100), deadline=None)
def test_a_trace_of_backtracking_is_its_search(given_board: tuple[AllDifferent, Domains]) -> None:
    formula, domains = given_board
    table, traced, searched = board(formula), Budget(Ask(domains)), Budget(Ask(domains))
    found = list(backtracking.trace(table, domains, traced))
    ends = [tuple(v.bit_length() - 1 for v in e.grid) for e in found if isinstance(e, backtracking.Filled)]
    assert ends == list(backtracking.search(table, domains, searched))
    guesses = [e for e in found if isinstance(e, backtracking.Guess)]
    assert len(guesses) == traced.decisions == searched.decisions
    assert (traced.conflicts, traced.open_branches) == (searched.conflicts, searched.open_branches)
    for e in guesses:
        assert e.value & e.untried & domains[e.square] == e.value
    for before, after in pairwise(found):
        if isinstance(after, backtracking.Guess) and after.depth > 1:
            assert isinstance(before, backtracking.DeadEnd | backtracking.Filled) or before.depth == after.depth - 1


def test_backtracking_prints_each_guess_with_what_is_left_for_later(capsys: pytest.CaptureFixture[str]) -> None:
    lines, brief = (
        printed(trace, capsys, FOUR, "-b", "native:backtracking", "--steps", "6", *more).splitlines()
        for more in ((), ("--brief",))
    )
    assert lines == brief
    assert lines[1:7] == [
        "A2=2, later 34",
        ". A3=3, later 4",
        ". . A4 has no value left",
        ". A3=4",
        ". . A4=3",
        ". . . B1=3, later 4",
    ]
    assert lines[-1].startswith("stopped here (--steps): 6 steps, 5 decisions, ")


@pytest.mark.parametrize("backend", DEDUCES)
def test_a_trace_stops_after_some_steps(capsys: pytest.CaptureFixture[str], backend: str) -> None:
    whole, some = (
        printed(trace, capsys, HARD, "-b", backend, "--brief", *more).splitlines() for more in ((), ("--steps", "2"))
    )
    steps = [line for line in some if "ruled out" in line]
    assert steps == [line for line in whole if "ruled out" in line][:2]
    assert some[-1].startswith("stopped here (--steps): 2 steps, ")


@pytest.mark.parametrize("backend", trace.TRACED)
def test_a_trace_stops_where_the_search_begins(capsys: pytest.CaptureFixture[str], backend: str) -> None:
    lines = printed(trace, capsys, HARD, "-b", backend, "--until", "search").splitlines()
    guesses = backend != "native:subsets"  # it never guesses
    assert lines[-1].startswith("stopped where the search begins (--until search): ") == guesses
    assert not any("SPLIT" in line or "BRANCH" in line or line.startswith("A3=1") for line in lines)


def test_rows_and_columns_are_labelled_as_squares_are_named() -> None:
    for name in ("sudoku 3x3", "sudoku 4x4", "latin 12", "jigsaw aaababbbcccdcddd"):
        board = layout(name)
        lines = drawn(board, [str(s % 7) * (1 + s % 3) for s in range(len(board.squares))]).split("\n")
        rows = [line.split()[0] for line in lines if line[0] != " "]
        assert rows == list(dict.fromkeys(re.sub(r"\d", "", square) for square in board.squares))
        columns = list(dict.fromkeys(re.sub(r"[A-Z]", "", square) for square in board.squares))
        assert [column for column in columns if column in lines[0].split()] == lines[0].split()
        assert lines[0].split()[:9] == columns[:9], "a number without room is left out"
    (coloured,) = parse_text("p edge 3 2\ne 1 2\ne 2 3\n", "g", ReaderOptions("colouring 3"))
    graph = coloured.problem
    assert isinstance(graph, Layout)
    assert drawn(graph, ["1", "2", "3"]) == draw(graph, ["1", "2", "3"]), "its squares have numbers alone"


def test_the_units_and_peers_of_a_square_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    head, *drawn, row, column, box, peers = printed(show, capsys, HARD, "--square", "c2").splitlines()
    assert [head, row, column, box, peers] == [
        "C2 of puzzle:1: 3 units, 20 peers",
        "  row C      C1 C2 C3 C4 C5 C6 C7 C8 C9",
        "  column 2   A2 B2 C2 D2 E2 F2 G2 H2 I2",
        "  box A1-C3  A1 A2 A3 B1 B2 B3 C1 C2 C3",
        "  peers      A1 A2 A3 B1 B2 B3 C1 C3 C4 C5 C6 C7 C8 C9 D2 E2 F2 G2 H2 I2",
    ]
    assert drawn[1].split("  ")[0] == "row C"
    assert {len(line) <= 80 for line in drawn} == {True}
    with pytest.raises(BadUsage, match="no square 'Z9': they are A1 to I9"):
        printed(show, capsys, HARD, "--square", "Z9")


def test_a_trace_of_a_unit_lists_what_changes_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(trace, capsys, HARD, "-b", "native:norvig", "--unit", "ROW a", "--until", "search").splitlines()
    assert lines[1] == "squares: A1, A2, A3, A4, A5, A6, A7, A8 and A9"
    assert set(re.findall(r"[A-I][1-9](?=  )", "\n".join(lines))) == {f"A{c}" for c in (3, 4, 5, 8, 9)}
    with pytest.raises(BadUsage, match="no unit 'row Z': they are such as row A"):
        printed(trace, capsys, HARD, "--unit", "row Z")


def test_show_takes_the_tags_of_trace(capsys: pytest.CaptureFixture[str]) -> None:
    tagged = HARD[:2] + "a.b" + HARD[5:]
    lines = printed(show, capsys, tagged).splitlines()
    assert lines[1] == "A 8 5 a | . b 2 | 4 . ."
    assert lines[-4:-2] == ["a  A3", "b  A5"]
    assert lines[-1] == "Only show and trace take tags: solve, count and run take the board with a dot for each letter."
    drawn = printed(show, capsys, tagged, "--candidates").splitlines()
    assert "b  A5  1679" in drawn
    assert drawn[drawn.index("b  A5  1679") - 1] == "a  A3  1369"


def test_units_have_their_usual_names() -> None:
    assert [unit_name(NINE, u) for u in (2, 12, 22)] == ["row C", "column 4", "box D4-F6"]


def test_show_draws_candidates_in_columns_as_wide_as_they_need(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(show, capsys, HARD).startswith("8 5 . | . . 2 | 4 . .\n")
    lines = printed(show, capsys, HARD, "--candidates").splitlines()
    assert lines[0].split() == list("123456789")
    assert lines[1].split()[:3] == ["A", "8", "5"]
    assert len({tuple(i for i, c in enumerate(line) if c in "|+") for line in lines[1:-2]}) == 1
    assert re.fullmatch(r"about [0-9.]+ x 10\^[0-9]+ ways to fill the squares with these candidates\.", lines[-1])
    four = layout("sudoku 2x2")
    assert draw(four, ["1234", "1", *"2" * 14]).splitlines()[1] == " 2   2 | 2 2"


def test_show_says_where_propagation_finds_a_contradiction(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = printed(show, capsys, EQUAL_GIVENS, "--candidates")
    assert "\nIt has no solution: row A has 5 twice, in A1 and A2. Propagation stopped there" in drawn
    assert "Propagation" not in printed(show, capsys, EQUAL_GIVENS)
    assert "no solution" not in printed(show, capsys, HARD, "--candidates")


def test_longer_symbols_are_separated_by_commas() -> None:
    big = layout("sudoku 6x6")
    assert candidates_text(big, 0b101 << 9) == "10,12"
    assert candidates_text(NINE, 0b101) == "13"
    assert to_masks([frozenset({0, 2})]) == [5]


def test_letters_in_a_graph_file_are_not_tags(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(trace, capsys, "queen5_5")
    assert out.startswith("queen5_5.col:7: colouring 5, 0 of 25 squares given")


def test_changes_of_large_boards_fit_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    board = layout("latin 36")
    narrator = Narrator(Puzzle("wide", board, board.open), {}, 80, False)
    narrator.list_changes([(s, board.full, board.full >> s) for s in range(0, 36, 5)])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert max(map(len, lines)) <= 80
    assert lines[0] == "   A1  any -> 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
    assert lines[1].split() == [str(v) for v in range(26, 37)]


def test_show_names_two_equal_givens(capsys: pytest.CaptureFixture[str]) -> None:
    message = "It has no solution: row A has 5 twice, in A1 and A2."
    assert printed(show, capsys, EQUAL_GIVENS).endswith(f"\n\n{message}\n")
    assert message in printed(show, capsys, EQUAL_GIVENS, "--candidates")
    assert "no solution" not in printed(show, capsys, HARD)


def test_a_contradiction_is_a_square_a_unit_or_a_value() -> None:
    four = layout("sudoku 2x2")
    assert contradiction(four, [15] * 3 + [0] + [15] * 12) == "A4 has no candidate left"
    assert contradiction(four, [7] * 4 + [15] * 12) == "no square of row A can take 4"
    assert contradiction(four, [1, 15, 15, 1] + [15] * 12) == "row A has 1 twice, in A1 and A4"
    assert contradiction(four, [15] * 16) is None
