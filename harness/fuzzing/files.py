"""Campaigns whose findings are files of instances: a failing case is drawn, shrunk, and written with what fails."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Generic, Protocol, TypeVar

from backends.contract.registry import NO_PROGRAMS
from harness.fuzzing.findings.naming import slug
from harness.model.contender import Contender
from harness.model.outcome import Outcomes
from puzzles.problem import Instance, Problem


class FileCase(Protocol):
    """Case with the text of its file, and the ending of its name."""

    def text(self) -> str: ...

    @property
    def ending(self) -> str: ...


Case = TypeVar("Case", bound=FileCase)


class AskedWorker(Protocol):
    """Worker of one contender, which another ask starts again after `close`."""

    answered: int

    def ask(self, instance: Instance[Problem]) -> Outcomes: ...

    def close(self) -> None: ...


class FileFuzzer(ABC, Generic[Case]):
    """Campaign: workers of the contenders, which `opened` makes."""

    def __init__(
        self,
        contenders: Sequence[Contender],
        opened: Callable[[Contender], AskedWorker],
        seed: int = 1,
        programs: Mapping[str, str] = NO_PROGRAMS,
    ) -> None:
        self.opened, self.random, self.programs = opened, Random(seed), programs
        self.askers = {contender.name: opened(contender) for contender in contenders}
        self.contenders, self.cases = contenders, 0

    @abstractmethod
    def drawn(self) -> Case:
        """Return a random case."""

    @abstractmethod
    def failure(self, contender: Contender, case: Case) -> str:
        """Return what is wrong with a contender's answer, '' if nothing."""

    @abstractmethod
    def shrunk(self, contender: Contender, case: Case, why: str) -> tuple[Case, str]:
        """Return a smaller case with the failure of the same kind."""

    def run(self, seconds: float | None, cases: int | None, folder: Path) -> Iterator[tuple[str, str, Path]]:
        """Yield contender, failure and file of each failure, once for each contender and kind."""
        until, known = monotonic() + (seconds or float("inf")), set[tuple[str, str]]()
        try:
            while monotonic() < until and self.cases < (cases or float("inf")):
                case, self.cases = self.drawn(), self.cases + 1
                for contender in self.contenders:
                    if (why := self.failure(contender, case)) and (contender.name, kind_of(why)) not in known:
                        known.add((contender.name, kind_of(why)))
                        least, why = self.shrunk(contender, case, why)
                        name = f"{slug(contender.backend)}-{slug(kind_of(why))}.{least.ending}"
                        yield contender.name, why, written(folder / name, f"{contender.name}: {why}", least)
        finally:
            self.close()

    def close(self) -> None:
        """End the workers."""
        for asker in self.askers.values():
            asker.close()


def kind_of(why: str) -> str:
    """Return the kind of a failure: the name of its identity, without numbers."""
    return why.partition(":")[0]


def written(path: Path, why: str, case: FileCase) -> Path:
    """Write a failing case with what fails as its comment; return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"c {why}\n{case.text()}")
    return path
