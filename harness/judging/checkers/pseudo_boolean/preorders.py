"""Definitions of orders in columns. Each is shown by a machine of its own, on the same words, from few rows."""

from collections.abc import Iterable

import numpy as np

from harness.judging.checkers.pseudo_boolean.columns import BAD_STEP, GUARDED, NO_ORDER, PLAIN, UNREAD_RULE
from harness.judging.checkers.pseudo_boolean.machine import (
    NO_ORDER as TRIVIAL,
)
from harness.judging.checkers.pseudo_boolean.machine import (
    Machine,
    Preorder,
    Stop,
    Sum,
    columns_for,
    parts_of,
    substituted,
)
from harness.judging.checkers.pseudo_boolean.steps import all_to_core
from harness.judging.checkers.pseudo_boolean.strengthened import (
    Debt,
    Inner,
    owed,
    settle_debts,
    strengthen,
    unnamed,
)
from harness.judging.checkers.pseudo_boolean.words import POL, RUP


def section(m: Machine) -> list[str]:
    """Go to the next statement of a definition; return its words."""
    m.advance()
    words = m.text_of()
    if not words:
        raise Stop(BAD_STEP)
    return words


def lists(m: Machine) -> dict[str, tuple[int, ...]]:
    """Read lists of variables."""
    found = {}
    while (words := section(m))[0] != "qed":
        codes = [m.code(word) for word in words[1:]]
        if any(code & 1 for code in codes):
            raise Stop(NO_ORDER)
        found[words[0]] = tuple(code >> 1 for code in codes)
    return found


class Apart:
    """Other columns in place of the machine's, with some rows, until `close`."""

    def __init__(self, m: Machine, rows: Iterable[Sum]) -> None:
        self.m, self.s, self.held = m, m.s, (m.objective, m.order, m.over, m.strict)
        labels = m.s.labels
        m.s = columns_for(m.programme)._replace(labels=np.zeros_like(labels))
        m.s.counts[PLAIN] = 0
        m.objective, m.order, m.over, m.strict = None, TRIVIAL, (), False
        m.fit(m.words)
        for row in rows:
            m.hold(row)

    def close(self) -> None:
        self.m.s = self.s
        self.m.objective, self.m.order, self.m.over, self.m.strict = self.held
        self.m.fit(self.m.words)


def shown(m: Machine, premises: Iterable[Sum], wanted: Iterable[Sum], has_block: bool, inner: Inner) -> None:
    """Check that rows follow from others."""
    apart = Apart(m, premises)
    debts: dict[str | int, Debt] = {f"#{k}": owed(row, []) for k, row in enumerate(wanted, 1)}
    settle_debts(m, debts, has_block, unnamed, inner, {})
    apart.close()


def mapped(row: Sum, old: Iterable[int], new: Iterable[int]) -> Sum:
    """Return a row with other variables in place of some."""
    map_ = dict[int, int]()
    for v, w in zip(old, new, strict=True):
        map_[2 * v], map_[2 * v + 1] = 2 * w, 2 * w + 1
    return substituted(row, map_)


def specification(m: Machine, aux: tuple[int, ...], inner: Inner) -> tuple[Sum, ...]:
    """Read rows that auxiliary variables can satisfy whatever the others are."""
    apart = Apart(m, ())
    while True:
        if m.advance() in (POL, RUP):
            m.step()
            continue
        words = m.text_of()
        if words[:1] == ["qed"]:
            break
        if words[:1] == ["red"]:
            sections = parts_of(words[1:])
            witness = m.witness(sections[1] if len(sections) > 1 else [])
            if any(code >> 1 not in aux for code in witness):
                raise Stop(NO_ORDER)
            strengthen(m, words, inner, by_order=False)
        else:
            inner(m, words)
    rows = tuple(m.row_of(number) for number in m.live())
    apart.close()
    return rows


