"""Print a trace of `native:splitting`, `native:norvig` or `native:subsets`, event by event.

A round is printed as the boards before and after it, side by side if both fit; else, or with tagged squares, as a list
of changed squares. Printing waits for the next event, so that a broken unit can be marked.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from textwrap import wrap

from backends.native import backtracking, norvig, subsets
from backends.native.budget import Budget
from backends.native.splitting import Branch, ChangedRound, Contradiction, Event, Grid, Path, Solved, Split
from harness.reporting.writing.printable import printable
from harness.showing.axes import drawn, penciled
from harness.showing.pencil import (
    BROKEN,
    DIM,
    GUESSED,
    HEAD,
    NEW,
    PLAIN,
    Marks,
    candidates_text,
    paint,
    unit_name,
)
from puzzles.boards.layout import Puzzle
from puzzles.errors import plural

ARROW = "  ->  "
GROUP_NAMES = ("single", "pair", "triple", "quadruple")
LEGEND = "before each round on the left, after it on the right: [8] is new, '.' ruled out"


class Narrator:
    """Printer of events, on a page of `width` characters; tags limit it to tagged squares, `brief` to headings.

    Each line, or drawing, goes to `write`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        tags: dict[int, str],
        width: int,
        colour: bool,
        brief: bool = False,
        write: Callable[[str], object] = print,
    ) -> None:
        self.layout = puzzle.problem
        self.write = write
        self.brief = brief
        self.tags = tags
        self.width = width
        self.colour = colour
        self.pending: ChangedRound | norvig.Propagated | None = None
        self.steps = 0
        self.branches: dict[Path, str] = {}
        square = len(self.layout.squares) == len(self.layout.values) ** 2 and not tags
        board = penciled(self.layout, puzzle.domains, Marks()) if square else []
        self.draws = bool(board) and 2 * len(board[0][0]) + len(ARROW) <= width
        known = sum(d.bit_count() == 1 for d in puzzle.domains)
        self.print_line(
            f"{printable(puzzle.name)}: {self.layout.name}, {known} of {len(puzzle.domains)} squares given", HEAD
        )
        if tags:
            squares = self.layout.squares
            names = [f"{letter} ({squares[s]})" if letter else squares[s] for s, letter in tags.items()]
            self.print_line(f"{'tagged ' * any(tags.values())}squares: {join_names(names)}", DIM)

    def print_line(self, line: str, brush: str = PLAIN) -> None:
        self.write(paint(line, brush * len(line), self.colour))

    def show(self, event: Event | norvig.Event | subsets.Event | backtracking.Event) -> None:
        """Print one event; events come in the order of the search."""
        self.print_pending(event if isinstance(event, Contradiction) else None)
        match event:
            case ChangedRound() | norvig.Propagated():
                self.pending = event
            case Contradiction():
                self.print_line(f"BROKEN: {self.explain(event)}", BROKEN)
            case Split():
                self.split(event)
            case Branch():
                s, v = event.path[-1]
                self.print_line(f"\nBRANCH {self.branches.pop(event.path)}: try {self.assignment(s, v)}", GUESSED)
                if len(event.path) > 1:
                    self.print_line(f"  {self.path_text(event.path)}", DIM)
            case Solved():
                self.solved(to_masks(event.grid))
            case backtracking.Guess() | backtracking.DeadEnd():
                self.steps += 1
                self.guess(event)
            case backtracking.Filled():
                self.solved(event.grid)
            case subsets.Pass():
                title = f"Naked and hidden {group_name(event.n)}s"
                self.show_step(title, event.before, event.after, Marks(), Marks(), self.group_lines(event))
            case subsets.NoSubset():
                unit = "the board" if event.u is None else unit_name(self.layout, event.u)
                lack = f"{event.n} squares or values with fewer than {event.n} between them"
                self.print_line(
                    f"BROKEN: {unit} has {lack if event.n > 1 else 'nothing left for a square or a value'}", BROKEN
                )
            case subsets.Fixpoint():
                left = sum(d & d - 1 != 0 for d in event.domains)
                if left:
                    self.print_line(
                        f"\nSTUCK: no subset rules out more, and {plural(left, 'square')} stay open", BROKEN
                    )
                    self.board(event.domains)
                else:
                    self.solved(event.domains)

    def print_pending(self, broken: Contradiction | None) -> None:
        """Print the pending round, with the squares that are about to break marked."""
        if self.pending is None:
            return
        pending, self.pending = self.pending, None
        guessed = frozenset(s for s, _ in pending.path)
        left, right = Marks(guessed=guessed), Marks(guessed=guessed, broken=self.broken_squares(broken))
        if isinstance(pending, ChangedRound):
            self.show_step(f"Round {pending.number}", to_masks(pending.before), to_masks(pending.after), left, right)
        else:
            title = (
                f"Assign {self.assignment(*pending.path[-1])} and propagate" if pending.path else "Assign the givens"
            )
            self.show_step(title, digits_to_masks(pending.before), digits_to_masks(pending.after), left, right)

    def show_step(
        self, title: str, before: list[int], after: list[int], left: Marks, right: Marks, why: Sequence[str] = ()
    ) -> None:
        """Print a step: its reasons, and the boards before and after it, or the changed squares."""
        out = sum((b ^ a).bit_count() for b, a in zip(before, after, strict=True))
        new = sum(b != a and not a & a - 1 for b, a in zip(before, after, strict=True))
        if self.draws and not self.brief and not self.steps:
            self.print_line(LEGEND, DIM)
        changed = [s for s in self.tags or range(len(before)) if before[s] != after[s]]
        self.steps += 1
        nothing = "" if changed else "; nothing in the tagged squares"
        self.print_line(
            f"\n{title}: {plural(out, 'candidate')} ruled out, {plural(new, 'square')} known{nothing}", HEAD
        )
        if self.brief:
            return
        for line in why:
            self.print_line(line)
        if not self.draws:
            self.list_changes([(s, before[s], after[s]) for s in changed])
            return
        was = penciled(self.layout, before, replace(left, after=after))
        now = penciled(self.layout, after, replace(right, before=before))
        for k, ((a, a_brush), (b, b_brush)) in enumerate(zip(was, now, strict=True)):
            gap = ARROW if k == len(was) // 2 else " " * len(ARROW)
            self.write(paint(a + gap + b, a_brush + PLAIN * len(gap) + b_brush, self.colour))

    def group_lines(self, event: subsets.Pass) -> list[str]:
        """Return a line for each pair or larger group that changed a square: its values, unit and squares."""
        lines = []
        for group in event.groups if event.n > 1 else ():
            values = " ".join(self.layout.values[v] for v in group.values)
            squares = join_names([self.layout.squares[s] for s in group.squares])
            kind = "hidden" if group.hidden else "naked"
            lines.append(f"  {kind} {group_name(event.n)} {values} in {unit_name(self.layout, group.u)}: {squares}")
        return lines

    def board(self, board: Sequence[int]) -> None:
        """Print a board with its candidates."""
        if self.brief:
            return
        self.write(drawn(self.layout, [candidates_text(self.layout, mask) for mask in board]))

    def solved(self, board: Sequence[int]) -> None:
        """Print a solution."""
        self.print_line("\nSOLVED", NEW)
        self.board(board)

    def list_changes(self, changed: Sequence[tuple[int, int, int]]) -> None:
        """Print the candidates of each changed square before and after, in columns; lines wrap between numbers."""
        names = [f"{self.tags.get(s, '')} {self.layout.squares[s]}".strip() for s, _, _ in changed]
        lines = [
            (n, *(text.replace(",", " ") for text in (self.candidates(b), candidates_text(self.layout, a))))
            for n, (_, b, a) in zip(names, changed, strict=True)
        ]
        wide = [max((len(line[k]) for line in lines), default=0) for k in range(3)]
        entries = [f"  {n:>{wide[0]}}  {b:<{wide[1]}} -> {a:<{wide[2]}}" for n, b, a in lines]
        across = self.width // (sum(wide) + 8)
        for i in range(0, len(entries), across or 1):
            whole = "".join(entries[i : i + (across or 1)]).rstrip()
            for part in wrap(whole, self.width, subsequent_indent=" " * (wide[0] + 4)):
                self.print_line(part)

    def candidates(self, mask: int) -> str:
        """Return a square's candidates as candidates_text; `any` if more than 9 values are all possible."""
        values = len(self.layout.values)
        return "any" if values > 9 and mask.bit_count() == values else candidates_text(self.layout, mask)

    def split(self, split: Split) -> None:
        """Print a split, and number its branches."""
        total = len(split.values)
        steps = [(*split.path, (split.square, v)) for v in split.values]
        self.branches.update({path: f"{i} of {total}" for i, path in enumerate(steps, 1)})
        options = " or ".join(self.assignment(*path[-1]) for path in steps)
        self.print_line(f"\nSPLIT where fewest candidates are left: {options}", GUESSED)

    def guess(self, event: backtracking.Guess | backtracking.DeadEnd) -> None:
        """Print a guess and the values left for later, or a dead end, indented by the number of guesses before it."""
        s, most = event.square, self.width // 4  # half the page
        if isinstance(event, backtracking.DeadEnd):
            back = "" if event.depth else ": there is no guess to undo"
            self.print_line(f"{'. ' * min(event.depth, most)}{self.layout.squares[s]} has no value left{back}", BROKEN)
            return
        later = event.untried ^ event.value
        others = f", later {candidates_text(self.layout, later)}" if later else ""
        guess = self.assignment(s, event.value.bit_length() - 1)
        self.print_line(f"{'. ' * min(event.depth - 1, most)}{guess}{others}", GUESSED)

    def explain(self, broken: Contradiction) -> str:
        """Return the contradiction in words: the unit, its values and squares."""
        values = join_names([self.layout.values[v] for v in sorted(broken.values)])
        squares = join_names([self.layout.squares[s] for s in sorted(broken.squares)])
        if broken.u is None:
            return f"no candidate left in {squares}"
        unit = unit_name(self.layout, broken.u)
        if not broken.squares:
            return f"{unit} has lost {values}: no square of it can take {'it' if len(broken.values) == 1 else 'them'}"
        if len(broken.values) == 1:
            return f"{unit} takes {values} once, but {squares} can be nothing else"
        return f"{unit} takes {values} once each, but {squares} can be nothing else"

    def broken_squares(self, broken: Contradiction | None) -> frozenset[int]:
        """Return the squares to mark for a contradiction."""
        if broken is None:
            return frozenset()
        return frozenset(broken.squares or (self.layout.units[broken.u] if broken.u is not None else ()))

    def assignment(self, s: int, v: int) -> str:
        return f"{self.layout.squares[s]}={self.layout.values[v]}"

    def path_text(self, path: Path) -> str:
        """Return all guesses of a branch; the first ones are replaced by ... if the line is too short."""
        steps = [self.assignment(s, v) for s, v in path]
        while len(" > ".join(steps)) > self.width - 4 and len(steps) > 2:
            steps = ["...", *steps[2:]]
        return " > ".join(steps)

    def close(self, budget: Budget, found: int, stopped: str = "") -> None:
        """Print the result of the search, or where the trace was `stopped`."""
        self.print_pending(None)
        ending = f"stopped {stopped}" if stopped else self.ending(budget, found)
        counted = [(self.steps, "step"), (budget.decisions, "decision"), (budget.conflicts, "conflict")]
        self.print_line(f"\n{ending}: {', '.join(plural(n, word) for n, word in counted)}", HEAD)

    def ending(self, budget: Budget, found: int) -> str:
        """Return the result of a search that was not stopped, and print why it ended early, if it did."""
        if budget.exhausted:
            self.print_line("\nTime is up: raise it with -t.", BROKEN)
        ending = plural(found, "solution") if found or budget.exhausted else "no solution"
        if budget.stuck:
            ending = "stuck: not solved, which says nothing about solvability"
        more = "" if budget.exhausted or budget.stuck or not found else ", and there is no other"
        more = f"; {branches(budget.open_branches)} not tried" if budget.open_branches else more
        return ending + more


def to_masks(game: Grid) -> list[int]:
    """Return a board of candidate sets as bit masks."""
    return [sum(1 << v for v in candidates) for candidates in game]


def digits_to_masks(values: norvig.Values) -> list[int]:
    """Convert candidates from digits to bit masks, by square."""
    return [sum(1 << ord(d) - norvig.ONE for d in digits) for digits in values.values()]


def group_name(n: int) -> str:
    """Return the usual name of a group of n squares or values."""
    return GROUP_NAMES[n - 1] if n <= len(GROUP_NAMES) else f"group of {n}"


def branches(n: int) -> str:
    return f"{n:,} branch{'' if n == 1 else 'es'}"


def join_names(names: Sequence[str]) -> str:
    """Join names as 'A, B and C'."""
    *first, last = names or ("nothing",)
    return f"{', '.join(first)} and {last}" if first else last
