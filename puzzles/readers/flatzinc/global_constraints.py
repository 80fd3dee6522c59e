"""Global constraints that our library keeps, as rows of the kinds that there are.

`fzn_NAME` has the arguments of the standard library; `crosscheck_NAME` has flat arrays, and the first index of each
array as a number. Gecode's, Chuffed's and OR-Tools' libraries have some with the same arguments and their own prefix.
"""

from collections.abc import Sequence
from itertools import pairwise

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.nvalues import NValues
from puzzles.errors import ParseError, plural
from puzzles.readers.building import united
from puzzles.readers.flatzinc.arguments import Arguments
from puzzles.readers.flatzinc.builtins import Post, extreme
from puzzles.readers.flatzinc.conditions import FALSE, joined
from puzzles.readers.flatzinc.counting import COUNTING
from puzzles.readers.flatzinc.document import Value
from puzzles.readers.flatzinc.packing import PACKING
from puzzles.readers.flatzinc.scheduling import SCHEDULING

STANDARD, PREFIXES = "fzn_", ("crosscheck_", "gecode_", "chuffed_", "ortools_")


def add_all_different(at: Arguments, args: Sequence[Value]) -> None:
    at.model.add(AllDifferent, at.model.variables(at.operands(args[0])))


def add_all_equal(at: Arguments, args: Sequence[Value]) -> None:
    for x, y in pairwise(at.operands(args[0])):
        at.model.compare([(1, x), (-1, y)], "=", 0)


def increasing(sign: str) -> Post:
    """Return the function that adds an order."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        for x, y in pairwise(at.operands(args[0])):
            at.model.compare([(1, x), (-1, y)], sign, 0)

    return post


def add_table(at: Arguments, args: Sequence[Value]) -> None:
    scope, flat = at.model.variables(at.operands(args[0])), at.numbers(args[1])
    if not scope or len(flat) % len(scope):
        raise ParseError(f"a table of {len(flat)} numbers for {plural(len(scope), 'variable')}")
    for i, x in enumerate(scope):
        at.model.restrict(("var", x), united([(number, number) for number in set(flat[i :: len(scope)])]))
    key = args[1] if type(args[1]) is str else tuple(flat)
    at.model.add_table(key, scope, lambda: flat)


def add_regular(at: Arguments, args: Sequence[Value]) -> None:
    """Add a deterministic automaton: the state after state q and symbol s is item (q - 1) S + s, or 0 for none."""
    operands, states, symbols, table, start = at.operands(args[0]), *map(at.number, args[1:3]), args[3], args[4]
    steps, first, finals = at.numbers(table), at.number(start), at.ranges(args[5])
    if len(steps) != states * symbols or not 1 <= first <= states or not all(0 <= q <= states for q in steps):
        raise ParseError(f"a regular constraint of {states} states and {symbols} symbols with {len(steps)} transitions")
    ends = tuple(q for low, high in finals for q in range(max(1, low), min(states, high) + 1))
    if not operands:
        at.model.compare([], "=", 0 if first in ends else 1)
        return
    for operand in operands:
        at.model.restrict(operand, united([(1, symbols)]))
    at.model.add_automaton(
        (symbols, table if type(table) is str else tuple(steps), first, ends),
        at.model.variables(operands),
        lambda: ([(i // symbols + 1, i % symbols + 1, q) for i, q in enumerate(steps) if q], first, ends),
    )


def lexicographic(strict: bool) -> Post:
    """Return the function that adds an order of two lists; a list that continues another comes after it."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        left, right = (at.model.variables(at.operands(part)) for part in args)
        length = min(len(left), len(right))
        sign = "<" if (strict and len(left) == len(right)) or len(left) > len(right) else "<="
        if not length:
            at.model.compare([], "=", 1 if sign == "<" else 0)
        else:
            at.model.add(Lex, (left[:length], right[:length], sign))

    return post


def add_inverse(at: Arguments, args: Sequence[Value]) -> None:
    """Require that two lists are inverse: y[x[i]] = i. The last operands are the first indices of the lists."""
    sides = [at.operands(part) for part in args[:2]]
    firsts = [at.number(part) for part in args[2:]] or [1, 1]
    for (own, first), (others, start) in zip(
        zip(sides, firsts, strict=True), reversed(list(zip(sides, firsts, strict=True))), strict=True
    ):
        listed = at.model.variables(others)
        for i, operand in enumerate(own, first):
            at.model.restrict(operand, united([(start, start + len(others) - 1)]))
            at.model.add(Element, (listed, at.model.variable(operand), start, at.model.constant(i)))


def add_distinct_values(at: Arguments, args: Sequence[Value]) -> None:
    count, operands = at.operand(args[0]), at.operands(args[1])
    if not operands:
        at.model.compare([(1, count)], "=", 0)
    else:
        at.model.add(NValues, (at.model.variables(operands), (), "=", at.model.variable(count)))


def add_member(at: Arguments, args: Sequence[Value]) -> None:
    value = at.operand(args[1])
    at.model.require(joined("or", [("eq", x, value) for x in at.operands(args[0])], FALSE))


GLOBALS: dict[str, tuple[int, Post]] = {  # number of arguments and function of each constraint
    "all_different_int": (1, add_all_different),
    "all_equal_int": (1, add_all_equal),
    **{f"increasing_{kind}": (1, increasing("<=")) for kind in ("int", "bool")},
    "strictly_increasing_int": (1, increasing("<")),
    **{f"decreasing_{kind}": (1, increasing(">=")) for kind in ("int", "bool")},
    "strictly_decreasing_int": (1, increasing(">")),
    **COUNTING,
    **SCHEDULING,
    **PACKING,
    **{f"table_{kind}": (2, add_table) for kind in ("int", "bool")},
    "regular": (6, add_regular),
    **{f"lex_less_{kind}": (2, lexicographic(strict=True)) for kind in ("int", "bool")},
    **{f"lex_lesseq_{kind}": (2, lexicographic(strict=False)) for kind in ("int", "bool")},
    "inverse": (2, add_inverse),
    "crosscheck_inverse": (4, add_inverse),
    "nvalue": (2, add_distinct_values),
    "member_int": (2, add_member),
    "minimum_int": (2, extreme("minimum", own_first=True)),
    "maximum_int": (2, extreme("maximum", own_first=True)),
}


SHARED = {  # constraints that have the same arguments in every library
    *("all_different_int", "table_int", "table_bool", "regular", "nvalue", "member_int", "minimum_int", "maximum_int"),
    *("lex_less_int", "lex_less_bool", "lex_lesseq_int", "lex_lesseq_bool", "increasing_int", "increasing_bool"),
}


def global_name(name: str) -> str:
    """Return the key of a global constraint in GLOBALS, '' if there is none."""
    if name in GLOBALS:
        return name
    bare = name.removeprefix(STANDARD)
    if bare == name:
        bare = next((name.removeprefix(prefix) for prefix in PREFIXES if name.startswith(prefix)), "")
        return bare if bare in SHARED else ""
    return bare if bare in GLOBALS else ""
