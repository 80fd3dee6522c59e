"""Statements at which the compiled loops pause, but those with a witness and orders: a rule a function."""

from collections.abc import Callable, Iterable

import numpy as np

from harness.judging.checkers.pseudo_boolean import preorders, strengthened
from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    BAD_ID,
    BAD_STEP,
    BETTER,
    COUNT,
    FAILED,
    FALSE,
    GUARDED,
    IDS,
    NO_ORDER,
    NOT_IMPLIED,
    OPEN,
    PLAIN,
    REFUTED,
    UNCOUNTED,
    UNENDED,
    UNEQUAL,
    WEAKER,
)
from harness.judging.checkers.pseudo_boolean.machine import (
    Machine,
    ObjectiveSum,
    Stop,
    Sum,
    is_contradiction,
    is_syntactic,
    normal,
    parts_of,
    unread,
    whole,
)
from harness.judging.checkers.pseudo_boolean.steps import all_to_core, forget_number

Rule = Callable[[Machine, list[str]], None]


def better_than(goal: ObjectiveSum, value: int) -> Sum:
    """Return the row of: the objective is less than a value."""
    return normal([(-a, 2 * v) for v, a in goal.terms.items()], goal.constant - value + 1)


def lower_bound(goal: ObjectiveSum, value: int) -> Sum:
    """Return the row of: the objective is at least a value."""
    return normal([(a, 2 * v) for v, a in goal.terms.items()], value - goal.constant)


# rows that others imply


def propagated(m: Machine, words: list[str]) -> None:
    """Hold a row in other words than the loops read, by propagation."""
    row = m.parsed(parts_of(words[1:])[0])
    if not m.follows(row):
        raise Stop(NOT_IMPLIED)
    m.hold(row, label=m.labelled())


def asserted(m: Machine, words: list[str]) -> None:
    """Hold a row without a proof if it asks for a better solution than the answer's, or if propagation shows it."""
    row, best = m.parsed(parts_of(words[1:])[0]), m.programme.best
    if m.objective is not None and best is not None:
        claim = better_than(m.objective, best + m.programme.offset)
        if dict(row.terms) == dict(claim.terms) and row.degree <= claim.degree:
            ask_better(m, best + m.programme.offset + claim.degree - row.degree)
            m.hold(row, core=True, label=m.labelled())
            return
    if not m.follows(row):
        raise Stop(ASSERTED)
    m.hold(row, label=m.labelled())


def candidates(m: Machine, words: list[str]) -> tuple[Sum, list[int]]:
    """Return the row of words, and the numbers that it is compared with."""
    if m.version == 1:
        return m.parsed(parts_of(words[2:])[0]), [m.number(words[1])] if len(words) > 1 else []
    sections = parts_of(words[1:])
    hints = [word for section in sections[1:] for word in section]
    if len(hints) > 1:
        raise Stop(BAD_STEP)
    return m.parsed(sections[0]), [m.number(hint) for hint in hints] or m.live()


def is_row(a: Sum, b: Sum) -> bool:
    return a.degree == b.degree and dict(a.terms) == dict(b.terms)


def equal(m: Machine, words: list[str]) -> None:
    """Check that a row is held (`e`), and hold it again (`ea`)."""
    row, numbers = candidates(m, words)
    found = next((number for number in numbers if is_row(m.row_of(number), row)), 0)
    if not found:
        raise Stop(UNEQUAL)
    if words[0] == "ea":
        m.hold(row, label=m.labelled())
    elif m.labelled() >= 0:
        m.s.labels[m.labelled()] = found


def implied(m: Machine, words: list[str]) -> None:
    """Check that one row implies another (`i`), and hold that (`ia`, `j`)."""
    row, numbers = candidates(m, words)
    if not any(is_syntactic(m.row_of(number), row) for number in numbers):
        raise Stop(NOT_IMPLIED)
    if words[0] != "i":
        m.hold(row, label=m.labelled())


# checks


def counted(m: Machine, words: list[str]) -> None:
    """Check how many rows the formula has (`f`)."""
    if len(words) > 1 and whole(words[1]) != len(m.programme.rows):
        raise Stop(COUNT)


def contradiction(m: Machine, words: list[str]) -> None:
    """Check that a row has no solution (`c`)."""
    if len(words) < 2:
        raise Stop(BAD_ID)
    if not is_contradiction(m.row_of(m.number(words[1]))):
        raise Stop(OPEN)


