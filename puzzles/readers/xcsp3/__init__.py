"""Reader of XCSP3: constraint problems, with or without an objective, through pycsp3's parser (extra `xcsp3`).

A file is checked here first, element by element and text by text, since that parser asserts, exits, and takes some
wrong texts for others. A process of its own parses what was found right (`child.py`) and returns plain data, from
which `build` makes the Problem. An instance with a constraint that is not read is an instance of one constraint,
`unsupported`, which names it: its contenders are unsupported, and the rest of a folder runs.
"""

from importlib.util import find_spec
from typing import Any, BinaryIO
from xml.etree import ElementTree

from puzzles.errors import MissingPackage, ParseError
from puzzles.packages import install
from puzzles.plugins import PluginFailed, processes, serving
from puzzles.problem import Instance, Problem
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source
from puzzles.readers.xcsp3.build import build
from puzzles.readers.xcsp3.document import XmlElement, parse
from puzzles.readers.xcsp3.objectives import check_objective
from puzzles.readers.xcsp3.structure import check_instance
from puzzles.readers.xcsp3.tokens import Names

MAX_BYTES = 64 << 20
NAME = ("crosscheck.readers", "pycsp3")  # group and name of the process
PARSE = "puzzles.readers.xcsp3.child:parsed"
SECONDS = 120.0  # limit for pycsp3's parser
MAX_REPLY = 1 << 27  # bytes


def read_xcsp3(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError, BadInput, OSError."""
    data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise Refusal([f"XCSP3 files of more than {MAX_BYTES >> 20} MB"])
        root = parse(data)
        names = check_instance(root)
        check_objectives(root, names, source)
        if find_spec("pycsp3") is None:
            why = f"XCSP3 is read by pycsp3, which is not installed: {install('pycsp3')}"
            raise MissingPackage(f"{source.label}: {why}")
        return build(source.name, parsed(root))
    except Refusal as e:
        return refused(source, e)


def check_objectives(root: XmlElement, names: Names, source: Source) -> None:
    """Check the objective of an instance, or remove it if it is ignored. Raises ParseError, Refusal."""
    goals = [goal for part in root if part.tag == "objectives" for goal in part]
    if goals and not source.keeps_objective():
        root.children = [part for part in root if part.tag != "objectives"]
        return
    for goal in goals:
        check_objective(goal, names)
    if len(goals) > 1:
        raise Refusal(["several objectives"])
    if goals and goals[0].attributes.get("type") == "lex":
        source.note("a lexicographic objective became one sum: programs get a file that is written")


def parsed(root: XmlElement) -> dict[str, Any]:
    """Return the child's data of an instance. Raises ParseError, Refusal."""
    process = serving(*NAME, SECONDS, MAX_REPLY)
    try:
        data = process.call(PARSE, xml_of(root))
    except PluginFailed as e:
        processes.pop(NAME).close()  # the next file gets a new one
        raise Refusal([f"what pycsp3's parser fails on ({e})"]) from None
    if not isinstance(data, dict):
        raise Refusal(["what pycsp3's parser fails on"])
    if "error" in data:
        line = data.get("line")
        raise ParseError(f"pycsp3's parser refuses it: {data['error']}", line if type(line) is int else 0)
    return data


def xml_of(root: XmlElement) -> str:
    """Return the parts of an instance that are read as XML, with the line of each element as an attribute."""

    def converted(element: XmlElement) -> ElementTree.Element:
        found = ElementTree.Element(element.tag, {**element.attributes, "line": str(element.line)})
        found.text = element.text or " "  # pycsp3 takes no empty element
        found.extend(map(converted, element))
        return found

    root.children = [part for part in root if part.tag in ("variables", "constraints", "objectives")]
    return ElementTree.tostring(converted(root), encoding="unicode")
