"""Check that clauses with auxiliary variables exclude no solution, so that proofs may use them.

Each connected component of such clauses mentions some literals of squares. Suppose that the rules let at most one of
these literals be true, and that the component is satisfiable with each one true and with none. Then every solution
extends to the component's auxiliary variables and, since components share none, to all auxiliary variables at once.

    candidate   the judge's variable for square s and value v: 1 + s * values + v; higher ones are auxiliary
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from puzzles.boards.layout import Layout
from puzzles.problem import Problem

Clause = tuple[int, ...]


def mutually_exclusive(problem: Problem, candidates: Sequence[int]) -> bool:
    """Return True if the rules let at most one of these literals be true; False for negated ones."""
    values = len(problem.values)
    peers = problem.peers if isinstance(problem, Layout) else ((),) * len(problem.variables)
    cells = [divmod(p - 1, values) for p in candidates]
    if any(p <= 0 for p in candidates):
        return False
    return all(
        (s == t) != (v == w) and (s == t or t in peers[s]) for i, (s, v) in enumerate(cells) for t, w in cells[:i]
    )


def satisfiable(clauses: Iterable[Clause], true: dict[int, bool]) -> bool:
    """Try to satisfy clauses by unit propagation, then with false for the rest. May wrongly return False."""
    left = list(clauses)
    progress = True
    while progress:
        progress = False
        still: list[Clause] = []
        for clause in left:
            if any(true.get(abs(x)) == (x > 0) for x in clause):
                continue
            open_ = [x for x in clause if abs(x) not in true]
            if not open_:
                return False
            if len(open_) == 1:
                true[abs(open_[0])] = open_[0] > 0
                progress = True
            else:
                still.append(clause)
        left = still
    return all(any(true.get(abs(x), False) == (x > 0) for x in clause) for clause in left)


def is_conservative(
    clauses: Sequence[Clause], candidates: int, problem: Problem, known: set[tuple[Clause, ...]]
) -> bool:
    """Return True if a component excludes no solution; `known` caches shapes already shown conservative."""
    about = sorted({abs(x) for clause in clauses for x in clause if abs(x) <= candidates})
    if not mutually_exclusive(problem, about):
        return False
    order: dict[int, int] = {x: i for i, x in enumerate(about, 1)}
    for clause in clauses:
        for x in clause:
            order.setdefault(abs(x), len(order) + 1)
    shape = tuple(tuple(order[abs(x)] if x > 0 else -order[abs(x)] for x in clause) for clause in clauses)
    if shape not in known:
        for chosen in range(len(about) + 1):
            if not satisfiable(shape, {x: x == chosen for x in range(1, len(about) + 1)}):
                return False
        known.add(shape)
    return True


def connected_components(clauses: Sequence[Clause], candidates: int) -> Iterable[list[Clause]]:
    """Return the clauses grouped into components connected by variables beyond `candidates`."""
    root: dict[int, int] = {}

    def find(x: int) -> int:
        while root.setdefault(x, x) != x:
            root[x] = root[root[x]]
            x = root[x]
        return x

    for clause in clauses:
        first, *others = (abs(x) for x in clause if abs(x) > candidates)
        for x in others:
            root[find(x)] = find(first)
    sets: defaultdict[int, list[Clause]] = defaultdict(list)
    for clause in clauses:
        sets[find(next(abs(x) for x in clause if abs(x) > candidates))].append(clause)
    return sets.values()
