"""Arguments of constraints, looked up by name and checked. All functions raise ParseError.

operand  ("var", x) or ("number", n); a variable that can take one number alone is that number
"""

from collections.abc import Sequence

from puzzles.constraints.expression import Tree
from puzzles.errors import ParseError
from puzzles.readers.building import MAX_NUMBER, Ranges
from puzzles.readers.flatzinc.document import Declared, Document, FlatCall, IntSet, Value, expected
from puzzles.readers.flatzinc.model import FlatModel
from puzzles.readers.refusal import Refusal


class Arguments:
    """The names of a model, its variables by name, and the arrays whose operands are known."""

    def __init__(self, document: Document, model: FlatModel) -> None:
        self.named, self.model = document.named, model
        self.index: dict[str, int] = {}
        self.arrays: dict[str, list[Tree]] = {}

    def resolved(self, value: Value) -> Value:
        """Return the value of a name; a variable stays a name."""
        for _ in range(9):
            if type(value) is str and value not in self.index:
                if value not in self.named:
                    raise expected("a known name", value)
                value = self.named[value]
                if isinstance(value, Declared):
                    raise Refusal([f"{'float' if value.type == 'float' else 'set'} variables"])
            elif isinstance(value, FlatCall):
                value = self.item(value)
            else:
                return value
        raise expected("a value", value)

    def item(self, call: FlatCall) -> Value:
        """Return the item of an array that an index selects."""
        if call.name != "item":
            raise expected("a value", call.name)
        name, index = call.arguments
        items = self.resolved(name)
        if not isinstance(items, list) or not 1 <= index <= len(items):
            raise ParseError(f"{name}[{index}] is no item of an array")
        return items[index - 1]

    def operand(self, value: Value) -> Tree:
        """Return a variable or a number; true and false are 1 and 0."""
        if type(value) is int:
            return ("number", number(value))
        if type(value) is not str or value not in self.index:
            value = self.resolved(value)
        if type(value) is str:
            return self.current(("var", self.model.find(self.index[value])))
        if not isinstance(value, int):
            raise expected("a variable or a number", value)
        return ("number", number(int(value)))

    def operands(self, value: Value) -> list[Tree]:
        """Return the operands of a list."""
        if type(value) is str:
            if value not in self.arrays:
                self.arrays[value] = list(map(self.operand, self.listed(value)))
            return [self.current(operand) for operand in self.arrays[value]]
        return list(map(self.operand, self.listed(value)))

    def current(self, operand: Tree) -> Tree:
        """Return an operand of an array, which may be fixed by now."""
        if operand[0] == "number":
            return operand
        domain = self.model.domains[operand[1]]
        fixed = len(domain) == 1 and domain[0][0] == domain[0][1]
        return ("number", domain[0][0]) if fixed else operand

    def listed(self, value: Value) -> list[Value]:
        """Return the items of a list."""
        found = self.resolved(value)
        if not isinstance(found, list):
            raise expected("a list", found)
        return found

    def number(self, value: Value) -> int:
        """Return a number, which a variable with one value is too."""
        kind, found = self.operand(value)
        if kind != "number":
            raise expected("a number", value)
        return int(found)

    def numbers(self, value: Value) -> list[int]:
        """Return the numbers of a list."""
        return [item if type(item) is int else self.number(item) for item in self.listed(value)]

    def ranges(self, value: Value) -> Ranges:
        """Return the ranges of a set."""
        found = self.resolved(value)
        if not isinstance(found, IntSet):
            raise expected("a set", found)
        return found.ranges


def number(found: int) -> int:
    """Return a number. Raises also Refusal, if it is longer than 64 bits."""
    if abs(found) > MAX_NUMBER:
        raise Refusal(["numbers beyond 64 bits"])
    return found


def same_length(name: str, *lists: Sequence[object]) -> None:
    """Raise ParseError if lists have different lengths."""
    if len({len(part) for part in lists}) > 1:
        raise ParseError(f"{name} with lists of {', '.join(str(len(part)) for part in lists)} items")