def deleted(m: Machine, words: list[str]) -> None:
    """Check that a row is not held (`is_deleted`)."""
    row = m.parsed(parts_of(words[1:])[0])
    if any(is_row(m.row_of(number), row) for number in m.live()):
        raise Stop(UNEQUAL)


def same_objective(m: Machine, words: list[str]) -> None:
    if strengthened.read_goal(m, parts_of(words[1:])[0]) != m.objective:
        raise Stop(UNEQUAL)


def same_order(m: Machine, words: list[str]) -> None:
    codes = tuple(m.code(word) for word in words[2:])
    order = m.orders.get(words[1]) if len(words) > 1 else None
    if codes != m.over or (order is not m.order if len(words) > 1 else m.order.left != ()):
        raise Stop(UNEQUAL)


def nothing(m: Machine, words: list[str]) -> None:
    """Take a statement about the check itself."""


def failed(m: Machine, words: list[str]) -> None:
    raise Stop(FAILED)


# solutions


def ask_better(m: Machine, value: int) -> None:
    m.bound = value if m.bound is None else min(value, m.bound)


def holds(rows: Iterable[Sum], true: set[int]) -> bool:
    return all(sum(a for code, a in row.terms.items() if code in true) >= row.degree for row in rows)


def programme_rows(m: Machine) -> Iterable[Sum]:
    for terms, degree in m.programme.rows:
        yield Sum({2 * x if x > 0 else 1 - 2 * x: a for x, a in terms.items()}, degree)


def value_of(goal: ObjectiveSum, true: set[int]) -> int:
    """Return the value of a solution by its true codes; a fault if it leaves the objective open."""
    if any(2 * v not in true and 2 * v + 1 not in true for v in goal.terms):
        raise Stop(FALSE)
    return goal.constant + sum(a for v, a in goal.terms.items() if 2 * v in true)


def logged(m: Machine, words: list[str]) -> int:
    """Check a solution, which propagation completes; return its value. None may be better than the answer."""
    sections = parts_of(words[1:])
    codes = [m.code(word) for word in sections[0]]
    m.refresh()
    if words[0] == "ov":
        conflict, true = False, set(codes)
        rows = programme_rows(m)
    else:
        conflict, found = m.conflict([Sum({code: 1}, 1) for code in codes])
        true, rows = set(found), m.rows_held()
    if conflict or any(code ^ 1 in true for code in true) or not holds(rows, true):
        raise Stop(FALSE)
    best = m.programme.best
    value = None if m.objective is None else value_of(m.objective, true)
    if len(sections) > 1 and sections[1] and (len(sections[1]) > 1 or whole(sections[1][0]) != value):
        raise Stop(UNEQUAL)
    if value is None or best is None or value < best + m.programme.offset:
        raise Stop(BETTER)
    m.values.append(value)
    return value


def solution(m: Machine, words: list[str]) -> None:
    """Check a solution (`sol`, `ov`)."""
    logged(m, words)


def improved(m: Machine, words: list[str]) -> None:
    """Check a solution, and ask for a better one (`soli`, `o`)."""
    value = logged(m, words)
    assert m.objective is not None
    ask_better(m, value)
    m.hold(better_than(m.objective, value), core=True, label=m.labelled())


def bounded(m: Machine, words: list[str]) -> None:
    """Ask for a better solution than a value (`obji`)."""
    if m.objective is None or len(words) != 2:
        raise Stop(BAD_STEP)
    ask_better(m, whole(words[1]))
    m.hold(better_than(m.objective, whole(words[1])), core=True, label=m.labelled())


def excluded(m: Machine, words: list[str]) -> None:
    """Check a solution, and exclude it (`solx`, `v`): it is no better than the answer."""
    ask_better(m, logged(m, words))
    codes = [m.code(word) for word in parts_of(words[1:])[0]]
    m.hold(normal([(1, code ^ 1) for code in codes], 1), core=True, label=m.labelled())


# the core, levels, deletion


def numbers_of(m: Machine, words: list[str]) -> list[int]:
    """Return the numbers that words name."""
    if words[:1] == ["range"] and len(words) == 3:
        ids = int(m.s.counts[IDS])
        ends = [m.label(w) or whole(w) for w in words[1:]]
        first, last = (end + ids + 1 if end <= 0 else end for end in ends)
        return [number for number in m.live() if first <= number < last]
    if words[:1] in (["spec"], ["find"]):
        row = m.parsed(words[1:])
        found = [number for number in m.live() if is_row(m.row_of(number), row)]
        if not found:
            raise Stop(BAD_ID)
        return found[:1]
    words = words[words[:1] == ["id"] :]
    if not words:
        raise Stop(BAD_STEP)
    names = [word for word in words if word != "0"]
    return [m.number(word) for word in names if m.version > 1 or m.number_or_none(word)]


