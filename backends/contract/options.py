"""Options of a backend, part of its name: BACKEND[OPTION=VALUE,...].

A bracket at the end of a name holds options if it has '=', starts with '-' or is '*'; any other bracket is a class of
characters of a glob. Values hold no comma, bar or bracket. `*` and `?` in an option match the values that a backend
lists: `cpsat[linearization_level=*]` is a configuration for each level, `cpsat[*]` one for each value of each option,
and `cpsat[cores=1|2|4]` one for each value of the list.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import product
from typing import Any, Self

Value = bool | int | float | str | None
BRACKET = re.compile(r"(?P<backend>.+)\[(?P<options>\*|-[^\[\]]*|[^\[\]]*=[^\[\]]*)\]")
WILD = re.compile(r"[*?]")
NAME = re.compile(r"[\w.-]{1,100}")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
LARGEST_INT = 2**31 - 1  # largest 32-bit integer, as many solvers have
MAX_NAMED = 10  # options in a message
TYPES = ("bool", "int", "float", "text", "argument")


class BadOption(ValueError):
    """The backend lacks the option, or the option lacks the value; the text lists those that exist."""


@dataclass(frozen=True)
class Option:
    """An option of a backend.

    type    one of TYPES; an `argument` stands for all words that start with its name, which are passed on unchanged
    values  all allowed values, () for any of the type
    least, most  bounds of numbers
    """

    name: str
    type: str
    values: tuple[Value, ...] = ()
    least: float | None = None
    most: float | None = None

    def listed(self) -> tuple[Value, ...]:
        """Return the values that a glob can match."""
        return (False, True) if self.type == "bool" else self.values

    def expected(self) -> str:
        """Return the allowed values of the option in words."""
        if listed := self.listed():
            return " or ".join(map(shown, listed))
        bounds = [f"from {bound(self.least)}"] if self.least is not None else []
        bounds += [f"up to {bound(self.most)}"] if self.most is not None else []
        return " ".join([{"int": "a whole number", "float": "a number"}.get(self.type, "a text"), *bounds])

    def parse(self, text: str) -> Value:
        """Return the value of a text. Raises ValueError."""
        value: Value = text
        if self.type == "bool":
            value = {"true": True, "false": False}[text.lower()]
        elif self.type in ("int", "float"):
            if not NUMBER.fullmatch(text):  # Python takes 1_000 too, and digits of other scripts
                raise ValueError(text)
            value = int(text) if self.type == "int" else float(text)
            low = -float("inf") if self.least is None else self.least
            high = float("inf") if self.most is None else self.most
            if not (low <= value <= high and abs(value) < float("inf")):
                raise ValueError(text)
        if self.values and value not in self.values:
            raise ValueError(text)
        return value


ARGUMENTS = Option("-", "argument")  # option of a program: any argument
CORES = Option("cores", "int", least=1, most=1024)  # option of every backend (cores.py)


@dataclass(frozen=True)
class Configured:
    """Name and version of a backend, and the values chosen for some of its options."""

    name: str
    version: str
    chosen: Mapping[str, Value] = field(default_factory=dict, kw_only=True)

    def configured(self, options: Mapping[str, Value]) -> Self:
        """Return the backend with these values."""
        return replace(self, chosen=options)


def bound(number: float) -> str:
    """Return a bound as text, with all digits if it is a whole number."""
    return f"{number:,.0f}" if abs(number) < 1e15 and number == round(number) else f"{number:g}"


def shown(value: Value) -> str:
    """Return a value in the form that it has in a name."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def split_options(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a backend's name without its options, and the options as written."""
    match = BRACKET.fullmatch(name)
    if not match:
        return name, ()
    return match["backend"], tuple(word.strip() for word in match["options"].split(","))


