"""What is at fault where a CNF contender is wrong: its encoding, or its solver and decoding.

The formula is asked on its own, by trying: a right solution that it has no model for, or a wrong one that it has a
model for, is the encoding's fault. Where that takes too long, nothing is said.
"""

from dataclasses import replace

from encoders.formula import Cnf
from encoders.registry import AT_MOST_ONE, ENCODINGS
from harness.contender import resolve
from harness.fuzzing.clausal import Clausal, Clauses, clausal, models
from harness.fuzzing.counting import count
from harness.fuzzing.finding import Case
from puzzles.layout import bits

NODES = 2_000


def formula_of(case: Case) -> Cnf | None:
    """The formula of the last ask, without what its domains say; None where the contender takes no clauses."""
    contender = resolve([case.contender], case.count)[0][0]
    encoding = ENCODINGS[contender.encoding]
    if encoding.formula is not Cnf:
        return None
    extra = (AT_MOST_ONE[contender.at_most_one],) if encoding.combines else ()
    formula = encoding.encode(case.layout, case.asks[-1] if encoding.per_puzzle else None, *extra)
    return formula if isinstance(formula, Cnf) and not formula.at_most else None


def clauses_of(case: Case) -> Clauses | None:
    """All that a CNF contender is told of the last ask, as clauses."""
    if isinstance(case.layout, Clausal):
        return case.layout.clauses
    formula = formula_of(case)
    if formula is None:
        return None
    clauses: list[tuple[int, ...]] = []
    clause: list[int] = []
    for x in formula.clauses.tolist():
        if x:
            clause.append(x)
        else:
            clauses.append(tuple(clause))
            clause = []
    for row, mask in zip(formula.literal, case.asks[-1], strict=True):
        left = list(bits(mask))
        clauses += [(row[left[0]],)] if len(left) == 1 else [(-x,) for v, x in enumerate(row) if v not in left]
    return tuple(clauses)


def blame(case: Case, signature: str) -> str:
    """'encoding', 'solver or decoding', or '' where it can't be told."""
    if isinstance(case.layout, Clausal):
        return "solver"
    if signature not in ("wrong solution", "unsatisfiable", "too few"):
        return ""
    clauses = clauses_of(case)
    if clauses is None:
        return ""
    layout = clausal(clauses)
    right = count(case.layout, case.asks[-1], 2, NODES)
    found = models(layout, 1, NODES // 10)
    if not (found.ended or found.solutions) or not (right.ended or right.solutions):
        return ""
    if bool(right.solutions) != bool(found.solutions):
        return "encoding"
    return "solver or decoding" if signature == "unsatisfiable" else told_apart(case, signature)


def told_apart(case: Case, signature: str) -> str:
    """Of a wrong or missing solution: whether the formula's models are as many as the solutions are."""
    most = 50
    right = count(case.layout, case.asks[-1], most, NODES)
    formula = formula_of(case)
    clauses = clauses_of(case)
    if formula is None or clauses is None or not right.ended:
        return ""
    used = {x for row in formula.literal for x in row}
    if any(abs(x) not in used for clause in clauses for x in clause):
        return ""  # auxiliary variables: models are not solutions one to one
    found = models(replace(clausal(clauses)), most, NODES // 10)
    if not found.ended:
        return ""
    return "solver or decoding" if len(found.solutions) == len(right.solutions) else "encoding"
