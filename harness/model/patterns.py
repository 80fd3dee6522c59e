"""Names of contenders, in the form of FORM, parsed into fields."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from backends.contract.options import WILD, base_of, split_options
from encoders.axes import DEFAULTS
from encoders.registry import ENCODINGS, NoEncoding, split_axes
from harness.model.errors import BadUsage

FORM = "BACKEND[:VARIANT][[OPTION=VALUE,...]][/ENCODING][+AT_MOST_ONE][+linear=NAME][+table=NAME][+warm][@ENV]"
GRAMMAR = re.compile(
    r"(?P<backend>(?:[^/+@\[]|\[[^\]]*(?:\]|$))+)"  # brackets hold any characters
    r"(?:/(?P<encoding>[^/+@]+))?(?P<plus>(?:\+[^/+@]+)*)(?:@(?P<env>[^/+@]+))?"
)
GLOB = re.compile(r"[*?[]")
PAIRWISE = DEFAULTS.at_most_one
# Default encoding of each formula type.
DEFAULT_ENCODINGS = {e.formula: e.name for e in reversed(ENCODINGS.values())}.values()


@dataclass(frozen=True)
class NamePattern:
    """Fields of a name as written; '' for an omitted field. `backend` is without its `options`."""

    backend: str
    options: tuple[str, ...]
    encoding: str
    at_most_one: str
    linear: str
    table: str
    warm: bool
    env: str


class NamedContender(Protocol):
    """Contender, as far as patterns of contenders look at it."""

    @property
    def name(self) -> str: ...
    @property
    def backend(self) -> str: ...
    @property
    def encoding(self) -> str: ...
    @property
    def at_most_one(self) -> str: ...
    @property
    def linear(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def warm(self) -> bool: ...
    @property
    def env(self) -> str: ...


SomeNamed = TypeVar("SomeNamed", bound=NamedContender)


def is_glob(text: str) -> bool:
    """Return True if a name is a pattern; the bracket of options alone does not make it one."""
    match = GRAMMAR.fullmatch(text)
    plain, words = split_options(match["backend"]) if match else (text, ())
    rest = text[match.end("backend") :] if match else ""
    return bool(GLOB.search(plain) or any(map(WILD.search, words)) or GLOB.search(rest))


def parse(text: str) -> NamePattern:
    """Return the fields of a name or pattern. Raises BadUsage."""
    match = GRAMMAR.fullmatch(text)
    if not match:
        raise BadUsage(f"contender {text!r} is not {FORM}")
    plus = [p for p in match["plus"].split("+") if p]
    try:
        axes = split_axes(p for p in plus if p != "warm")
    except NoEncoding as e:
        raise BadUsage(f"contender {text!r}: {e}") from None
    return NamePattern(
        *split_options(match["backend"]), match["encoding"] or "", *axes, "warm" in plus, match["env"] or ""
    )


def meant(text: str, contenders: Sequence[SomeNamed]) -> list[SomeNamed]:
    """Return the contenders that a name may mean, one if clear; omitted fields are defaults. Raises BadUsage."""
    exact = [c for c in contenders if c.name == text]
    if exact:
        return exact
    p = parse(text)
    found = [
        c
        for c in contenders
        if p.backend in (split_options(c.backend)[0], base_of(c.backend))
        and sorted(p.options) == sorted(split_options(c.backend)[1])
        and p.encoding in ("", c.encoding)
        and (p.at_most_one or PAIRWISE, p.warm, p.env) == (c.at_most_one, c.warm, c.env)
        and (p.linear or DEFAULTS.linear, p.table or DEFAULTS.table) == (c.linear, c.table)
    ]
    usual = [c for c in found if c.encoding in DEFAULT_ENCODINGS]
    return usual if len(usual) == 1 else found
