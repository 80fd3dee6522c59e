"""Kinds of constraint as logic programs, one function per kind.

    at(x,n)     variable x takes number n: chosen once for each x among the facts dom(x,n)
    :- BODY.    no answer set in which all of BODY holds
    val(k,n)    the value of node k of an expression

Every other atom is derived from these, so a program has one answer set for each solution. Numbers have 32 bits.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from encoders.formula import Constraints, Unsupported, range_text
from encoders.reach import reach
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table

LARGEST = (1 << 31) - 1
MAX_ATOMS = 10_000  # numbers of a variable whose domain is a range
CHOICE = "{ at(X,N) : dom(X,N) } = 1 :- var(X)."


class LogicProgram:
    """Rules of a program under construction; `new` returns an unused number."""

    def __init__(self, form: Constraints) -> None:
        self.numbers, self.variables, self.last = form.numbers, form.variables, 0
        masks, members = form.choices()
        self.domains = [members[mask] for mask in masks]
        self.ordered: set[int] = set()  # variables with atoms ge(x,n)
        self.limit = max((abs(n) for ends in form.ends() for n in ends), default=0)
        check_size("numbers", self.limit)
        self.lines = [f"var(0..{form.variables - 1}).", CHOICE] if form.variables else []

    def new(self) -> int:
        self.last += 1
        return self.last

    def add(self, *lines: str) -> None:
        self.lines += lines

    def forbid(self, *body: str) -> None:
        """Add a rule: the parts of a body do not all hold."""
        self.lines.append(f":- {', '.join(body) or '#true'}.")

    def terms(self, a: int, x: int, i: int) -> tuple[str, int]:
        """Return terms of a sum, and their constant: `a` times the number of a variable.

        The solver adds up the weights of all atoms in 32 bits, so those of many numbers are steps between these.
        """
        numbers = self.domains[x]
        if abs(a) * max(abs(numbers[0]), abs(numbers[-1])) * len(numbers) <= LARGEST >> 8:
            return f"{a}*N,{i} : at({x},N)", 0
        if x not in self.ordered:
            self.ordered.add(x)
            steps = [(numbers[0], numbers[-1])] if isinstance(numbers, range) else []
            self.lines += [f"after({x},N,N+1) :- N = {low}..{high - 1}." for low, high in steps]
            self.lines += [] if steps else [f"after({x},{n},{m})." for n, m in pairwise(numbers)]
            self.lines += [f"ge({x},N) :- at({x},N).", f"ge({x},N) :- ge({x},M), after({x},N,M)."]
        return f"{a}*(M-N),{i},M : ge({x},M), after({x},N,M)", a * numbers[0]

    def define(self, head: str, *body: str) -> None:
        self.lines.append(f"{head} :- {', '.join(body)}." if body else f"{head}.")


def check_size(what: str, size: float) -> None:
    """Raise Unsupported if a number is too large for clingo."""
    if size > LARGEST:
        raise Unsupported(f"clingo does not support {what} of more than 32 bits")


def check_domains(form: Constraints) -> None:
    """Raise Unsupported if numbers have more than 32 bits, or a variable too many: each is an atom."""
    check_size("numbers", reach(form) if form.ranged else 0)
    masks, numbers = form.choices()
    for x, mask in enumerate(masks):
        if form.ranged and len(numbers[mask]) > MAX_ATOMS:
            raise Unsupported(f"clingo takes up to {MAX_ATOMS:,} numbers a variable: {range_text(form, x)}")


def all_different(program: LogicProgram, constraint: AllDifferent) -> None:
    """Allow each number once in a unit, and require each where the unit is as long as the list of numbers."""
    units = [unit for unit in dict.fromkeys(constraint.units) if len(unit) > 1]
    for unit in units:
        u = program.new()
        program.add(f"in({u},({';'.join(map(str, unit))})).")
        if len(set(unit)) < len(unit):
            program.forbid()
        program.add(f"{'full' if len(unit) == len(program.numbers) else 'partial'}({u}).")
    if units:
        program.add("num(N) :- dom(X,N).", "#defined full/1.", "#defined partial/1.")
        program.forbid("full(U)", "num(N)", "not { at(X,N) : in(U,X) } = 1")
        program.forbid("partial(U)", "num(N)", "not { at(X,N) : in(U,X) } <= 1")


def clauses(program: LogicProgram, constraint: Clauses) -> None:
    for row in constraint.rows:
        program.forbid(*(f"not at({p - 1},1)" if p > 0 else f"at({-p - 1},1)" for p in row))


def linear(program: LogicProgram, constraint: Linear) -> None:
    for coefficients, xs, comparison, bound in constraint.rows:
        check_size("sums", max(abs(bound), sum(abs(a) for a in coefficients) * program.limit))
        parts = [program.terms(a, x, i) for i, (a, x) in enumerate(zip(coefficients, xs, strict=True))]
        terms, rest = "; ".join(part for part, _ in parts), bound - sum(constant for _, constant in parts)
        program.forbid(f"not #sum {{ {terms} }} {comparison} {rest}")


def table(program: LogicProgram, constraint: Table) -> None:
    """Add facts for the tuples, and one name for each set of positions without a star."""
    rows = constraint.rows.tolist() if constraint.scopes else []
    named = dict.fromkeys(tuple(i for i, n in enumerate(row) if n != STAR) for row in rows)
    names = {positions: f"t{program.new()}" for positions in named}
    for row in rows:
        positions = tuple(i for i, n in enumerate(row) if n != STAR)
        program.define(atom(names[positions], [row[i] for i in positions]))
    for scope in constraint.scopes:
        listed = f"listed({program.new()})"
        for positions, name in names.items():
            body = [atom(name, [f"N{i}" for i in positions]), *(f"at({scope[i]},N{i})" for i in positions)]
            if constraint.positive:
                program.define(listed, *body)
            else:
                program.forbid(*body)
        if constraint.positive:
            program.forbid(f"not {listed}")


def atom(name: str, arguments: Sequence[object]) -> str:
    return f"{name}({','.join(map(str, arguments))})" if arguments else name


def element(program: LogicProgram, constraint: Element) -> None:
    for items, index, start, value in constraint.rows:
        e = program.new()
        program.add(*(f"item({e},{i},{x})." for i, x in enumerate(items, start)))
        program.define(f"held({e})", f"at({index},I)", f"item({e},I,X)", "at(X,N)", f"at({value},N)")
        program.forbid(f"not held({e})")


def compare(program: LogicProgram, aggregate: str, comparison: str, bound: int) -> None:
    """Compare an aggregate with the number of a variable."""
    program.forbid(f"at({bound},B)", f"not {aggregate} {comparison} B")


def occurring(xs: Sequence[int], numbers: Iterable[int]) -> str:
    """Return the aggregate that counts the variables with one of some numbers."""
    return f"#count {{ {'; '.join(f'{i} : at({x},{n})' for n in dict.fromkeys(numbers) for i, x in enumerate(xs))} }}"


def count(program: LogicProgram, constraint: Count) -> None:
    for xs, numbers, comparison, bound in constraint.rows:
        compare(program, occurring(xs, numbers), comparison, bound)


def cardinality(program: LogicProgram, constraint: Cardinality) -> None:
    for xs, numbers, occurrences, closed in constraint.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            compare(program, occurring(xs, [n]), "=", occurrence)
        for x in xs if closed else ():
            program.forbid(f"at({x},N)", *(f"N != {n}" for n in numbers))


def nvalues(program: LogicProgram, constraint: NValues) -> None:
    for xs, excepted, comparison, bound in constraint.rows:
        others = "".join(f", N != {n}" for n in excepted)
        compare(program, f"#count {{ {'; '.join(f'N : at({x},N){others}' for x in xs)} }}", comparison, bound)


def minmax(program: LogicProgram, constraint: MinMax) -> None:
    for which, xs, comparison, bound in constraint.rows:
        compare(program, f"#{which[:3]} {{ {'; '.join(f'N : at({x},N)' for x in xs)} }}", comparison, bound)


def lex(program: LogicProgram, constraint: Lex) -> None:
    """Derive an atom for each suffix of a row: the suffix is in order."""
    for left, right, comparison in constraint.rows:
        if comparison in (">", ">="):
            left, right = right, left
        row = program.new()
        for i, (x, y) in enumerate(zip(left, right, strict=True)):
            program.define(f"ordered({row},{i})", f"at({x},A)", f"at({y},B)", "A < B")
            program.define(f"ordered({row},{i})", f"at({x},A)", f"at({y},A)", f"ordered({row},{i + 1})")
        if comparison in ("<=", ">="):
            program.define(f"ordered({row},{len(left)})")
        program.forbid(f"not ordered({row},0)")


def automaton(program: LogicProgram, constraint: Automaton) -> None:
    """Derive the states of an automaton that runs reach."""
    a = program.new()
    program.add(*(f"step({a},{state},{n},{following})." for state, n, following in constraint.transitions))
    program.add(*(f"final({a},{state})." for state in constraint.finals))
    for scope in constraint.scopes:
        s = program.new()
        program.define(f"reached({s},0,{constraint.start})")
        for i, x in enumerate(scope):
            program.define(f"reached({s},{i + 1},R)", f"reached({s},{i},Q)", f"at({x},N)", f"step({a},Q,N,R)")
        program.define(f"accepted({s})", f"reached({s},{len(scope)},Q)", f"final({a},Q)")
        program.forbid(f"not accepted({s})")


def cumulative(program: LogicProgram, constraint: Cumulative) -> None:
    """Derive the tasks that run at each start of a task."""
    for starts, durations, heights, limit in constraint.rows:
        check_size("sums", max(2, len(starts)) * program.limit)
        c = program.new()
        for x in dict.fromkeys((*durations, *heights, limit)):
            program.forbid(f"at({x},N)", "N < 0")
        for i, (x, d, h) in enumerate(zip(starts, durations, heights, strict=True)):
            program.define(f"time({c},T)", f"at({x},T)")
            program.define(
                f"runs({c},{i},T,H)", f"time({c},T)", f"at({x},S)", f"at({d},D)", f"at({h},H)", "S <= T", "T < S+D"
            )
        if starts:
            program.forbid(f"time({c},T)", f"at({limit},L)", f"not #sum {{ H,I : runs({c},I,T,H) }} <= L")


def circuit(program: LogicProgram, constraint: Circuit) -> None:
    """Derive the nodes that are reached from the first one on the circuit."""
    for variables, start, comparison, bound in constraint.rows:
        c, size = program.new(), len(variables)
        if not variables:
            program.forbid(f"at({bound},B)", f"not 0 {comparison} B")
            continue
        for i, x in enumerate(variables):
            program.define(f"arc({c},{i},N-({start}))", f"at({x},N)")
            program.define(f"on({c},{i})", f"not at({x},{start + i})")
        program.forbid(f"arc({c},I,J)", "J < 0")
        program.forbid(f"arc({c},I,J)", f"J >= {size}")
        program.forbid(f"arc({c},I,K)", f"arc({c},J,K)", "I < J")
        program.define(f"came({c},I)", f"on({c},I)", f"#false : on({c},J), J < I")
        program.define(f"came({c},J)", f"came({c},I)", f"arc({c},I,J)")
        program.forbid(f"on({c},I)", f"not came({c},I)")
        compare(program, f"#count {{ I : on({c},I) }}", comparison, bound)
