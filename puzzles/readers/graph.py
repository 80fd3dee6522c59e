"""DIMACS graphs (.col): `p edge VERTICES EDGES` (or `p col`), then `e U V`, from 1. Each edge is a unit of two squares.

How many colours is a parameter: `--as 'colouring 4'`, or a line `c colours 4`; `c count 0` and `c count 1+` say what is
known for that many. Files in use list edges twice, reversed, or count them once and list them twice: all are read.
"""

import re
from collections.abc import Iterator

from puzzles.families import colouring
from puzzles.layout import Puzzle
from puzzles.readers.source import Flaw, Source, brief
from puzzles.readers.terms import Terms, number

MOST_VERTICES, MOST_EDGES = 100_000, 10_000_000
COLOURS = re.compile(r"c\s+colou?rs\s+(\d+)")
COUNT = re.compile(r"c\s+count\s+(\S+)")
IGNORED = ("n", "d", "v", "x")  # weights and positions of vertices


def graph(source: Source, terms: Terms) -> Iterator[Puzzle]:
    """The one puzzle of a graph. Raises Flaw or BadLayout at source.line."""
    colours, known, (start, vertices, stated), edges = None, (terms.count, terms.at_least), (0, 0, 0), []
    for at, raw in source.lines:
        source.line = at
        words = raw.split()
        if not words or words[0][0] == "#" or words[0] in IGNORED:
            continue
        if words[0] == "c":
            text = " ".join(words)
            if match := COLOURS.fullmatch(text):
                colours = match[1]
            elif match := COUNT.fullmatch(text):
                known = number(match[1])
        elif words[0] == "p":
            if start:
                raise Flaw(f"a second 'p' line; the first is line {start}")
            start, (vertices, stated) = source.line, header(words)
        elif words[0] == "e":
            if not start:
                raise Flaw("an edge before the line 'p edge VERTICES EDGES'")
            edges.append(edge(words, vertices))
            if len(edges) > 2 * stated:
                raise Flaw(f"edge {len(edges)}, where line {start} states {stated}")
        else:
            raise Flaw(f"{brief(raw.strip())} is no line of a .col file: expected 'c', 'p edge V E' or 'e U V'")
    if not start:
        raise Flaw("no line 'p edge VERTICES EDGES'", 0)
    distinct = len({(min(e), max(e)) for e in edges})
    if stated not in (len(edges), distinct):
        raise Flaw(f"states {stated} edges, but {len(edges)} follow: is the file truncated?", start)
    asked, found = asked_colours(terms, start), known
    if colours and asked and int(asked) != int(colours):
        found = (None, False)  # what the file knows, it knows for its own number of colours
    source.line = start
    layout = colouring.graph(colouring.colours(asked or colours or ""), vertices, edges, terms.alphabet)
    yield Puzzle(f"{source.name}:{start}", layout, layout.open, *found)


def asked_colours(terms: Terms, start: int) -> str | None:
    """The number of colours that --as states. Raises Flaw where it states another family."""
    family, _, parameters = (terms.as_ or "").strip().partition(" ")
    if family not in ("", "colouring"):
        raise Flaw(f"a graph is a colouring, not {brief(terms.as_ or '')}: state --as 'colouring 4'", start)
    if family and not re.fullmatch(r"[0-9]{1,4}", parameters.strip()):
        colouring.colours(parameters.strip())
    return parameters.strip() or None


def header(words: list[str]) -> tuple[int, int]:
    """Vertices and edges of a 'p' line. Raises Flaw."""
    if len(words) != 4 or words[1] not in ("edge", "col", "edges") or not all(map(natural, words[2:])):
        raise Flaw(f"{brief(' '.join(words))}: expected 'p edge VERTICES EDGES'")
    vertices, edges = int(words[2]), int(words[3])
    if not 1 <= vertices <= MOST_VERTICES or edges > MOST_EDGES:
        raise Flaw(f"{vertices} vertices and {edges} edges: expected 1 to {MOST_VERTICES}, and up to {MOST_EDGES}")
    return vertices, edges


def edge(words: list[str], vertices: int) -> tuple[int, int]:
    """An edge between vertices from 0. Raises Flaw."""
    if len(words) != 3 or not natural(words[1]) or not natural(words[2]):
        raise Flaw(f"{brief(' '.join(words))}: expected 'e U V' with two vertices")
    u, v = int(words[1]) - 1, int(words[2]) - 1
    if not 0 <= u < vertices or not 0 <= v < vertices:
        raise Flaw(f"{brief(' '.join(words))}: vertices are 1 to {vertices}")
    if u == v:
        raise Flaw(f"vertex {u + 1} has an edge to itself, so no colouring exists")
    return u, v


def natural(word: str) -> bool:
    """Whether a word is a number that is not absurdly long."""
    return bool(re.fullmatch(r"[0-9]{1,12}", word))
