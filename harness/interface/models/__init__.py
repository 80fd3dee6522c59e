"""Objects of other packages as instance files: clauses of python-sat, models of CPMpy and CP-SAT, lists of
clauses.

`harness.run` writes them below results/models, named by what they hold, so that journal, programs and `--resume` find
them as they find any other file.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.interface.models.clauses import cnf_text, is_clauses, of_python_sat
from harness.interface.models.cpmpy_model import xcsp3_text
from harness.model.errors import BadUsage
from harness.recording.cp_models import flatzinc_text
from puzzles.files import write_file
from puzzles.formats import read
from puzzles.problem import Instance, Problem

FOLDER = Path("results", "models")

# Classes of other packages whose objects, and those of their subclasses, are taken.
TAKEN = {"pysat": ("CNF", "CNFPlus", "WCNF", "WCNFPlus"), "cpmpy": ("Model",), "ortools": ("CpModel",)}
NOT_TAKEN = {
    "pysat": "of python-sat is not taken: CNF, CNFPlus and WCNF are",
    "cpmpy": "of CPMpy is not taken: a Model is",
    "ortools": "of OR-Tools is not taken: a CpModel is",
}


class ModelFile(NamedTuple):
    """Text of an instance file, its ending, and the names of the object's variables by their names in the file."""

    text: str
    ending: str
    names: Mapping[str, str]


def base_of(given: Any) -> tuple[str, str]:
    """Return the package of TAKEN, and its class, that an object belongs to; ("", "") for any other object.

    An object of a subclass is of the class that is taken; any other class of such a package is itself.
    """
    bases = [(base.__module__.partition(".")[0], base.__name__) for base in type(given).__mro__]
    known = [(package, name) for package, name in bases if package in TAKEN]
    return next(((package, name) for package, name in known if name in TAKEN[package]), (*known, ("", ""))[0])


def written(model: Any) -> ModelFile | None:
    """Return the file of an object, None for an object of an unknown kind. Raises BadUsage."""
    package, kind = base_of(model)
    if package and kind not in TAKEN[package]:
        raise BadUsage(f"a {kind} {NOT_TAKEN[package]}")
    if package == "pysat":
        return ModelFile(*of_python_sat(model, kind), {})
    if package == "cpmpy":
        text, names = xcsp3_text(model)
        return ModelFile(text, ".xml", names)
    if package == "ortools":
        text, names = flatzinc_text(model)
        return ModelFile(text, ".fzn", names)
    return ModelFile(cnf_text(model), ".cnf", {}) if is_clauses(model) else None


def corpora_of(given: Any) -> tuple[list[str], dict[str, Mapping[str, str]]]:
    """Return the corpora that `harness.run` was given as paths; models are written to files first. Raises BadUsage.

    One path or model, or several in anything that can be iterated over. With them come the names of the variables of
    models, by the name of their file.
    """
    alone = is_path(given) or is_model(given) or is_clauses(given) or not isinstance(given, Iterable)
    found, names = list[str](), dict[str, Mapping[str, str]]()
    for one in [given] if alone else given:
        if is_path(one):
            found.append(os.fspath(one))
            continue
        path, of = file_of(one)
        found.append(os.fspath(path))
        names |= {path.name: of} if of else {}
    return found, names


def is_path(given: Any) -> bool:
    return isinstance(given, str | os.PathLike)


def is_model(given: Any) -> bool:
    """Return True for an object of a package whose models are taken, or refused by name."""
    return base_of(given)[0] != ""


def file_of(model: Any) -> tuple[Path, Mapping[str, str]]:
    """Write the file of an object, if it is not there; return its path and names of variables. Raises BadUsage."""
    found = written(model)
    if found is None:
        raise BadUsage(
            f"a corpus is a path or a model, not a {type(model).__name__}: models are lists of clauses, and objects of"
            " CPMpy, python-sat and OR-Tools"
        )
    data = found.text.encode()
    path = FOLDER / f"{name_of(model)}-{hashlib.blake2b(data, digest_size=4).hexdigest()}{found.ending}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            write_file(path, data)
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e
    return path, found.names


def name_of(model: Any) -> str:
    """Return a model's name, or its class in lower case if the model is unnamed, in characters of a file name."""
    named = re.sub(r"[^\w.-]+", "_", str(getattr(model, "name", None) or "")).strip("._-")
    return named or base_of(model)[1].lower() or "clauses"


class ModelInstance(NamedTuple):
    """Instance of one model.

    names  names of the object's variables by their names in its file; the instance has further variables, which the
           file has introduced
    """

    instance: Instance[Any]
    names: Mapping[str, str]


def instance_of_model(model: Any) -> ModelInstance:
    """Return the instance of one model, with the names of the object's variables. Raises BadInput, BadUsage."""
    found = written(model)
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"model{found.ending}")
        path.write_text(found.text)
        (instance,) = read(path)
    problem = renamed(instance.problem, found.names)
    return ModelInstance(replace(instance, name=name_of(model), problem=problem, source=None), found.names)


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    """Return the problem of a model's file with the names of the model's variables."""
    if not names:
        return problem
    declared = tuple(item._replace(name=names.get(item.name, item.name)) for item in problem.declared)
    return replace(problem, variables=tuple(names.get(name, name) for name in problem.variables), declared=declared)