def remove(m: Machine, words: list[str]) -> None:
    """Delete rows with a witness, by their words, or while the core must be kept (`del`, `delc`, `deld`)."""
    sections = parts_of(words[1:])
    numbers = numbers_of(m, sections[0])
    core = [bool(m.s.core[number - 1]) for number in numbers]
    if (words[0] == "delc" and not all(core)) or (words[0] == "deld" and any(core)):
        raise Stop(BAD_ID)
    drop(m, numbers, sections[1:])


def drop(m: Machine, numbers: list[int], rest: list[list[str]]) -> None:
    """Delete numbers; a row of the core that must be kept, or one with a block, has to follow from what is left."""
    witness, has_block = strengthened.substitution(m, rest)
    for number in dict.fromkeys(numbers):
        ids = int(m.s.counts[IDS])
        alive = m.s.where[:ids] >= 0
        kept = bool(m.s.counts[GUARDED]) and bool((m.s.core[:ids][alive] == 0).any())
        if m.s.core[number - 1] and (has_block or kept):
            if kept and witness:
                raise Stop(NO_ORDER)
            row = m.row_of(number)
            alone = strengthened.CoreAlone(m, [number])
            if has_block:
                strengthened.owe(m, row, witness, True, inner, False, True)
            elif not m.follows(row) and not any(is_syntactic(held, row) for held in m.rows_held()):
                raise Stop(NOT_IMPLIED)
            alone.close()
        forget_number(m.s, number)


def to_core(m: Machine, words: list[str]) -> None:
    """Move rows to the core (`core`)."""
    all_to_core(m.s, np.array(numbers_of(m, words[1:]), np.int64))


def strict(m: Machine, words: list[str]) -> None:
    """Turn strengthening to the core on or off (`strengthening_to_core`)."""
    if words[1:] not in (["on"], ["off"]):
        raise Stop(BAD_STEP)
    m.strict = words[1] == "on"
    m.s.counts[PLAIN] = 0
    m.s.counts[GUARDED] = m.strict or bool(m.over)
    if m.strict:
        all_to_core(m.s, np.array(m.live(), np.int64))


def level(m: Machine, words: list[str]) -> None:
    """Give the rows from now on a level (`setlvl`, `#`)."""
    if len(words) != 2:
        raise Stop(BAD_STEP)
    m.levels.append((int(m.s.counts[IDS]) + 1, whole(words[1])))


def wipe(m: Machine, words: list[str]) -> None:
    """Delete the rows of a level and above (`wiplvl`, `w`)."""
    if len(words) != 2:
        raise Stop(BAD_STEP)
    lowest, ends = whole(words[1]), [first for first, _ in m.levels[1:]] + [int(m.s.counts[IDS]) + 1]
    spans = [(first, end) for (first, at), end in zip(m.levels, ends, strict=False) if at >= lowest]
    drop(m, [number for first, end in spans for number in range(first, end) if m.s.where[number - 1] >= 0], [])


# the end


def output(m: Machine, words: list[str]) -> None:
    if m.stage:
        raise Stop(UNENDED)
    promised = ("NONE", "DERIVABLE", "EQUISATISFIABLE", "EQUIOPTIMAL", "EQUIENUMERABLE")
    if len(words) < 2 or words[1] not in promised:
        raise Stop(BAD_STEP)
    if words[1:] not in (["NONE"], ["DERIVABLE", "IMPLICIT"]):
        raise Stop(UNCOUNTED)
    m.stage = 1


def conclusion(m: Machine, words: list[str]) -> None:
    """Check what the proof concludes, and that the claim follows."""
    if m.stage != 1:
        raise Stop(UNENDED)
    kinds: dict[str, Rule] = {"UNSAT": unsatisfiable, "BOUNDS": bounds}
    if len(words) < 2 or words[1] in ("NONE", "SAT"):
        raise Stop(WEAKER)
    if words[1].startswith("ENUMERATION_"):
        raise Stop(UNCOUNTED)
    kinds.get(words[1], unread)(m, words[2:])
    m.stage = 2


def witnesses(m: Machine, hint: list[str]) -> Iterable[Sum]:
    """Return the row of a hint, or else all rows held."""
    if len(hint) > 1:
        raise Stop(BAD_STEP)
    return [m.row_of(m.number(hint[0]))] if hint else m.rows_held()


