"""Search for the best solution of an instance with an objective: reports of its worker, over time.

All values are to be minimised, and of any size. Times are nanoseconds from the beginning of the ask.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class StepKind(IntEnum):
    """Kinds of steps."""

    IMPROVED = 0  # a better solution, which was evaluated
    BOUNDED = 1  # a greater value below which no solution is, as the solver states it
    CLAIMED = 2  # a smaller value that a program states, without a solution


class Step(NamedTuple):
    """One step: its time, its kind, and its value.

    value   of an improvement: that of its solution, None if that is not a solution; else as stated
    stated  of an improvement: the stated value, if it is another
    """

    ns: int
    kind: StepKind
    value: int | None
    stated: int | None = None

    @property
    def false(self) -> bool:
        """True for an improvement whose solution breaks the instance or has another value than stated."""
        return self.value is None or self.stated is not None


@dataclass(frozen=True)
class Trajectory:
    """Steps of an ask, and the statements of its answer.

    stated   value of the answer's solution      bound    greatest value below which no solution is
    dropped  number of improvements that were overwritten before they were read
    faults   number of false improvements; `steps` has the first of them
    """

    steps: tuple[Step, ...] = ()
    stated: int | None = None
    bound: int | None = None
    dropped: int = 0
    faults: int = 0

    def of(self, kind: StepKind) -> list[Step]:
        """Return the steps of a kind that are not false, in order of time."""
        return [step for step in self.steps if step.kind == kind and not step.false]


NOTHING = Trajectory()
