"""Rows with a witness, and proofs by contradiction, in columns: what a step owes, and the blocks that show it.

    debt   rows that contradict the others once assumed; of a row that is to be shown, its negation

With a witness, an assignment that satisfies the rows held and breaks the new row is changed into one that satisfies
both. `red` owes that every row still holds, and that neither the objective nor the loaded order grows. `dom` owes that
the rows of the core still hold and that the order gets strictly smaller, so that finitely many changes reach all.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from harness.judging.checkers.pseudo_boolean.columns import (
    BAD_ID,
    BAD_STEP,
    BROKEN,
    FINAL,
    IDS,
    LENIENT,
    NO_ORDER,
    NOT_IMPLIED,
    PLAIN,
    ROWS,
    TRAIL,
)
from harness.judging.checkers.pseudo_boolean.machine import (
    FALSE,
    TRUE,
    Machine,
    ObjectiveSum,
    Stop,
    Sum,
    is_syntactic,
    negation,
    normal,
    parts_of,
    substituted,
    whole,
)
from harness.judging.checkers.pseudo_boolean.propagation import leave, refresh
from harness.judging.checkers.pseudo_boolean.words import POL, RUP

Inner = Callable[[Machine, list[str]], None]


class Debt(NamedTuple):
    """Rows to assume; the row to be shown, if they negate one; rows that may be used; True for one of `geq` alone."""

    rows: list[Sum]
    row: Sum | None
    given: list[Sum]
    strict: bool = False


def owed(row: Sum, given: list[Sum]) -> Debt:
    return Debt([negation(row)], row, given)


def is_paid(m: Machine, debt: Debt) -> bool:
    """Return True if propagation or implication by one row pays a debt."""
    if m.conflict([*debt.given, *debt.rows])[0]:
        return True
    if debt.row is None:
        return False
    _, true = m.conflict(debt.given)
    constants = dict.fromkeys(true, TRUE) | {code ^ 1: FALSE for code in true}
    row = substituted(debt.row, constants)
    return any(is_syntactic(substituted(held, constants), row) for held in m.rows_held())


class BlockRows:
    """Rows of a block, which are removed at its end; their numbers are used up."""

    def __init__(self, m: Machine, rows: Iterable[Sum]) -> None:
        counts = m.s.counts
        self.m, self.state = m, [int(counts[i]) for i in (ROWS, TRAIL, IDS, BROKEN)]
        self.final, counts[FINAL] = int(counts[FINAL]), 0
        for row in rows:
            m.hold(row)

    def close(self, numbers: bool = True) -> None:
        leave(self.m.s, *self.state)
        self.m.s.counts[FINAL] = self.final
        if not numbers:
            self.m.s.counts[IDS] = self.state[2]


def broken(m: Machine, words: list[str]) -> bool:
    """Return True if rows contradict each other at the end of a block; a row that the end names must be held."""
    last = parts_of(words[1:])[-1]
    if last and (m.version < 3 or ":" in words):
        m.number(last[-1])
    return bool(m.s.counts[BROKEN])


def inside(m: Machine, inner: Inner) -> list[str]:
    """Take the statements of a block up to its end, or to a block within; return the words of that."""
    while True:
        rule = m.advance()
        if rule in (POL, RUP):
            m.step()
            continue
        words = m.text_of()
        if words[:1] in (["qed"], ["proofgoal"], ["scope"]):
            return words
        inner(m, words)


def pay(
    m: Machine, debts: dict[str | int, Debt], words: list[str], named: Callable[[int], Debt], inner: Inner, scope: str
) -> None:
    """Take the block of one debt."""
    key: str | int = words[1] if words[1].startswith("#") else m.number(words[1])
    if isinstance(key, str) and key not in debts:
        raise Stop(BAD_ID)
    debt = debts.pop(key) if key in debts else named(int(key))
    if scope and debt.strict != (scope == "geq"):
        raise Stop(NO_ORDER)
    block = BlockRows(m, debt.rows)
    words = inside(m, inner)
    if words[0] != "qed" or not broken(m, words):
        raise Stop(NOT_IMPLIED if words[0] == "qed" else BAD_STEP)
    block.close()


def settle_debts(
    m: Machine,
    debts: dict[str | int, Debt],
    has_block: bool,
    named: Callable[[int], Debt],
    inner: Inner,
    scopes: Mapping[str, list[Sum]],
) -> None:
    """Check that all debts are paid, by blocks of their own or without."""
    while has_block and (words := inside(m, inner))[0] != "qed":
        if words[0] == "proofgoal":
            pay(m, debts, words, named, inner, "")
        elif words[1] in scopes:
            block = BlockRows(m, scopes[words[1]])
            scope = words[1]
            while (words := inside(m, inner))[0] == "proofgoal":
                pay(m, debts, words, named, inner, scope)
            if words[0] != "qed":
                raise Stop(BAD_STEP)
            block.close()
        else:
            raise Stop(NO_ORDER)
    if (has_block and broken(m, words)) or all(is_paid(m, debt) for debt in debts.values()):
        return
    raise Stop(NOT_IMPLIED)


def touched(m: Machine, witness: Mapping[int, int], core: bool) -> dict[int, Sum]:
    """Return the rows that a witness changes, as it changes them, by the first of their numbers."""
    rows = set[int]()
    for code in witness:
        i = int(m.s.head[code]) if code < len(m.s.head) else -1
        while i >= 0:
            row = int(m.s.owner[i])
            if not m.s.dead[row] and (m.s.cores[row] or not core):
                rows.add(row)
            i = int(m.s.following[i])
    found = {}
    for row in sorted(rows):
        before = m.row_at(row)
        after = substituted(before, witness)
        if not is_syntactic(before, after):
            found[row] = after
    return found


def instance(m: Machine, left: Iterable[int], right: Iterable[int], rows: Iterable[Sum]) -> list[Sum]:
    """Return rows of the loaded order for codes in place of its variables."""
    order, map_ = m.order, dict[int, int]()
    for variable, code in (*zip(order.left, left, strict=True), *zip(order.right, right, strict=True)):
        map_[2 * variable], map_[2 * variable + 1] = code, code ^ 1
    return [substituted(row, map_) for row in rows]


def not_greater(goal: ObjectiveSum, witness: Mapping[int, int]) -> Sum:
    """Return the row of: the witness does not raise the objective."""
    before = [(a, 2 * v) for v, a in goal.terms.items()]
    after = [(-a, witness.get(2 * v, 2 * v)) for v, a in goal.terms.items()]
    return normal(before + after, 0)


def substitution(m: Machine, sections: list[list[str]]) -> tuple[dict[int, int], bool]:
    """Return the witness of a step, from the sections after its row, and True if a block follows."""
    has_block = sections[-1:] == [["subproof"]]
    if len(sections) > 1 + has_block:
        raise Stop(BAD_STEP)
    return m.witness(sections[0] if len(sections) > has_block else []), has_block


def strengthen(m: Machine, words: list[str], inner: Inner, by_order: bool) -> None:
    """Hold a row with a witness, once its debts are paid."""
    label = m.labelled()
    sections = parts_of(words[1:])
    m.refresh()
    row, (witness, has_block) = m.parsed(sections[0]), substitution(m, sections[1:])
    if has_block or not m.follows(row):
        owe(m, row, witness, has_block, inner, by_order, by_order or m.strict)
    m.hold(row, core=m.strict, label=label)


def owe(
    m: Machine, row: Sum, witness: Mapping[int, int], has_block: bool, inner: Inner, by_order: bool, core: bool
) -> None:
    """Check what a row with a witness owes."""
    order, images = m.order, [witness.get(code, code) for code in m.over]
    concerned = by_order or any(code in witness for code in m.over)
    if concerned and order.aux and used_variables(m, row, witness) & set(order.aux):
        raise Stop(NO_ORDER)
    leq = instance(m, images, m.over, order.made) if concerned else []
    geq = instance(m, m.over, images, order.made) if concerned else []
    rows = touched(m, witness, core)
    debts: dict[str | int, Debt] = {}
    first: dict[int, int] = {}
    for number in m.live() if rows else ():
        first.setdefault(int(m.s.where[number - 1]), number)
    for index, after in rows.items():
        debts[first.get(index, -index)] = owed(after, leq)
    extra = [] if by_order else [owed(substituted(row, witness), leq)]
    if concerned:
        extra += [owed(one, leq) for one in instance(m, images, m.over, order.rows)]
    if by_order:
        extra.append(Debt(instance(m, m.over, images, order.rows), None, geq, True))
    if m.objective is not None:
        extra.append(owed(not_greater(m.objective, witness), leq))
    debts |= {f"#{k}": debt for k, debt in enumerate(extra, 1)}

    def named(number: int) -> Debt:
        index = int(m.s.where[number - 1])
        return debts.pop(first.get(index, -index), None) or owed(substituted(m.row_at(index), witness), leq)

    block = BlockRows(m, [negation(row)])
    scopes = {"leq": leq, "geq": geq} if concerned and order.made else {}
    settle_debts(m, debts, has_block, named, inner, scopes)
    block.close(numbers=has_block)


def used_variables(m: Machine, row: Sum, witness: Mapping[int, int]) -> set[int]:
    """Return the variables of the rows held, the objective, the order's codes, a row and a witness."""
    codes = {*row.terms, *m.over, *witness, *witness.values()}
    codes |= {code for held in m.rows_held() for code in held.terms}
    return {code >> 1 for code in codes} | set(m.objective.terms if m.objective else ())


