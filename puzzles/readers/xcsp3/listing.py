"""Constraints by lists of allowed parts: extension, regular, mdd, instantiation, clause, precedence."""

from collections.abc import Sequence

from puzzles.constraints.automaton import Transition
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import STAR
from puzzles.errors import ParseError, plural
from puzzles.readers.building import is_boolean, numbers_of, size_of, values_of
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Parts, Value, check_size, integer, listed, shown


class Listings:
    """Tables and transitions that the child sent once, since many constraints share them."""

    def __init__(self, shared: Sequence[Value]) -> None:
        self.shared = shared

    def of(self, value: Value) -> tuple[int, list[Value]]:
        """Return the number and the items of the shared value that a value refers to. Raises ParseError."""
        if (
            not isinstance(value, list)
            or len(value) != 2
            or value[0] != "shared"
            or value[1] not in range(len(self.shared))
        ):
            raise ParseError(f"unexpected {shown(value)}: expected tuples")
        return value[1], listed(self.shared[value[1]])

    def add_extension(self, model: Xcsp3Model, parts: Parts) -> None:
        positive = "supports" in parts
        number, rows = self.of(parts.one("supports" if positive else "conflicts"))
        scope = model.variables(parts.items_of("list"))
        model.add_table(number, scope, lambda: flat_tuples(rows, len(scope)), positive)

    def add_regular(self, model: Xcsp3Model, parts: Parts) -> None:
        number, rows = self.of(parts.one("transitions"))
        scope, (start,) = model.variables(parts.items_of("list")), texts(parts.one("start"))
        finals = texts(parts.one("final"))
        model.add_automaton((number, start, *finals), scope, lambda: automaton(rows, start, finals))

    def add_mdd(self, model: Xcsp3Model, parts: Parts) -> None:
        number, rows = self.of(parts.one("transitions"))
        scope = model.variables(parts.items_of("list"))
        ends = {texts(row[2])[0] for row in map(transition, rows)}
        starts = {texts(row[0])[0] for row in map(transition, rows)}
        if len(starts - ends) != 1 or len(ends - starts) != 1:
            raise ParseError("an mdd needs one state that no transition enters, and one that none leaves")
        model.add_automaton(number, scope, lambda: automaton(rows, (starts - ends).pop(), [*(ends - starts)]))


def flat_tuples(rows: Sequence[Value], length: int) -> list[int]:
    """Return the numbers of tuples one after another, with STAR for any. Raises ParseError."""
    found: list[int] = []
    for row in rows:
        items = row[1:] if isinstance(row, list) and row[:1] == ["list"] else [row]
        if len(items) != length:
            raise ParseError(f"a tuple of {len(items)} values for {plural(length, 'variable')}")
        found += [STAR if item == "*" else integer(item) for item in items]
    return found


def texts(value: Value) -> list[str]:
    """Return names of states. Raises ParseError."""
    items = value[1:] if isinstance(value, list) and value[:1] == ["list"] else [value]
    if not items or not all(isinstance(item, list) and item[:1] in (["text"], ["var"]) for item in items):
        raise ParseError(f"unexpected {shown(value)}: expected the name of a state")
    return [str(item[1]) for item in items]


def transition(row: Value) -> list[Value]:
    """Return the three parts of a transition. Raises ParseError."""
    if not isinstance(row, list) or row[:1] != ["list"] or len(row) != 4:
        raise ParseError(f"unexpected {shown(row)}: expected a transition")
    return row[1:]


def automaton(rows: Sequence[Value], start: str, finals: Sequence[str]) -> tuple[list[Transition], int, list[int]]:
    """Return the transitions, the start state and the final states as numbers. Raises ParseError."""
    states = {start: 0}
    found = []
    for source, number, target in map(transition, rows):
        a, b = (states.setdefault(texts(state)[0], len(states)) for state in (source, target))
        found.append((a, integer(number), b))
    return found, 0, [states.setdefault(state, len(states)) for state in finals]


def add_instantiation(model: Xcsp3Model, parts: Parts) -> None:
    operands, values = model.variables(parts.items_of("list")), parts.items_of("values")
    if len(operands) != len(values):
        raise ParseError(f"instantiation of {plural(len(operands), 'variable')} by {plural(len(values), 'value')}")
    for x, value in zip(operands, values, strict=True):
        if value != "*":
            model.add(Linear, ([1], [x], "=", integer(value)))


def add_clause(model: Xcsp3Model, parts: Parts) -> None:
    clause = []
    for value in parts.items_of("list"):
        negative = isinstance(value, list) and value[:1] == ["not"]
        x = model.variable(value[1] if negative else value)
        if not is_boolean(model.domains[x]):
            raise ParseError(f"{model.names[x]} in a clause has other values than 0 and 1")
        clause.append(-(x + 1) if negative else x + 1)
    model.add(Clauses, clause)


def add_precedence(model: Xcsp3Model, parts: Parts) -> None:
    """Add the automaton that counts the values taken so far; each value occurs first after the previous one did."""
    scope = model.variables(parts.items_of("list"))
    check_size(sum(size_of(model.domains[x]) for x in scope))
    union = list(numbers_of(values_of(model.domains[x] for x in scope)))
    values = list(map(integer, parts.items_of("values"))) if "values" in parts else union
    if len(set(values)) != len(values):
        raise ParseError("precedence with a value twice")
    check_size(len(values) * len(union))
    covered = parts.attribute("values", "covered", False)

    def built() -> tuple[list[Transition], int, list[int]]:
        order = {number: i for i, number in enumerate(values)}
        found = []
        for state in range(len(values) + 1):
            for number in union:
                index = order.get(number, -1)
                if index <= state < len(values) or index < state:
                    found.append((state, number, state + (index == state)))
        return found, 0, [len(values)] if covered else [*range(len(values) + 1)]

    model.add_automaton(("precedence", tuple(values), covered, tuple(union)), scope, built)
