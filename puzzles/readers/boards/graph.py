"""Reader of DIMACS graphs (.col): `p edge VERTICES EDGES` (or `p col`), then `e U V`.

Vertices are numbered from 1; each edge is a unit of two squares. The number of colours is stated by
`--as 'colouring 4'` or by a line `c colours 4`; `c count 0` or `c count 1+` is the claimed number of solutions with
that many colours. Published files repeat or reverse edges, state half or twice the number of edges that follow, have a
third number in the header, or an edge from a vertex to itself, which is ignored with a note: all are accepted.
"""

import re
from collections.abc import Iterator

from puzzles.boards.families import colouring
from puzzles.boards.layout import Puzzle
from puzzles.errors import ParseError, brief
from puzzles.readers.boards.directives import Directives, parse_count
from puzzles.readers.source import Source

MAX_VERTICES, MAX_EDGES = 100_000, 10_000_000
MAX_DIGITS = 9  # digits of a number of colours
COLOURS = re.compile(r"c\s+colou?rs\s+([0-9]+)")
COUNT = re.compile(r"c\s+count\s+(\S+)")
HEADER = re.compile(r"p (?:edges?|col) ([0-9]{1,12}) ([0-9]{1,12})(?: [0-9]{1,12})?")
EDGE = re.compile(r"e ([0-9]{1,12}) ([0-9]{1,12})")
IGNORED = ("n", "d", "v", "x")  # weights and positions of vertices


def read_graph(source: Source, directives: Directives) -> Iterator[Puzzle]:
    """Yield the only puzzle of a graph file. Raises ParseError or BadLayout at source.line."""
    colours, known, (start, vertices, stated), edges = None, (directives.count, directives.at_least), (0, 0, 0), []
    loops: dict[int, int] = {}  # vertex -> line of its edge to itself
    for at, raw in source.lines:
        source.line = at
        words = raw.split()
        if not words or words[0][0] == "#" or words[0] in IGNORED:
            continue
        text = " ".join(words)
        if text[0] == "c":
            if match := COLOURS.fullmatch(text):
                if len(match[1]) > MAX_DIGITS:
                    raise ParseError(f"{len(match[1])} digits are no number of colours")
                colours = match[1]
            elif match := COUNT.fullmatch(text):
                known = parse_count(match[1])
        elif words[0] == "p":
            if start:
                raise ParseError(f"a second 'p' line; the first is line {start}")
            start, (vertices, stated) = source.line, parse_header(text)
        elif words[0] == "e":
            if not start:
                raise ParseError("an edge before the line 'p edge VERTICES EDGES'")
            u, v = parse_edge(text, vertices)
            edges.append((u, v))
            if u == v:
                loops.setdefault(u, at)
            if len(edges) > 2 * stated:
                raise ParseError(f"edge {len(edges)}, but line {start} states {stated}")
        else:
            raise ParseError(
                f"{brief(raw.strip())} is not a line of a .col file: expected 'c', 'p edge V E' or 'e U V'"
            )
    if not start:
        raise ParseError("no line 'p edge VERTICES EDGES'", 0)
    distinct = {(min(e), max(e)) for e in edges}
    if stated not in (len(edges), len(distinct), 2 * len(edges), 2 * len(distinct)):
        raise ParseError(f"states {stated} edges, but {len(edges)} follow: is the file truncated?", start)
    if loops:
        u, at = next(iter(loops.items()))
        more = f" (and {len(loops) - 1} more)" * (len(loops) > 1)
        source.note(
            f"line {at}: vertex {u + 1} has an edge to itself{more}, which is ignored: no colouring could keep it"
        )
    asked, found = stated_colours(directives, start), known
    if colours and asked and int(asked.split()[0]) != int(colours):
        found = (None, False)  # the file's count is for its own number of colours
    source.line = start
    count, plain = colouring.parse_parameters(asked or colours or "")
    proper = (e for e in edges if e[0] != e[1])
    layout = colouring.graph(count, vertices, proper, directives.alphabet, plain)
    yield Puzzle(f"{source.name}:{start}", layout, layout.open, *found)


def stated_colours(directives: Directives, start: int) -> str | None:
    """Return the number of colours that --as states, or None. Raises ParseError for another family."""
    family, _, parameters = (directives.as_ or "").strip().partition(" ")
    if family not in ("", "colouring"):
        raise ParseError(f"a graph is a colouring, not {brief(directives.as_ or '')}: state --as 'colouring 4'", start)
    parameters = " ".join(parameters.split())
    if family:
        colouring.parse_parameters(parameters)
    return parameters or None


def parse_header(text: str) -> tuple[int, int]:
    """Return the numbers of vertices and edges of a 'p' line. Raises ParseError."""
    match = HEADER.fullmatch(text)
    if not match:
        raise ParseError(f"{brief(text)}: expected 'p edge VERTICES EDGES'")
    vertices, edges = map(int, match.groups())
    if not 1 <= vertices <= MAX_VERTICES or edges > MAX_EDGES:
        raise ParseError(f"{vertices} vertices and {edges} edges: expected 1 to {MAX_VERTICES}, and up to {MAX_EDGES}")
    return vertices, edges


def parse_edge(text: str, vertices: int) -> tuple[int, int]:
    """Return the two vertices of an edge, numbered from 0. Raises ParseError."""
    match = EDGE.fullmatch(text)
    if not match:
        raise ParseError(f"{brief(text)}: expected 'e U V' with two vertices")
    u, v = int(match[1]) - 1, int(match[2]) - 1
    if not 0 <= u < vertices or not 0 <= v < vertices:
        raise ParseError(f"{brief(text)}: vertices are 1 to {vertices}")
    return u, v
