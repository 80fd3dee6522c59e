"""Encodings of weighted sums by pindakaas, a Rust library with a Python package (extra `pb`, MPL-2.0).

    pindakaas-adder, -decision-diagram, -mixed-radix, -sequential-counter, -totalizer, -watchdog

Names are those of its encoders. A chain becomes one integer on its order literals. Other groups become one integer on
direct literals, of which exactly one must be true, so "none of the group" gets an auxiliary one. The package is
imported when the first sum is encoded.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

from encoders.encoding import NoEncoding
from encoders.integers import TooLarge, Variables
from encoders.linear.groups import LiteralGroup, size, total
from puzzles.packages import install

OLDEST = (0, 6, 1)
INSTALL = install("pindakaas")
HIGHEST = 1 << 60  # greatest sum: in 0.6.1, numbers beyond 64 bits overflow and no clauses are made, without an error
LARGEST = 2_000_000  # estimate of the clauses of one sum, which has at most four times as many

Method = Callable[[Sequence[LiteralGroup], int], int]


def counted(groups: Sequence[LiteralGroup], bound: int) -> int:
    """Return an estimate of the clauses of a sequential counter."""
    return 2 * size(groups) * bound


def layered(groups: Sequence[LiteralGroup], bound: int) -> int:
    """Return the edges of the largest diagram: a level has a node for each sum of the groups above, or below."""
    forward, backward = [1], [1]
    for widths, ordered in ((forward, groups), (backward, groups[::-1])):
        for group in ordered:
            widths.append(min(bound + 1, widths[-1] * (len(group.weights) + 1)))
    nodes = map(min, forward, backward[::-1])
    return sum(n * (len(group.weights) + 1) for n, group in zip(nodes, groups, strict=False))


def paired(groups: Sequence[LiteralGroup], bound: int) -> int:
    """Return the clauses of the largest totalizer: for each node but the root, the pairs of its children's sums."""
    level = [(len(group.weights) + 1, group.weights[-1]) for group in groups]
    pairs = 0
    while len(level) > 2:
        above = []
        for (a, high), (b, higher) in zip(level[::2], level[1::2], strict=False):
            pairs += a * b
            above.append((min(a * b, bound + 1, high + higher + 1), high + higher))
        level = above + level[len(level) & ~1 :]
    return pairs


# Encoder of the package, and an estimate of its clauses where they may be many.
ENCODERS: dict[str, tuple[str, Method | None]] = {
    "pindakaas-adder": ("ADDER", None),
    "pindakaas-decision-diagram": ("DECISION_DIAGRAM", layered),
    "pindakaas-mixed-radix": ("MIXED_RADIX", None),
    "pindakaas-sequential-counter": ("SEQUENTIAL_COUNTER", counted),
    "pindakaas-totalizer": ("TOTALIZER", paired),
    "pindakaas-watchdog": ("WATCHDOG", None),
}


def missing() -> str:
    """Return why the package can't be used and what to install, '' if it can; without importing the package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("pindakaas")
    except PackageNotFoundError:
        return f"pindakaas is not installed: {INSTALL}"
    known = tuple(map(int, re.findall(r"\d+", found)[:3]))
    return f"pindakaas {found} is too old: {INSTALL} --upgrade" if known < OLDEST else ""


@cache
def package() -> Any:
    """Import the package. Raises NoEncoding."""
    if why := missing():
        raise NoEncoding(why)
    return import_module("pindakaas")


def encode(encoder: str, most: Method | None, groups: Sequence[LiteralGroup], bound: int, v: Variables) -> None:
    """Add clauses for `sum <= bound`. Raises TooLarge, before the first clause, and NoEncoding."""
    library = package()
    if total(groups) >= HIGHEST:
        raise TooLarge(f"sums up to {total(groups):,}, where pindakaas takes less than 2^60")
    if most and most(groups, bound) > LARGEST:
        raise TooLarge(f"pindakaas' {encoder} of {size(groups):,} literals up to {bound:,}")
    formula = library.CNF()
    expression: Any = 0
    ours: list[int] = [0]  # our literal for each of its variables
    for group in groups:
        term, literals = term_of(formula, group, v)
        expression += term
        ours += literals
    formula.add_encoding(expression <= bound, getattr(library.Encoder, encoder))
    header, *clauses = formula.to_dimacs().splitlines()
    ours += [v.new() for _ in range(int(header.split()[2]) + 1 - len(ours))]
    for line in clauses:
        v.add([ours[x] if x > 0 else -ours[-x] for x in map(int, line.split()[:-1])])


def term_of(formula: Any, group: LiteralGroup, v: Variables) -> tuple[Any, Sequence[int]]:
    """Return a group as a term over new variables of the package's formula, and our literals for these variables."""
    if len(group.weights) == 1:
        return group.weights[0] * formula.new_var(), group.literals
    domain = (0, *group.weights)
    if group.chain:
        return formula.int_var_from_order_literals(domain, formula.new_vars(len(group.weights))), group.literals
    none = v.new()
    v.add((none, *group.literals))
    for x in group.literals:
        v.add((-none, -x))
    literals = (none, *group.literals)
    return formula.int_var_from_direct_literals(domain, formula.new_vars(len(literals))), literals


PINDAKAAS = {name: partial(encode, *chosen) for name, chosen in ENCODERS.items()}
