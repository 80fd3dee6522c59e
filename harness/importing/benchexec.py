"""BenchExec's result files: XML, plain or compressed by gzip or bzip2, read piece by piece.

A document type is allowed, but no declaration of entities, so that no file expands when read. Early versions (2015)
have `sourcefile` for `run`, `memUsage` for `memory`, and limits such as `3000 MB`.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from xml.parsers import expat

from backends.contract.answer import Reason, Status
from harness.importing.record import (
    MAX_SECONDS,
    MalformedResults,
    Result,
    ResultsFile,
    at,
    name_of,
    nanoseconds,
    shortened,
    timed,
    whole_number,
)
from harness.importing.unpacking import pieces
from harness.model.outcome import NANO
from harness.model.settings import Limits
from harness.reporting.formats.benchexec import GENERATOR

VERDICT = re.compile(r"(true|false)(\(.*\))?", re.DOTALL)  # expected, or of a tool that decides a property
ANSWERS = {  # answers of tools for properties, and of tools for SMT, which older versions wrote unchanged
    **dict.fromkeys(("true", "sat", "satisfiable"), Status.SATISFIABLE),
    **dict.fromkeys(("false", "unsat", "unsatisfiable"), Status.UNSATISFIABLE),
}
REASONS = {  # reasons by the first words of a status
    "timeout": Reason.TIMEOUT,
    **dict.fromkeys(("out of memory", "out of java memory", "out of native memory"), Reason.MEMORY),
    "unknown (unsupported": Reason.UNSUPPORTED,
    "unknown": Reason.STUCK,
    "done": Reason.NONE,
    "error": Reason.ERROR,
    **dict.fromkeys(("crash", "crashed", "segmentation fault", "segfault", "killed", "abort", "aborted"), Reason.CRASH),
    **dict.fromkeys(("exception", "assertion"), Reason.CRASH),
}
KNOWN = re.compile(rf"({'|'.join(map(re.escape, REASONS))})(?![a-z])")
# Reasons of statuses with other words.
CATEGORIES = {"error": Reason.ERROR, "unknown": Reason.STUCK, "missing": Reason.NONE}
RUNS = ("run", "sourcefile")  # elements of runs
SIZE = re.compile("([0-9]{1,18}) ?([kMG]?)B?")
MAX_TAG = 1 << 20  # bytes
CORRECT = ("correct", "correct-unconfirmed")
WALL_LIMIT = re.compile(r"-t (\S+)")  # options, as `export` writes them
REPEAT = re.compile(r"repeat [0-9]+")  # run definition of a repeat, as `export` writes it


def read_benchexec(path: str) -> ResultsFile:
    """Read a result file. Raises BadUsage with the line of a mistake."""
    reader = Reader(path)
    try:
        fed = 0
        for piece in pieces(path):
            reader.parser.Parse(piece, False)
            fed += len(piece)
            if fed - reader.parser.CurrentByteIndex > MAX_TAG:  # it is parsed anew with each piece
                raise MalformedResults(f"a tag or comment of more than {MAX_TAG >> 20} MiB")
        reader.parser.Parse(b"", True)
    except expat.ExpatError as e:
        raise at(path, e.lineno, f"not XML: {expat.ErrorString(e.code)}") from e
    except MalformedResults as e:
        raise at(path, reader.parser.CurrentLineNumber, e) from e
    return reader.source


class Reader:
    """State of reading: the attributes of the open run, and its columns."""

    def __init__(self, path: str) -> None:
        self.source = ResultsFile(path)
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
        elif self.depth == 2 and tag in RUNS:
            self.run, self.columns = attributes, {}
        elif self.depth == 3 and tag == "cpu":
            self.source.hosts.append((attributes.get("model", "unknown"), small_number(attributes.get("cores", ""))))
        elif self.depth == 3 and tag == "column" and self.run:
            self.columns[attributes.get("title", "")] = attributes.get("value", "")

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the attributes of the file."""
        if tag != "result":
            raise MalformedResults(f"not a result file of BenchExec: its first element is {shortened(tag)}")
        name, tool = attributes.get("name", ""), name_of(attributes.get("tool", ""), "tool")
        self.contender = tool if not name or REPEAT.fullmatch(name) else f"{tool}.{name}"
        self.version = attributes.get("version", "")
        self.source.corpus = attributes.get("benchmarkname", "")
        self.source.limits = Limits(wall_limit(attributes), limit_of(attributes.get("timelimit", "")))
        self.source.memory = bytes_of(attributes.get("memlimit", ""))
        try:
            began = datetime.fromisoformat(attributes.get("starttime", "")).timestamp()
        except (ValueError, OverflowError, OSError):
            began = 0
        self.source.began = int(began * NANO) if 0 <= began < MAX_SECONDS * 10 else 0

    def end(self, tag: str) -> None:
        """Take the end of an element; the end of a run adds a result."""
        if self.depth == 2 and tag in RUNS:
            name = name_of(self.run.get("name", ""), "run")
            if name in self.named:
                raise MalformedResults(f"the run {shortened(name)} is there twice")
            self.named.add(name)
            self.source.add(timed(self.result(name)))
            self.run = {}
        self.depth -= 1

    def result(self, name: str) -> Result:
        """Return the result of a run."""
        columns, text, category = self.columns, self.columns.get("status", "").strip(), self.columns.get("category", "")
        expected = verdict(self.run.get("expectedVerdict", ""))
        answer, reason, known = meaning(text, category, expected)
        claim, called_wrong = claimed(expected, answer, category)
        cpu, wall = (nanoseconds(columns[k]) if columns.get(k) else None for k in ("cputime", "walltime"))
        memory = (columns.get("memory") or columns.get("memUsage", "")).removesuffix("B")
        return Result(
            self.contender,
            self.version,
            name,
            answer,
            reason,
            claim,
            called_wrong,
            wall=wall,
            cpu=cpu,
            peak=whole_number(memory) if memory else None,
            note=text if reason in (Reason.ERROR, Reason.CRASH) or not known else "",
        )


