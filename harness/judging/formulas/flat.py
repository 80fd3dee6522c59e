"""Flat programs that solvers received, made again, and compared with their instances.

A proof in DRCP is about the posts of a flat program (`backends/flat/`). It certifies the instance if every solution
of it satisfies all posts, once auxiliary variables are added:

    defined   an auxiliary variable is the result of a post over variables before it, and its domain has every result
    stated    a post is a row of the instance's own
    follows   or all numbers of the variables on which it depends satisfy it if they satisfy the instance's rows

and if no objective's value is below that of the program's goal. Else it certifies the program.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from backends.flat import flatten
from backends.flat.lowering import TO_SIMPLER_POSTS
from backends.flat.program import FlatProgram
from backends.pumpkin import LIMITS, provable
from encoders.formula import Formula, Unsupported
from harness.judging.checkers.flat.drcp import FlatClaim
from puzzles.constraints import moving
from puzzles.constraints.expression import renamed
from puzzles.constraints.expression import variables_of as tree_variables
from puzzles.constraints.linear import merged
from puzzles.constraints.numbers import ORDER
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Domains, Numbered, Solution, bits

MOST = 20_000  # assignments that are tried for a post
Post = tuple[str, tuple[Any, ...]]
Column = npt.NDArray[np.int64]
At = Callable[[int], Column]


def received_flat(
    problem: Problem, domains: Domains, formula: Formula, solutions: Sequence[Solution]
) -> tuple[FlatClaim, bool]:
    """Return the program that Pumpkin received, with what is to be shown; True if it follows from the instance.

    Of a problem over ranges that is not shown: it takes lists of numbers. Raises Unsupported.
    """
    program = flatten(formula, LIMITS, TO_SIMPLER_POSTS)
    goal, constant = program.goal_variable(), program.constant_cost
    program = provable(program)
    if 0 in domains or program.refused:
        raise Unsupported("a program without a solver is not proved")
    known = [[program.numbers[v] for v in solution] for solution in solutions]
    claim = FlatClaim(program.asked(domains), program.posts, known)
    if problem.objective is not None:
        goal = goal if solutions else None
        least = int(problem.objective.values(np.array(solutions[:1], np.uint64), problem)[0]) if solutions else 0
        claim = claim._replace(known=(), goal=goal, least=least - constant)
    return claim, not problem.ranged and Link(problem, domains, program, claim.domains).holds()


def variables_of(post: Post) -> set[int]:
    """Return the variables of a post."""
    match post:
        case "linear", (terms, _, _):
            return set(terms)
        case "reified", (x, terms, _, _):
            return {x, *terms}
        case "clause", (literals,):
            return {abs(p) - 1 for p in literals}
        case "all_different", (xs,):
            return set(xs)
        case "extreme", (_, xs, z):
            return {*xs, z}
        case "element", (items, index, _, value):
            return {*items, index, value}
    return set(post[1])


def total(at: At, terms: Any) -> Any:
    return sum((a * at(x) for x, a in terms.items()), np.int64(0))


# What the last variable of a post is, or the first of a reified one, by the name of the post.
RESULTS: dict[str, Callable[..., Column]] = {
    "reified": lambda at, _, terms, comparison, bound: compared(total(at, terms), comparison, bound).astype(np.int64),
    "product": lambda at, x, y, _: at(x) * at(y),
    "quotient": lambda at, x, y, _: np.sign(at(x) * at(y)) * (np.abs(at(x)) // np.maximum(np.abs(at(y)), 1)),
    "absolute": lambda at, x, _: np.abs(at(x)),
    "extreme": lambda at, which, xs, _: (np.min if which == "minimum" else np.max)([at(x) for x in xs], axis=0),
    "element": lambda at, items, index, start, _: np.select(
        [at(index) == i for i in range(start, start + len(items))], [at(x) for x in items], -(1 << 40)
    ),
}


def compared(left: Any, comparison: str, bound: int) -> Any:
    return ORDER[comparison](left, bound)


def satisfied(at: At, post: Post) -> Any:
    """Return the assignments that satisfy a post, a column of truth values."""
    name, arguments = post
    if name in RESULTS:
        z = arguments[0 if name == "reified" else -1]
        holds = at(z) == RESULTS[name](at, *arguments)
        return np.logical_and(holds, at(arguments[1]) != 0) if name == "quotient" else holds
    if name == "linear":
        terms, comparison, bound = arguments
        return compared(total(at, terms), comparison, bound)
    if name == "clause":
        return np.logical_or.reduce([at(abs(p) - 1) == (p > 0) for p in arguments[0]])
    ordered = np.sort([at(x) for x in arguments[0]], axis=0)
    return np.logical_and.reduce(ordered[1:] != ordered[:-1])


class Link:
    """An instance and a program of it; `support` has the problem's variables on which each defined variable depends."""

    def __init__(
        self, problem: Problem, domains: Domains, program: FlatProgram, numbers: Sequence[Sequence[int]]
    ) -> None:
        self.problem, self.program, self.numbers, self.size = problem, program, numbers, len(domains)
        self.values = np.array(program.numbers, np.int64)
        self.choices = [list(bits(mask)) for mask in domains]
        self.support = {x: frozenset([x]) for x in range(self.size)}
        self.support |= {x: frozenset() for x in range(self.size, len(numbers)) if len(numbers[x]) == 1}
        self.definitions: dict[int, Post] = {}
        self.rows: list[tuple[Constraint, Any, set[int]]] = [
            (c, row, moving.occurring(type(c), row)) for c in problem.constraints for row in moving.rows_of(c)
        ]
        self.about: dict[int, list[int]] = {}
        for i, (_, _, scope) in enumerate(self.rows):
            for x in scope:
                self.about.setdefault(x, []).append(i)
        self.stated = {key for c, row, _ in self.rows for key in self.keys(c.kind, row)}

    def holds(self) -> bool:
        """Return True if all posts follow from the instance, and the goal is no greater than the objective."""
        posts, left = self.program.posts, 0
        while len(posts) != left:
            left, posts = len(posts), [post for post in posts if not self.defines(post)]
        return all(map(self.shown, posts)) and (self.problem.objective is None or self.same_goal())

    def defines(self, post: Post) -> bool:
        """Return True if a post defines the only variable that is not defined yet."""
        new = variables_of(post) - self.support.keys()
        return len(new) == 1 and self.define(new.pop(), post)

    def shown(self, post: Post) -> bool:
        """Return True if a post is stated or follows."""
        name, arguments = post
        if not variables_of(post) <= self.support.keys():
            return False
        if name == "all_different":
            xs = set(arguments[0])
            some = self.about.get(min(xs), ())
            if any(self.rows[i][0].kind == "all_different" and xs <= self.rows[i][2] for i in some):
                return True
        elif any(key in self.stated for key in self.keys(name, arguments if name != "linear" else posted(arguments))):
            return True
        return self.follows(post)

    def define(self, x: int, post: Post) -> bool:
        """Take a post as the definition of a variable if there is a result for all numbers of the others."""
        name, arguments = post
        domain, ends = self.numbers[x], self.result_ends(x, name, arguments)
        if ends is None or not isinstance(domain, range):
            return False
        support = frozenset[int]().union(*(self.support[y] for y in variables_of(post) if y != x))
        self.definitions[x] = post
        if ends[0] < domain[0] or ends[1] > domain[-1]:
            tried = self.tables(support)
            results = self.column(x, tried[1]) if tried is not None else np.array([domain[0] - 1])
            if ((results < domain[0]) | (results > domain[-1])).any():
                del self.definitions[x]
                return False
        self.support[x] = support
        return True

    def result_ends(self, x: int, name: str, arguments: tuple[Any, ...]) -> tuple[int, int] | None:
        """Return bounds of the result of a post, None if the variable is not its result."""
        ends = (
            []
            if name == "reified"
            else [(self.numbers[y][0], self.numbers[y][-1]) for y in arguments[:2] if isinstance(y, int)]
        )
        match name, arguments:
            case "linear", (terms, "=", bound) if abs(terms[x]) == 1:
                low, high = self.program.span({y: a for y, a in terms.items() if y != x})
                return (bound - high, bound - low) if terms[x] == 1 else (low - bound, high - bound)
            case ("reified", (y, *_)) if y == x:
                return 0, 1
            case "clause", (literals,) if x + 1 in literals:
                return 0, 1
            case "product", (a, b, z) if z == x not in (a, b):
                corners = [m * n for m in ends[0] for n in ends[1]]
                return min(corners), max(corners)
            case "quotient", (a, b, z) if z == x not in (a, b) and not ends[1][0] <= 0 <= ends[1][1]:
                return -max(map(abs, ends[0])), max(map(abs, ends[0]))
            case "absolute", (a, z) if z == x != a:
                return 0, max(map(abs, ends[0]))
            case "extreme", (_, xs, z) if z == x not in xs:
                pick = min if arguments[0] == "minimum" else max
                return pick(self.numbers[y][0] for y in xs), pick(self.numbers[y][-1] for y in xs)
            case "element", (items, index, start, z) if z == x not in (*items, index):
                first, last = self.numbers[index][0] - start, self.numbers[index][-1] - start
                if first >= 0 and last < len(items):
                    return min(self.numbers[y][0] for y in items), max(self.numbers[y][-1] for y in items)
        return None

    def column(self, x: int, table: dict[int, Column]) -> Column:
        """Return the numbers of a variable in assignments of those on which it depends."""
        if x not in table and x not in self.definitions:
            table[x] = np.full(len(next(iter(table.values()))), self.numbers[x][0], np.int64)
        elif x not in table:
            name, arguments = self.definitions[x]

            def at(y: int) -> Column:
                return self.column(y, table)

            if name == "linear":
                terms, _, bound = arguments
                rest = total(at, {y: a for y, a in terms.items() if y != x})
                table[x] = (bound - rest) * terms[x] + np.zeros(len(next(iter(table.values()))), np.int64)
            elif name == "clause":
                others = [p for p in arguments[0] if p != x + 1]
                table[x] = 1 - np.any([at(abs(p) - 1) == (p > 0) for p in others], axis=0).astype(np.int64)
            else:
                table[x] = RESULTS[name](at, *arguments)
        return table[x]

    def tables(self, support: Iterable[int]) -> tuple[npt.NDArray[np.uint32], dict[int, Column], Problem] | None:
        """Return the assignments of some variables for which the rows over them hold: indices, and numbers.

        None if there are too many.
        """
        xs = sorted(support)
        if not xs or prod(len(self.choices[x]) for x in xs) > MOST:
            return None
        found = np.array(list(product(*(self.choices[x] for x in xs))), np.uint32)
        part = Problem("a part", Numbered("x", len(xs)), self.problem.values, ())
        place = {x: i for i, x in enumerate(xs)}
        for i in sorted({i for x in xs for i in self.about.get(x, ()) if self.rows[i][2] <= place.keys()}):
            constraint, row, _ = self.rows[i]
            own = moving.with_rows(constraint, [moving.move(type(constraint), row, place.__getitem__)])
            found = found[own.satisfied(found, part)]
        return found, {x: self.values[found[:, i]] for i, x in enumerate(xs)}, part

    def follows(self, post: Post) -> bool:
        """Return True if all assignments for which the instance's rows hold satisfy a post."""
        own = frozenset[int]().union(*(self.support[x] for x in variables_of(post)))
        scopes = {frozenset(self.rows[i][2]) for x in own for i in self.about.get(x, ())}
        for support in (own, *sorted({own | scope for scope in scopes} - {own}, key=len)):
            tried = self.tables(support)
            if tried is not None and bool(satisfied(partial(self.column, table=tried[1]), post).all()):
                return True
        return False

    def keys(self, kind: str, row: Any) -> list[tuple[Any, ...]]:
        """Return what identifies a row of the instance, or a post: its kind, and its variables and numbers."""
        match kind:
            case "linear":
                terms, comparison, bound = merged(zip(row[0], row[1], strict=True)), row[2], row[3]
                for x in [x for x in terms if len(self.program.domains[x]) == 1]:
                    bound -= terms.pop(x) * self.program.domains[x][0]
                bound += {"<": -1, ">": 1}.get(comparison, 0)
                sign = -1 if comparison in (">", ">=") else 1
                mirrored = [sign, -sign] if comparison in ("=", "!=") else [sign]
                name = comparison if comparison in ("=", "!=") else "<="
                return [(name, frozenset((x, s * a) for x, a in terms.items()), s * bound) for s in mirrored]
            case "element":
                return [(kind, tuple(row[0]), *row[1:])]
            case "minmax" if row[2] == "=":
                return [("extreme", row[0], tuple(row[1]), row[3])]
            case "extreme":
                return [(kind, row[0], tuple(row[1]), row[2])]
            case "clauses" if tuple(self.program.numbers) == (0, 1):
                return [("clause", frozenset(row))]
            case "clause":
                return [(kind, frozenset(row[0]))]
        return []

    def same_goal(self) -> bool:
        """Return True if the goal's terms and its constant make the objective, term by term, or for all assignments."""
        goal, constant, objective = self.program.goal or {}, self.program.constant_cost, self.problem.objective
        assert objective is not None
        if isinstance(objective, LinearObjective):
            terms, fixed = merged(objective.terms), self.program.domains
            known = {x: a * fixed[x][0] for x, a in terms.items() if len(fixed[x]) == 1}
            open_ = {x: a for x, a in terms.items() if x not in known}
            return open_ == goal and objective.offset + sum(known.values()) == constant
        if isinstance(objective, SoftClauses):
            return self.same_soft(objective)
        assert isinstance(objective, ExpressionObjective)
        tried = self.tables(frozenset(tree_variables(objective.tree)).union(*(self.support[x] for x in goal)))
        if tried is None:
            return False
        found, table, part = tried
        own = ExpressionObjective(renamed(objective.tree, {x: i for i, x in enumerate(table)}))
        return bool((total(lambda x: self.column(x, table), goal) + constant <= own.values(found, part)).all())

    def same_soft(self, objective: SoftClauses) -> bool:
        """Compare soft clauses with those that define the Booleans of the goal."""
        wanted, constant = dict[frozenset[int], int](), 0
        for weight, row in objective.rows:
            if not row:
                constant += weight
            elif not any(-p in row for p in row):
                wanted[frozenset(row)] = wanted.get(frozenset(row), 0) + weight
        made = dict[frozenset[int], int]()
        for x, weight in (self.program.goal or {}).items():
            name, arguments = self.definitions.get(x, ("", ()))
            if name != "clause":
                return False
            own = frozenset(p for p in arguments[0] if p != x + 1)
            made[own] = made.get(own, 0) + weight
        boolean = tuple(self.program.numbers) == (0, 1)
        return boolean and made == wanted and constant == self.program.constant_cost


def posted(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a posted sum as a row of a linear constraint."""
    terms, comparison, bound = arguments
    return [*terms.values()], [*terms], comparison, bound
