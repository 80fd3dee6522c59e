"""Z3's solvers, recorded as clauses: Boolean terms by Tseitin's translation, each scope of `push` behind a literal.

Terms of other sorts end the script.
"""

from functools import wraps
from types import ModuleType
from typing import Any

from .script import RecordedScript, script_of, timed


class Unstated(Exception):
    """A term that is not Boolean."""


class TermClauses:
    """Translation of the terms of one solver: the literal of each, by its id; terms are kept so that ids stay."""

    def __init__(self, z3: Any, script: RecordedScript) -> None:
        self.z3, self.script, self.size = z3, script, 0
        self.literals, self.kept = dict[int, int](), list[Any]()
        self.scopes, self.tracked = list[int](), [dict[int, int]()]

    def new(self) -> int:
        self.size += 1
        return self.size

    def literal(self, term: Any) -> int:
        """Return the literal of a term, which is equivalent to it. Raises Unstated."""
        key = term.get_id()
        if key not in self.literals:
            self.kept.append(term)
            self.literals[key] = self.defined(term)
        return self.literals[key]

    def defined(self, term: Any) -> int:
        """Add the clauses that define a term, and return its literal."""
        z3, parts = self.z3, term.children()
        if not z3.is_bool(term) or any(not z3.is_bool(part) for part in parts):
            raise Unstated(f"a term of sort {term.sort()}: {str(term)[:60]}")
        if z3.is_not(term):
            return -self.literal(parts[0])
        if term.decl().kind() == z3.Z3_OP_UNINTERPRETED and not parts:
            return self.new()
        return self.clauses_of(term, [self.literal(part) for part in parts])

    def clauses_of(self, term: Any, p: list[int]) -> int:
        """Add the clauses of a connective over literals. Raises Unstated."""
        z3, kind, add = self.z3, term.decl().kind(), self.script.add
        if kind == z3.Z3_OP_IMPLIES:
            p, kind = [-p[0], p[1]], z3.Z3_OP_OR
        if kind in (z3.Z3_OP_OR, z3.Z3_OP_FALSE, z3.Z3_OP_AND, z3.Z3_OP_TRUE):
            sign, y = -1 if kind in (z3.Z3_OP_AND, z3.Z3_OP_TRUE) else 1, self.new()
            add([-y * sign, *(q * sign for q in p)])
            for q in p:
                add([y * sign, -q * sign])
            return y
        if kind == z3.Z3_OP_ITE:
            y = self.new()
            for clause in ([-p[0], -p[1], y], [-p[0], p[1], -y], [p[0], -p[2], y], [p[0], p[2], -y]):
                add(clause)
            return y
        if kind in (z3.Z3_OP_XOR, z3.Z3_OP_EQ, z3.Z3_OP_IFF) or (kind == z3.Z3_OP_DISTINCT and len(p) == 2):
            found = p[0]
            for q in p[1:]:
                y = self.new()
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    add([-a * found, -b * q, y if a * b < 0 else -y])
                found = y
            return found if kind in (z3.Z3_OP_XOR, z3.Z3_OP_DISTINCT) else -found
        raise Unstated(f"a term {term.decl()}")

    def require(self, term: Any, more: list[int]) -> None:
        """Add a term that holds in the innermost scope; clauses of a disjunction need no definition."""
        if self.z3.is_and(term):
            for part in term.children():
                self.require(part, more)
            return
        parts = term.children() if self.z3.is_or(term) else [term]
        scope = [-self.scopes[-1]] if self.scopes else []
        self.script.add([*more, *scope, *map(self.literal, parts)])


def clauses_of(solver: Any, z3: Any) -> TermClauses:
    """Return the translation of a solver, a new one at its first call."""
    known = vars(solver).get("_crosscheck_clauses")
    if not isinstance(known, TermClauses):
        known = solver._crosscheck_clauses = TermClauses(z3, script_of(solver))
    return known


def wrap(module: ModuleType) -> None:
    """Record the calls of z3.Solver."""
    z3: Any = module
    cls = z3.Solver

    def recording(name: str, record: Any) -> None:
        call = getattr(cls, name)

        @wraps(call)
        def recorded(self: Any, *args: Any, **named: Any) -> Any:
            found, ns = timed(call, self, *args, **named)
            known = clauses_of(self, z3)
            if not known.script.why:
                try:
                    record(known, found, ns, *args, **named)
                except Exception as e:  # the program goes on
                    known.script.refuse(str(e))
            return found

        setattr(cls, name, recorded)

    def terms(args: Any) -> list[Any]:
        flat = [part for arg in args for part in (arg if isinstance(arg, list | tuple | z3.AstVector) else [arg])]
        return [z3.BoolVal(part) if isinstance(part, bool) else part for part in flat]

    def required(known: TermClauses, _: Any, __: int, *args: Any) -> None:
        for term in terms(args):
            known.require(term, [])

    def tracked(known: TermClauses, _: Any, __: int, term: Any, name: Any) -> None:
        p = known.literal(z3.Bool(name) if isinstance(name, str) else name)
        known.require(term, [-p])
        known.tracked[-1][p] = p

    def checked(known: TermClauses, answer: Any, ns: int, *assumptions: Any) -> None:
        own = [known.literal(term) for term in terms(assumptions)]
        held = [*known.scopes, *(p for scope in known.tracked for p in scope), *own]
        known.script.ask(held, {"sat": True, "unsat": False}.get(str(answer)), ns)

    def pushed(known: TermClauses, *_: Any) -> None:
        known.scopes.append(known.new())
        known.tracked.append({})
        if len(known.scopes) > 1:
            known.script.add([-known.scopes[-1], known.scopes[-2]])

    def popped(known: TermClauses, _: Any, __: int, num: int = 1) -> None:
        for _scope in range(num):
            known.script.add([-known.scopes.pop()])
            known.tracked.pop()

    def unstated(known: TermClauses, *_: Any) -> None:
        known.script.refuse("reset, from_string or a file")

    recording("assert_exprs", required)
    recording("assert_and_track", tracked)
    recording("check", checked)
    recording("push", pushed)
    recording("pop", popped)
    for name in ("reset", "from_string", "from_file"):
        recording(name, unstated)
