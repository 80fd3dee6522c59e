"""Equal forms of expressions and automata, for solvers and formats with fewer operators.

Conditions under which an expression is defined are stated apart (decision 21). The forms give logical operators truth
values, and make an automaton deterministic.
"""

from collections.abc import Iterator

import numpy as np

from puzzles.constraints.automaton import Automaton
from puzzles.constraints.expression import Tree, evaluated

# Operators with the values 0 and 1.
LOGICAL = {"lt", "le", "ge", "gt", "eq", "ne", "in", "not", "and", "or", "xor", "iff", "imp"}
TAKES_TRUTH = {"not", "and", "or", "xor", "iff", "imp"}


def definitions(tree: Tree) -> Iterator[Tree]:
    """Yield the conditions under which divisions and powers are defined, but for those in divisors and exponents."""
    if tree[0] in ("var", "number", "set"):
        return
    if tree[0] in ("div", "mod"):
        yield ("ne", tree[2], ("number", 0))
    elif tree[0] == "pow":
        yield ("ge", tree[2], ("number", 0))
    else:
        for part in tree[1:]:
            yield from definitions(part)
        return
    yield from definitions(tree[1])


def truth(tree: Tree) -> Tree:
    """Return a tree that is 1 where the given tree is not 0, else 0."""
    return tree if tree[0] in LOGICAL else ("ne", tree, ("number", 0))


def simplified(tree: Tree) -> Tree:
    """Return an equal tree: logical operators have truth values as parts, each operator as many parts as it needs."""
    name, *parts = tree
    if name in ("var", "number", "set"):
        return tree
    if name == "in":
        return (name, simplified(parts[0]), parts[1]) if len(parts[1]) > 1 else ("number", 0)
    inner = [simplified(truth(part) if name in TAKES_TRUTH else part) for part in parts]
    if name == "if":
        inner[0] = simplified(truth(parts[0]))
    if len(inner) == 1 and name in ("add", "mul", "min", "max", "and", "or", "xor"):
        return inner[0]
    if name == "mul" and ("number", 0) in inner:  # Pumpkin 0.5.0 ends the process on a coefficient of 0
        return ("number", 0)
    if all(part[0] == "number" for part in inner):
        value, _ = evaluated((name, *inner), np.zeros((1, 0), np.int64))
        return ("number", int(value[0]))
    if name in ("eq", "iff") and len(inner) > 2:
        return ("and", *((name, inner[0], part) for part in inner[1:]))
    return (name, *inner)


def deterministic(part: Automaton) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Return the transitions and final states of an equal deterministic automaton, whose state 0 is the start."""
    following: dict[int, dict[int, set[int]]] = {}
    for a, number, b in part.transitions:
        following.setdefault(a, {}).setdefault(number, set()).add(b)
    numbered = {frozenset([part.start]): 0}  # number of each set of states
    transitions = []
    waiting = list(numbered)
    for states in waiting:  # which grows
        reached: dict[int, set[int]] = {}
        for a in states:
            for number, ends in following.get(a, {}).items():
                reached.setdefault(number, set()).update(ends)
        for number, ends in sorted(reached.items()):
            found = frozenset(ends)
            if found not in numbered:
                numbered[found] = len(numbered)
                waiting.append(found)
            transitions.append((numbered[states], number, numbered[found]))
    return transitions, [n for states, n in numbered.items() if states & set(part.finals)]