def unsatisfiable(m: Machine, words: list[str]) -> None:
    hint = [word for word in words if word != ":"]
    if m.bound is not None or not any(is_contradiction(row) for row in witnesses(m, hint)):
        raise Stop(OPEN)
    if m.programme.best is not None:
        raise Stop(WEAKER)


def bounds(m: Machine, words: list[str]) -> None:
    """Check the lower bound by a row, the upper one by a solution, and the claim by the lower bound."""
    if m.objective is None or len(words) < 2:
        raise Stop(BAD_STEP)
    lower, words = words[0], words[1:]
    hint = words[1:2] if words[0] == ":" else []
    words = words[2:] if hint else words
    if not words or (len(words) > 1 and words[1] != ":"):
        raise Stop(BAD_STEP)
    upper, true = words[0], {m.code(word) for word in words[2:]}
    first = ObjectiveSum(dict(m.programme.goal or {}), m.programme.offset)
    wanted = [] if lower == "INF" else [lower_bound(goal, whole(lower)) for goal in (m.objective, first)]
    if m.bound is not None and (lower == "INF" or whole(lower) > m.bound):
        raise Stop(OPEN)
    free = not hint and any(row.degree <= 0 for row in wanted)
    if not free and not any(
        is_contradiction(row) or any(is_syntactic(row, one) for one in wanted) for row in witnesses(m, hint)
    ):
        raise Stop(OPEN)
    if upper != "INF":
        if true and (any(code ^ 1 in true for code in true) or not holds(programme_rows(m), true)):
            raise Stop(FALSE)
        if (value_of(first, true) if true else min(m.values, default=whole(upper) + 1)) > whole(upper):
            raise Stop(FALSE)
    best = m.programme.best
    if lower != "INF" and (best is None or whole(lower) < best + m.programme.offset):
        raise Stop(WEAKER)


def end(m: Machine, words: list[str]) -> None:
    raise Stop(REFUTED if m.stage == 2 and words[1:] == ["pseudo-Boolean", "proof"] else UNENDED)


# dispatch


def with_blocks(rule: Callable[[Machine, list[str], strengthened.Inner], None]) -> Rule:
    return lambda m, words: rule(m, words, inner)


INNER: dict[str, Rule] = {
    **dict.fromkeys(("rup", "u"), propagated),
    "a": asserted,
    **dict.fromkeys(("e", "ea"), equal),
    **dict.fromkeys(("i", "ia", "j"), implied),
    "f": counted,
    "c": contradiction,
    "eobj": same_objective,
    "eord_loaded": same_order,
    "is_deleted": deleted,
    **dict.fromkeys(("start_time", "end_time", "epreserved"), nothing),
    "fail": failed,
}


def inner(m: Machine, words: list[str]) -> None:
    """Take a statement within a block."""
    if words[:1] == ["pbc"]:
        strengthened.contradicted(m, words, inner)
    else:
        INNER.get(words[0] if words else "", unread)(m, words)


OUTER: dict[str, Rule] = INNER | {
    "pbc": with_blocks(strengthened.contradicted),
    "red": lambda m, words: strengthened.strengthen(m, words, inner, by_order=False),
    "dom": lambda m, words: strengthened.strengthen(m, words, inner, by_order=True),
    "obju": with_blocks(strengthened.replaced),
    **dict.fromkeys(("preserved_add", "preserved_rm"), with_blocks(strengthened.preserved)),
    **dict.fromkeys(("def_order", "pre_order"), with_blocks(preorders.defined)),
    "load_order": preorders.loaded,
    "eord_def": preorders.compared,
    **dict.fromkeys(("sol", "ov"), solution),
    **dict.fromkeys(("soli", "o"), improved),
    "obji": bounded,
    **dict.fromkeys(("solx", "v"), excluded),
    **dict.fromkeys(("del", "d", "delc", "deld"), remove),
    "core": to_core,
    "strengthening_to_core": strict,
    **dict.fromkeys(("setlvl", "#"), level),
    **dict.fromkeys(("wiplvl", "w"), wipe),
    "output": output,
    "conclusion": conclusion,
    "end": end,
}


def take(m: Machine, words: list[str]) -> None:
    """Take a statement at which the loops paused."""
    if not words:
        raise Stop(BAD_STEP)
    if m.stage and words[0] not in ("conclusion", "end"):
        raise Stop(UNENDED)
    OUTER.get(words[0], unread)(m, words)
