"""Counting by binary decision diagrams, of dd and OxiDD: hidden variables are quantified, then paths are counted.

The diagram of a formula is the conjunction of its clauses in the order of their largest variables; its size is not
bounded but by memory and time, in OxiDD by NODES, whose memory is taken as they come.
"""

from collections.abc import Mapping
from functools import reduce
from operator import and_, or_
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Unsupported
from backends.counters.counted import CountAsk, TooLate

NODES, CACHED = 1 << 27, 1 << 22


def conjunction(asked: CountAsk, true: Any, false: Any, literal: Mapping[int, Any]) -> Any:
    """Return the diagram of all clauses. Raises TooLate."""
    if asked.weights:
        raise Unsupported("BDDs are asked without weights")
    node = true
    for clause in sorted(asked.clauses, key=lambda clause: max(map(abs, clause), default=0)):
        if now() > asked.deadline:
            raise TooLate
        node = and_(node, reduce(or_, (literal[p] for p in clause), false))
    return node


def dd(asked: CountAsk, options: Mapping[str, int]) -> int:
    """dd.autoref: exact integers."""
    from dd.autoref import BDD

    manager, names = BDD(), {x: f"x{x}" for x in range(1, asked.variables + 1)}
    manager.declare(*names.values())
    positive = {x: manager.var(name) for x, name in names.items()}
    literal = positive | {-x: ~node for x, node in positive.items()}
    node = conjunction(asked, manager.true, manager.false, literal)
    shown = {*asked.projection}
    node = manager.exist([name for x, name in names.items() if x not in shown], node)
    return int(manager.count(node, nvars=len(shown)))


def oxidd(asked: CountAsk, options: Mapping[str, int]) -> int:
    """OxiDD: exact integers."""
    from oxidd.bdd import BDDManager

    manager = BDDManager(NODES, CACHED, 1)
    positive = {x: manager.var(i) for i, x in enumerate(range(1, asked.variables + 1))} if added(manager, asked) else {}
    literal = positive | {-x: ~node for x, node in positive.items()}
    node = conjunction(asked, manager.true(), manager.false(), literal)
    shown = {*asked.projection}
    cube = reduce(and_, (node for x, node in positive.items() if x not in shown), manager.true())
    hidden = asked.variables - len(shown)
    node = node.exists(cube) if hidden else node
    return int(node.sat_count(asked.variables)) >> hidden


def added(manager: Any, asked: CountAsk) -> bool:
    """Add the variables to a manager."""
    if asked.variables:
        manager.add_vars(asked.variables)
    return bool(asked.variables)
