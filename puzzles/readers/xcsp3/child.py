"""pycsp3's parser, called in a process of its own: it exits, asserts, and changes the interpreter that imports it.

`parsed` returns plain data, in which the parent trusts nothing. Its input is XML whose elements have their line as an
attribute, which pycsp3 copies to the entries that it makes.

    value  an integer, "*", or a list: ["var", name], ["range", first, last], ["add", value, ...] and the like for an
           expression, ["condition", operator, value], ["list", value, ...], ["text", text], ["shared", i]
    shared tables, transitions and domains, which many constraints or variables have in common
"""

import io
import sys
from collections.abc import Iterator
from typing import Any

from puzzles.plugins.text import one_line

sys.argv = ["crosscheck.py", "-nocompile"]  # else the import compiles a model, and an exit hook writes one

from pycsp3.classes.auxiliary.conditions import Condition, ConditionInterval, ConditionSet, ConditionValue  # noqa: E402
from pycsp3.classes.auxiliary.enums import TypeConditionOperator  # noqa: E402
from pycsp3.classes.main.variables import Variable  # noqa: E402
from pycsp3.classes.nodes import Node, TypeNode  # noqa: E402
from pycsp3.parser.methods import parse_expression, parse_sequence  # noqa: E402
from pycsp3.parser.xentries import XBlock, XGroup, XSlide, XVar  # noqa: E402
from pycsp3.parser.xparser import ParserXCSP3  # noqa: E402
from pycsp3.tools.utilities import ANY  # noqa: E402

Value = Any
OF_ONE = {"in": "eq", "notin": "ne"}  # operators of sets, and those of their only number
SHARED = ("supports", "conflicts", "transitions")
OWN = ("rank", "zeroIgnored", "reifiedBy", "hreifiedFrom", "hreifiedTo")  # attributes of constraints
at = [0]  # the line in hand


compared_with_number = ConditionValue.__init__


def in_range_of_one(condition: Any, operator: Any, number: Any) -> None:
    """Make a condition on a number: pycsp3 takes the range 4..4 for one, and asserts that `in` does not go with it."""
    single = OF_ONE.get(operator.name.lower())
    compared_with_number(condition, TypeConditionOperator.value_of(single) if single else operator, number)


ConditionValue.__init__ = in_range_of_one


class Xcsp3Parser(ParserXCSP3):  # type: ignore[misc]
    """Parser without the parts that are not read, and with the windows of a slide as stated."""

    def parsing_of_constraints_outer(self, elt: Any, args: Any) -> Any:
        at[0] = int(elt.attrib["line"])
        lists = [e for e in elt if e.tag == "list"] if elt.tag == "slide" else []
        offsets, collects = ([int(e.attrib.pop(name, 1)) for e in lists] for name in ("offset", "collect"))
        entry = super().parsing_of_constraints_outer(elt, args)
        entry.lines = [int(e.attrib["line"]) for e in elt if e.tag == "args"]
        if isinstance(entry, XSlide):
            circular = elt.attrib.get("circular") == "true"
            windows = collects if len(lists) > 1 else entry.collects
            entry.scopes = XSlide.build_scopes([part.value for part in entry.lists], offsets, windows, circular)
        return entry

    def parse_objectives(self, elements: Any) -> None:
        """Keep objectives as data, since the parser takes coefficients by their place."""
        for elt in elements:
            at[0] = int(elt.attrib["line"])
            kind = elt.attrib.get("type", "expression")
            if kind == "expression":
                parts = [["function", {}, plain(parse_expression(self, elt.text.strip()))]]
            else:
                lists = list(elt) or [elt]
                parts = [[e.tag if e in elt else "list", {}, plain(parse_sequence(self, e))] for e in lists]
            self.oEntries.append([at[0], elt.tag, kind, parts])

    def parse_annotations(self, elements: Any) -> None:
        """Leave out annotations, which are hints."""

    def compute_var_degrees(self) -> None:
        """Leave out the degrees of variables."""


class Shared:
    """Values that occur more than once, each converted once."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.found: dict[int, tuple[int, object]] = {}  # the object is kept, so its id stays its own

    def index(self, object_: object) -> int:
        """Return the index of an object's value."""
        if id(object_) not in self.found:
            self.found[id(object_)] = len(self.values), object_
            self.values.append(plain(object_))
        return self.found[id(object_)][0]


