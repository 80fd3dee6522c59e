"""Random seeds: whole-number options whose names end in `seed`, for which a run may draw a value for each repeat."""

from collections.abc import Mapping, Sequence
from random import Random

from backends.contract.options import LARGEST_INT, Option, Value

SEED = Option("seed", "int", least=0, most=LARGEST_INT)
LARGEST_DRAWN = 10**9  # within the bounds of the options that we state


def drawn(seed: int, repeat: int) -> int:
    """Return the random seed of all contenders in a repeat, drawn by the seed of the run."""
    return Random(f"{seed}/{repeat}/seeds").randint(1, LARGEST_DRAWN)


def with_seed(known: Sequence[Option], options: Mapping[str, Value], seed: int) -> dict[str, Value]:
    """Add a random seed to options, for each known option for one, unless one of these is stated."""
    free = [option for option in known if option.type == "int" and option.name.lower().endswith(SEED.name)]
    if any(option.name in options for option in free):
        return dict(options)
    return {option.name: seed for option in free} | dict(options)
