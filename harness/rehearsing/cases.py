"""Instances of a rehearsal: clauses over Booleans with weighted soft clauses, written in the languages of competitions.

    RehearsalCase  hard clauses over variables from 1, and soft ones as (weight, clause), None without an objective

The cost of a model is the weight of the soft clauses that it breaks. In OPB, FlatZinc and XCSP3 each soft clause has
one more Boolean, which is true if the clause is broken; its number follows those of the variables.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

Clause = tuple[int, ...]
HARD_VARIABLES, HARD_RATIO, SOFT_RATIO = 420, 4.3, 9  # random 3-SAT that takes minutes, and an optimum that takes more


@dataclass(frozen=True)
class RehearsalCase:
    """One instance: what it is, and the right answer: the least cost, or whether it is satisfiable; None if unknown.

    hard_to_solve  the limit ends the run        odd  comments, blanks and lines as the format allows, but few write
    """

    name: str
    variables: int
    hard: tuple[Clause, ...]
    soft: tuple[tuple[int, Clause], ...] | None = None
    satisfiable: bool | None = True
    optimum: int | None = None
    hard_to_solve: bool = False
    odd: bool = False
    memory_mb: int = 0

    @property
    def booleans(self) -> int:
        """Number of Booleans with those of soft clauses."""
        return self.variables + len(self.soft or ())

    def broken(self, model: Sequence[int]) -> Clause | None:
        """Return a hard clause that no literal of a model satisfies, None if all are satisfied."""
        true = set(model)
        return next((clause for clause in self.hard if true.isdisjoint(clause)), None)

    def cost(self, model: Sequence[int]) -> int:
        """Return the cost of a model."""
        true = set(model)
        return sum(weight for weight, clause in self.soft or () if true.isdisjoint(clause))


SATISFIABLE = RehearsalCase("satisfiable", 4, ((1, 2), (-1, 3), (-2, -3, 4), (-4, 1)))
UNSATISFIABLE = RehearsalCase(
    "unsatisfiable", 3, tuple((a, b, c) for a in (1, -1) for b in (2, -2) for c in (3, -3)), satisfiable=False
)
EMPTY = RehearsalCase("empty", 0, ())
UNUSED = RehearsalCase("more variables than occur", 6, ((1, -2), (2,)))
ODD = replace(SATISFIABLE, name="odd header", odd=True)
OBJECTIVE = RehearsalCase("objective", 3, ((1, 2), (2, 3)), ((2, (-1,)), (5, (-2,)), (4, (-3,))), optimum=5)
INFEASIBLE = replace(UNSATISFIABLE, name="objective without a solution", soft=((1, (1,)),))


def random_clauses(number: int, variables: int, seed: int) -> tuple[Clause, ...]:
    """Return random clauses of three literals."""
    draw = random.Random(seed)
    return tuple(
        tuple(v * draw.choice((1, -1)) for v in draw.sample(range(1, variables + 1), 3)) for _ in range(number)
    )


def timeout(objective: bool) -> RehearsalCase:
    """Return an instance that no solver decides in seconds; with an objective a solution is found at once."""
    if objective:
        soft = tuple((1, clause) for clause in random_clauses(HARD_VARIABLES // 3 * SOFT_RATIO, HARD_VARIABLES // 3, 1))
        return RehearsalCase("timeout", HARD_VARIABLES // 3, (), soft, hard_to_solve=True)
    clauses = random_clauses(round(HARD_VARIABLES * HARD_RATIO), HARD_VARIABLES, 1)
    return RehearsalCase("timeout", HARD_VARIABLES, clauses, satisfiable=None, hard_to_solve=True)


def cases_of(language: str, memory_mb: int) -> list[RehearsalCase]:
    """Return the instances of a language; that of memory has a limit of memory, which many solvers meet."""
    decisions = [] if language == "wcnf" else [SATISFIABLE, UNSATISFIABLE]
    whole = [] if language in ("fzn", "xcsp3", "wcnf") else [EMPTY, UNUSED]
    odd = {"cnf": [ODD], "opb": [ODD], "wcnf": [replace(OBJECTIVE, name="odd header", odd=True)]}.get(language, [])
    valued = [] if language == "cnf" else [OBJECTIVE, INFEASIBLE]
    late = timeout(objective=language != "cnf")
    return [*decisions, *whole, *odd, *valued, late, replace(late, name="memory", memory_mb=memory_mb)]


def cnf(case: RehearsalCase) -> str:
    """Return a case as DIMACS; an odd one has comments, and several blanks and tabs between numbers."""
    if not case.odd:
        lines = (f"{' '.join(map(str, clause))} 0\n" for clause in case.hard)
        return f"p cnf {case.variables} {len(case.hard)}\n" + "".join(lines)
    rows = [f" {'  '.join(map(str, clause))}\t0 \n" for clause in case.hard]
    return f"c a comment\nc\np cnf   {case.variables}\t{len(case.hard)} \n" + "".join(rows)


def wcnf(case: RehearsalCase) -> str:
    """Return a case as WCNF of 2022: hard clauses begin with h, and no line has a header."""
    note = "c a comment\nc\n" if case.odd else ""
    lines = [f"h {' '.join(map(str, clause))} 0" for clause in case.hard]
    lines += [f"{weight} {' '.join(map(str, clause))} 0" for weight, clause in case.soft or ()]
    return note + ("\n" + note).join(lines) + "\n"


def relaxed(case: RehearsalCase) -> list[Clause]:
    """Return the hard clauses, and each soft clause with its own Boolean."""
    soft = enumerate(case.soft or (), case.variables + 1)
    return [*case.hard, *((*clause, extra) for extra, (_, clause) in soft)]


def opb(case: RehearsalCase) -> str:
    """Return a case as OPB."""
    rows = relaxed(case)

    def row(clause: Clause) -> str:
        terms = " ".join(f"{'+' if x > 0 else '-'}1 x{abs(x)}" for x in clause)
        return f"{terms} >= {1 - sum(x < 0 for x in clause)} ;"

    costs = enumerate(case.soft or (), case.variables + 1)
    goal = [f"min: {' '.join(f'+{weight} x{extra}' for extra, (weight, _) in costs)} ;"] if case.soft else []
    head = f"* #variable= {case.booleans} #constraint= {len(rows)}"
    lines = [head, *["* a comment", "*"] * case.odd, *goal, *map(row, rows)]
    return "\n".join(lines) + "\n"


def flatzinc(case: RehearsalCase) -> str:
    """Return a case as FlatZinc: variables x1, x2, ... are output, and the objective is `cost`."""
    lines = [f"var bool: x{v} :: output_var;" for v in range(1, case.booleans + 1)]
    numbers = range(case.variables + 1, case.booleans + 1)
    total = sum(weight for weight, _ in case.soft or ())
    if case.soft:
        lines += [f"var 0..1: y{v};" for v in numbers] + [f"var 0..{total}: cost :: output_var;"]
    for clause in relaxed(case):
        signs = (",".join(f"x{abs(x)}" for x in clause if (x > 0) == sign) for sign in (True, False))
        lines.append("constraint bool_clause([{}],[{}]);".format(*signs))
    if case.soft:
        lines += [f"constraint bool2int(x{v},y{v});" for v in numbers]
        weights = ",".join(str(weight) for weight, _ in case.soft)
        names = ",".join(f"y{v}" for v in numbers)
        lines.append(f"constraint int_lin_eq([{weights},-1],[{names},cost],0);")
    return "\n".join([*lines, "solve minimize cost;" if case.soft else "solve satisfy;"]) + "\n"


def xcsp3(case: RehearsalCase) -> str:
    """Return a case as XCSP3, of variables x1, x2, ... with the values 0 and 1."""

    def constraint(clause: Clause) -> str:
        terms = [f"eq(x{abs(x)},{int(x > 0)})" for x in clause]
        text = f"or({','.join(terms)})" if len(terms) > 1 else terms[0]
        return f"<intension> {text} </intension>"

    variables = "".join(f'<var id="x{v}"> 0 1 </var>' for v in range(1, case.booleans + 1))
    body = "".join(map(constraint, relaxed(case)))
    goal = ""
    if case.soft:
        names = " ".join(f"x{v}" for v in range(case.variables + 1, case.booleans + 1))
        weights = " ".join(str(weight) for weight, _ in case.soft)
        sums = f"<list> {names} </list><coeffs> {weights} </coeffs>"
        goal = f'<objectives><minimize type="sum">{sums}</minimize></objectives>'
    kind = "COP" if case.soft else "CSP"
    parts = f"<variables>{variables}</variables><constraints>{body}</constraints>{goal}"
    return f'<instance format="XCSP3" type="{kind}">{parts}</instance>\n'


WRITERS: dict[str, Callable[[RehearsalCase], str]] = {
    "cnf": cnf,
    "wcnf": wcnf,
    "opb": opb,
    "fzn": flatzinc,
    "xcsp3": xcsp3,
}
ENDINGS = {"cnf": "cnf", "wcnf": "wcnf", "opb": "opb", "fzn": "fzn", "xcsp3": "xml"}
