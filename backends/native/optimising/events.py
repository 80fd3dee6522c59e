"""Events of a search for the best model, for a trace. Literals are those of DIMACS."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Improved(NamedTuple):
    """A model of a lower value was found."""

    value: int


class Assumed(NamedTuple):
    """The next stratum: so many soft literals, each of at least a weight, are assumed from now on."""

    weight: int
    literals: int


class Core(NamedTuple):
    """At least one of the soft literals is false in each model that is left, which costs `weight`; `lower` is the new
    bound. A core without literals says that no better model is left.
    """

    literals: tuple[int, ...]
    weight: int
    lower: int


class Counted(NamedTuple):
    """New soft literal: fewer than `k` of a core's literals are false. `core` is the negation of these."""

    literal: int
    core: tuple[int, ...]
    k: int
    weight: int
    lower: int


class CoreCounter(Protocol):
    """Node of a tree over `size` literals, its leaves: output k is true if k of them are. A leaf has no parts."""

    size: int
    outputs: list[int]

    @property
    def leaves(self) -> tuple[int, ...]: ...

    @property
    def parts(self) -> Sequence["CoreCounter"]: ...


class Grown(NamedTuple):
    """The counter of a core has further outputs, and so may its parts."""

    counter: CoreCounter


class Hardened(NamedTuple):
    """Soft literals that are true in each better model, since each costs more than there is between bound and value."""

    literals: tuple[int, ...]


class Improving(NamedTuple):
    """Solution-improving search takes its turn; None: without a value to improve on."""

    below: int | None


Event = Improved | Assumed | Core | Counted | Grown | Hardened | Improving


def untold(event: Event) -> None:
    """Tell nobody."""
