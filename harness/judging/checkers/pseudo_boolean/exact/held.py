"""Rows held by a proof, by their numbers, and unit propagation of them."""

from collections.abc import Collection, Iterable

from harness.judging.checkers.pseudo_boolean.exact.rows import negated
from harness.judging.checkers.pseudo_boolean.programme import SumRow


class NumberedRows:
    """Rows by number, from 1 on; None where there is none. `core` has the numbers of the core set.

    `true` has the literals that rows imply, and `broken` is True if rows lead to a conflict. Both may stem from rows
    that were deleted since the last `refresh`: what these imply holds until a step that is more than an implication.
    """

    def __init__(self, rows: Iterable[SumRow] = ()) -> None:
        self.rows = list[SumRow | None]()
        self.core, self.true = set[int](), set[int]()
        self.having: dict[int, list[int]] = {}
        self.broken = self.stale = False
        for row in rows:
            self.add(row, core=True)

    def get(self, number: int) -> SumRow | None:
        """Return the row of a number."""
        return self.rows[number - 1] if 0 < number <= len(self.rows) else None

    def numbered(self, core: bool = False) -> list[tuple[int, SumRow]]:
        """Return the numbers and the rows, or those of the core."""
        return [(n, r) for n, r in enumerate(self.rows, 1) if r is not None and (not core or n in self.core)]

    def add(self, row: SumRow, core: bool = False) -> int:
        """Hold a row, and propagate it; return its number."""
        number = self.attach(row)
        if core:
            self.core.add(number)
        self.broken = self.broken or self.propagate([number])[0]
        return number

    def attach(self, row: SumRow) -> int:
        self.rows.append(row)
        for x in row.terms if row.degree > 0 else ():
            self.having.setdefault(x, []).append(len(self.rows))
        return len(self.rows)

    def remove(self, number: int) -> None:
        """Delete a row."""
        self.rows[number - 1] = None
        self.core.discard(number)
        self.stale = True

    def refresh(self) -> None:
        """Forget what only deleted rows imply."""
        if self.stale:
            self.stale, self.true = False, set()
            self.broken = self.propagate([n for n, _ in self.numbered()])[0]

    def propagate(self, numbers: Collection[int]) -> tuple[bool, list[int]]:
        """Propagate from rows; return True at a conflict, and the literals that became true."""
        new, waiting = list[int](), list(numbers)
        while waiting:
            row = self.rows[waiting.pop() - 1]
            if row is None or row.degree <= 0:
                continue
            slack = sum(c for x, c in row.terms.items() if -x not in self.true) - row.degree
            if slack < 0:
                return True, new
            for x, c in row.terms.items():
                if c > slack and x not in self.true and -x not in self.true:
                    self.true.add(x)
                    new.append(x)
                    waiting += self.having.get(-x, ())
        return False, new

    def conflict(self, assumed: Iterable[SumRow]) -> tuple[bool, set[int]]:
        """Return True if rows, assumed, lead to a conflict, and the literals that are true then."""
        if self.broken:
            return True, set()
        assumed = list(assumed)
        found, new = self.propagate([self.attach(row) for row in assumed])
        true = set(self.true)
        for row in reversed(assumed):
            self.rows.pop()
            for x in row.terms if row.degree > 0 else ():
                self.having[x].pop()
        self.true.difference_update(new)
        return found, true

    def shows(self, row: SumRow, premises: Iterable[SumRow] = ()) -> bool:
        """Return True if a row follows by propagation from the rows held and premises."""
        return row.degree <= 0 or self.conflict([*premises, negated(row)])[0]
