"""OpenSudoku's XML: each `<game data="...">` is a board of 81 characters.

The parser is expat, fed line by line. Document types are refused, and with them entities, which can make a small file
large or name other files. Saved games, whose data have a version, hold a player's state and are refused.
"""

from collections.abc import Iterator, Sequence
from xml.parsers.expat import ExpatError, ParserCreate, errors

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.foreign import OPENSUDOKU as ROOT


def recognise(opening: Sequence[str]) -> bool:
    """Return True if a file is XML."""
    return bool(opening) and opening[0].startswith(("<?xml", "<!", f"<{ROOT}"))


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each board on one line. Raises ParseError."""
    found: list[str] = []
    depth = [0]
    at = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        if not depth[0] and tag != ROOT:
            raise ParseError(f"XML of {brief(tag)}: only OpenSudoku's is read, which begins with <{ROOT}>", at)
        depth[0] += 1
        if tag == "game" and (data := attributes.get("data", "").strip()):
            if "version" in data:
                raise ParseError("a saved game of OpenSudoku: export its puzzles instead", at)
            found.append(data)

    def end(tag: str) -> None:
        depth[0] -= 1

    def doctype(*_: object) -> None:
        raise ParseError(
            "XML with a document type, which may define entities, is not read: take out <!DOCTYPE ...>", at
        )

    parser = ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = doctype
    try:
        for at, raw in lines:
            if not depth[0] and (not raw.strip() or raw.startswith("#")):
                continue
            parser.Parse(f"{raw}\n".encode(), False)
            yield from ((at, data) for data in found)
            found.clear()
        parser.Parse(b"", True)
    except ExpatError as e:
        raise ParseError(f"not well-formed XML: {errors.messages[e.code]}", at) from None