def transitivity(m: Machine, order: Preorder, fresh: dict[str, tuple[int, ...]], inner: Inner) -> None:
    """Check that u before v and v before w show u before w."""
    third = fresh.get("fresh_right", ())
    one = fresh.get("fresh_aux_1", fresh.get("fresh_aux1", ()))
    two = fresh.get("fresh_aux_2", fresh.get("fresh_aux2", ()))
    every = (*order.left, *order.right, *order.aux, *third, *one, *two)
    sizes = {len(order.left), len(order.right), len(third)}, {len(order.aux), len(one), len(two)}
    if len(set(every)) != len(every) or any(len(size) > 1 for size in sizes):
        raise Stop(NO_ORDER)
    old = (*order.left, *order.right, *order.aux)
    follows, spans = (*order.right, *third, *one), (*order.left, *third, *two)
    both = (*order.rows, *order.made)
    premises = [*both, *(mapped(row, old, follows) for row in both), *(mapped(row, old, spans) for row in order.made)]
    shown(m, premises, [mapped(row, old, spans) for row in order.rows], True, inner)


def reflexivity(m: Machine, order: Preorder, has_block: bool, inner: Inner) -> None:
    """Check that u is before u."""
    premises = [mapped(row, order.right, order.left) for row in order.made]
    shown(m, premises, [mapped(row, order.right, order.left) for row in order.rows], has_block, inner)


def rows_of(m: Machine) -> tuple[Sum, ...]:
    """Read rows up to the end of a section."""
    found = list[Sum]()
    while (words := section(m))[0] != "qed":
        found.append(m.parsed([word for word in words if word != ":"]))
    return tuple(found)


def defined(m: Machine, words: list[str], inner: Inner) -> None:
    """Read and show an order (`def_order`)."""
    if len(words) != 2:
        raise Stop(BAD_STEP)
    name, order, seen, is_reflexive = words[1], TRIVIAL, list[str](), False
    while (words := section(m))[0] != "qed":
        seen.append(words[0])
        if words == ["vars"]:
            found = lists(m)
            order = order._replace(left=found.get("left", ()), right=found.get("right", ()), aux=found.get("aux", ()))
        elif words == ["spec"]:
            order = order._replace(made=specification(m, order.aux, inner))
        elif words == ["def"]:
            order = order._replace(rows=rows_of(m))
        elif words == ["transitivity"] and "def" in seen:
            fresh, proved = dict[str, tuple[int, ...]](), False
            while (words := section(m))[0] != "qed":
                if words == ["vars"]:
                    fresh = lists(m)
                elif words == ["proof"]:
                    transitivity(m, order, fresh, inner)
                    proved = True
                else:
                    raise Stop(UNREAD_RULE)
            if not proved:
                raise Stop(NO_ORDER)
        elif words == ["reflexivity"] and "def" in seen:
            while (words := section(m))[0] != "qed":
                if words != ["proof"]:
                    raise Stop(UNREAD_RULE)
                reflexivity(m, order, True, inner)
                is_reflexive = True
        else:
            raise Stop(UNREAD_RULE)
    own = (*order.left, *order.right, *order.aux)
    used = {code >> 1 for row in (*order.rows, *order.made) for code in row.terms}
    if "transitivity" not in seen or len(set(seen)) < len(seen) or not used <= set(own):
        raise Stop(NO_ORDER)
    if len(set(own)) < len(own) or len(order.left) != len(order.right):
        raise Stop(NO_ORDER)
    if not is_reflexive:
        reflexivity(m, order, False, inner)
    m.orders[name] = order


def loaded(m: Machine, words: list[str]) -> None:
    """Load an order, or none; all rows join the core."""
    order = m.orders.get(words[1]) if len(words) > 1 else TRIVIAL
    codes = tuple(m.code(word) for word in words[2:])
    if order is None or len(codes) != len(order.left):
        raise Stop(NO_ORDER)
    m.order, m.over = order, codes
    m.s.counts[PLAIN] = 0
    m.s.counts[GUARDED] = bool(codes) or m.strict
    all_to_core(m.s, np.array(m.live(), np.int64))


def compared(m: Machine, words: list[str]) -> None:
    """Check the definition of an order (`eord_def`)."""
    found: dict[str, tuple[int, ...]] = {}
    rows: dict[str, tuple[Sum, ...]] = {}
    name = words[1:2]
    while (words := section(m))[0] != "qed":
        if words == ["vars"]:
            found = lists(m)
        elif words in (["def"], ["spec"]):
            rows[words[0]] = rows_of(m)
        else:
            raise Stop(UNREAD_RULE)
    left, right, aux = (found.get(part, ()) for part in ("left", "right", "aux"))
    if not name or m.orders.get(name[0]) != Preorder(left, right, aux, rows.get("def", ()), rows.get("spec", ())):
        raise Stop(NO_ORDER)
