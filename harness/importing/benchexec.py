"""BenchExec's result files: XML, or that compressed by gzip or bzip2, read piece by piece.

A document type is allowed, declarations of entities are not, so that no file expands to more than it holds.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from xml.parsers import expat

from backends.answer import Reason, Status
from harness.importing.record import (
    MAX_SECONDS,
    Malformed,
    Result,
    Source,
    at,
    name_of,
    nanoseconds,
    shortened,
    timed,
    whole_number,
)
from harness.importing.unpacking import pieces
from harness.model.outcome import NANO

ANSWER = re.compile(r"(true|false)(\(.*\))?", re.DOTALL)
ANSWERS = {"true": Status.SATISFIABLE, "false": Status.UNSATISFIABLE}
REASONS = (  # of the first words of a status
    ("timeout", Reason.TIMEOUT),
    ("out of memory", Reason.MEMORY),
    ("out of java memory", Reason.MEMORY),
    ("unknown (unsupported", Reason.UNSUPPORTED),
    ("unknown", Reason.STUCK),
    ("done", Reason.NONE),
    *((word, Reason.CRASH) for word in ("crash", "seg", "kill", "abort", "exception", "assertion")),
)
REPEAT = re.compile(r"repeat [0-9]+")  # run definition of a repeat, as `export` writes it


def read_benchexec(path: str) -> Source:
    """Read a result file. Raises BadUsage with the line of a mistake."""
    reader = Reader(path)
    try:
        for piece in pieces(path):
            reader.parser.Parse(piece, False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as e:
        raise at(path, e.lineno, f"not XML: {expat.ErrorString(e.code)}") from e
    except Malformed as e:
        raise at(path, reader.parser.CurrentLineNumber, e) from e
    return reader.source


class Reader:
    """State of reading: the attributes of the run that is open, and its columns."""

    def __init__(self, path: str) -> None:
        self.source = Source(path)
        self.depth, self.run, self.columns = 0, dict[str, str](), dict[str, str]()
        self.contender, self.version = "", ""
        self.named = set[str]()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = refuse_entity

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        self.depth += 1
        if self.depth == 1:
            self.begin(tag, attributes)
        elif self.depth == 2 and tag == "run":
            self.run, self.columns = attributes, {}
        elif self.depth == 3 and tag == "cpu":
            self.source.hosts.append((attributes.get("model", "unknown"), small_number(attributes.get("cores", ""))))
        elif self.depth == 3 and tag == "column" and self.run:
            self.columns[attributes.get("title", "")] = attributes.get("value", "")

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the attributes of the file."""
        if tag != "result":
            raise Malformed(f"not a result file of BenchExec: its first element is {shortened(tag)}")
        name, tool = attributes.get("name", ""), name_of(attributes.get("tool", ""), "tool")
        self.contender = tool if not name or REPEAT.fullmatch(name) else f"{tool}.{name}"
        self.version = attributes.get("version", "")
        self.source.corpus = attributes.get("benchmarkname", "")
        limit = attributes.get("timelimit", "")
        self.source.limit = nanoseconds(limit) / NANO if limit else None
        memory = attributes.get("memlimit", "")
        self.source.memory = small_number(memory.removesuffix("B")) if memory.endswith("B") else 0
        try:
            began = datetime.fromisoformat(attributes.get("starttime", "")).timestamp()
        except (ValueError, OverflowError):
            began = 0
        self.source.began = int(began * NANO) if 0 <= began < MAX_SECONDS * 10 else 0

    def end(self, tag: str) -> None:
        """Take the end of an element; that of a run adds a result."""
        if self.depth == 2 and tag == "run":
            name = name_of(self.run.get("name", ""), "run")
            if name in self.named:
                raise Malformed(f"the run {shortened(name)} is there twice")
            self.named.add(name)
            if self.columns.get("status"):
                self.source.results.append(timed(self.result(name)))
            self.run = {}
        self.depth -= 1

    def result(self, name: str) -> Result:
        """Return the result of a run."""
        columns, text = self.columns, self.columns["status"].strip()
        found = ANSWER.fullmatch(text)
        answer = ANSWERS[found[1]] if found else Status.UNKNOWN
        claim, called_wrong = claimed(self.run.get("expectedVerdict", ""), answer, columns.get("category", ""))
        cpu, wall = (nanoseconds(columns[k]) if columns.get(k) else None for k in ("cputime", "walltime"))
        memory = columns.get("memory", "").removesuffix("B")
        reason = Reason.NONE if found else reason_of(text)
        return Result(
            *(self.contender, self.version, name, answer, reason, claim, called_wrong, wall, cpu),
            peak=whole_number(memory) if memory else None,
            note=text if reason in (Reason.ERROR, Reason.CRASH) else "",
        )


def claimed(expected: str, answer: Status, category: str) -> tuple[bool | None, bool]:
    """Return the claim that the verdict expected states, or else the category, and if only the latter refutes."""
    found = ANSWER.fullmatch(expected.strip())
    if expected and not found:
        raise Malformed(f"expectedVerdict is {shortened(expected)}, not true or false")
    says = answer == Status.SATISFIABLE
    judged = answer != Status.UNKNOWN and category in ("correct", "wrong")
    if found:
        claim = found[1] == "true"
        return claim, judged and category == "wrong" and claim == says
    return (says == (category == "correct"), False) if judged else (None, False)


def reason_of(status: str) -> Reason:
    """Return the reason that a status without an answer states; ERROR for words that are not known."""
    word = status.lower()
    return next((reason for start, reason in REASONS if word.startswith(start)), Reason.ERROR)


def small_number(text: str) -> int:
    """Return a whole number of bytes or cores; 0 for one that is absurd, and for other texts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def refuse_entity(name: str, *_: object) -> None:
    raise Malformed(f"declares the entity {shortened(name)}, which is not allowed")
