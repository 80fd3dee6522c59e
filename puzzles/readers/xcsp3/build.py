"""The Problem of an instance, from the data of the child, which is checked field by field."""

from collections.abc import Callable
from typing import Any

from puzzles.errors import ParseError
from puzzles.problem import Instance, Problem
from puzzles.readers.building import Ranges, united
from puzzles.readers.xcsp3 import counting, listing, ordering, packing, selecting
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.objectives import objective_of
from puzzles.readers.xcsp3.parts import Parts, integer, is_range, shown
from puzzles.readers.xcsp3.reified import CONNECT, add_reified

CONSTRAINTS: dict[str, Callable[[Xcsp3Model, Parts], None]] = {
    "intension": lambda model, parts: model.require(model.tree(parts.one("function"))),
    "all_different": ordering.add_all_different,
    "all_equal": ordering.add_all_equal,
    "ordered": ordering.add_ordered,
    "lex": ordering.add_lex,
    "sum": counting.add_sum,
    "count": counting.add_count,
    "n_values": counting.add_distinct_values,
    "cardinality": counting.add_cardinality,
    "minimum": counting.add_extreme,
    "maximum": counting.add_extreme,
    "element": selecting.add_element,
    "minimum_arg": selecting.add_extreme_index,
    "maximum_arg": selecting.add_extreme_index,
    "cumulative": packing.add_cumulative,
    "no_overlap": packing.add_no_overlap,
    "bin_packing": packing.add_bin_packing,
    "knapsack": packing.add_knapsack,
    "circuit": packing.add_circuit,
    "channel": selecting.add_channel,
    "precedence": listing.add_precedence,
    "clause": listing.add_clause,
    "instantiation": listing.add_instantiation,
}


def build(name: str, data: dict[str, Any]) -> Instance[Problem]:
    """Return the instance. Raises ParseError with the line of the constraint at fault, Refusal."""
    line = 0
    try:
        variables, constraints, shared = (list(data[part]) for part in ("variables", "constraints", "shared"))
        known = {i: domain(shared[i]) for i in {i for _, i in variables}}
        model = Xcsp3Model([str(name) for name, _ in variables], [known[i] for _, i in variables])
        listings = listing.Listings(shared)
        add = {
            **CONSTRAINTS,
            "extension": listings.add_extension,
            "regular": listings.add_regular,
            "mdd": listings.add_mdd,
        }
        for at, kind, own, items in constraints:
            line = at if type(at) is int else 0
            rows = [(str(name), dict(attributes), value) for name, attributes, value in items]
            parts = Parts(str(kind), rows, dict(own))
            if kind not in add:
                raise ParseError(f"unexpected {shown(kind)}: expected a constraint")
            if CONNECT.keys() & parts.own.keys():
                add_reified(model, parts, add[kind])
            else:
                add[kind](model, parts)
        for at, sense, kind, items in data["objectives"]:
            line = at if type(at) is int else 0
            parts = Parts(str(kind), [(str(name), {}, value) for name, _, value in items])
            model.objective = objective_of(model, parts, maximise=sense == "maximize")
        return model.whole(name)
    except ParseError as e:
        raise ParseError(str(e), line) from None
    except (KeyError, IndexError, TypeError, ValueError) as e:
        raise ParseError(f"pycsp3's parser returned unexpected data: {e}", line) from None


def domain(value: Any) -> Ranges:
    """Return the numbers of a domain. Raises ParseError, Refusal."""
    items = value[1:] if isinstance(value, list) and value[:1] == ["list"] else [value]
    ends = (map(integer, item[1:] if is_range(item) else (item, item)) for item in items)
    return united([(first, last) for first, last in ends])
