"""Reader of WCNF: weighted clauses, of which the hard ones are constraints and the soft ones the objective.

    p wcnf 3 4 16        the older format: a clause whose weight is the top, 16, is hard; without a top all are soft
    16 1 -2 0
    3 -1 0

    h 1 -2 0             the newer one: hard clauses begin with h
    3 -1 0

Each clause is on a line of its own; lines are in any order, and `c` begins a comment. Weights are below 2^63. A soft
clause of weight 0 is dropped. A block's clauses are read at once, as in `cnf.py`, by a loop or by `weighted.py`.
"""

import re
from typing import BinaryIO

from puzzles.constraints.clauses import Clauses
from puzzles.errors import ParseError, plural
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.readers.cnf import BLOCK_BYTES, COMMENT, MAX_VARIABLES, whole_lines
from puzzles.readers.compiled.loading import loops_for
from puzzles.readers.source import HEADER_STATES, Source
from puzzles.readers.weighted import GatheredClauses, Header, hard_and_soft

HEADER = re.compile(
    rb"^[ \t]*p[ \t]+wcnf[ \t]+([0-9]{1,12})[ \t]+([0-9]{1,12})(?:[ \t]+([0-9]{1,20}))?[ \t\r]*$", re.MULTILINE
)


def read_wcnf(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    header: Header | None = None
    found, loops = GatheredClauses(), loops_for("wcnf", source.size, "weighted_clauses")
    for block in whole_lines(iter(lambda: file.read(BLOCK_BYTES), b""), source):
        if loops and found.clauses and found.scan(loops[0], block, header):
            continue
        text = COMMENT.sub(b"", block) if b"c" in block else block
        if not found.clauses and header is None and (match := HEADER.search(text)):
            header = stated(match, source)
            text = text[: match.start()] + text[match.end() :]
        found.add(hard_and_soft(text, header, source.line))
    if header is not None and found.clauses != header.clauses:
        source.note(f"{plural(found.clauses, 'clause')}{HEADER_STATES}{header.clauses}")
    if not found.clauses:
        source.note("no clauses", as_it_is=True)
    variables = found.used if header is None else header.variables
    goal = SoftClauses(found.weights.whole(), found.soft.whole()) if source.keeps_objective() else None
    return boolean_instance(source.name, variables, Clauses(found.hard.whole()), goal)


def stated(match: re.Match[bytes], source: Source) -> Header:
    """Return the header, which comes before all clauses. Raises ParseError."""
    before = match.string[: match.start()]
    line = source.line + before.count(b"\n")
    if before.strip():
        raise ParseError("'p wcnf' after the first clause", line)
    if int(match[1]) > MAX_VARIABLES:
        raise ParseError(f"{int(match[1])} variables: at most {MAX_VARIABLES} are read", line)
    source.exact &= match[0].strip() == b" ".join([b"p wcnf", *filter(None, match.groups())])
    return Header(int(match[1]), int(match[2]), None if match[3] is None else int(match[3]))
