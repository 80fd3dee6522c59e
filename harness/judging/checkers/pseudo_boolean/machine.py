"""Check of a pseudo-Boolean proof in columns: the compiled loops take most steps, and pause at the others.

Sum      a row as coefficients by code: 2x for variable x, 2x + 1 for its negation; codes TRUE and FALSE are constants
witness  the code that stands in place of each code
text     of a statement that the loops do not take; its parts are the words between `:` (`;` before version 3)

The file is long because every statement reads and changes the same columns, which one class holds.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from harness.judging.checkers.proof_text import ProofText, lines_in
from harness.judging.checkers.pseudo_boolean.columns import (
    AXIOMS,
    BAD_ID,
    BAD_STEP,
    BASE,
    BROKEN,
    FINAL,
    FULL,
    GOOD,
    IDS,
    KNOWN,
    LARGEST,
    LENIENT,
    OPEN,
    OVERFLOW,
    PAUSE,
    PLAIN,
    ROWS,
    STALE,
    TOUCHED,
    TRAIL,
    UNENDED,
    UNREAD_RULE,
    Columns,
)
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme
from harness.judging.checkers.pseudo_boolean.propagation import assumed, compact, leave, refresh
from harness.judging.checkers.pseudo_boolean.steps import ASSUME, FOLLOWS, HOLD, all_to_core, hold_rows, put, run, step
from harness.judging.checkers.pseudo_boolean.words import (
    END,
    HEAD,
    KIND_BITS,
    LABELLED,
    LITERAL,
    LOAD_ALL,
    NAMED,
    RULE_BITS,
    SLOW,
    WEAKEN,
    Array,
    Words,
    no_names,
    parse,
    rehash,
    version_of,
)

TRUE, FALSE = 0, 1
TOKEN = re.compile(r"->|→|==>|<==|>=|<=|[;:]|(?:[^\s;:<>=-]|-(?!>))+")
INTEGER, CANONICAL = re.compile(r"[+-]?[0-9]+"), re.compile(r"x[1-9][0-9]{0,8}")
REPLACED = re.compile(r"((?!->)[^\s,→]+)(?: ->| →)? ((?!->)[^\s,→]+)(?: ,)?(?: |$)")
WITNESS = re.compile(f"(?:{REPLACED.pattern})*")
PIECE = 1 << 18  # words that are read at once
ROOM = 1 << 14  # entries beside those of a programme, and items
PER_ROW = ("degree", "slack", "dead", "names", "cores", "start")
PER_NUMBER = ("where", "core")
PER_CODE = ("head", "value", "witness")
PER_VARIABLE = ("trail", "sum", "mark", "touched")
PER_ENTRY = ("code", "coefficient", "following", "owner")
PER_ITEM = ("item_code", "item_coefficient", "item_start", "item_degree")


class Stop(Exception):
    """End of a check, with its fault."""

    def __init__(self, fault: int) -> None:
        self.fault = fault


class Sum(NamedTuple):
    """Row: the sum of coefficients of true codes is at least the degree; no code with its negation."""

    terms: Mapping[int, int]
    degree: int


class ObjectiveSum(NamedTuple):
    """Objective: coefficients by variable, and a constant."""

    terms: Mapping[int, int]
    constant: int


class Preorder(NamedTuple):
    """Order of assignments: `left` is not after `right` where `rows` hold; `made` determines `aux`."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    aux: tuple[int, ...]
    rows: tuple[Sum, ...]
    made: tuple[Sum, ...]


NO_ORDER = Preorder((), (), (), (), ())


def normal(pairs: list[tuple[int, int]], degree: int) -> Sum:
    """Return the row of coefficients of any sign and codes, which may repeat."""
    sums: dict[int, int] = {}
    for a, code in pairs:
        if code & 1:
            degree, a = degree - a, -a
        if code > FALSE:
            sums[code >> 1] = sums.get(code >> 1, 0) + a
        else:  # TRUE counts a; FALSE is 1 less TRUE
            degree -= a
    negative = sum(a for a in sums.values() if a < 0)
    return Sum({2 * v + (a < 0): abs(a) for v, a in sums.items() if a}, degree - negative)


def negation(a: Sum) -> Sum:
    return Sum({code ^ 1: c for code, c in a.terms.items()}, 1 - a.degree + sum(a.terms.values()))


