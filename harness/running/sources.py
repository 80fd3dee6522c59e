"""Files of instances, for programs that read their format: found at the start, handed on with leases."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backends.programs.backend import format_of
from harness.model.digests import digest
from harness.model.lease import Block
from harness.model.outcome import SOURCES, SourceDigest
from harness.running.blocks import first_instances
from puzzles.identity.duplicates import Duplicate, Duplicates
from puzzles.problem import Instance, SourceFile

Fetch = Callable[[int, int, int], Block]


@dataclass(frozen=True)
class Origins:
    """Where instances come from, by id: their files, and the nanoseconds that a compiler took for them."""

    files: dict[int, SourceFile] = field(default_factory=dict)
    flattened: dict[int, int] = field(default_factory=dict)


def noted(
    instances: Iterable[Instance[Any]], first: int, found: Origins, before: Duplicates, equal: list[Duplicate]
) -> Iterator[Instance[Any]]:
    """Yield the instances, with ids from `first` on, and add their origins to `found`.

    Those that are equal to one `before` are added to `equal`, but for boards, which the journal compares when all are
    stored: a million of them would take longer to compare here than to store.
    """
    for number, instance in enumerate(instances, first):
        if not instance.problem.shared and (duplicate := before.take(instance)):
            equal.append(duplicate)
        if instance.source is not None:
            found.files[number] = instance.source
        if instance.flatten_ns is not None:
            found.flattened[number] = instance.flatten_ns
        yield instance


def original_of(instance: Instance[Any], backend: str) -> SourceDigest | None:
    """Return the file of an instance for a program that reads its format; None for any other backend."""
    source = instance.source
    if source is None or source.format != format_of(backend) or not (found := digest(source.path)):
        return None
    return SourceDigest(str(source.path.resolve()), source.format, found)


def recorded(found: Mapping[int, SourceFile], backends: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the files that programs among these backends read, as JSON-compatible data."""
    formats = set(map(format_of, backends))
    wanted = [(i, source, digest(source.path)) for i, source in found.items() if source.format in formats]
    folders = {folder: folder.resolve() for folder in {source.path.parent for _, source, _ in wanted}}
    paths = [s.path.resolve() if s.path.is_symlink() else folders[s.path.parent] / s.path.name for _, s, _ in wanted]
    return {
        str(i): {"path": str(path), "format": source.format, "digest": found}
        for path, (i, source, found) in zip(paths, wanted, strict=True)
        if found
    }


def files_by_format(meta: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the paths of the files of a journal that programs read, by format."""
    found: dict[str, list[str]] = {}
    for source in meta.get(SOURCES, {}).values():
        found.setdefault(source["format"], []).append(source["path"])
    return found


def with_sources(fetch: Fetch, meta: Mapping[str, Any]) -> Fetch:
    """Return a version of `fetch` whose blocks carry the file of their only instance."""
    sources = {int(i): SourceDigest(**parts) for i, parts in meta.get(SOURCES, {}).items()}
    if not sources:
        return fetch

    def fetch_one(number: int, first: int, last: int) -> Block:
        block = fetch(number, first, last)
        if block.problem.shared:
            return block
        b, source = first_instances(block, 1), sources.get(int(block.puzzles[0]))
        return Block(b.number, b.problem, b.puzzles, b.domains, source, b.alone)

    return fetch_one
