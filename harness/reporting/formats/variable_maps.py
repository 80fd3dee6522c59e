"""Maps of the variables of a written instance, as JSON beside its file: FILE.map.json.

instance   name of the instance
format     of the file, with the encoding of clauses
value      of a solution, where an objective is shifted: times * (value in the file) + plus
values     texts of values that are no integers: the file has 0, 1, ... for them
numbered   [from, to, n]: variable fromK is toK of the file, for K from 1 to n; to '' is the literal K
variables  name of each variable: that in the file, or the literal for each value (-K: Boolean K is false), or of a wide
           integer {"from": its least number, "bits": literals of the binary digits added to it, least first}
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from encoders.cnf import BitTable, Signs
from puzzles.problem import BOOLEAN, Instance
from puzzles.problem.values import Integers, Numbered, bits

FIRST = {"smt2": 0}  # number of the first variable in the file, where it is not 1


@dataclass(frozen=True)
class VariableMap:
    """Where the variables of an instance are in a file.

    `names` is the prefix of the file's variables, or the literals of each variable by value; `times` and `plus` give
    the value of a solution from that in the file.
    """

    puzzle: Instance[Any]
    format: str
    names: str | Sequence[Any]
    encoding: str = ""
    times: int = 1
    plus: int = 0

    def text(self) -> Iterator[bytes]:
        """Yield the lines of the map."""
        facts: dict[str, object] = {"instance": self.puzzle.name, "format": self.format}
        facts |= {"encoding": self.encoding} if self.encoding else {}
        if self.puzzle.problem.objective is not None:
            facts["value"] = {"times": self.times, "plus": self.plus}
        problem = self.puzzle.problem
        if not isinstance(problem.values, Integers):
            facts["values"] = list(problem.values)
        if numbered := self.numbered():
            facts["numbered"] = numbered
        head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(fact)}" for key, fact in facts.items())
        yield f"{{\n{head}".encode()
        if not numbered:
            yield b',\n  "variables": {'
            yield from self.lines()
            yield b"\n  }"
        yield b"\n}\n"

    def numbered(self) -> list[object]:
        """Return prefix, prefix in the file, and number of numbered variables; empty if their relation needs more."""
        names = self.puzzle.problem.variables
        if not isinstance(names, Numbered) or self.format in FIRST:
            return []
        if isinstance(self.names, str):
            return [names.prefix, self.names, len(names)]
        signs = isinstance(self.names, Signs) and self.puzzle.problem.values == BOOLEAN
        return [names.prefix, "", len(names)] if signs else []

    def lines(self) -> Iterator[bytes]:
        """Yield a line for each variable."""
        problem, between = self.puzzle.problem, ""
        first = FIRST.get(self.format, 1)
        for x, name in enumerate(problem.variables):
            if isinstance(self.names, str):
                mapping: object = f"{self.names}{x + first}"
            elif isinstance(self.names, BitTable):
                mapping = {"from": int(problem.values[self.names.first[x]]), "bits": self.names[x]}
            else:
                row = self.names[x]
                mapping = (
                    row if isinstance(row, str) else {problem.values[v]: row[v] for v in bits(self.puzzle.domains[x])}
                )
            yield f"{between}\n    {json.dumps(name)}: {json.dumps(mapping)}".encode()
            between = ","