def substituted(a: Sum, witness: Mapping[int, int]) -> Sum:
    """Return a row with other codes in place of some."""
    return normal([(c, witness.get(code, code)) for code, c in a.terms.items()], a.degree)


def is_syntactic(a: Sum, b: Sum) -> bool:
    """Return True if b is a, weakened to the literals and coefficients of b, with b's degree as the largest."""
    left = a.degree
    for code, c in a.terms.items():
        kept = b.terms.get(code, 0)
        left -= c - kept if kept < min(c, b.degree) else 0
    return left >= b.degree or b.degree <= 0


def is_contradiction(a: Sum) -> bool:
    return a.degree > sum(a.terms.values())


def parts_of(words: list[str]) -> list[list[str]]:
    """Return the words between separators; a separator at the end is none."""
    found: list[list[str]] = [[]]
    for i, word in enumerate(words):
        if word != ":":
            found[-1].append(word)
        elif i + 1 < len(words):
            found.append([])
    return found


def whole(word: str) -> int:
    if not INTEGER.fullmatch(word) or len(word) > 4000:
        raise Stop(BAD_STEP)
    return int(word)


class Machine:
    """Check of one proof.

    objective     the present one              bound, values   least value of a row of better solutions; logged values
    order, over   the loaded order, its codes  strict          strengthening goes to the core
    levels        first number and level, of each setting of a level
    begin, line   where the text and the line of the next piece are       words, at   the piece, the statement in it
    numbering     variable of the columns, by variable of the words       names       by index; `indices` of names
    """

    def __init__(self, programme: SumProgramme, proof: ProofText) -> None:
        self.programme, self.version = programme, version_of(proof)
        self.raw, self.text = proof, np.frombuffer(proof, np.uint8)
        first = proof.find(b"\n") + 1 or len(proof)
        self.begin, self.line = first, 1 + (first > 0 and proof[first - 1 : first] == b"\n")
        self.table, self.buffer = no_names(), np.empty(PIECE, np.int64)
        self.names, self.indices = list[str](), dict[str, int]()
        self.numbering, self.last = dict[int, int](), programme.variables
        self.words, self.size, self.at, self.ahead = np.empty(0, np.int64), 0, 0, 0
        self.own_labels = dict(programme.labels or {})
        self.objective = None if programme.goal is None else ObjectiveSum(dict(programme.goal), programme.offset)
        self.bound: int | None = None
        self.values = list[int]()
        self.orders: dict[str, Preorder] = {}
        self.order, self.over, self.strict = NO_ORDER, tuple[int, ...](), False
        self.level: int | None = None
        self.levels = list[tuple[int, int]]()
        self.stage = 0
        self.s = columns_for(programme)
        self.s.counts[FINAL] = self.s.counts[LENIENT] = self.version == 1

    # words

    def refill(self) -> bool:
        """Read the next piece; return False at the end of the text."""
        while True:
            n, begin, line, fits = parse(self.text, self.begin, self.line, self.table, self.buffer, self.version)
            if not fits:
                raise Stop(OVERFLOW)
            if n or begin == len(self.text):
                break
            self.buffer = np.empty(2 * len(self.buffer), np.int64)
            old, self.table = self.table, no_names(2 * len(self.table.begin))
            rehash(self.text, old, self.table)
        self.begin, self.line = begin, line
        for k in range(len(self.names), int(self.table.many[0])):
            name = self.raw[self.table.begin[k] : self.table.end[k]].decode("utf-8", "replace")
            self.names.append(name)
            self.indices[name] = k
        self.words, self.size = np.append(self.renumbered(self.buffer[:n].copy()), HEAD), n
        self.at, self.ahead = 0, 0
        self.fit(self.words)
        for label, number in self.own_labels.items():
            if label in self.indices:
                self.s.labels[self.indices[label]] = number
        self.own_labels = {k: n for k, n in self.own_labels.items() if k not in self.indices}
        return n > 0

    def renumbered(self, words: Words) -> Words:
        """Number the variables of words; those that the programme lacks come after its own."""
        kind = words & 15
        which = (kind == LITERAL) | (kind == WEAKEN)
        codes = words[which] >> KIND_BITS
        distinct, inverse = np.unique(codes >> 1, return_inverse=True)
        numbers = np.array([self.variable(v) for v in distinct.tolist()], np.int64)
        if len(distinct):
            words[which] = (2 * numbers[inverse] + (codes & 1) << KIND_BITS) + kind[which]
        return words

    def variable(self, word: int) -> int:
        """Return the number of a variable of the words."""
        if word not in self.numbering:
            name = self.names[word - NAMED] if word >= NAMED else f"x{word}"
            names, variables = self.programme.names, self.programme.variables
            own = names.get(name, 0) if names is not None else word if word <= variables else 0
            self.last += not own
            self.numbering[word] = own or self.last
        return self.numbering[word]

    def fit(self, words: Words) -> None:
        """Make room for the rows, numbers and variables of a piece."""
        s, rules = self.s, words[words & 15 == HEAD] >> KIND_BITS & 15
        heads, loads = len(rules), len(self.programme.rows) * int(np.count_nonzero(rules == LOAD_ALL))
        most = self.last + 1
        fields = extended(s, PER_ROW, int(s.counts[ROWS]) + heads + 8)
        fields |= extended(s, PER_NUMBER, int(s.counts[IDS]) + heads + loads + 8)
        fields |= extended(s, PER_CODE, 2 * most + 2)
        fields |= extended(s, PER_VARIABLE, most + 1)
        fields |= extended(s, ("labels",), len(self.names) + 1)
        if 4 * (s.counts[KNOWN] + heads) > len(s.shown):
            fields["shown"] = np.full(8 * (int(s.counts[KNOWN]) + heads), -1, np.int32)
            s.counts[KNOWN] = 0
        self.s = s._replace(**fields)

    def advance(self) -> int:
        """Go to the next statement; return its rule."""
        self.at = self.ahead
        if self.at >= self.size and not self.refill():
            raise Stop(UNENDED)
        ahead = self.at + 1
        while ahead < self.size and self.words[ahead] & 15 != HEAD:
            ahead += 1
        self.ahead = ahead
        return int(self.words[self.at]) >> KIND_BITS & 15

    def current_line(self) -> int:
        if self.at < self.size:
            return int(self.words[self.at]) >> KIND_BITS + RULE_BITS
        return lines_in(self.raw) + 1

    def text_of(self) -> list[str]:
        """Return the words of the statement's text: `:` between its parts, `subproof` and `qed` for blocks."""
        at = self.at + 1 + (int(self.words[self.at]) >> KIND_BITS & LABELLED > 0)
        begin, end = int(self.words[at]) >> KIND_BITS, int(self.words[at + 1]) >> KIND_BITS
        text = self.raw[begin:end].decode("utf-8", "surrogateescape")
        if self.version > 2:
            text = re.sub("%[^\n]*", "", text)
        words = [":" if word == ";" else word for word in TOKEN.findall(text)]
        while words[-1:] == [":"]:
            words.pop()
        if words[-1:] == ["begin"]:
            words[-1] = "subproof"
        if words[:1] == ["end"] and words[1:2] != ["pseudo-Boolean"]:
            words[0] = "qed"
        return words

    def labelled(self) -> int:
        """Return the index of the label of the statement, -1 without one."""
        head = int(self.words[self.at]) >> KIND_BITS
        return int(self.words[self.at + 1]) >> KIND_BITS if head & LABELLED else -1

    # rows

    def code(self, word: str) -> int:
        """Return the code of a literal."""
        name = word.removeprefix("~")
        key = int(name[1:]) if CANONICAL.fullmatch(name) else NAMED + self.indices.get(name, -NAMED - 1)
        if key not in self.numbering:
            raise Stop(BAD_STEP)
        return 2 * self.numbering[key] + word.startswith("~")

    def parsed(self, words: list[str]) -> Sum:
        """Return the row of words."""
        if "==>" in words or "<==" in words:
            arrow = "==>" if "==>" in words else "<=="
            at = words.index(arrow)
            sides, body = [self.code(word) for word in words[:at]], self.parsed(words[at + 1 :])
            if arrow == "<==":
                if len(sides) > 1:
                    raise Stop(BAD_STEP)
                body, sides = negation(body), [code ^ 1 for code in sides]
            weight = max(0, body.degree)
            return normal([(c, x) for x, c in body.terms.items()] + [(weight, x ^ 1) for x in sides], body.degree)
        if len(words) < 2 or words[-2] not in (">=", "<=") or len(words) % 2:
            raise Stop(BAD_STEP)
        pairs = [(whole(words[i]), self.code(words[i + 1])) for i in range(0, len(words) - 2, 2)]
        if words[-2] == "<=":
            return normal([(-a, x) for a, x in pairs], -whole(words[-1]))
        return normal(pairs, whole(words[-1]))

    def witness(self, words: list[str]) -> dict[int, int]:
        """Return the substitution of words."""
        found, text = dict[int, int](), " ".join(words)
        if not WITNESS.fullmatch(text):
            raise Stop(BAD_STEP)
        for name, to in REPLACED.findall(text):
            code = self.code(name)
            if code & 1:
                raise Stop(BAD_STEP)
            found[code] = {"0": FALSE, "1": TRUE}[to] if to in ("0", "1") else self.code(to)
            found[code + 1] = found[code] ^ 1
        return found

    def number(self, word: str) -> int:
        """Return the number of a row that is held."""
        found = self.number_or_none(word)
        if found is None:
            raise Stop(BAD_ID)
        return found

    def label(self, word: str) -> int:
        """Return the number that a label has, 0 without one."""
        return int(self.s.labels[self.indices[word]]) if word.startswith("@") and word in self.indices else 0

    def number_or_none(self, word: str) -> int | None:
        given = self.label(word) if word.startswith("@") and self.version > 1 else whole(word)
        given += int(self.s.counts[IDS]) + 1 if given < 0 else 0
        return given if 0 < given <= self.s.counts[IDS] and self.s.where[given - 1] >= 0 else None

    def row_at(self, row: int) -> Sum:
        begin, end = int(self.s.start[row]), int(self.s.start[row + 1])
        codes, coefficients = self.s.code[begin:end].tolist(), self.s.coefficient[begin:end].tolist()
        return Sum(dict(zip(codes, coefficients, strict=True)), int(self.s.degree[row]))

    def row_of(self, number: int) -> Sum:
        return self.row_at(int(self.s.where[number - 1]))

    def rows_held(self) -> Iterator[Sum]:
        """Yield the rows held."""
        for row in np.flatnonzero(self.s.dead[: int(self.s.counts[ROWS])] == 0).tolist():
            yield self.row_at(row)

    def live(self) -> list[int]:
        """Return the numbers that have a row."""
        return (np.flatnonzero(self.s.where[: int(self.s.counts[IDS])] >= 0) + 1).tolist()

    def call(self, function: Callable[..., int], *args: Any) -> int:
        """Call a compiled function, with more room if it lacks room. Raises Stop if a number is too long."""
        while (fault := function(self.s, *args)) == FULL:
            grow(self.s)
        if fault == OVERFLOW:
            raise Stop(OVERFLOW)
        return fault

    def make_room(self) -> None:
        """Make room for a step outside of blocks: that of deleted rows, if it is a half, else more."""
        s = self.s
        rows = int(s.counts[ROWS])
        used = int(np.diff(s.start[: rows + 1])[s.dead[:rows] == 0].sum())
        if 2 * used < len(s.code) < s.start[rows] + s.counts[TOUCHED]:
            compact(s)
        else:
            grow(s)

    def place(self, a: Sum, rule: int) -> int:
        """Let compiled code hold a row, assume it, or see if it follows."""
        if max(map(abs, (a.degree, sum(a.terms.values())))) > LARGEST:
            raise Stop(OVERFLOW)
        self.fit(np.zeros(4, np.int64))
        return self.call(
            put, np.array(list(a.terms), np.int64), np.array(list(a.terms.values()), np.int64), a.degree, rule
        )

    def hold(self, a: Sum, core: bool = False, label: int = -1) -> int:
        """Hold a row; return its number."""
        fault = self.place(a, HOLD)
        number = int(self.s.counts[IDS])
        if core:
            all_to_core(self.s, np.array([number]))
        if label >= 0:
            self.s.labels[label] = number
        if fault != GOOD:
            raise Stop(fault)
        return number

    def follows(self, a: Sum) -> bool:
        return self.place(a, FOLLOWS) == GOOD

    def conflict(self, rows: list[Sum]) -> tuple[bool, list[int]]:
        """Return True if rows, assumed, lead to a conflict, and else the codes that are true then."""
        count = int(self.s.counts[ROWS])
        self.fit(np.zeros(len(rows) + 1, np.int64))
        for a in rows:
            self.place(a, ASSUME)
        true = np.zeros(len(self.s.trail), np.int32)
        found, size = assumed(self.s, len(rows), true)
        leave(self.s, count, int(self.s.counts[TRAIL]), int(self.s.counts[IDS]), int(self.s.counts[BROKEN]))
        return bool(found), true[:size].tolist()

    def refresh(self) -> None:
        """Forget what only deleted rows imply."""
        if self.s.counts[STALE]:
            refresh(self.s)

    # steps

    def step(self) -> None:
        """Let the compiled loops take the statement."""
        fault = self.call(step, self.words, self.at)
        if fault != GOOD:
            raise Stop(fault)

    def check(self, take: Callable[["Machine", list[str]], None]) -> tuple[int, int]:
        """Take all statements, those where the loops pause by `take`; return REFUTED or a fault, and the line."""
        try:
            rows = self.programme.rows
            if any(max(abs(row.degree), sum(row.terms.values())) > LARGEST for row in rows):
                raise Stop(OVERFLOW)
            arrays = (
                np.fromiter((2 * x if x > 0 else 1 - 2 * x for row in rows for x in row.terms), np.int64),
                np.fromiter((a for row in rows for a in row.terms.values()), np.int64),
                np.cumsum([0, *(len(row.terms) for row in rows)], dtype=np.int64),
                np.array([row.degree for row in rows], np.int64),
            )
            if (fault := self.call(hold_rows, *arrays, self.version > 1)) != GOOD:
                raise Stop(fault)
            while self.ahead < self.size or self.refill():
                if self.stage:  # a statement behind the output is no step
                    fault = PAUSE
                else:
                    fault, self.at = run(self.s, self.words, self.ahead, self.size)
                    self.ahead = self.at
                if fault == FULL:
                    self.make_room()
                elif fault == PAUSE:
                    rule = self.advance()
                    if rule == END or (self.stage and rule != SLOW):
                        raise Stop(UNENDED)
                    take(self, self.text_of())
                elif fault != GOOD:
                    raise Stop(fault)
        except Stop as e:
            return e.fault, self.current_line()
        except IndexError:  # a rule lacks a word
            return BAD_STEP, self.current_line()
        return OPEN if self.version == 1 else UNENDED, self.current_line()


