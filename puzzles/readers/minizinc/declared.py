"""Names of what a modeller declared, from the output model that MiniZinc's compiler writes (.ozn).

    array [1..2] of opt int: z = [X_INTRODUCED_0_,X_INTRODUCED_1_];
    opt int: X_INTRODUCED_1_ = reverse_map_var_opt_int(X_INTRODUCED_20_,X_INTRODUCED_21_);
    bool: X_INTRODUCED_20_ = int_ne(X_INTRODUCED_21_,0);

The variable X_INTRODUCED_21_ is deopt(z[2]): 0 if z[2] is absent. A set of integers is an array of Booleans: s[4] tells
if 4 is in s. A Boolean that would tell if an option occurs is occurs(x).
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from puzzles.readers.flatzinc.build import indices_of
from puzzles.readers.flatzinc.model import INTRODUCED

DECLARATION = re.compile(r"((?:array ?\[([^\]]*)\] of )?[\w ]+): ?(\w+)(?: ?= ?(.*))?;")
OPTION = re.compile(r"reverse_map_var_opt(?:_int|_bool)?\((\w+),(\w+)\)")
SET = re.compile(r"reverse_map_ab2si\((\w+)\)")
ITEMS = re.compile(r"(?:array[1-6]d\(([-.\w, ]*?),)?\[([\w, -]*)\]\)?")
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
Ranges = tuple[tuple[int, int], ...]


class Item(NamedTuple):
    """Type of what is declared, the text of its indices, and its value."""

    type: str
    indices: str
    value: str


def ranges_of(text: str) -> Ranges:
    """Return the ranges of a text such as 1..2,0..1."""
    return tuple((int(first), int(last)) for first, last in RANGE.findall(text))


def labels(output: str) -> tuple[dict[str, str], set[str]]:
    """Return what variables are called by name, and the values of options that nothing fixes where they are absent."""
    found = filter(None, map(DECLARATION.fullmatch, output.splitlines()))
    known = {m[3]: Item(m[1], m[2] or "", m[4] or "") for m in found}
    named = dict[str, str]()
    for name in known:
        if not name.startswith(INTRODUCED):
            named.update(labelled(name, name, known))
    options = (OPTION.fullmatch(item.value) for item in known.values() if item.type == "opt bool")
    return named, {m[2] for m in options if m}


def labelled(label: str, name: str, known: Mapping[str, Item]) -> Iterator[tuple[str, str]]:
    """Yield the variables that make up what is called `label`, each with its own label."""
    item = known.get(name, Item("", "", ""))
    if option := OPTION.fullmatch(item.value):
        yield option[2], f"deopt({label})"
        if not known.get(option[1], item).value:
            yield option[1], f"occurs({label})"
    elif matched := SET.fullmatch(item.value):
        yield from labelled(label, matched[1], known)
    elif items := ITEMS.fullmatch(item.value):
        parts = [part.strip() for part in items[2].split(",")]
        for indices, part in zip(indices_of(ranges_of(items[1] or item.indices), parts), parts, strict=False):
            yield from labelled(f"{label}[{','.join(map(str, indices))}]", part, known)
    elif not item.value and not item.indices and name != label:
        yield name, label
