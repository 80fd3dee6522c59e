"""Check of a pseudo-Boolean proof: in columns, and with Python integers where 64 bits do not hold a number."""

import numpy as np

from harness.judging.checkers.proof_text import BadProof
from harness.judging.checkers.pseudo_boolean import exact
from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    AXIOMS,
    BAD_ID,
    BAD_STEP,
    BASE,
    BETTER,
    BOUND,
    FULL,
    GOOD,
    LARGEST,
    NOT_FRESH,
    NOT_IMPLIED,
    OPEN,
    OVERFLOW,
    PARTIAL,
    REFUTED,
    UNREAD_RULE,
    UNSHOWN,
    Columns,
)
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme
from harness.judging.checkers.pseudo_boolean.steps import hold_rows, run
from harness.judging.checkers.pseudo_boolean.words import (
    HEAD,
    KIND_BITS,
    LITERAL,
    LOAD_ALL,
    RULE_BITS,
    RUP,
    START,
    WEAKEN,
    Words,
    parse_words,
)
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED

FIRST_ENTRIES, FIRST_ITEMS, DEPTHS = 1 << 16, 1 << 12, 1 << 12
# A proof of two rows, of x1 + x2 >= 1, that no solution has a smaller sum than 1.
SMALL = START + b"1.0\nl 1\nrup +1 x1 +1 x2 >= 1 ;\nsoli x1 ~x2\npol 1 3 + s\nc 4\n"
FAULTS = {
    NOT_IMPLIED: (REFUSED, "its row does not follow"),
    BAD_ID: (REFUSED, "there is no row of this number"),
    BAD_STEP: (UNCHECKED, "format: this '{rule}' is not understood"),
    UNREAD_RULE: (UNCHECKED, "format: this '{rule}' is not understood"),
    ASSERTED: (UNCHECKED, "format: its row is asserted without a proof"),
    BETTER: (REFUSED, "its solution is better than the answer"),
    PARTIAL: (UNCHECKED, "format: its solution lacks a variable of the objective"),
    NOT_FRESH: (UNCHECKED, "format: its witness is not over new variables"),
    OPEN: (REFUSED, "nothing contradicts itself there"),
    UNSHOWN: (UNCHECKED, "format: propagation alone does not show that its row may be added"),
}


def check(programme: SumProgramme, proof: bytes) -> tuple[int, str]:
    """Check that a proof refutes a programme with its bound; return CERTIFIED, REFUSED or UNCHECKED, and the reason."""
    try:
        text = parse_words(proof)
        if text.fits:
            fault, line = check_words(programme, text.words)
            if fault != OVERFLOW:
                return judged(fault, line, proof)
        return judged(*exact.check(programme, proof), proof)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"


def check_exactly(programme: SumProgramme, proof: bytes) -> tuple[int, str]:
    """Check a proof as `check` does, with Python integers alone."""
    try:
        return judged(*exact.check(programme, proof), proof)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"


def judged(fault: int, line: int, proof: bytes) -> tuple[int, str]:
    """Return the outcome of a check, and the reason, with the rule of the line where it ended."""
    if fault == REFUTED:
        return CERTIFIED, ""
    outcome, why = FAULTS[fault]
    format_, _, rest = why.rpartition(": ")
    words = [*proof.split(b"\n", line)[line - 1 : line], b""][0].split(maxsplit=1)
    rule = words[0][:40].decode("ascii", "backslashreplace") if words else ""
    return outcome, f"{format_}{': ' if format_ else ''}line {line} of the proof: {rest.format(rule=rule)}"


def check_words(programme: SumProgramme, words: Words) -> tuple[int, int]:
    """Check a proof in columns; return REFUTED, a fault or OVERFLOW, and the line of its step."""
    words, variables = renumbered(words, programme.variables)
    columns = empty(programme, words, variables)
    fault, at = load(columns, programme), 0
    while fault in (GOOD, FULL):
        fault, at = run(columns, words, at)
        if fault == FULL:
            columns = grown(columns)
    return fault, int(words[at] >> KIND_BITS + RULE_BITS)