def unread(*_: object) -> NoReturn:
    raise Stop(UNREAD_RULE)


def extended(s: Columns, fields: tuple[str, ...], size: int) -> dict[str, Array]:
    """Return arrays of columns with at least some length, filled as empty ones are."""
    found = {}
    for field in fields:
        old = getattr(s, field)
        if len(old) < size:
            more = 2 * size - len(old)
            filler = -1 if field in ("head", "where") else 0
            found[field] = np.concatenate([old, np.full(more, filler, old.dtype)])
    return found


def grow(s: Columns) -> None:
    """Give columns half as much room again, in place: for entries if the row under construction lacks it, or items."""
    full = s.start[s.counts[ROWS]] + s.counts[TOUCHED] > len(s.code)
    for name in PER_ENTRY if full else PER_ITEM:
        column = getattr(s, name)
        column.resize(len(column) * 3 // 2 + 8, refcheck=False)


def columns_for(programme: SumProgramme) -> Columns:
    """Return columns without rows, with room for a programme."""
    size, rows = programme.variables + 2, len(programme.rows) + 16
    entries = ROOM + sum(len(row.terms) for row in programme.rows)
    counts = np.zeros(16, np.int64)
    counts[BASE], counts[PLAIN], counts[AXIOMS] = programme.variables, 1, len(programme.rows)
    wide: dict[str, Any] = dict.fromkeys(
        ("start", "degree", "slack", "sum", "coefficient", "item_coefficient"), np.int64
    )
    wide |= dict.fromkeys(("item_start", "item_degree", "labels"), np.int64)
    wide |= dict.fromkeys(("dead", "core", "value", "witness", "mark"), np.int8)
    sizes = (
        dict.fromkeys(PER_ENTRY, entries)
        | dict.fromkeys(PER_ITEM, ROOM)
        | dict.fromkeys(PER_ROW, rows + 1)
        | dict.fromkeys(PER_NUMBER, rows)
    )
    sizes |= dict.fromkeys(PER_CODE, 2 * size) | dict.fromkeys(PER_VARIABLE, size) | {"shown": 1 << 10, "labels": 1}
    arrays = {
        name: np.full(length, -1 if name in ("head", "where", "shown") else 0, wide.get(name, np.int32))
        for name, length in sizes.items()
    }
    return Columns(**arrays, counts=counts)
