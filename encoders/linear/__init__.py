"""Encodings of weighted sums as clauses: one function per encoding, named as in the literature.

Each adds clauses for `sum <= bound`, of groups of literals with positive weights (encoders/linear/groups.py), none
above the bound, which together exceed it.

    name        auxiliaries              propagates   source
    mixed       mdd where it is small, else adder     Een & Soerensson 2006, as in minisat+
    totalizer   sums that a node can be  fully        Joshi, Martins & Manquinho 2015; cut off at the bound
    mdd         nodes of the diagram     fully        Abio et al. 2012, Bofill et al. 2019; groups by falling weight
    swc         groups times the bound   fully        Hoelldobler, Manthey & Steinke 2012
    adder       bits of the sums         partly       Warners 1998, Een & Soerensson 2006

Those of the package pindakaas are in encoders/linear/pindakaas.py. Auxiliaries may not be determined by the variables,
so models are counted projected onto the variables.
"""

from collections.abc import Callable, Sequence

from encoders.integers import TooLarge, Variables
from encoders.linear.adders import adder
from encoders.linear.counters import swc
from encoders.linear.diagrams import allowance, mdd
from encoders.linear.groups import LiteralGroup
from encoders.linear.pindakaas import PINDAKAAS as PINDAKAAS
from encoders.linear.sum_trees import totalizer

LinearEncoding = Callable[[Sequence[LiteralGroup], int, Variables], None]


def mixed(groups: Sequence[LiteralGroup], bound: int, v: Variables) -> None:
    """Use a decision diagram where it is small, else an adder, as minisat+ does."""
    try:
        mdd(groups, bound, v, allowance(groups))
    except TooLarge:
        adder(groups, bound, v)


# The first is the default.
LINEAR: dict[str, LinearEncoding] = {"mixed": mixed, "totalizer": totalizer, "mdd": mdd, "swc": swc, "adder": adder}