def arguments(options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return options as words of a command line; a value None means that the word is the name alone."""
    return tuple(name if value is None else f"{name}={shown(value)}" for name, value in options.items())


def configured_name(backend: str, known: Sequence[Option], words: Sequence[str]) -> str:
    """Return the canonical name of a configuration. Raises BadOption."""
    options = parse_options(backend, known, words)
    return f"{backend}[{','.join(arguments(options))}]" if options else backend


def parse_options(backend: str, known: Sequence[Option], words: Iterable[str]) -> dict[str, Value]:
    """Return the values of options as written, by name: named ones in order, then arguments as given.

    Raises BadOption.
    """
    by_name = {CORES.name: CORES} | {option.name: option for option in known if option.type != "argument"}
    named, free = dict[str, Value](), dict[str, Value]()
    for word in words:
        name, equals, text = word.partition("=")
        if name in named or name in free:
            raise BadOption(f"{backend}: option {name!r} is stated twice")
        if name in by_name:
            named[name] = value_of(backend, by_name[name], text if equals else None)
        elif any(option.type == "argument" and name.startswith(option.name) for option in known):
            free[name] = text if equals else None
        else:
            raise BadOption(f"{backend} has no option {name!r}: {known_names(backend, known, name)}")
    return dict(sorted(named.items())) | free


def value_of(backend: str, option: Option, text: str | None) -> Value:
    """Return the value of an option as written. Raises BadOption."""
    try:
        return option.parse(text or "")
    except (ValueError, KeyError):
        seen = "has no value" if text is None else f"can't be {text!r}"
        raise BadOption(f"{backend}: option {option.name!r} {seen}: expected {option.expected()}") from None


def known_names(backend: str, known: Sequence[Option], wanted: str) -> str:
    """Return at most MAX_NAMED options of a backend in words, closest names first."""
    names = [f"any that starts with {o.name!r}" if o.type == "argument" else o.name for o in known]
    if len(names) > MAX_NAMED:
        from difflib import get_close_matches  # needed only for this error

        near = get_close_matches(wanted, names, MAX_NAMED, cutoff=0)
        return f"known are {', '.join(near)} and {len(names) - MAX_NAMED} more: see `list --options {backend}`"
    return f"known are {', '.join(names)}" if names else "it has none"


def matching_options(backend: str, known: Sequence[Option], words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the options of all configurations that the words match, one option for each word. Raises BadOption."""
    each = ([one for part in listed_values(word) for one in matching_words(backend, known, part)] for word in words)
    return list(product(*each))


def listed_values(word: str) -> list[str]:
    """Return an option for each value of its list: A=1|2 is A=1 and A=2."""
    name, equals, values = word.partition("=")
    return [f"{name}{equals}{value}" for value in values.split("|")]


def matching_words(backend: str, known: Sequence[Option], word: str) -> list[str]:
    """Return the options that one word matches; arguments of programs match only themselves. Raises BadOption."""
    name, _, value = ("*", "=", "*") if word == "*" else word.partition("=")
    if not WILD.search(word):
        return [word]
    values = [(option.name, shown(v)) for option in known if fnmatchcase(option.name, name) for v in option.listed()]
    found = [f"{n}={text}" for n, text in values if fnmatchcase(text, value)]
    if not found and any(o.type == "argument" and word.startswith(o.name) for o in known):
        return [word]
    if not found:
        raise BadOption(
            f"{backend} has no option with listed values that match {word!r}: {known_names(backend, known, name)}"
        )
    return found


def base_of(name: str) -> str:
    """Return the base of a backend's name."""
    return split_options(name)[0].partition(":")[0]


def option_data(option: Option) -> dict[str, Any]:
    """Return an option as plain data."""
    bounds = {"least": option.least, "most": option.most}
    return {"name": option.name, "type": option.type, "values": list(option.values), **bounds}


def parse_option(data: Any) -> Option:
    """Return an option from plain data. Raises ValueError if it is invalid."""
    if not isinstance(data, dict):
        raise ValueError("it is not stated in fields")
    name, kind, values = data.get("name"), data.get("type"), data.get("values")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name")
    if kind not in TYPES or not isinstance(values, list) or not all(isinstance(v, int | float | str) for v in values):
        raise ValueError(f"type or values of {name} are none of {', '.join(TYPES)}")
    bounds = [data.get(bound) for bound in ("least", "most")]
    if not all(bound is None or isinstance(bound, int | float) for bound in bounds):
        raise ValueError(f"the bounds of {name} are no numbers")
    return Option(name, kind, tuple(values), *bounds)
