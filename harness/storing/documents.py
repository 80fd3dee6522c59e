"""JSON documents of a journal: metadata, contenders and problems, checked before anything is built from them."""

import math
from collections.abc import Mapping, Set
from dataclasses import MISSING, fields
from datetime import date, datetime
from typing import Any

from harness.model.contender import Contender
from harness.model.lease import CHANGED, EXPERIMENT, LATE_ANSWERS, REFUSED_PLACES, SEEDLESS, SHARD
from harness.model.observing.clocks import Clocks
from harness.model.observing.observed import Observed
from harness.model.observing.sums import ContenderSums
from harness.model.outcome import FLATTENED, MODEL_NAMES, SOURCES, SourceDigest
from harness.model.settings import RunSettings
from harness.storing.facts import FAMILIES
from harness.storing.rules import MAX_INT
from puzzles.problem import Problem
from puzzles.problem.dumped import decoded
from puzzles.stored import load

MAX_SECONDS = 1e9
MAX_NUMBERED, MAX_VALUES = 1 << 31, 1 << 20  # variables of a problem; values of a variable, unless they are a range
MAX_SIZE = (1 << 63) - 1  # of a number
STATES = ("running", "complete", "interrupted")
POSITIVE = ("limit", "cpu", "opening", "count", "repeats", "jobs")  # settings


class Damaged(ValueError):
    """The journal holds data that this tool does not write. The text is one line."""


def check_facts(facts: Mapping[str, Any]) -> None:
    """Raise Damaged if the metadata of a run have types or values that this tool does not write."""
    check_settings(facts["settings"])
    check_host({"cores": None} | facts["host"], facts["versions"])
    if facts["state"] not in STATES:
        raise Damaged(f"its state is {str(facts['state'])[:40]!r}")
    check_moment(facts.get("started"))
    check_texts(facts["command"], facts.get("merged", []))
    check_texts([facts.get("folder", ""), facts.get(EXPERIMENT, "")])
    check_texts(facts.get("refused", []))
    if type(facts.get(CHANGED, 0)) is not int:
        raise Damaged(f"{CHANGED!r} is not a number")
    if type(facts.get("late", 0)) is not int:
        raise Damaged("'late' is not a number")
    check_shard(facts.get(SHARD, [1, 1]))
    check_texts(facts.get(REFUSED_PLACES, []))
    check_texts(facts.get(SEEDLESS, []))
    if type(late := facts.get(LATE_ANSWERS, 0)) is not int or not 0 <= late <= MAX_INT:
        raise Damaged(f"{LATE_ANSWERS!r} is {str(late)[:40]!r}")
    if "imported" in facts:
        check_mapping("imported", facts["imported"], str | list)
        check_texts([facts["imported"]["format"]], facts["imported"]["files"])
    check_mapping(FAMILIES, facts.get(FAMILIES, {}), dict)
    for families in facts.get(FAMILIES, {}).values():
        check_mapping(FAMILIES, families, str)
    for session in facts.get("sessions", []):
        check_mapping("sessions", session, int)
        if not {"jobs", "pin"} <= session.keys():
            raise Damaged("'sessions' has other entries than jobs and pin")
    check_sums(facts, Clocks, {"batches", "puzzles", "reported", "waited"})
    check_sums(facts, Observed, set())
    check_mapping("executables", facts.get("executables", {}), str | None)
    check_mapping(FLATTENED, facts.get(FLATTENED, {}), int)
    if not all(number.isdecimal() and 0 <= ns <= MAX_INT for number, ns in facts.get(FLATTENED, {}).items()):
        raise Damaged(f"{FLATTENED!r} has other entries than times of instances")
    check_mapping(MODEL_NAMES, facts.get(MODEL_NAMES, {}), dict)
    for names in facts.get(MODEL_NAMES, {}).values():
        check_mapping(MODEL_NAMES, names, str)
    check_mapping("sources", facts.get(SOURCES, {}), dict)
    for number, source in facts.get(SOURCES, {}).items():
        check_mapping("sources", source, str)
        if not number.isdecimal() or source.keys() != {f.name for f in fields(SourceDigest)}:
            raise Damaged("'sources' has other entries than files of instances")


def check_sums(facts: Mapping[str, Any], kind: type[ContenderSums], needed: Set[str]) -> None:
    """Raise Damaged unless the metadata have, by contender, exactly the numbers that a kind may and must have."""
    key, data = kind.key, facts.get(kind.key, {})
    check_mapping(key, data, dict)
    for sums in data.values():
        check_mapping(key, sums, int)
        if not needed <= sums.keys() <= {f.name for f in fields(kind)}:
            raise Damaged(f"{key!r} has other entries than the sums of a contender")


