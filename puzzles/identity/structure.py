"""Structure of a problem without the names and the order of its parts: constraints as trees, and a graph of all nodes.

tree   a variable, as its index, or a node; children of a node are a list, or a set where their order means nothing
graph  variables are its first nodes; then one node for each node of a tree, whose edges go to its children
"""

import hashlib
import marshal
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzles.constraints import moving
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import Table
from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Constraint, Instance, Objective

Int64Array = npt.NDArray[np.int64]
COMMUTES = {"add", "mul", "min", "max", "and", "or", "xor", "eq", "ne", "iff", "dist"}  # operators of expressions


class StructureNode(NamedTuple):
    """Part of a constraint: what it is, its children, and True if these are a list."""

    label: Any
    children: tuple[Any, ...]
    ordered: bool = False


class Graph(NamedTuple):
    """Nodes by their first colours, int64[nodes], and edges from parents to children with labels, int64[edges]."""

    colours: Int64Array
    parents: Int64Array
    children: Int64Array
    labels: Int64Array


def as_bytes(part: Any) -> bytes:
    """Return numbers, texts and sequences of these as bytes; a decimal text would limit the length of a number."""
    return marshal.dumps(part, 0)  # the version without references, which depend on what is the same object


def key(part: Any) -> int:
    """Return 64 bits of the digest of a part, as a signed number."""
    return int.from_bytes(hashlib.blake2b(as_bytes(part), digest_size=8).digest(), "little", signed=True)


def unordered(variables: Iterable[Any]) -> StructureNode:
    return StructureNode("set", tuple(variables))


def labelled(label: Any, x: Any) -> StructureNode:
    return StructureNode(label, (x,))


def ordered_row(constraint: Constraint, row: Any) -> StructureNode:
    """Return the tree of a row whose variables are a list."""
    seen = list[int]()

    def at(x: int) -> int:
        seen.append(x)
        return 0

    return StructureNode(moving.move(type(constraint), row, at), tuple(seen), ordered=True)


def expression_tree(tree: Any) -> Any:
    if tree[0] == "var":
        return tree[1]
    if tree[0] in ("number", "set"):
        return StructureNode(tree, ())
    parts = tree[1:]
    return StructureNode(tree[0], tuple(map(expression_tree, parts)), ordered=tree[0] not in COMMUTES)


def clause_tree(row: Sequence[int]) -> StructureNode:
    return StructureNode("clause", tuple(labelled(x > 0, abs(x) - 1) for x in row))


def sum_tree(label: Any, terms: Iterable[tuple[int, int]]) -> StructureNode:
    return StructureNode(label, tuple(labelled(a, x) for a, x in terms))


def row_tree(constraint: Constraint, row: Any) -> StructureNode:
    """Return the tree of a row of a constraint."""
    match constraint:
        case AllDifferent():
            return unordered(row)
        case Clauses():
            return clause_tree(row)
        case Linear():
            return sum_tree(("sum", row[2], row[3]), zip(*row[:2], strict=True))
        case MinMax():
            return StructureNode((row[0], row[2]), (unordered(row[1]), row[3]), ordered=True)
        case Count() | NValues():
            return StructureNode((sorted(row[1]), row[2]), (unordered(row[0]), row[3]), ordered=True)
        case Cardinality():
            occurrences = unordered(labelled(n, x) for n, x in zip(*row[1:3], strict=True))
            return StructureNode(bool(row[3]), (unordered(row[0]), occurrences), ordered=True)
        case Cumulative():
            tasks = unordered(StructureNode("task", task, ordered=True) for task in zip(*row[:3], strict=True))
            return StructureNode("limit", (tasks, row[3]), ordered=True)
        case NoOverlap():
            boxes = (StructureNode("box", (*a, *b), ordered=True) for a, b in zip(*row[:2], strict=True))
            return StructureNode(bool(row[2]), tuple(boxes))
        case Expression():
            return StructureNode("true", (expression_tree(row),))
    return ordered_row(constraint, row)


def shared_label(constraint: Constraint) -> Any:
    """Return what all rows of a constraint have in common."""
    if isinstance(constraint, Table):
        return constraint.kind, constraint.positive, sorted(map(tuple, constraint.rows.tolist()))
    if isinstance(constraint, Automaton):
        return constraint.kind, sorted(constraint.transitions), constraint.start, sorted(constraint.finals)
    return constraint.kind


def constraint_trees(constraint: Constraint) -> Iterator[StructureNode]:
    """Yield the tree of each row of a constraint."""
    if isinstance(constraint, UnsupportedParts):
        yield StructureNode((constraint.kind, constraint.names), ())
        return
    label = key(shared_label(constraint))
    for row in moving.rows_of(constraint):
        yield StructureNode(label, (row_tree(constraint, row),))


