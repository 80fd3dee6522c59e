"""Options of the user for all readers of instances, and files that are read together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from puzzles.readers.malformed import MalformedFile
from puzzles.readers.selecting import Selection


def ignore(note: str) -> None:
    """Ignore a note."""


@dataclass(eq=False)
class ReadTogether:
    """Files that are read one after another, and what was made of those that come next, together with one before."""

    files: tuple[Path, ...] = ()
    ahead: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReaderOptions:
    """Values of the command line's `--as`, `--alphabet` and `--ignore-objective`, and the instances to take.

    `notify` receives notes on files, one line each. With `ignore_objective` instances are decided, not optimised.
    `refuse` receives each file of a folder, pattern or list that can't be read; without it the first ones are errors.
    With `count_models` the number of solutions is wanted, or the sum of their weights. `choose` takes instances of a
    corpus, which it may read more than once.
    """

    as_: str | None = None
    alphabet: str | None = None
    notify: Callable[[str], object] = ignore
    ignore_objective: bool = False
    selection: Selection = field(default_factory=Selection)
    refuse: Callable[[MalformedFile], object] | None = None
    corpus: ReadTogether = field(default_factory=ReadTogether)
    count_models: bool = False
    choose: Callable[[Callable[[], Iterator[Any]]], Iterator[Any]] | None = None
