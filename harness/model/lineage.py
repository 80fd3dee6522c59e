"""Common descent of contenders: two answers support each other only where no part of their making is the same.

solver    the family of the solver: 'cadical' for pysat:cadical195 and dimacs:cadical, 'native' for all of native:*
encoder   the code that wrote the formula; '' where the formula is the problem as it is, which is nobody's work
decoder   the code that read the solutions

Contenders that are independent of the same others make one voice. Evidence keeps the voices that agree on a puzzle as
the bits of one word, hence MAX_VOICES.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backends.answer import UInt64Array
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Text
from encoders.registry import ENCODINGS
from harness.model.contender import Contender

MAX_VOICES = 64  # voices
ENCODERS = {Cnf: "clauses", AllDifferent: "", Booleans: "booleans", Channelled: "booleans", Text: "text"}
DECODERS = {Cnf: "literals", Text: "text"}  # of other formulas each backend reads its own solutions
COLLECTIONS = ("pysat", "dimacs", "lines")  # bases whose variants are solvers of their own
RELATIVES = {"minisat-gh": "minisat", "minisatep": "minisat"}
VERSION = re.compile(r"(?<=.)[-_.]?\d[\d.]*$")


@dataclass(frozen=True)
class Lineage:
    """Solver, encoder and decoder of a contender."""

    solver: str
    encoder: str
    decoder: str

    def independent(self, other: "Lineage") -> bool:
        """Whether the two share none of the three."""
        return (
            self.solver != other.solver
            and (self.encoder != other.encoder or not self.encoder)
            and self.decoder != other.decoder
        )


def family(backend: str) -> str:
    """The solver's name without its version: a variant of COLLECTIONS, else the base name."""
    base, _, variant = backend.partition(":")
    name = variant.partition(":")[0] if base in COLLECTIONS and variant else base
    return RELATIVES.get(name, VERSION.sub("", name))


def lineage(contender: Contender) -> Lineage:
    """The lineage of a contender; its environment makes no difference."""
    encoding = ENCODINGS.get(contender.encoding)
    formula: type = encoding.formula if encoding else object
    base = contender.backend.partition(":")[0]
    encoder = ENCODERS.get(formula, contender.encoding)
    return Lineage(family(contender.backend), encoder, DECODERS.get(formula, base))


@dataclass(frozen=True)
class Voices:
    """The voice of each contender, and for each voice those independent of it, as bits."""

    of: tuple[int, ...]
    independent: UInt64Array


def voices(lineages: Sequence[Lineage]) -> Voices:
    """Group contenders by which others are independent of them; two of one voice never are.

    Voices beyond MAX_VOICES share the last bit, which is then independent only of what all of them are independent of.
    """
    every = list(dict.fromkeys(lineages))
    strangers = [frozenset(j for j, b in enumerate(every) if a.independent(b)) for a in every]
    kinds = {others: min(i, MAX_VOICES - 1) for i, others in enumerate(dict.fromkeys(strangers))}
    voice = [kinds[others] for others in strangers]
    masks = [~0] * (max(voice, default=0) + 1)
    for i, others in enumerate(strangers):
        for j, other in enumerate(voice):
            if j not in others:
                masks[voice[i]] &= ~(1 << other)
    of = dict(zip(every, voice, strict=True))
    whole = (1 << len(masks)) - 1
    return Voices(tuple(of[a] for a in lineages), np.array([mask & whole for mask in masks], np.uint64))
