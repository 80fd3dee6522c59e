"""Selection of the instances of a corpus: patterns that names must match, and those that names must not match."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import accumulate
from pathlib import Path
from typing import Any

from puzzles.errors import printable_path
from puzzles.problem import Instance

Patterns = tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """Patterns of --only and --exclude, with the wildcards of a shell; `*` stands for slashes too.

    A pattern matches the name of an instance, of its file or of a folder in its name, a leading part of that name, and
    the path of its file. `matched` are the patterns that have matched something.
    """

    only: Patterns = ()
    exclude: Patterns = ()
    matched: set[str] = field(default_factory=set)

    def takes(self, name: str, path: Path) -> bool:
        """Return True if the instance of this name, in the file at `path`, is selected."""
        if not (self.only or self.exclude):
            return True
        texts = spellings(name, path)
        wanted = self.matching(self.only, texts)
        return not self.matching(self.exclude, texts) and (wanted or not self.only)

    def skips(self, name: str, path: Path) -> bool:
        """Return True if no instance of a file can be selected, so that the file need not be read."""
        if not (self.only or self.exclude):
            return False
        texts = spellings(name, path)
        by_line = any(":" in pattern for pattern in self.only)
        wanted = not self.only or by_line or self.matching(self.only, texts)
        return self.matching(self.exclude, texts) or not wanted

    def matching(self, patterns: Patterns, texts: Iterable[str]) -> bool:
        """Return True if some pattern matches some text."""
        found = {pattern for pattern in patterns if any(fnmatchcase(text, pattern) for text in texts)}
        self.matched.update(found)
        return bool(found)

    def unmatched(self) -> Iterator[str]:
        """Yield a note on each pattern that has matched nothing."""
        for option, patterns in (("--only", self.only), ("--exclude", self.exclude)):
            missed = (pattern for pattern in patterns if pattern not in self.matched)
            yield from (f"{option} {pattern!r} matches no instance" for pattern in missed)


def spellings(name: str, path: Path) -> list[str]:
    """Return the texts that a pattern may match: an instance, its file, and each folder in its name."""
    file, colon, line = name.rpartition(":")
    if not (colon and line.isdecimal()):
        file, line = name, ""
    parts, paths = file.split("/"), [printable_path(path)]
    found = [*accumulate(parts, "{}/{}".format), *parts, *paths]
    return [*found, *(f"{text}:{line}" for text in (file, parts[-1], *paths))] if line else found


def selected(instances: Iterable[Instance[Any]], selection: Selection, path: Path) -> Iterator[Instance[Any]]:
    """Return the selected instances of a file."""
    if not (selection.only or selection.exclude):
        return iter(instances)
    return (instance for instance in instances if selection.takes(instance.name, path))
