"""OPB, the pseudo-Boolean format: clauses, linear constraints and all-different units over Booleans x1, x2, ...

    +3 x1 -2 x2 >= -1 ;

A problem of Boolean variables keeps them. Otherwise each variable has a Boolean per value of its domain, of which one
is true (direct encoding), and its number is a sum of these.

terms  coefficient by Boolean; only rows with >= and = are written
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from encoders.cnf import Signs
from encoders.formula import Constraints, Unsupported
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import CODES, Linear
from puzzles.problem import Domains, bits

Terms = dict[int, int]
Literals = Sequence[tuple[int, ...]]  # [variable][value index]; 0 outside the domain


def literal_table(form: Constraints, domains: Domains) -> Literals:
    """Return the literal of each variable and value."""
    if tuple(form.numbers) == (0, 1):
        return Signs(form.variables)
    table, last = [], 0
    for mask in domains:
        row = [0] * len(form.numbers)
        for v in bits(mask):
            last += 1
            row[v] = last
        table.append(tuple(row))
    return table


def variables(form: Constraints, literals: Literals) -> int:
    """Return the number of Booleans of a table."""
    return form.variables if isinstance(literals, Signs) else max((max(row, default=0) for row in literals), default=0)


def opb(form: Constraints, domains: Domains, literals: Literals, forbidden: Sequence[Sequence[int]] = ()) -> bytes:
    """Return an OPB file of a problem under these domains; `forbidden` are further clauses. Raises Unsupported."""
    rows = Rows(form, domains, literals)
    for part in form.constraints:
        WRITE[part.kind](rows, part)
    for clause in forbidden:
        rows.add_literals(clause, 1)
    head = f"* #variable= {rows.last} #constraint= {len(rows.lines)}\n"
    return (head + "".join(rows.lines)).encode()


def auxiliaries(form: Constraints) -> int:
    """Return a bound of how many Booleans rows with != add."""
    return sum(int((part.comparisons == CODES["!="]).sum()) for part in form.constraints if isinstance(part, Linear))


def unsupported(form: Constraints, reader: str = "OPB") -> str | None:
    """Return why a reader of OPB does not take a problem: kinds of constraint that OPB has no rows for; else None."""
    kinds = [kind for kind in form.kinds() if kind not in WRITE]
    return f"{reader} takes clauses, linear and all-different constraints, not {', '.join(kinds)}" if kinds else None


class Rows:
    """The rows of a file under construction. Raises Unsupported."""

    def __init__(self, form: Constraints, domains: Domains, literals: Literals) -> None:
        if why := unsupported(form):
            raise Unsupported(why)
        self.form, self.domains, self.literals = form, domains, literals
        self.lines: list[str] = []
        self.boolean = isinstance(literals, Signs)
        self.last = variables(form, literals)
        full = (1 << len(form.numbers)) - 1
        for x, mask in enumerate(domains):
            if not self.boolean:
                self.add(dict.fromkeys(filter(None, literals[x]), 1), 1, equal=True)
            elif mask != full:
                self.add({x + 1: 1}, mask >> 1, equal=True) if mask else self.add({}, 1)

    def number(self, x: int) -> Iterator[tuple[int, int]]:
        """Yield the terms whose sum is the number of variable x."""
        if self.boolean:
            yield 1, x + 1
        else:
            numbers = self.form.numbers
            yield from ((numbers[v], self.literals[x][v]) for v in bits(self.domains[x]))

    def add(self, terms: Terms, bound: int, equal: bool = False) -> None:
        """Add a row: the sum of `terms` is at least, or equal to, `bound`."""
        written = [f"{a:+d} x{k}" for k, a in terms.items() if a]
        if not written:
            if bound == 0 or (bound < 0 and not equal):
                return
            written, bound = ["+1 x1"], 2  # no term is left, and the row is false
            self.last = max(self.last, 1)
        self.lines.append(f"{' '.join(written)} {'=' if equal else '>='} {bound} ;\n")

    def add_literals(self, literals: Iterable[int], bound: int, factor: int = 1, equal: bool = False) -> None:
        """Add a row: `factor` times the number of true literals is at least, or equal to, `bound`; -x is 1 - x."""
        terms: Terms = {}
        for k in literals:
            terms[abs(k)] = terms.get(abs(k), 0) + (factor if k > 0 else -factor)
            bound -= factor if k < 0 else 0
        self.add(terms, bound, equal)

    def add_different(self, terms: Terms, bound: int) -> None:
        """Add two rows: the sum differs from `bound`, above it if a new Boolean is true, else below."""
        least, most = (sum(pick(0, a) for a in terms.values()) for pick in (min, max))
        if not least <= bound <= most:
            return
        self.last += 1
        self.add({**terms, self.last: least - bound - 1}, least)
        self.add({**{k: -a for k, a in terms.items()}, self.last: most - bound + 1}, 1 - bound)


def write_clauses(rows: Rows, part: Clauses) -> None:
    """A literal is true if its variable takes the number 1, a negated one if it does not."""
    one = rows.form.numbers.index(1) if 1 in rows.form.numbers else None
    for clause in part.rows:
        positive = [rows.literals[k - 1][one] for k in clause if k > 0 and one is not None]
        negative = [-rows.literals[-k - 1][one] if one is not None else 0 for k in clause if k < 0]
        if all(negative):  # 0 is false, so its negation satisfies the clause
            rows.add_literals([*filter(None, positive), *negative], 1)


def write_linear(rows: Rows, part: Linear) -> None:
    for coefficients, variables, comparison, bound in part.rows:
        terms: Terms = {}
        for a, x in zip(coefficients, variables, strict=True):
            for number, k in rows.number(x):
                terms[k] = terms.get(k, 0) + a * number
        if comparison == "!=":
            rows.add_different(terms, bound)
        elif comparison == "<=":
            rows.add({k: -a for k, a in terms.items()}, -bound)
        else:
            rows.add(terms, bound, equal=comparison == "=")


def write_all_different(rows: Rows, part: AllDifferent) -> None:
    """At most one variable of a unit takes a number; exactly one if there are as many variables as numbers."""
    for unit in part.units:
        taken: dict[int, list[int]] = {}
        for x in unit:
            for v in bits(rows.domains[x]):
                taken.setdefault(v, []).append(rows.literals[x][v])
        every = len(taken) == len(unit)
        for literals in taken.values():
            if every or len(literals) > 1:
                rows.add_literals(literals, 1 if every else -1, 1 if every else -1, equal=every)


WRITE: dict[str, Callable[[Rows, Any], None]] = {
    Clauses.kind: write_clauses,
    Linear.kind: write_linear,
    AllDifferent.kind: write_all_different,
}
