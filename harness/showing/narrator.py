"""Tells what `native:splitting` or `native:subsets` does, event by event, to somebody who reads along.

A round shows the board before and after it side by side where both fit, else (and where squares are tagged) the squares
that changed. A round is held back until the next event, so that the unit that breaks can be marked in it.
"""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from backends.native import subsets
from backends.native.budget import Budget
from backends.native.splitting import Branch, Broken, Event, Game, Path, Round, Solved, Split
from harness.reporting.tables import plural
from harness.showing.pencil import BROKEN, DIM, GUESSED, HEAD, NEW, PLAIN, Marks, paint, pencil, text, unit_name
from puzzles.families import draw
from puzzles.layout import Puzzle

ARROW = "  ->  "
LEGEND = "before each round on the left, after it on the right: [8] is new, '.' ruled out"


class Narrator:
    """Prints events. `tags` are the only squares to watch, where there are any; `width` is the page's."""

    def __init__(self, puzzle: Puzzle, tags: dict[int, str], width: int, colour: bool) -> None:
        self.layout = puzzle.problem
        self.tags = tags
        self.width = width
        self.colour = colour
        self.held: Round | None = None
        self.rounds = 0
        self.branches: dict[Path, str] = {}
        square = len(self.layout.squares) == len(self.layout.values) ** 2 and not tags
        board = pencil(self.layout, puzzle.domains, Marks()) if square else []
        self.draws = bool(board) and 2 * len(board[0][0]) + len(ARROW) <= width
        known = sum(d.bit_count() == 1 for d in puzzle.domains)
        self.say(f"{puzzle.name}: {self.layout.name}, {known} of {len(puzzle.domains)} squares given", HEAD)
        if self.draws:
            self.say(LEGEND, DIM)
        if tags:
            self.say("watching " + listed([f"{letter} ({self.layout.squares[s]})" for s, letter in tags.items()]), DIM)

    def say(self, line: str, brush: str = PLAIN) -> None:
        print(paint(line, brush * len(line), self.colour))

    def tell(self, event: Event | subsets.Event) -> None:
        """One event, in the order of the game."""
        self.release(event if isinstance(event, Broken) else None)
        match event:
            case Round():
                self.held = event
            case Broken():
                self.say(f"BROKEN: {self.why(event)}", BROKEN)
            case Split():
                self.split(event)
            case Branch():
                s, v = event.path[-1]
                self.say(f"\nBRANCH {self.branches.pop(event.path)}: try {self.step(s, v)}", GUESSED)
                if len(event.path) > 1:
                    self.say(f"  {self.trail(event.path)}", DIM)
            case Solved():
                self.solved(masks(event.game))
            case subsets.Pass():
                self.change(f"Groups of {event.n}", event.before, event.after, Marks(), Marks())
            case subsets.Failed():
                unit = "the board" if event.u is None else unit_name(self.layout, event.u)
                lack = f"{event.n} squares or values with fewer than {event.n} between them"
                self.say(
                    f"BROKEN: {unit} has {lack if event.n > 1 else 'nothing left for a square or a value'}", BROKEN
                )
            case subsets.Ended():
                left = sum(d & d - 1 != 0 for d in event.domains)
                if left:
                    self.say(f"\nSTUCK: no group rules out more, and {plural(left, 'square')} stay open", BROKEN)
                    self.board(event.domains)
                else:
                    self.solved(event.domains)

    def release(self, broken: Broken | None) -> None:
        """Print the round that was held back, with the squares that are about to break marked."""
        if self.held is None:
            return
        held, self.held = self.held, None
        guessed = frozenset(s for s, _ in held.path)
        left, right = Marks(guessed=guessed), Marks(guessed=guessed, broken=self.hit(broken))
        self.change(f"Round {held.number}", masks(held.before), masks(held.after), left, right)

    def change(self, title: str, before: list[int], after: list[int], left: Marks, right: Marks) -> None:
        """A step: the board before and after it, or the squares that it changed."""
        out = sum((b ^ a).bit_count() for b, a in zip(before, after, strict=True))
        new = sum(b != a and not a & a - 1 for b, a in zip(before, after, strict=True))
        changed = [s for s in self.tags or range(len(before)) if before[s] != after[s]]
        self.rounds += 1
        nothing = "" if changed else "; nothing in the tagged squares"
        self.say(f"\n{title}: {plural(out, 'candidate')} ruled out, {plural(new, 'square')} known{nothing}", HEAD)
        if not self.draws:
            self.changes([(s, before[s], after[s]) for s in changed])
            return
        was = pencil(self.layout, before, replace(left, after=after))
        now = pencil(self.layout, after, replace(right, before=before))
        for k, ((a, a_brush), (b, b_brush)) in enumerate(zip(was, now, strict=True)):
            gap = ARROW if k == len(was) // 2 else " " * len(ARROW)
            print(paint(a + gap + b, a_brush + PLAIN * len(gap) + b_brush, self.colour))

    def board(self, board: Sequence[int]) -> None:
        """A board as it stands, with its candidates."""
        print(draw(self.layout, [text(self.layout, mask) for mask in board]))

    def solved(self, board: Sequence[int]) -> None:
        """A solution."""
        self.say("\nSOLVED", NEW)
        self.board(board)

    def changes(self, changed: Sequence[tuple[int, int, int]]) -> None:
        """Squares with what they may be before and after, in as many columns as fit."""
        names = [f"{self.tags.get(s, '')} {self.layout.squares[s]}".strip() for s, _, _ in changed]
        lines = [(n, self.candidates(b), text(self.layout, a)) for n, (_, b, a) in zip(names, changed, strict=True)]
        wide = [max((len(line[k]) for line in lines), default=0) for k in range(3)]
        entries = [f"  {n:>{wide[0]}}  {b:<{wide[1]}} -> {a:<{wide[2]}}" for n, b, a in lines]
        across = self.width // (sum(wide) + 8)
        for i in range(0, len(entries), across or 1):
            whole = "".join(entries[i : i + (across or 1)]).rstrip()
            for part in wrap(whole, self.width, subsequent_indent=" " * (wide[0] + 4)):
                self.say(part)

    def candidates(self, mask: int) -> str:
        """A square's candidates; `any` where none of a large board's is ruled out yet."""
        values = len(self.layout.values)
        return "any" if values > 9 and mask.bit_count() == values else text(self.layout, mask)

    def split(self, split: Split) -> None:
        """A split and its branches."""
        total = len(split.values)
        steps = [(*split.path, (split.square, v)) for v in split.values]
        self.branches.update({path: f"{i} of {total}" for i, path in enumerate(steps, 1)})
        options = " or ".join(self.step(*path[-1]) for path in steps)
        self.say(f"\nSPLIT where fewest candidates are left: {options}", GUESSED)

    def why(self, broken: Broken) -> str:
        """Which unit lost which value."""
        values = listed([self.layout.values[v] for v in sorted(broken.values)])
        squares = listed([self.layout.squares[s] for s in sorted(broken.squares)])
        if broken.u is None:
            return f"no candidate left in {squares}"
        unit = unit_name(self.layout, broken.u)
        if not broken.squares:
            return f"{unit} has lost {values}: no square of it can take {'it' if len(broken.values) == 1 else 'them'}"
        if len(broken.values) == 1:
            return f"{unit} has {values} once, and {squares} can be nothing else"
        return f"{unit} has {values} once each, and {squares} can be nothing else"

    def hit(self, broken: Broken | None) -> frozenset[int]:
        """The squares to mark where the game broke."""
        if broken is None:
            return frozenset()
        return frozenset(broken.squares or (self.layout.units[broken.u] if broken.u is not None else ()))

    def step(self, s: int, v: int) -> str:
        return f"{self.layout.squares[s]}={self.layout.values[v]}"

    def trail(self, path: Path) -> str:
        """All guesses down to here; the outermost give way where the line is too short."""
        steps = [self.step(s, v) for s, v in path]
        while len(" > ".join(steps)) > self.width - 4 and len(steps) > 2:
            steps = ["...", *steps[2:]]
        return " > ".join(steps)

    def close(self, budget: Budget, found: int) -> None:
        """What came of it all."""
        self.release(None)
        if budget.spent:
            self.say("\nTime is up (-t gives more).", BROKEN)
        ending = plural(found, "solution") if found or budget.spent or budget.stuck else "no solution"
        more = "" if budget.spent or budget.stuck or not found else ", and there is no other"
        more = f"; {branches(budget.open)} not tried" if budget.open else more
        steps = plural(self.rounds, "step")
        self.say(f"\n{ending}{more}: {steps}, {branches(budget.decisions)} tried, {budget.conflicts} broke", HEAD)


def masks(game: Game) -> list[int]:
    """A game of sets as domains."""
    return [sum(1 << v for v in candidates) for candidates in game]


def branches(n: int) -> str:
    return f"{n:,} branch{'' if n == 1 else 'es'}"


def listed(names: Sequence[str]) -> str:
    """A, B and C."""
    *first, last = names or ("nothing",)
    return f"{', '.join(first)} and {last}" if first else last