def objective_trees(goal: Objective | None) -> Iterator[StructureNode]:
    """Yield the trees of an objective."""
    if isinstance(goal, LinearObjective):
        yield sum_tree(("objective", goal.maximise, goal.offset), goal.terms)
    elif isinstance(goal, SoftClauses):
        yield from (StructureNode(("soft", weight), (clause_tree(row),)) for weight, row in goal.rows)
    elif isinstance(goal, ExpressionObjective):
        yield StructureNode(("objective", goal.maximise), (expression_tree(goal.tree),))
    elif goal is not None:
        yield StructureNode((goal.kind, repr(goal.data())), ())


def trees_of(instance: Instance[Any]) -> Iterator[StructureNode]:
    """Yield the trees of all rows of constraints, and of the objective."""
    for constraint in instance.problem.constraints:
        yield from constraint_trees(constraint)
    yield from objective_trees(instance.problem.objective)


class GraphBuilder:
    """Graph under construction, of a number of variables."""

    def __init__(self, first: Int64Array) -> None:
        self.size = len(first)
        self.colours: list[Int64Array] = [first]
        self.edges: list[Int64Array] = []  # [3, edges]: parents, children, labels
        self.keys: dict[bytes, int] = {}

    def key(self, label: Any) -> int:
        """Return the key of a label that may occur often."""
        text = as_bytes(label)
        if text not in self.keys:
            self.keys[text] = key(label)
        return self.keys[text]

    def add(self, colours: Int64Array, parents: Int64Array, children: Int64Array, labels: Int64Array) -> None:
        """Add nodes, and edges from these, numbered from 0, to nodes of the graph."""
        self.edges.append(np.stack([parents + self.size, children, labels]))
        self.colours.append(colours)
        self.size += len(colours)

    def add_clauses(self, part: Clauses) -> None:
        """Add clauses as nodes, without one for each literal."""
        ends = part.flat == 0
        rows = np.cumsum(ends) - ends
        literals, inside = part.flat[~ends].astype(np.int64), rows[~ends]
        signs = np.where(literals > 0, self.key(True), self.key(False))
        self.add(clause_colours(part.flat), inside, np.abs(literals) - 1, signs)

    def add_sums(self, part: Linear) -> None:
        """Add sums as nodes, without one for each term."""
        kinds = zip(part.comparisons.tolist(), part.bounds.tolist(), strict=True)
        colours = np.array([self.key((tuple(COMPARISONS)[code], bound)) for code, bound in kinds], np.int64)
        rows = np.repeat(np.arange(len(part)), np.diff(part.starts))
        labels = np.array([self.key(a) for a in part.coefficients.tolist()], np.int64)
        self.add(colours, rows, part.variables.astype(np.int64), labels)

    def add_trees(self, trees: Iterable[StructureNode]) -> None:
        """Add trees node by node."""
        colours, edges, before = list[int](), list[tuple[int, int, int]](), self.size

        def visit(node: Any) -> int:
            """Return the number of a node in the graph."""
            if not isinstance(node, StructureNode):
                return int(node)
            here = len(colours)
            colours.append(self.key((node.label, node.ordered, len(node.children))))
            for i, child in enumerate(node.children):
                edges.append((here, visit(child), self.key(i if node.ordered else "child")))
            return before + here

        for tree in trees:
            visit(tree)
        columns = np.array(edges, np.int64).reshape(-1, 3).T
        self.add(np.array(colours, np.int64), *columns)

    def graph(self) -> Graph:
        """Return the graph."""
        edges = np.concatenate([np.empty((3, 0), np.int64), *self.edges], axis=1)
        return Graph(np.concatenate(self.colours), *edges)


def clause_colours(flat: npt.NDArray[Any]) -> Int64Array:
    """Return the first colour of each clause, by its number of literals."""
    return key(Clauses.kind) + np.diff(np.flatnonzero(flat == 0), prepend=-1) - 1


def first_colours(instance: Instance[Any]) -> Int64Array:
    """Return the first colour of each variable: of its domain, and of a variable that the source does not show."""
    domains = instance.domains
    keys = {domain: key(domain) for domain in set(domains)}
    found = np.fromiter(map(keys.__getitem__, domains), np.int64, len(domains))
    found[list(instance.problem.free)] += key("free")
    return found


def graph_of(instance: Instance[Any]) -> Graph:
    """Return the graph of an instance."""
    made = GraphBuilder(first_colours(instance))
    for constraint in instance.problem.constraints:
        if isinstance(constraint, Clauses):
            made.add_clauses(constraint)
        elif isinstance(constraint, Linear):
            made.add_sums(constraint)
        else:
            made.add_trees(constraint_trees(constraint))
    made.add_trees(objective_trees(instance.problem.objective))
    return made.graph()
