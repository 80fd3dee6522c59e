"""Rules of competitions as data: a TOML file for each event and year, in this folder or at a path of the user's.

    Rules      event, year and sources of one file, with its three tables and its rankings
    Protocol   how a solver is called, and what it has to print
    Limits     what a run may use
    Demands    what an answer has to bring
    Placing    a ranking: the score, the instances that count, ties, wrong answers

`unsure` lists the values that no page of the event states, or that were not read there, as TABLE.KEY.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from harness.model.errors import BadUsage

FOLDER = Path(__file__).parent
LANGUAGES = ("cnf", "wcnf", "opb", "xcsp3", "fzn")
CLOCKS = ("cpu", "wall")
INSTANCES = ("all", "decision", "optimisation")
TIES = ("", "time", "none")
WRONG = ("last", "counted", "ignored")
DISAGREEMENTS = ("", "removed")
PROOFS = ("none", "allowed", "required")
REFUTED = ("undecided", "wrong")
CHOICES = {
    "language": LANGUAGES,
    "clock": CLOCKS,
    "of": INSTANCES,
    "ties": TIES,
    "wrong": WRONG,
    "disagreements": DISAGREEMENTS,
    "proof": PROOFS,
    "refuted_proof": REFUTED,
}
Made = TypeVar("Made")


@dataclass(frozen=True)
class Protocol:
    """Call of a solver, and its output.

    language    of the instances                       arguments  {instance}, {folder} for proof.out
    exit_codes  by status, none where any code is accepted
    grace       seconds from SIGTERM to SIGKILL        line_most  characters of a `v` line, 0 for any number
    end         a list of values ends in 0             unknown    the status line is printed without an answer too
    anytime     the best solution is printed on SIGTERM
    partial     values may be left out
    """

    language: str
    arguments: tuple[str, ...] = ("{instance}",)
    exit_codes: Mapping[str, int] = field(default_factory=dict)
    grace: float = 2.0
    line_most: int = 0
    end: bool = False
    unknown: bool = False
    anytime: bool = False
    partial: bool = False


@dataclass(frozen=True)
class RunLimits:
    """Limits of a run: seconds on a clock, megabytes, cores, megabytes of output; 0 where the sources state none."""

    clock: str = "cpu"
    seconds: float = 0.0
    memory_mb: int = 0
    cores: int = 1
    output_mb: int = 0


@dataclass(frozen=True)
class Demands:
    """Parts of an answer that are demanded (model, value, proof), and what a refuted proof costs."""

    model: bool = True
    value: bool = False
    proof: str = "none"
    refuted_proof: str = "undecided"


@dataclass(frozen=True)
class Placing:
    """Ranking of an event: a name of `--rank`, and the rules around it.

    of     instances that count, `all` or those with or without an objective
    ties   of equal scores: '' as the score has it, by `time`, or `none`
    wrong  contenders with wrong answers rank `last`, behind those with fewer (`counted`), or as others (`ignored`)
    tolerated      number of wrong answers, or of numbers beyond the margin of the score, that cost nothing
    disagreements  instances on which contenders without a wrong answer disagree are `removed`
    """

    name: str
    score: str
    of: str = "all"
    ties: str = ""
    wrong: str = "last"
    tolerated: int = 0
    disagreements: str = ""
    note: str = ""


@dataclass(frozen=True)
class Rules:
    """Rules of an event in a year, from a file."""

    name: str
    event: str
    year: int
    source: tuple[str, ...]
    protocol: Protocol
    limits: RunLimits
    answers: Demands
    ranking: tuple[Placing, ...]
    unsure: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Event and year, with the name of the rules."""
        return f"{self.event} {self.year} ({self.name})"


def names() -> list[str]:
    """Return the names of the rules in this folder."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def rules_at(text: str) -> Rules:
    """Return the rules of a name or of a file. Raises BadUsage."""
    own = FOLDER / f"{text}.toml"
    path = own if text in names() else Path(text)
    try:
        data = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise BadUsage(f"--rules {text}: no such file, and no rules: choose from {', '.join(names())}") from None
    except (OSError, ValueError) as e:  # of TOML it names the line
        raise BadUsage(f"{path}: {e}") from None
    return made(Rules, {"name": path.stem, **data}, str(path))


def made(cls: type[Made], table: Any, where: str) -> Made:
    """Return an object of a table of TOML. Raises BadUsage for unknown or missing keys, and for wrong types."""
    if not isinstance(table, dict):
        raise BadUsage(f"{where}: a table is expected, not {table!r}")
    known = {f.name: f for f in fields(cls)}  # type: ignore[arg-type]
    needed = {name for name, f in known.items() if f.default is MISSING and f.default_factory is MISSING}
    for problem, keys in (("unknown key", table.keys() - known.keys()), ("missing key", needed - table.keys())):
        if keys:
            raise BadUsage(f"{where}: {problem} {', '.join(map(repr, sorted(keys)))}; known are {', '.join(known)}")
    return cls(**{key: converted(known[key].type, value, f"{where}: {key}") for key, value in table.items()})


def converted(kind: Any, value: Any, where: str) -> Any:
    """Return a value of TOML as a field's type. Raises BadUsage."""
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise BadUsage(f"{where}: a list is expected, not {value!r}")
        return tuple(converted(get_args(kind)[0], one, where) for one in value)
    if kind in (Protocol, RunLimits, Demands, Placing):
        return made(kind, value, where)
    if get_origin(kind) is not None:  # a table of exit codes
        if not isinstance(value, dict) or not all(type(code) is int for code in value.values()):
            raise BadUsage(f"{where}: a table of whole numbers is expected, not {value!r}")
        return value
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise BadUsage(f"{where}: {kind.__name__} is expected, not {value!r}")
    choices = CHOICES.get(where.rpartition(" ")[2])
    if choices and value not in choices:
        raise BadUsage(f"{where}: {value!r} is none of {', '.join(filter(None, choices))}")
    return value
