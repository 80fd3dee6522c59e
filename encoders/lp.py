"""LP, the format of CPLEX that solvers of integer programmes read: a zero-one programme over Booleans x1, x2, ...

Minimize
 obj: + 2 x1 - 1 x3
Subject To
 + 3 x1 - 2 x2 >= -1
Binary
 x1 x2 x3
End

Numbers are floats to the readers of the format, so larger ones than floats have exactly are refused; some readers take
no lines above 500 characters.
"""

from collections.abc import Iterator
from itertools import chain

from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.formula import Constraints, Unsupported
from encoders.opb import maximises, opb_programme
from encoders.zero_one.rows import Terms, ZeroOneRows, literal_table, total
from puzzles.problem.values import Domains

LARGEST = 1 << 53
ON_A_LINE = 10  # terms
NAMES_ON_A_LINE = 40
BLOCK = 1 << 12  # lines that are joined
ROW = ClauseStyle(
    *(" ", " >= ", " + 1 x1 >= 2\n", "+ 1 x", "- 1 x"),
    bound=True,
    last="\n",
    wrap="\n  ",
    wrap_after=ON_A_LINE,
    always=" + 1 x1 >= 0\n",
)  # of a clause


def lp_blocks(form: Constraints, domains: Domains) -> Iterator[bytes]:
    """Return an LP file block by block; its objective is stated as its source does. Raises Unsupported."""
    rest, flat = without_clauses(form)
    rows, goal = opb_programme(rest, domains, literal_table(rest, domains))
    check(rows, goal or {})
    count = max(rows.last, 1)
    sense = "Maximize" if maximises(form) else "Minimize"
    stated = {k: a for k, a in total((-1 if maximises(form) else 1, goal or {})).items() if a} or {1: 0}
    head = f"{sense}\n obj: {sum_text(stated)}\nSubject To\n"
    own = (row_text(*row) for row in rows.rows)
    anything = [] if rows.rows or len(flat) else [b" x1 >= 0\n"]  # some readers need a row
    names = (f"x{k}{' ' if k % NAMES_ON_A_LINE else chr(10)}" for k in range(1, count + 1))
    return chain(
        [head.encode()], anything, joined(own), clause_lines(flat, ROW), [b"Binary\n"], joined(names), [b"\nEnd\n"]
    )


def check(rows: ZeroOneRows, goal: Terms) -> None:
    """Raise Unsupported if readers would round a number, or a sum."""
    sums = [sum(map(abs, terms.values())) + abs(bound) for terms, bound, _ in rows.rows]
    if max([sum(map(abs, goal.values())), *sums]) > LARGEST:
        raise Unsupported("LP takes no sums above 2^53, since its readers compute with floats")


def row_text(terms: Terms, bound: int, equal: bool) -> str:
    return f" {sum_text(terms)} {'=' if equal else '>='} {bound}\n"


def sum_text(terms: Terms) -> str:
    """Return a sum on lines of ON_A_LINE terms."""
    words = [f"{'-' if a < 0 else '+'} {abs(a)} x{k}" for k, a in terms.items()]
    return "\n  ".join(" ".join(words[i : i + ON_A_LINE]) for i in range(0, len(words), ON_A_LINE))


def joined(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield lines in blocks."""
    pending = list[str]()
    for line in lines:
        pending.append(line)
        if len(pending) == BLOCK:
            yield "".join(pending).encode()
            pending.clear()
    yield "".join(pending).encode()