def contradicted(m: Machine, words: list[str], inner: Inner) -> None:
    """Hold a row whose negation a block contradicts (`pbc`)."""
    label, sections = m.labelled(), parts_of(words[1:])
    row = m.parsed(sections[0])
    if sections[1:] not in ([], [["subproof"]]):
        raise Stop(BAD_STEP)
    if sections[1:]:
        block = BlockRows(m, [negation(row)])
        settle_debts(m, {"#1": Debt([], None, [])}, True, unnamed, inner, {})
        block.close()
    elif not m.follows(row):
        raise Stop(NOT_IMPLIED)
    m.hold(row, label=label)


def unnamed(number: int) -> Debt:
    raise Stop(BAD_ID)


class CoreAlone:
    """The core without some numbers, until `close`: other rows are hidden."""

    def __init__(self, m: Machine, without: Iterable[int] = ()) -> None:
        self.m, s = m, m.s
        gone = np.zeros(int(s.counts[IDS]), bool)
        gone[[number - 1 for number in without]] = True
        keep = np.zeros(int(s.counts[ROWS]), bool)
        kept = (s.core[: len(gone)] == 1) & (s.where[: len(gone)] >= 0) & ~gone
        keep[s.where[: len(gone)][kept]] = True
        keep[: len(m.programme.rows)] |= bool(s.counts[LENIENT])
        self.hidden = np.flatnonzero((s.dead[: len(keep)] == 0) & ~keep)
        self.where = s.where[: len(gone)].copy()
        s.dead[self.hidden] = 1
        s.where[: len(gone)][~kept] = -1
        refresh(s)

    def close(self) -> None:
        s = self.m.s
        s.dead[self.hidden] = 0
        s.where[: len(self.where)] = self.where
        refresh(s)


