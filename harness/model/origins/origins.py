"""Origins of a contender, recorded with it: the files and packages behind its answers, whatever its name is.

They are words in one text, in this order, '' in older journals:

    solver:NAME          a known solver, by the file name of a program
    sha256:DIGITS        a file of a program's command, or of a plug-in's package
    distribution:NAME    of the plug-in that is its backend or its encoding
    module:NAME          top-level module of the plug-in
    requires:NAME        distribution that the plug-in requires, if solvers are known to be in it

Two contenders with a word in common are not independent (lineage.py). A file has the first DIGITS of its SHA-256, so
copies of it under two names have one word. Small files of packages have none: many are empty or nearly so.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from backends.contract.options import ARGUMENTS, arguments, base_of, parse_options, split_options
from backends.contract.registry import BUILT_IN, NO_PROGRAMS
from backends.contract.registry import GROUP as BACKENDS
from backends.contract.seeds import SEED
from backends.programs.backend import command, program_of
from encoders.plugged import GROUP as ENCODINGS
from encoders.registry import ENCODINGS as BUILT_IN_ENCODINGS
from harness.model.digests import digest
from harness.model.origins.command_files import command_files, is_tool, solving_files
from harness.model.origins.solver_families import DISTRIBUTIONS, KNOWN, canonical
from puzzles.plugins import entries

DIGITS = 16  # digits kept of a digest: no two are equal by chance, and making two equal gains nothing
MIN_BYTES = 200  # least size of a package's file that counts
MAX_FILES = 200  # files of a package


def origins(backend: str, encoding: str, programs: Mapping[str, str] = NO_PROGRAMS) -> str:
    """Return the origins of a contender: of its program or plug-in, and of a plug-in's encoding."""
    found = set(program_words(backend, programs))
    base = base_of(backend)
    if base not in BUILT_IN:
        found |= set(plugin_words(BACKENDS, base))
    if encoding not in BUILT_IN_ENCODINGS:
        found |= set(plugin_words(ENCODINGS, encoding))
    return " ".join(sorted(found, key=lambda word: (not word.startswith("solver:"), word)))


def program_words(backend: str, programs: Mapping[str, str]) -> Iterator[str]:
    """Yield the words of the program of a backend, nothing for any other backend."""
    known = command(backend, programs) if program_of(backend) else None
    if known is None:
        return
    plain, options = split_options(backend)
    words = (*known.words, *arguments(parse_options(plain, (ARGUMENTS, SEED), options)))
    for path in solving_files(command_files(words)):
        if canonical(path.stem) in KNOWN and not is_tool(path):
            yield f"solver:{canonical(path.stem)}"
        if found := file_digest(path):
            yield f"sha256:{found}"


def plugin_words(group: str, name: str) -> Iterator[str]:
    """Yield the words of a plug-in, nothing if there is none of that name."""
    from puzzles.plugins.requirements import normalised, required
    from puzzles.plugins.store import sources

    entry = entries(group).get(name)
    if entry is None:
        return
    yield f"module:{entry.module.partition('.')[0]}"
    if entry.dist is not None:
        yield f"distribution:{normalised(''.join(entry.dist.name.split()))}"
        yield from (f"requires:{other}" for other in required(entry) & DISTRIBUTIONS.keys())
    for path in sources(entry.module)[:MAX_FILES]:
        if path.is_file() and path.stat().st_size >= MIN_BYTES and (found := file_digest(path)):
            yield f"sha256:{found}"


def file_digest(path: Path) -> str:
    """Return the first digits of the digest of a file, '' if it can't be read."""
    try:
        facts = path.stat()
    except OSError:
        return ""
    return digest_of(path, facts.st_mtime_ns, facts.st_size)


@cache
def digest_of(path: Path, changed: int, size: int) -> str:
    """Return the first digits of the digest of a file; time of change and size are the key of the cache."""
    return (digest(path) or "")[:DIGITS]
