"""Descriptions of backends: plain data, all that the command line needs to choose contenders without loading them."""

from dataclasses import dataclass
from typing import Any

from backends.contract.answer import Backend, ChoosyBackend, ConfigurableBackend
from backends.contract.options import Option, option_data, parse_option
from encoders.formula import KINDS
from puzzles.plugins import PluginFailed
from puzzles.plugins.text import checked_text, one_line

MAX_VARIANTS = 1000
MAX_OPTIONS = 1000


@dataclass(frozen=True)
class Description:
    """Name, version, accepted formula types, capabilities, options of a backend; `choosy` if it has `refuses`."""

    name: str
    version: str
    accepts: frozenset[type]
    can: frozenset[str]
    choosy: bool
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Missing:
    """Backend, or all backends of a base name, that can't be loaded; `why` also says what to do."""

    name: str
    why: str


Parts = tuple[Description | Missing, ...]


def described(backend: Backend) -> Description:
    """Return the description of a loaded backend."""
    choosy = isinstance(backend, ChoosyBackend)
    options = backend.options if isinstance(backend, ConfigurableBackend) else ()
    return Description(backend.name, backend.version, backend.accepts, backend.can, choosy, options)


def description_data(part: Backend | Missing) -> dict[str, Any]:
    """Return the description of a loaded backend as plain data, for `parse_description`."""
    if isinstance(part, Missing):
        return {"name": part.name, "why": part.why}
    found = described(part)
    if (again := part.version) != found.version:
        why = f"its version changes between accesses ({found.version!r}, {again!r}): a version must be constant"
        return {"name": found.name, "why": why}
    accepts = sorted(kind.__name__ for kind in found.accepts)
    return {
        "name": found.name,
        "version": found.version,
        "accepts": accepts,
        "can": sorted(found.can),
        "choosy": found.choosy,
        "options": [option_data(option) for option in found.options],
    }


def parse_description(base: str, data: Any) -> Parts:
    """Return the descriptions of a plug-in's backends from data. Raises PluginFailed if they are invalid."""
    parts = data.get("backends") if isinstance(data, dict) else None
    if not isinstance(parts, list) or not 0 < len(parts) <= MAX_VARIANTS:
        raise PluginFailed(f"it must have 1 to {MAX_VARIANTS} backends")
    return tuple(parse_part(base, part) for part in parts)


def parse_part(base: str, data: Any) -> Description | Missing:
    """Return one description, or Missing, from data. Raises PluginFailed if it is invalid."""
    if not isinstance(data, dict):
        raise PluginFailed("its description is invalid")
    name = checked_text(data.get("name"), "a backend's name")
    if name.partition(":")[0] != base:
        raise PluginFailed(f"its backend is named {name!r}, not {base!r} or '{base}:VARIANT'")
    if "why" in data:
        return Missing(name, one_line(str(data["why"])))
    version = checked_text(data.get("version"), f"the version of {name}")
    accepts, can = data.get("accepts"), data.get("can")
    if not isinstance(accepts, list) or not isinstance(can, list):
        raise PluginFailed(f"what {name} accepts and can is not stated in sets")
    kinds = frozenset(KINDS[kind] for kind in accepts if isinstance(kind, str) and kind in KINDS)
    abilities = frozenset(checked_text(ability, f"a capability of {name}") for ability in can)
    options = data.get("options")
    if not isinstance(options, list) or len(options) > MAX_OPTIONS:
        raise PluginFailed(f"the options of {name} are not stated in a list of up to {MAX_OPTIONS}")
    try:
        known = tuple(map(parse_option, options))
    except ValueError as e:
        raise PluginFailed(f"an option of {name} is invalid: {one_line(str(e))}") from None
    return Description(name, version, kinds, abilities, data.get("choosy") is True, known)
