"""Random symmetries of puzzles: permuted squares, relabelled values. Verdict and count stay the same.

Each symmetry is drawn from (seed, repeat, puzzle), so it can be recomputed and undone without being stored.

    image   int[n, squares], new position of each square       label   int[n, values], new label of each value
"""

from dataclasses import dataclass, replace
from random import Random

import numpy as np
import numpy.typing as npt

from harness.model.outcome import Batch, Outcomes, no_value
from puzzles.boards.families import family_of
from puzzles.boards.layout import Layout
from puzzles.problem.arrays import UInt64Array

Index = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Symmetries:
    """One symmetry per puzzle of a batch."""

    image: Index
    label: Index


def draw_symmetries(layout: Layout, batch: Batch, seed: int) -> Symmetries:
    """Draw the symmetries of a batch."""
    family, values = family_of(layout), range(len(layout.values))
    image, label = [], []
    for puzzle in batch.puzzles.tolist():
        random = Random(f"{seed}/{batch.repeat}/{puzzle}")
        image.append(family.symmetry(layout, random) if family else range(len(layout.squares)))
        label.append(random.sample(values, len(values)))
    return Symmetries(np.array(image, np.intp), np.array(label, np.intp))


def relabelled(domains: UInt64Array, label: Index) -> UInt64Array:
    """Return domains uint64[n, squares, words] with value v relabelled label[:, v]."""
    result = np.zeros_like(domains)
    puzzle = np.arange(len(domains))
    for v in range(label.shape[1]):
        has = domains[:, :, v >> 6] >> np.uint64(v & 63) & np.uint64(1)
        to = label[:, v]
        result[puzzle, :, to >> 6] |= has << (to & 63).astype(np.uint64)[:, None]
    return result


def scrambled(batch: Batch, seed: int) -> Batch:
    """Return the batch with each puzzle under its symmetry; problems other than boards are unchanged."""
    if not isinstance(batch.problem, Layout):
        return batch
    s = draw_symmetries(batch.problem, batch, seed)
    domains = np.empty_like(batch.domains)
    np.put_along_axis(domains, s.image[:, :, None], relabelled(batch.domains, s.label), axis=1)
    return replace(batch, domains=domains)


def unscrambled(outcomes: Outcomes, seed: int) -> Outcomes:
    """Return the outcomes with the domains and solutions of the original puzzles."""
    batch = outcomes.batch
    if not isinstance(batch.problem, Layout):
        return outcomes
    s = draw_symmetries(batch.problem, batch, seed)
    back = np.argsort(s.label, axis=1)
    domains = relabelled(np.take_along_axis(batch.domains, s.image[:, :, None], axis=1), back)
    owner = np.repeat(np.arange(len(outcomes.rows)), outcomes.rows["found"])
    placed = np.take_along_axis(outcomes.solutions, s.image[owner], axis=1)
    none = no_value(placed)
    known = placed != none
    values = np.take_along_axis(back[owner], np.where(known, placed, 0).astype(np.intp), axis=1)
    solutions = np.where(known, values, none).astype(placed.dtype)
    return replace(outcomes, batch=replace(batch, domains=domains), solutions=solutions)