def read_goal(m: Machine, words: list[str]) -> ObjectiveSum:
    """Return the objective of words, which may end with a constant."""
    terms, constant = dict[int, int](), 0
    for i in range(0, len(words), 2):
        a = whole(words[i])
        if i + 1 == len(words):
            constant += a
            continue
        code = m.code(words[i + 1])
        constant += a * (code & 1)
        terms[code >> 1] = terms.get(code >> 1, 0) + (-a if code & 1 else a)
    return ObjectiveSum({v: a for v, a in terms.items() if a}, constant)


def replaced(m: Machine, words: list[str], inner: Inner) -> None:
    """Replace the objective by one that the core shows to be equal (`obju`)."""
    sections = parts_of(words[1:])
    head, has_block = sections[0], sections[-1] == ["subproof"]
    if m.objective is None or head[:1] not in (["new"], ["diff"]):
        raise Stop(BAD_STEP)
    stated = read_goal(m, head[1:])
    change = dict(stated.terms)
    constant = stated.constant
    if head[0] == "new":
        change = {v: change.get(v, 0) - m.objective.terms.get(v, 0) for v in {**change, **m.objective.terms}}
        constant -= m.objective.constant
    pairs = [(a, 2 * v) for v, a in change.items()]
    debts: dict[str | int, Debt] = {
        "#1": owed(normal(pairs, -constant), []),
        "#2": owed(normal([(-a, x) for a, x in pairs], constant), []),
    }
    core = CoreAlone(m)
    block = BlockRows(m, ())
    settle_debts(m, debts, has_block, unnamed, inner, {})
    block.close()
    core.close()
    terms = {v: m.objective.terms.get(v, 0) + change.get(v, 0) for v in {**m.objective.terms, **change}}
    m.objective = ObjectiveSum({v: a for v, a in terms.items() if a}, m.objective.constant + constant)
    m.s.counts[PLAIN] = 0


def preserved(m: Machine, words: list[str], inner: Inner) -> None:
    """Check that a variable is equal to a row (`preserved_add`, `preserved_rm`)."""
    sections = parts_of(words[1:])
    variable, body = sections[0][:1], sections[0][1:]
    debts: dict[str | int, Debt] = {
        f"#{k}": owed(m.parsed([*variable, arrow, *body]), []) for k, arrow in ((1, "==>"), (2, "<=="))
    }
    block = BlockRows(m, ())
    settle_debts(m, debts, sections[-1] == ["subproof"], unnamed, inner, {})
    block.close()