def limit_of(text: str) -> float | None:
    """Return the seconds of a limit, None for none."""
    return nanoseconds(text) / NANO if text else None


def wall_limit(attributes: Mapping[str, str]) -> float | None:
    """Return the limit of wall time as `export` writes it; BenchExec has such a limit, but does not write it."""
    found = WALL_LIMIT.fullmatch(attributes.get("options", "")) if attributes.get("generator") == GENERATOR else None
    return limit_of(found[1]) if found else None


def verdict(text: str) -> Status | None:
    """Return the answer of a run's expected verdict, None if no verdict is stated."""
    found = VERDICT.fullmatch(text.strip())
    if text and not found:
        raise MalformedResults(f"expectedVerdict is {shortened(text)}, not true or false")
    return ANSWERS[found[1]] if found else None


def meaning(text: str, category: str, expected: Status | None) -> tuple[Status, Reason, bool]:
    """Return the answer of a status, the reason if it has no answer, and True if its words are known.

    For other words, or none, the category decides: it calls the answer correct or wrong, which gives the answer from
    the expected verdict. A run without words and category has no result. Raises MalformedResults if nothing decides.
    """
    word = text.lower()
    found = VERDICT.fullmatch(word)
    if answer := ANSWERS.get(found[1] if found else word):
        return answer, Reason.NONE, True
    if start := KNOWN.match(word):
        return Status.UNKNOWN, REASONS[start[1]], True
    if category in (*CORRECT, "wrong") and expected is not None:
        return (expected if category != "wrong" else other(expected)), Reason.NONE, False
    if category in CATEGORIES or not (word or category):
        return Status.UNKNOWN, CATEGORIES.get(category, Reason.NONE), False
    raise MalformedResults(f"status is {shortened(text)}, which is not known, and category is {shortened(category)}")


def other(answer: Status) -> Status:
    """Return the opposite answer."""
    return Status.UNSATISFIABLE if answer == Status.SATISFIABLE else Status.SATISFIABLE


def claimed(expected: Status | None, answer: Status, category: str) -> tuple[bool | None, bool]:
    """Return the claim of the expected verdict, or else of the category; True if it only refutes an answer."""
    says = answer == Status.SATISFIABLE
    judged = answer != Status.UNKNOWN and category in (*CORRECT, "wrong")
    if expected is not None:
        claim = expected == Status.SATISFIABLE
        return claim, judged and category == "wrong" and claim == says
    return (says == (category in CORRECT), False) if judged else (None, False)


def small_number(text: str) -> int:
    """Return a number of bytes or cores; 0 for an absurd number, and for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def bytes_of(text: str) -> int:
    """Return the bytes of a size such as 3000 MB or 15000000000B; 0 for an absurd one, and for any other text."""
    found = SIZE.fullmatch(text)
    size: int = int(found[1]) * 1000 ** " kMG".index(found[2] or " ") if found else 0
    return size if size < 1 << 62 else 0


def refuse_entity(name: str, *_: object) -> None:
    raise MalformedResults(f"declares the entity {shortened(name)}, which is not allowed")
