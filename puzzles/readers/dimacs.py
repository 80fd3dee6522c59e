"""DIMACS files of types that are not read, such as gcnf or qcnf: their instances are unsupported, by name.

TYPES has the name of a type, what of it is not read, and what to do; it is looked up by the word after the `p`.
"""

import re
from typing import BinaryIO, NamedTuple

from puzzles.errors import brief
from puzzles.problem import Instance, Problem
from puzzles.readers.compressed import HEAD_BYTES
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source

TYPE = re.compile(rb"^\s*p\s+(\w+)", re.MULTILINE)


class DimacsType(NamedTuple):
    """Type of DIMACS files: its name with what is not read, and what to do."""

    name: str
    advice: str


QUANTIFIED = DimacsType("quantified formulas", "no contender takes quantifiers")
FORMULA = DimacsType("formulas in brackets", "write them as clauses, with 'p cnf VARIABLES CLAUSES'")
GRAPH = DimacsType("graphs and networks of other tasks", "graphs to colour are read, with 'p edge VERTICES EDGES'")
TYPES = {
    "icnf": DimacsType(
        "interactions of IDRUP, with queries and models", "write a file with 'p cnf VARIABLES CLAUSES' for each"
    ),
    "gcnf": DimacsType(
        "group CNF, with groups '{1}' of clauses",
        "without the groups, and with 'p cnf VARIABLES CLAUSES', it is the formula of all clauses",
    ),
    "knf": DimacsType("cardinality constraints as lines 'k ... 0'", "write them as OPB"),
    "xor": DimacsType("lines of XORs", "write them as clauses, one for each assignment that breaks an XOR"),
    "xnf": DimacsType("lines of XORs", "write them as clauses, one for each assignment that breaks an XOR"),
    "wpcnf": DimacsType(
        "weighted groups of clauses", "without them, and with 'p cnf VARIABLES CLAUSES', it is a formula"
    ),
    **dict.fromkeys(("qcnf", "qdimacs", "dqbf", "dqcnf", "qcir"), QUANTIFIED),
    **dict.fromkeys(("sat", "sate", "satx", "satex"), FORMULA),
    **dict.fromkeys(("max", "min", "sp", "asn", "tw", "td", "vc", "ds", "hs", "cep", "ocr"), GRAPH),
}


def read_dimacs(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return an unsupported instance that names the type of the file."""
    found = TYPE.search(file.read(HEAD_BYTES))
    word = found[1].decode() if found else ""
    name, advice = TYPES.get(word, DimacsType("", "of DIMACS, the types cnf, wcnf, edge and col are read"))
    shown = f"DIMACS files of type {brief(word)}" if word else "DIMACS files"
    return refused(source, Refusal([f"{shown} ({name})" if name else shown]), advice)
