"""Lineage of contenders: two answers confirm each other only if solver, encoder and decoder differ.

parts     components of the solver: its name without version, such as 'cadical' for pysat:cadical195 and
          dimacs:cadical, 'native' for all of native:*, solvers inside it (solver_families.py), and its recorded origins
          (origins.py): digests of a program's files, distribution and module of a plug-in
encoder   the code that wrote the formula; '' if the formula is the problem itself, so no code could make it wrong;
          sums by pindakaas are a part of a formula whose rest is ours, so they make no other encoder
decoder   the code that read the solutions
group     class of contenders that are independent of the same others

Evidence stores the groups that agree on a puzzle as bits of one word, hence MAX_GROUPS.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from backends.contract.answer import QUERIES
from backends.contract.options import base_of, split_options
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Text
from encoders.registry import ENCODINGS, Encoding, lookup
from harness.model.contender import Contender
from harness.model.origins.solver_families import DISTRIBUTIONS, canonical, with_contained
from puzzles.problem.arrays import UInt64Array

MAX_GROUPS = 64  # bits of a word
ENCODERS = {Cnf: "clauses", AllDifferent: "", Booleans: "booleans", Channelled: "booleans", Text: "text"}
DECODERS = {Cnf: "literals", Text: "text"}  # solutions of other formulas are decoded by each backend
# What writes the constraints of a base or backend, unless the backend itself does.
WRITERS = {
    **dict.fromkeys(("opb", "lp", "mps", "highs", "scip", "exact", "naps"), "zero-one"),
    **dict.fromkeys(("z3", "cvc5"), "smt-lib"),
    **dict.fromkeys(("choco", "pumpkin", "toulbar2", "fzn"), "flat"),
    **{name: name for name in ("minizinc", "xcsp3", "cpmpy")},
    "native:lazy": "elementary",
}
FORMATS = ("dimacs", "wcnf", "opb", "xcsp3", "fzn", "lp", "mps", "mcc", "lines")  # of programs
# Bases whose variants are separate solvers.
COLLECTIONS = ("pysat", "models", QUERIES, *FORMATS, "minizinc", "cpmpy")
# Contenders that take boards and files alike, to suggest: backend and encoding.
SUGGESTED = (
    ("cpsat", "alldifferent"),
    ("pysat", "extended"),
    ("native", "alldifferent"),
    ("clingo", "alldifferent"),
    ("z3", "alldifferent"),
)
OPTIMISERS = (("cpsat", "alldifferent"), ("pysat:rc2", "extended"), ("native", "alldifferent"))  # the same with a goal
MAX_SUGGESTED = 2
OWN_INTERFACES = ("native", "clingo", "z3", "cpsat")  # of solvers of query scripts; those of python-sat share one


@dataclass(frozen=True)
class Lineage:
    """Parts of the solver, encoder and decoder of a contender."""

    parts: frozenset[str]
    encoder: str
    decoder: str

    def independent(self, other: "Lineage") -> bool:
        """Return True if two lineages share no part, encoder or decoder."""
        return (
            self.parts.isdisjoint(other.parts)
            and (self.encoder != other.encoder or not self.encoder)
            and self.decoder != other.decoder
        )


def family(backend: str) -> str:
    """Return the solver's name without version and options: the variant for COLLECTIONS, else the base name."""
    base, _, variant = split_options(backend)[0].partition(":")
    return canonical(variant.partition(":")[0] if base in COLLECTIONS and variant else base)


def parts(backend: str, origins: str) -> frozenset[str]:
    """Return the components of a solver, by its name and by its recorded origins."""
    words = origins.split()
    named = {word.partition(":")[2] for word in words if word.startswith("solver:")}
    required = {word.partition(":")[2] for word in words if word.startswith("requires:")}
    contained = (solver for name in required for solver in DISTRIBUTIONS.get(name, ()))
    recorded = frozenset(word for word in words if not word.startswith(("solver:", "requires:")))
    return with_contained((family(backend), *named, *contained)) | recorded


def lineage(contender: Contender) -> Lineage:
    """Return the lineage of a contender; its environment does not matter."""
    return lineage_of(contender.backend, contender.encoding, contender.origins)


def lineage_of(backend: str, encoding: str, origins: str = "") -> Lineage:
    """Return the lineage of a contender with this backend and encoding."""
    found = lookup([encoding]).get(encoding)
    formula: type = found.formula if isinstance(found, Encoding) else object
    base = base_of(backend)
    encoder = ENCODERS.get(formula, encoding)
    if formula is AllDifferent:
        encoder = WRITERS.get(base) or WRITERS.get(split_options(backend)[0], encoder)
    if encoding not in ENCODINGS:  # a plug-in's own code wrote even a formula that is the problem itself
        encoder = encoder or encoding
    if base == QUERIES:  # the script goes out as it is, and a model comes back as literals of the solver's interface
        solver = split_options(backend)[0].partition(":")[2]
        return Lineage(parts(backend, origins), "", solver if solver in OWN_INTERFACES else "literals")
    return Lineage(parts(backend, origins), encoder, DECODERS.get(formula, base))


def suggested(took_part: Iterable[tuple[str, str]], goal: bool = False) -> list[str]:
    """Return backends that are independent of all that took part, given by backend and encoding; `goal` to optimise."""
    known = [lineage_of(*each) for each in took_part]
    among = OPTIMISERS if goal else SUGGESTED
    return [name for name, encoding in among if all(map(lineage_of(name, encoding).independent, known))][:MAX_SUGGESTED]


def in_common(took_part: Sequence[tuple[str, str]]) -> str:
    """Return in words what all that took part share, given by backend and encoding; '' of one alone, or if nothing.

    A writer counts even where programs get the original file: a contender has one lineage, whatever the instance.
    """
    known = [lineage_of(*each) for each in took_part]
    if len(known) < 2:
        return ""
    if solvers := frozenset.intersection(*(each.parts for each in known)):
        return f"all have {min(solvers)} inside"
    if known[0].encoder and len({each.encoder for each in known}) == 1:
        return "one writer of ours makes the input of all"
    return "one reader of ours takes the answers of all" if len({each.decoder for each in known}) == 1 else ""


@dataclass(frozen=True)
class LineageGroups:
    """Lineage group of each contender (`of`), and for each group the bit mask of the groups independent of it."""

    of: tuple[int, ...]
    independent: UInt64Array


def one_group(contenders: int) -> LineageGroups:
    """Return the lineage group of contenders with unknown lineage: no contender is independent of another."""
    return LineageGroups((0,) * contenders, np.zeros(1, np.uint64))


def lineage_groups(lineages: Sequence[Lineage]) -> LineageGroups:
    """Return the lineage groups of contenders; members of a group have the same independent others, none in the group.

    Groups beyond MAX_GROUPS share the last bit; its mask has only the groups independent of all of them.
    """
    every = list(dict.fromkeys(lineages))
    independent_of = [frozenset(j for j, b in enumerate(every) if a.independent(b)) for a in every]
    kinds = {others: min(i, MAX_GROUPS - 1) for i, others in enumerate(dict.fromkeys(independent_of))}
    group = [kinds[others] for others in independent_of]
    masks = [~0] * (max(group, default=0) + 1)
    for i, others in enumerate(independent_of):
        for j, other in enumerate(group):
            if j not in others:
                masks[group[i]] &= ~(1 << other)
    of = dict(zip(every, group, strict=True))
    whole = (1 << len(masks)) - 1
    return LineageGroups(tuple(of[a] for a in lineages), np.array([mask & whole for mask in masks], np.uint64))
