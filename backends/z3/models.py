"""Scripts and their models: the text that Z3 parses, formulas for domains and solutions, the solution of a model.

Terms are made once. Values are read by Z3's compiled functions: the Python wrapper costs several times as much.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from backends.shared.literal_map import literal_map
from encoders.formula import Booleans, Cnf, Constraints
from encoders.smt.script import Script, disjunction
from puzzles.problem.values import Domains, Solution


def evaluator(z3: Any, context: Any, model: Any) -> Callable[[Any], Any]:
    """Return a function from a constant to its value in a model, which Z3 keeps until its next call."""
    found, evaluate, handles = (z3.Ast * 1)(), z3.z3core.Z3_model_eval, (context.ref(), model.model)

    def value(constant: Any) -> Any:
        evaluate(*handles, constant.ast, True, found)
        return found[0]

    return value


class Numbers:
    """Variables as integers or bit vectors; as Booleans where they take 0 and 1."""

    def __init__(self, form: Constraints, script: Script, z3: Any, context: Any) -> None:
        self.text, self.numbers, self.z3, self.context = script.text(), form.numbers, z3, context
        self.index, self.members = form.index(), form.members
        self.known = form.known
        number = z3.BitVecSort(script.width(), context) if script.vectors else z3.IntSort(context)
        self.modulus = 1 << script.width() if script.vectors else 0
        self.boolean = [domain == (0, 1) for domain in script.domains]
        sorts = [z3.BoolSort(context) if boolean else number for boolean in self.boolean]
        self.constants = [z3.Const(f"v{x}", sort) for x, sort in enumerate(sorts)]
        self.takes = cache(self.candidate)

    def candidate(self, x: int, number: int) -> Any:
        """Return the formula that a variable takes a number."""
        constant = self.constants[x]
        if not self.boolean[x]:
            return constant == number
        return constant if number == 1 else self.z3.Not(constant)

    def givens(self, domains: Domains) -> list[Any]:
        """Return formulas that keep the variables within domains, which are subsets of those of the script."""
        changed = [(x, mask) for x, mask in enumerate(domains) if mask != self.known[x]]
        return [self.given(x, self.members(mask)) for x, mask in changed]

    def given(self, x: int, numbers: Sequence[int]) -> Any:
        """Return the formula that a variable takes one of some numbers."""
        if isinstance(numbers, range):
            return self.z3.And(self.constants[x] >= numbers[0], self.constants[x] <= numbers[-1])
        return self.z3.Or([self.takes(x, n) for n in numbers])

    def solution(self, model: Any, domains: Domains) -> Solution:
        """Return the value of each variable, one past the last if its number is no value."""
        value, context, core = evaluator(self.z3, self.context, model), self.context.ref(), self.z3.z3core
        solution = []
        for constant, boolean in zip(self.constants, self.boolean, strict=True):
            if boolean:
                number = int(core.Z3_get_bool_value(context, value(constant)) == self.z3.Z3_L_TRUE)
            else:
                number = int(core.Z3_get_numeral_string(context, value(constant)))
                if 2 * number >= self.modulus > 0:
                    number -= self.modulus
            solution.append(self.index(number))
        return tuple(solution)

    def differs(self, solution: Solution) -> list[Any]:
        """Return formulas of which one holds in every other solution."""
        return [self.z3.Not(self.takes(x, self.numbers[v])) for x, v in enumerate(solution) if v < len(self.numbers)]


class BooleanConstants:
    """Booleans p1, p2, ...: the variables of clauses, or the candidates of a board."""

    def __init__(self, formula: Cnf | Booleans, z3: Any, context: Any) -> None:
        self.z3, self.context = z3, context
        if isinstance(formula, Cnf):
            count, literal = formula.variables, formula.literal
            lines = clause_lines(formula)
        else:
            count, width = formula.squares * formula.values, formula.values
            literal = [tuple(range(s * width + 1, s * width + width + 1)) for s in range(formula.squares)]
            lines = group_lines(formula)
        self.literals = literal_map(literal)
        self.text = "\n".join([*(f"(declare-const p{i} Bool)" for i in range(1, count + 1)), *lines])
        self.constants = [z3.Bool(f"p{i}", context) for i in range(1, count + 1)]
        self.placed = sorted({abs(p) for row in literal for p in row})
        self.formula = cache(self.signed)

    def signed(self, literal: int) -> Any:
        return self.constants[literal - 1] if literal > 0 else self.z3.Not(self.constants[-literal - 1])

    def givens(self, domains: Domains) -> list[Any]:
        return [self.formula(literal) for literal in self.literals.true(domains)]

    def solution(self, model: Any, domains: Domains) -> Solution:
        value, context = evaluator(self.z3, self.context, model), self.context.ref()
        truth, true = self.z3.z3core.Z3_get_bool_value, self.z3.Z3_L_TRUE
        signs = [p if truth(context, value(self.constants[p - 1])) == true else -p for p in self.placed]
        return self.literals.decode(signs, domains)

    def differs(self, solution: Solution) -> list[Any]:
        return [self.formula(literal) for literal in self.literals.forbid(solution)]


def clause_lines(formula: Cnf) -> Iterable[str]:
    for clause in formula.clause_lists():
        yield f"(assert {disjunction(name(p) for p in clause)})"
    for literals, k in formula.at_most:
        yield at_most(map(name, literals), k)


def group_lines(formula: Booleans) -> Iterable[str]:
    for group in formula.exactly_one:
        yield f"(assert {disjunction(name(p + 1) for p in group)})"
    for group in (*formula.exactly_one, *formula.at_most_one):
        if len(group) > 1:
            yield at_most((name(p + 1) for p in group), 1)


def name(literal: int) -> str:
    return f"p{literal}" if literal > 0 else f"(not p{-literal})"


def at_most(names: Iterable[str], k: int) -> str:
    return f"(assert ((_ at-most {k}) {' '.join(names)}))"