def parsed(xml: str) -> dict[str, Any]:
    """Return an instance as plain data, or the line and the reason of an error."""
    shared, at[0] = Shared(), 0
    try:
        parser = Xcsp3Parser(io.BytesIO(xml.encode()))
        entries = [x for entry in parser.vEntries for x in ([entry] if isinstance(entry, XVar) else entry.variables)]
        variables = [[x.id, shared.index(x.domain)] for x in entries if x is not None]
        found = [constraint_data(entry, line, shared) for line, entry in constraints(parser.cEntries)]
        objectives = parser.oEntries
    except (Exception, SystemExit) as e:
        return {"line": at[0], "error": one_line(f"{type(e).__name__}: {e}").rstrip(": ")}
    finally:
        Node.all_nodes.clear()  # pycsp3 keeps everything that it ever made
        Variable.name2obj.clear()
    return {"variables": variables, "constraints": found, "objectives": objectives, "shared": shared.values}


def constraints(entries: Any) -> Iterator[tuple[int, Any]]:
    """Yield each constraint with its line; a template is given its arguments one after another."""
    for entry in entries:
        if isinstance(entry, XBlock):
            yield from constraints(entry.subentries)
        elif isinstance(entry, XGroup | XSlide):
            template = entry.template
            scopes = entry.all_args if isinstance(entry, XGroup) else entry.scopes
            for at[0], args in zip(entry.lines or [entry.attributes["line"]] * len(scopes), scopes, strict=True):
                if template.abstraction is not None:
                    check_arguments(template.abstraction, args)
                    template.abstraction.concretize(args)
                yield at[0], template
        else:
            at[0] = entry.attributes["line"]
            yield at[0], entry


def check_arguments(abstraction: Any, args: Any) -> None:
    """Raise ValueError if a template has no use for all of its arguments."""
    rest = any(-1 in mapping for mapping in abstraction.mappings if isinstance(mapping, list))
    needed = abstraction.highestParameterNumber + 1
    if len(args) < needed or (len(args) > needed and not rest):
        raise ValueError(f"{len(args)} arguments for a template that needs {needed}")


def constraint_data(entry: Any, line: int, shared: Shared) -> list[Any]:
    """Return [line, name, attributes, [[part, attributes, value], ...]] for a constraint."""
    parts = []
    for part in entry.ctr_args:
        name = part.type.name.lower()
        value = ["shared", shared.index(part.value)] if name in SHARED else plain(part.value)
        attributes = {k: v for k, v in part.attributes.items() if k.startswith("start") or k in ("closed", "covered")}
        parts.append([name, attributes, value])
    own = {name: stated(entry.attributes[name]) for name in OWN if name in entry.attributes}
    return [line, entry.type.name.lower(), own, parts]


def stated(value: Any) -> Any:
    """Return an attribute, a truth value, a rank or a name, as plain data."""
    return value if isinstance(value, bool | str) else value.name.lower()


def plain(value: Any) -> Value:
    """Return a value of pycsp3 as plain data."""
    if type(value) is int:
        return value
    if isinstance(value, Variable):
        return ["var", value.id]
    if isinstance(value, list | tuple) or value is None:  # None is a table without tuples
        return ["list", *map(plain, value or ())]
    if isinstance(value, range):
        return ["range", value.start, value.stop - 1]
    if isinstance(value, Node):
        if value.type in (TypeNode.VAR, TypeNode.INT):
            return plain(value.cnt)
        return [value.type.lowercase_name, *map(plain, value.cnt if isinstance(value.cnt, list) else [value.cnt])]
    if isinstance(value, Condition):
        return ["condition", value.operator.name.lower(), plain(operand_of(value))]
    return "*" if value is ANY or value == "*" else ["text", str(value)]


def operand_of(condition: Condition) -> Any:
    """Return the operand of a condition: a number, a variable, a range, or the numbers of a set."""
    if isinstance(condition, ConditionInterval):
        return range(condition.min, condition.max + 1)
    return sorted(condition.t) if isinstance(condition, ConditionSet) else condition.right_operand()
