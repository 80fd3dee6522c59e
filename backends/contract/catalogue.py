"""Descriptions of all backends, for the command line: built-in ones are loaded here, plug-ins by other processes.

A plug-in process calls `describe_base` and `refuses_dumped`. Descriptions of plug-ins are cached, so they do
not depend on `programs`, the commands of --program by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backends.contract.answer import ChoosyBackend, Unsupported, accepted, goal_refusal
from backends.contract.description import (
    Description,
    Missing,
    Parts,
    described,
    description_data,
    parse_description,
    parse_part,
)
from backends.contract.options import BadOption, configured_name, split_options
from backends.contract.registry import BUILT_IN, GROUP, NO_PROGRAMS, find, known_base, load_base, pick
from backends.contract.seeds import with_seed
from encoders.formula import Cnf
from encoders.registry import NoEncoding, spec
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.plugins import Descriptions, PluginFailed, call
from puzzles.plugins.text import one_line
from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.stored import load

PLUGINS = Descriptions(GROUP, "backends.contract.catalogue:describe_base", parse_description)


def catalogues(names: Iterable[str]) -> dict[str, Parts]:
    """Describe the backends of these bases, the default first, with Missing for unavailable ones."""
    names = list(names)
    plugged = PLUGINS.of(name for name in names if name not in BUILT_IN)
    found: dict[str, Parts] = {}
    for name in names:
        if name in BUILT_IN:
            found[name] = tuple(b if isinstance(b, Missing) else described(b) for b in load_base(name))
        else:
            parts = plugged[name]
            found[name] = (Missing(name, f"can't be loaded: {parts}"),) if isinstance(parts, PluginFailed) else parts
    return found


def describe(name: str, programs: Mapping[str, str] = NO_PROGRAMS) -> Description:
    """Describe the backend of a name, with its options; a base name alone stands for its default.

    Raises NoBackend, BadOption.
    """
    plain, words = split_options(name)
    base = known_base(plain, programs)
    found = described(find(plain, programs)) if base in BUILT_IN else pick(plain, catalogues([base])[base])
    return configured(found, words, programs)


def configured(plain: Description, words: Sequence[str], programs: Mapping[str, str] = NO_PROGRAMS) -> Description:
    """Describe a configuration of a backend, after loading the backend. Raises BadOption."""
    if not words:
        return plain
    name = configured_name(plain.name, plain.options, words)
    base = known_base(name)
    if base in BUILT_IN:
        return replace(described(find(name, programs)), name=name)
    try:
        data = call(GROUP, base, "backends.contract.catalogue:describe_configured", name)
    except PluginFailed as e:
        raise BadOption(f"{name}: {e}") from None
    if "refused" in data:
        raise BadOption(one_line(str(data["refused"])))
    found = parse_part(base, data)
    assert isinstance(found, Description)
    return replace(found, name=name)


def takes_seed(name: str, programs: Mapping[str, str] = NO_PROGRAMS) -> bool:
    """Return True if a backend has a random seed that its name does not state. Raises NoBackend, BadOption."""
    plain, words = split_options(name)
    found, stated = describe(plain, programs), {word.partition("=")[0]: None for word in words}
    added = [f"{option}=1" for option in with_seed(found.options, stated, 1) if option not in stated]
    try:
        return bool(added) and bool(configured(found, (*words, *added), programs))
    except BadOption:
        return False


def refusal(name: str, encoding: str, problem: Problem, programs: Mapping[str, str] = NO_PROGRAMS) -> str | None:
    """Return why a backend rejects a problem before it is opened, or None; plug-ins are asked in their process."""
    base = known_base(name)
    if base in BUILT_IN:
        return refuses(name, encoding, problem, programs)
    try:
        why = call(
            GROUP, base, "backends.contract.catalogue:refuses_dumped", name, encoding, dump(problem).decode("latin-1")
        )
    except PluginFailed as e:
        return f"{name} can't be asked: {e}"
    return why if why is None else one_line(str(why))


def describe_base(base: str) -> dict[str, Any]:
    """Return the descriptions of a base's backends as data, not to be cached if some are missing."""
    parts = load_base(base)
    return {
        "backends": [description_data(part) for part in parts],
        "lasting": not any(isinstance(part, Missing) for part in parts),
    }


def describe_configured(name: str) -> dict[str, Any]:
    """Return the description of a configured backend as data, or the reason why its options are `refused`."""
    try:
        return description_data(find(name))
    except BadOption as e:
        return {"refused": str(e)}


def refuses(name: str, encoding: str, problem: Problem, programs: Mapping[str, str] = NO_PROGRAMS) -> str | None:
    """Return the reason why a backend rejects a problem before it is opened, or None."""
    backend, chosen = find(name, programs), spec(encoding)
    if why := goal_refusal(name, backend.can, problem.objective):
        return why
    if chosen.encoding.formula is Cnf:
        return soft_refusal(problem)
    try:
        formula = accepted(backend, chosen.formula(problem))
        return backend.refuses(formula) if isinstance(backend, ChoosyBackend) else None
    except Unsupported as e:
        return str(e)
    except NoEncoding:  # a plug-in failed: the contender's opening says so
        return None


def soft_refusal(problem: Problem) -> str | None:
    """Return the reason why an objective has no soft clauses, or None; other reasons appear on encoding."""
    if problem.objective is None or problem.objective.kind in (ModelCount.kind, QueryScript.kind):
        return None
    from encoders.soft_clauses import TO_SOFT_CLAUSES, unencodable  # each kind of constraint is a module

    kind = problem.objective.kind
    return None if kind in TO_SOFT_CLAUSES else unencodable(kind)


def refuses_dumped(name: str, encoding: str, problem: str) -> str | None:
    """Do the work of `refuses` for a dumped problem, given as text with a character for each byte."""
    return refuses(name, encoding, load(problem.encode("latin-1")))