def check_moment(text: Any) -> None:
    """Raise Damaged unless `text` is a date and time, or None, as in results of others."""
    try:
        if text is not None:
            datetime.fromisoformat(text)
            date.fromisoformat(text[:10])
    except (ValueError, TypeError):
        raise Damaged(f"'started' is {str(text)[:40]!r}, not a date and time") from None


def check_shard(data: Any) -> None:
    """Raise Damaged unless `data` is a number of a shard and the number of shards."""
    numbers = isinstance(data, list) and len(data) == 2 and all(type(number) is int for number in data)
    if not numbers or not 1 <= data[0] <= data[1]:
        raise Damaged(f"{SHARD!r} is {str(data)[:40]!r}")


def check_settings(data: Any) -> None:
    """Raise Damaged if settings are unknown, or of another type or sign than their default."""
    known = RunSettings().as_dict()
    check_mapping("settings", data, object)
    for key, value in data.items():
        if key not in known:
            raise Damaged(f"unknown setting {key[:40]!r}")
        default = known[key]
        if isinstance(default, dict):
            check_mapping(key, value, str)
            continue
        if value is None and default is None:
            continue
        if default is None or isinstance(default, float):
            usable = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_SECONDS
        elif type(default) is int:
            usable = type(value) is int and (-MAX_INT if key == "seed" else 0) <= value <= MAX_INT
        else:
            usable = type(value) is type(default)
        if not usable or (key in POSITIVE and value <= 0):
            raise Damaged(f"the setting {key} is {str(value)[:40]!r}")
    if not data.get("wall_known", True) and data.get("cpu") is None:
        raise Damaged("neither a limit of wall time nor one of CPU time is known")


def check_host(host: Any, versions: Any) -> None:
    """Raise Damaged if a machine's processor or cores, or the version of Python, have types never written."""
    check_mapping("host", host, str | int | None)
    check_mapping("versions", versions, str | None)
    if not (isinstance(host["cpu"], str) and type(host.get("cores", 1)) is int and isinstance(versions["python"], str)):
        raise Damaged("host or versions have other types than a journal's")


def check_mapping(name: str, data: Any, values: Any) -> None:
    """Raise Damaged if `data` is no object with values of this type."""
    if not isinstance(data, dict) or not all(isinstance(value, values) for value in data.values()):
        raise Damaged(f"{name!r} is {str(data)[:40]!r}")
    if any(isinstance(value, float) and not math.isfinite(value) for value in data.values()):
        raise Damaged(f"{name!r} has a value that is not finite")


def check_contender(name: Any, data: Any, version: Any) -> None:
    """Raise Damaged if the fields of a contender are not those of a Contender of this name."""
    types = {"warm": bool} | {f.name: str for f in fields(Contender) if f.name != "warm"}
    optional = {f.name: str for f in fields(Contender) if f.default is not MISSING}
    if not isinstance(data, dict) or optional | {key: type(value) for key, value in data.items()} != types:
        raise Damaged(f"the fields of contender {str(name)[:40]!r} are not a contender's")
    if (data["name"], type(version)) != (name, str):
        raise Damaged(f"contender {str(name)[:40]!r} has another name in its fields")


def stored_problem(content: Any, digest: Any) -> Problem:
    """Return a stored problem. Raises Damaged, or another error of decoding, if the content is no problem."""
    data = decoded(content)
    check_names_and_values(data)
    problem = load(content)
    for constraint in problem.constraints:
        constraint.check(problem)
    if problem.objective is not None:
        problem.objective.check(problem)
    if problem.digest != digest:
        raise Damaged("a problem has another digest than its content")
    return problem


def check_names_and_values(data: Any) -> int:
    """Return the number of variables of a problem's data. Raises Damaged if names or values are not a problem's."""
    check_mapping("problem", data, object)
    names, values = data["squares" if "squares" in data else "variables"], data["values"]
    check_texts([data["name"]], [] if isinstance(values, dict) and "squares" not in data else values)
    if isinstance(values, dict):
        if any(type(number) is not int for found in values.values() for number in found):
            raise Damaged("the values of a problem are not integers")
        if len(range(*values.get("range", (0, 0)))) > MAX_VALUES:
            raise Damaged(f"a problem of more than {MAX_VALUES} values")
        first, last = values.get("bounds", (0, 0))
        if not -MAX_SIZE <= first <= last <= MAX_SIZE or last - first > MAX_SIZE:
            raise Damaged("the bounds of a problem's values are not integers of 64 bits")
    if not isinstance(names, dict):
        check_texts(names)
        return len(names)
    prefix, size = names["numbered"]
    check_texts([prefix])
    if type(size) is not int or not 0 <= size < MAX_NUMBERED:
        raise Damaged(f"a problem of {str(size)[:40]} variables")
    return size


def check_texts(*lists: Any) -> None:
    """Raise Damaged unless all `lists` are lists of texts."""
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        raise Damaged("a list of texts has other content")
