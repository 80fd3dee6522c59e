"""Find a corpus by path or by bare name (`hardest`, `hardest.txt`), from any working directory.

An existing file takes precedence over a shipped one of the same name; - is standard input. Shipped corpora are beside
this module; paths of their former folder, the parent of this one, still name them.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from puzzles.errors import BadInput, printable_path
from puzzles.readers.folder import EXPECTED, instance_files, is_pattern, is_remote, listing_of
from puzzles.readers.source import STDIN

HOME = Path(__file__).parent
FORMER = HOME.parent  # former folder of the shipped files, which journals still name
ENDINGS = (".txt", ".col", ".pls", ".csv")


@dataclass(frozen=True)
class Corpus:
    """A shipped file or folder of puzzles.

    title      the first line of its leading comment, or empty
    optimised  True if its instances have objectives, so that its claims have values
    """

    name: str
    path: Path
    title: str
    optimised: bool


def shipped() -> list[Corpus]:
    """Return all shipped corpora, sorted by name; only the leading comment of each is read."""
    return [Corpus(path.name, path, title(path), states_values(path)) for path in _files()]


def find(name: str) -> Path:
    """Return the file or folder that `name` refers to, or `name` as a pattern that matches some files, or as a list.

    Raises BadInput, with close matches, if there is none.
    """
    if name == "-":
        return STDIN
    if is_remote(name):
        from puzzles.readers.remote import fetched  # which loads what speaks to servers

        return fetched(name)
    path = Path(name)
    if name and (os.path.lexists(path) or (is_pattern(path) and instance_files(path))):
        return path
    if file := listing_of(path):
        if not file.is_file():
            raise BadInput(f"{name}: no such list of instances: {printable_path(file)}")
        return path
    for known in _files():
        if name in (known.name, known.stem) or path.absolute() == FORMER / known.name:
            return known
    if path.parent == Path(FORMER.name) and (known := HOME / path.name) in _files():
        return known
    shown = repr(name)[1:-1] or "''"
    if is_pattern(path):
        raise BadInput(f"{shown}: no instance matches")
    import difflib  # needed only for this error

    near = difflib.get_close_matches(path.stem, {known.stem for known in _files()}, n=3, cutoff=0.6)
    texts = ", ".join(known.stem for known in _files() if known.suffix in ("", ENDINGS[0]))
    hint = (
        f"did you mean {' or '.join(near)}?"
        if near
        else f"shipped corpora are {texts}, and graphs: see `list --corpora`"
    )
    raise BadInput(f"{shown}: no such file, and no corpus of that name; {hint}")


def shipped_name(path: Path) -> str | None:
    """Return the name of the shipped file at a path, its present or its former path; None for any other file."""
    return path.name if path.parent in (HOME, FORMER) and (HOME / path.name).is_file() else None


def title(path: Path) -> str:
    """Return the first non-empty line of a file's leading comment, or ''; a folder's title is in its expected.csv."""
    with (path / EXPECTED if path.is_dir() else path).open(encoding="utf-8") as file:
        for line in file:
            mark, text = line[:1], line[1:].strip()
            if mark not in ("#", "c") or (mark == "c" and line[1:2].strip()):
                return ""
            if text and line[:2] not in ("#:", "#!"):
                return text
    return ""


def states_values(path: Path) -> bool:
    """Return True for a folder whose claims have values."""
    if not path.is_dir():
        return False
    with (path / EXPECTED).open(encoding="utf-8") as file:
        return next((line for line in file if not line.startswith("#")), "").strip() == "file,status,value"


def _files() -> Iterator[Path]:
    """Iterate over shipped files and folders by name; for equal stems, in the order of ENDINGS."""
    found = [p for p in HOME.iterdir() if p.suffix in ENDINGS and p.is_file()]
    found += [claims.parent for claims in HOME.glob(f"*/{EXPECTED}")]
    return iter(sorted(found, key=lambda p: (p.stem, ENDINGS.index(p.suffix) if p.suffix else 0)))
