"""Every kind of objective as XCSP3 text, for which constraints may be added.

A sum has no constant in XCSP3: one is the coefficient of a variable that is 1.
"""

from collections import Counter
from collections.abc import Callable

from encoders.formula import Unsupported
from encoders.rewriting import simplified
from encoders.xcsp3.text import Xcsp3Text
from puzzles.constraints import by_kind
from puzzles.constraints.expression import tree_text
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective

LARGEST_COEFFICIENT = (1 << 31) - 2  # that solvers read, in 32 bits; their sums have 64
TOO_LARGE = f"no objectives with coefficients above {LARGEST_COEFFICIENT:,}"
Element = tuple[str, str]  # its attributes and its content


def objective_text(text: Xcsp3Text, objective: Objective) -> str:
    """Return the element of an objective, as its source states it. Raises Unsupported."""
    tag = "maximize" if objective.maximise else "minimize"
    attributes, content = WRITE_OBJECTIVE[objective.kind](text, objective)
    return f"<{tag}{attributes}> {content} </{tag}>"


def refusal(objective: Objective) -> str | None:
    """Return why XCSP3 does not take an objective: its kind, or its numbers; else None."""
    if objective.kind not in WRITE_OBJECTIVE:
        return f"no objectives of the kind {objective.kind}"
    return TOO_LARGE if max(map(abs, numbers_of(objective)), default=0) > LARGEST_COEFFICIENT else None


def numbers_of(objective: Objective) -> list[int]:
    """Return the coefficients and the constant that an objective may be written with."""
    if isinstance(objective, LinearObjective):
        terms = Counter[int]()
        for a, x in objective.terms:
            terms[x] += a
        return [objective.offset, *terms.values()]
    if isinstance(objective, SoftClauses):
        constant = sum(weight for weight, row in objective.rows if len(row) < 2)
        return [constant, *objective.weights.tolist()]
    return []


def weighted_sum(text: Xcsp3Text, terms: dict[str, int], constant: int) -> Element:
    """Return a weighted sum of variables, by name. Raises Unsupported."""
    terms = {name: a for name, a in terms.items() if a}
    if max(map(abs, [constant, *terms.values()])) > LARGEST_COEFFICIENT:
        raise Unsupported(f"XCSP3 takes {TOO_LARGE}")
    if not terms:  # some solvers read no coefficient 0
        return "", text.new([constant])
    if constant:
        terms[text.new([1])] = constant
    if list(terms.values()) == [1]:
        return "", next(iter(terms))
    coefficients = " ".join(map(str, terms.values()))
    return ' type="sum"', f"<list> {' '.join(terms)} </list> <coeffs> {coefficients} </coeffs>"


def linear_objective(text: Xcsp3Text, objective: LinearObjective) -> Element:
    sign, terms = -1 if objective.maximise else 1, Counter[str]()
    for a, x in objective.terms:
        terms[text.names[x]] += sign * a
    return weighted_sum(text, terms, sign * objective.offset)


def soft_objective(text: Xcsp3Text, objective: SoftClauses) -> Element:
    """A variable for each clause is 1 where the clause is false, else 0; a literal of a Boolean variable needs none."""
    terms, constant = Counter[str](), 0
    for weight, row in objective.rows:
        clause = list(dict.fromkeys(row))  # some solvers read no part twice
        x = abs(clause[0]) - 1 if clause else 0
        if not clause:
            constant += weight
        elif len(clause) == 1 and set(text.numbers(x)) <= {0, 1}:
            constant += weight if clause[0] > 0 else 0
            terms[text.names[x]] -= weight if clause[0] > 0 else -weight
        else:
            false = ("and", *(("ne" if k > 0 else "eq", ("var", abs(k) - 1), ("number", 1)) for k in clause))
            broken = text.new(range(2))
            text.add_text(f"eq({broken},{tree_text(simplified(false), text.names)})")
            terms[broken] = weight
    return weighted_sum(text, terms, constant)


def expression_objective(text: Xcsp3Text, objective: ExpressionObjective) -> Element:
    text.define(objective.source_tree)
    shown = simplified(objective.source_tree)
    return weighted_sum(text, {}, shown[1]) if shown[0] == "number" else ("", tree_text(shown, text.names))


WRITE_OBJECTIVE: dict[str, Callable[..., Element]] = by_kind(globals())
