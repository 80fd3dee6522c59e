"""JSON documents of a journal: metadata, contenders and problems, checked before anything is built from them."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from harness.model.clocks import KEY as CLOCKS
from harness.model.clocks import Clocks
from harness.model.contender import Contender
from harness.model.settings import RunSettings
from puzzles.constraints import kinds
from puzzles.problem import Problem, load

MAX_INT = (1 << 62) - 1
MAX_SECONDS = 1e9
STATES = ("running", "complete", "interrupted")
POSITIVE = ("limit", "opening", "count", "repeats", "jobs")  # settings


class Damaged(ValueError):
    """The journal holds something that this tool does not write. The text is one line."""


def check_facts(facts: Mapping[str, Any]) -> None:
    """Raise Damaged if the metadata of a run have other types or values than this tool writes."""
    check_settings(facts["settings"])
    check_host({"cores": None} | facts["host"], facts["versions"])
    if facts["state"] not in STATES:
        raise Damaged(f"its state is {str(facts['state'])[:40]!r}")
    check_texts(facts["command"], facts.get("merged", []))
    for session in facts.get("sessions", []):
        check_mapping("sessions", session, int)
        if not {"jobs", "pin"} <= session.keys():
            raise Damaged("'sessions' has other entries than jobs and pin")
    check_mapping("clocks", facts.get(CLOCKS, {}), dict)
    for sums in facts.get(CLOCKS, {}).values():
        check_mapping("clocks", sums, int)
        if sums.keys() != {f.name for f in fields(Clocks)}:
            raise Damaged("'clocks' has other entries than the sums of a contender")
    check_mapping("executables", facts.get("executables", {}), str | None)


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
            usable = type(value) is int and 0 <= value <= MAX_INT
        else:
            usable = type(value) is type(default)
        if not usable or (key in POSITIVE and value <= 0):
            raise Damaged(f"the setting {key} is {str(value)[:40]!r}")


def check_host(host: Any, versions: Any) -> None:
    """Raise Damaged if processor or cores of a machine, or the version of Python, are not what this tool writes."""
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
    if not isinstance(data, dict) or {key: type(value) for key, value in data.items()} != types:
        raise Damaged(f"the fields of contender {str(name)[:40]!r} are not a contender's")
    if (data["name"], type(version)) != (name, str):
        raise Damaged(f"contender {str(name)[:40]!r} has another name in its fields")


def stored_problem(content: Any, digest: Any) -> Problem:
    """Return a stored problem. Raises Damaged, or another error of decoding, if it is not one."""
    data = json.loads(content)
    check_mapping("problem", data, object)
    if "squares" in data:
        check_texts(data["squares"], data["values"])
        parts = [{"kind": "all_different", "units": data["units"]}]
    else:
        check_texts(data["variables"], [] if isinstance(data["values"], dict) else data["values"])
        parts = data["constraints"]
    if not isinstance(data["name"], str) or any(part["kind"] not in kinds() for part in parts):
        raise Damaged("a problem has another content than a journal's")
    check_constraints(parts, len(data.get("squares", data.get("variables"))))
    problem = load(content)
    if problem.digest != digest:
        raise Damaged("a problem has another digest than its content")
    return problem


def check_texts(*lists: Any) -> None:
    """Raise Damaged unless these are lists of texts."""
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        raise Damaged("a list of texts has other content")


def check_constraints(parts: list[dict[str, Any]], variables: int) -> None:
    """Raise Damaged if units or clauses name variables that the problem lacks."""
    for part in parts:
        units = part["units"] if part["kind"] == "all_different" else [part["clauses"]]
        numbers = np.array([x for unit in units for x in unit])
        if not len(numbers):
            continue
        least, most = (0, variables - 1) if "units" in part else (-variables, variables)
        ended = "units" in part or numbers[-1] == 0
        if numbers.dtype.kind != "i" or numbers.min() < least or numbers.max() > most or not ended:
            raise Damaged("a constraint names a variable that its problem lacks")