def renumbered(words: Words, variables: int) -> tuple[Words, int]:
    """Number the variables of a proof that the programme lacks from `variables` + 1 on; return how many there are."""
    kind = words & 15
    literal = (kind == LITERAL) | (kind == WEAKEN)
    codes = words[literal] >> KIND_BITS
    new = np.unique(codes[codes >> 1 > variables] >> 1)
    if len(new):
        old = codes >> 1 > variables
        codes[old] = 2 * (variables + 1 + np.searchsorted(new, codes[old] >> 1)) + (codes[old] & 1)
        words = words.copy()
        words[literal] = (codes << KIND_BITS) + kind[literal]
    return words, variables + len(new)


def empty(programme: SumProgramme, words: Words, variables: int) -> Columns:
    """Return columns without rows, with room for every row and number of a proof."""
    heads = words[words & 15 == HEAD] >> KIND_BITS & 31
    rows = len(programme.rows) + 1
    most, ids = rows + len(heads) + 4, len(heads) + rows * (1 + int(np.count_nonzero(heads == LOAD_ALL)))
    codes = 2 * variables + 2
    entries = FIRST_ENTRIES + sum(len(row.terms) for row in programme.rows) + len(programme.goal or ())
    counts = np.zeros(9, np.int64)
    counts[BASE] = programme.variables
    return Columns(
        code=np.zeros(entries, np.int32),
        coefficient=np.zeros(entries, np.int64),
        following=np.zeros(entries, np.int32),
        owner=np.zeros(entries, np.int32),
        head=np.full(codes, -1, np.int32),
        start=np.zeros(most + 1, np.int64),
        degree=np.zeros(most, np.int64),
        slack=np.zeros(most, np.int64),
        dead=np.zeros(most, np.int8),
        where=np.full(ids + 1, -1, np.int32),
        names=np.zeros(most, np.int32),
        shown=np.full(2 * int(np.count_nonzero(heads == RUP)) + 1, -1, np.int32),
        value=np.zeros(codes, np.int8),
        trail=np.zeros(variables + 1, np.int32),
        witness=np.zeros(codes, np.int8),
        sum=np.zeros(variables + 1, np.int64),
        mark=np.zeros(variables + 1, np.int8),
        touched=np.zeros(variables + 1, np.int32),
        item_code=np.zeros(FIRST_ITEMS, np.int32),
        item_coefficient=np.zeros(FIRST_ITEMS, np.int64),
        item_start=np.zeros(DEPTHS, np.int64),
        item_degree=np.zeros(DEPTHS, np.int64),
        other=np.zeros(variables + 1, np.int64),
        counts=counts,
    )


def grown(s: Columns) -> Columns:
    """Return columns with twice the room for entries and for the stack."""
    names = ("code", "coefficient", "following", "owner", "item_code", "item_coefficient", "item_start", "item_degree")
    return s._replace(**{n: np.concatenate([getattr(s, n), np.zeros_like(getattr(s, n))]) for n in names})


def load(s: Columns, programme: SumProgramme) -> int:
    """Hold the rows of a programme, and its bound; return GOOD, REFUTED at a conflict, or OVERFLOW."""
    bound = programme.bound
    rows = [*programme.rows, *([] if bound is None else [bound])]
    if any(max(abs(row.degree), sum(row.terms.values())) > LARGEST for row in rows):
        return OVERFLOW
    s.counts[AXIOMS], s.counts[BOUND] = len(programme.rows), len(rows) - len(programme.rows)
    codes = [2 * x if x > 0 else 1 - 2 * x for row in rows for x in row.terms]
    return int(
        hold_rows(
            s,
            np.array(codes, np.int64),
            np.array([a for row in rows for a in row.terms.values()], np.int64),
            np.cumsum([0, *(len(row.terms) for row in rows)], dtype=np.int64),
            np.array([row.degree for row in rows], np.int64),
        )
    )
