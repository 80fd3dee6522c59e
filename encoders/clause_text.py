"""Clauses as text of any format, in blocks, so that a large formula is never held as text.

A format is a table of texts around clauses and literals. A compiled loop writes large formulas, where there is one
(`puzzles/readers/compiled`), and plain Python the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from encoders.formula import Constraints, Int32Array
from puzzles.constraints.clauses import Clauses, split_clauses
from puzzles.readers.cnf import repeating
from puzzles.readers.compiled.loading import Loop, loops_for
from puzzles.readers.compiled.loops import RULES, WORDS

BLOCK_NUMBERS = 1 << 18  # literals and ends of clauses that are written at once
BYTES = 6  # about as many of the file as numbers of a large formula, for which the loop is loaded
DIGITS = 12  # of a number, and its sign


@dataclass(frozen=True)
class ClauseStyle:
    """Texts of a format.

    start, end      around a clause; `unit_start` and `unit_end` around one of a single literal; `empty` is an empty one
    true, false     before the number of a variable that is to be so, `after_true` and `after_false` after it
    between, wrap   between two literals; the second after each `wrap_after` literals
    split, middle   literals that are to be true come first, then `middle`, then the others
    bound, last     after `end` the clause's bound as a row, 1 less its negations; then `last`
    shift           what the number of a variable is less in the file
    always          a clause that holds always, for formats in which no variable is named twice in one
    """

    start: str
    end: str
    empty: str
    true: str = ""
    false: str = ""
    between: str = " "
    after_true: str = ""
    after_false: str = ""
    unit_start: str | None = None
    unit_end: str | None = None
    wrap: str = ""
    wrap_after: int = 0
    split: bool = False
    middle: str = ""
    bound: bool = False
    last: str = ""
    shift: int = 0
    always: str = ""

    @cached_property
    def filled(self) -> "ClauseStyle":
        """The same style with the texts of units stated."""
        start = self.start if self.unit_start is None else self.unit_start
        return replace(self, unit_start=start, unit_end=self.end if self.unit_end is None else self.unit_end)

    @cached_property
    def words(self) -> tuple[bytes, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Texts one after another, their ends, and rules, as the loop takes them."""
        texts = [str(getattr(self.filled, name)).encode() for name in WORDS]
        ends = np.cumsum(list(map(len, texts)), dtype=np.int64)
        return b"".join(texts), ends, np.array([int(getattr(self, name)) for name in RULES], np.int64)

    def text(self, clause: list[int]) -> str:
        """Return the text of a clause."""
        if self.always:
            clause = list(dict.fromkeys(clause))
            if len({abs(k) for k in clause}) < len(clause):
                return self.always
        if not clause:
            return self.empty
        if self.split:
            inner = self.middle.join(self.listed([k for k in clause if (k > 0) == sign]) for sign in (True, False))
        else:
            inner = self.listed(clause)
        style, unit = self.filled, len(clause) == 1
        bound = str(1 - sum(k < 0 for k in clause)) if self.bound else ""
        ends = style.unit_end if unit else style.end
        return f"{style.unit_start if unit else style.start}{inner}{ends}{bound}{self.last}"

    def listed(self, literals: list[int]) -> str:
        """Return literals as text, with the separators of the style."""
        texts = [
            f"{self.true}{k - self.shift}{self.after_true}"
            if k > 0
            else f"{self.false}{-k - self.shift}{self.after_false}"
            for k in literals
        ]
        size = self.wrap_after or len(texts) or 1
        return self.wrap.join(self.between.join(texts[i : i + size]) for i in range(0, len(texts), size))


def without_clauses(form: Constraints) -> tuple[Constraints, Int32Array]:
    """Split a formula into the rest and its clauses; clauses stay in it where a variable can't be both 0 and 1."""
    if form.numbers != range(2) or any(mask != 3 for mask in set(form.known)):
        return form, np.empty(0, np.int32)
    parts = [part.flat.astype(np.int32, copy=False) for part in form.constraints if isinstance(part, Clauses)]
    others = tuple(part for part in form.constraints if not isinstance(part, Clauses))
    flat = parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])
    return replace(form, constraints=others), flat


def clause_lines(flat: Int32Array, style: ClauseStyle) -> Iterator[bytes]:
    """Yield clauses in a style, block by block."""
    loops = loops_for("cnf", BYTES * len(flat), "clause_lines", "repeating")
    variables = int(np.abs(flat).max(initial=0)) if style.always and loops else 0
    for block in blocks(flat):
        if loops is None or (style.always and repeating(block, variables, loops[1])):
            yield "".join(map(style.text, split_clauses(block))).encode()
        else:
            yield looped(block, style, loops[0])


def blocks(flat: Int32Array) -> Iterator[Int32Array]:
    """Yield whole clauses, about BLOCK_NUMBERS numbers at once."""
    start, size = 0, BLOCK_NUMBERS
    while start < len(flat):
        ends = np.flatnonzero(flat[start : start + size] == 0)
        if not len(ends):
            size *= 2  # a long clause
            continue
        yield np.ascontiguousarray(flat[start : start + int(ends[-1]) + 1])
        start, size = start + int(ends[-1]) + 1, BLOCK_NUMBERS


def looped(block: Int32Array, style: ClauseStyle, loop: Loop) -> bytes:
    """Return the text of clauses, written by the compiled loop."""
    words, ends, rules = style.words
    of = dict(zip(WORDS, np.diff(ends, prepend=0).tolist(), strict=True))
    literal = DIGITS + of["true"] + of["false"] + of["after_true"] + of["after_false"] + of["between"] + of["wrap"]
    clause = DIGITS + sum(of[name] for name in ("start", "end", "unit_start", "unit_end", "empty", "middle", "last"))
    clauses = int(np.count_nonzero(block == 0))
    room = np.empty(literal * (len(block) - clauses) + clause * clauses, np.uint8)
    size = loop(block.ctypes.data, len(block), words, ends.ctypes.data, rules.ctypes.data, room.ctypes.data)
    return room[:size].tobytes()
