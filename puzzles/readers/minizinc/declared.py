"""Names and values as a modeller declared them, from the output model of MiniZinc's compiler (.ozn).

    array [1..2] of opt int: z = [X_INTRODUCED_0_,X_INTRODUCED_1_];
    opt int: X_INTRODUCED_1_ = reverse_map_var_opt_int(X_INTRODUCED_20_,X_INTRODUCED_21_);
    bool: X_INTRODUCED_20_ = int_ne(X_INTRODUCED_21_,0);
    array [Color] of int: shade;
    output ["z = ",show(z),";\\n","shade = ",... _toString_Color(shade[i],true,false) ...

z[2] is an option: absent if X_INTRODUCED_21_ is 0. A set of integers is an array of Booleans by member. Arrays without
a value are those of the FlatZinc. Enumerations are numbers from 1; only the output and the indices tell their names.
An enumeration has parts: names, values of another one or of a range in a constructor, or anonymous values.

    function string : _toString_E(opt E: x,bool: b,bool: json) = ... if deopt(x)<=1 then _toString_0_E(x,b,json) ...
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from puzzles.problem.declared import NUMBER, NUMBERS, OPTION, SET
from puzzles.readers.flatzinc.document import DeclaredName, Value
from puzzles.readers.flatzinc.model import INTRODUCED

DECLARATION = re.compile(r"((?:array ?\[([^\]]*)\] of )?[\w ]+): ?(\w+)(?: ?= ?(.*))?;")
OPTIONAL = re.compile(r"reverse_map_var_opt(?:_int|_bool)?\((\w+),(\w+)\)")
MAPPED = re.compile(r"reverse_map_ab2si\((\w+)\)")
CONSTANT_SET = re.compile(r"\{([-0-9, ]*)\}|(-?[0-9]+)\.\.(-?[0-9]+)")
PRESENT = re.compile(r"int_ne\((\w+), ?0\)")
ARRAY = re.compile(r"array[1-6]d\(([-.\w, ]+),(\w+|\[.*\])\)")
ITEMS = re.compile(r"\[\|?([\w, |-]*?)\|?\]")
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
SUM = re.compile(r"(-?[0-9]{1,9}) ?([+-]) ?([0-9]{1,9})")
OUTPUT = re.compile(r'"(\w+) = (?:\\n)?",')
ENUMERATION = "_enum_to_string_"  # begins the names of the arrays of an enumeration's names
WRITTEN = re.compile(r"function string : _toString_(\w+)\(opt [^)]*\) = (.*);")
LAST_OF_PART = re.compile(r"<=([\w+()]+) then _toString_")
CONSTRUCTOR = re.compile(r'else "(\w+)" endif\+\+"\("')
INSIDE = re.compile(r"\+\+_toString_(\w+)\('")
CONSTANTS = {"true": 1, "false": 0}
MAX_MEMBERS = 100_000  # of a constant set


class Declaration(NamedTuple):
    """Type of what is declared, the text of its indices, and its value."""

    type: str
    indices: str
    value: str


class OutputModel:
    """Declarations of an output model by name; `named` are the arrays of the FlatZinc."""

    def __init__(self, text: str, named: Mapping[str, Value]) -> None:
        lines = text.splitlines()
        found = filter(None, map(DECLARATION.fullmatch, lines))
        self.known = {m[3]: Declaration(m[1], m[2] or "", m[4] or "") for m in found}
        self.known = {name: d._replace(indices=self.resolved(d.indices)) for name, d in self.known.items()}
        self.named = named
        self.written = {m[1]: m[2] for m in map(WRITTEN.fullmatch, lines) if m}
        output = next((line for line in lines if line.startswith("output ")), "")
        starts = [*OUTPUT.finditer(output)]
        ends = [*(m.start() for m in starts[1:]), len(output)]
        self.shown = {m[1]: output[m.end() : end] for m, end in zip(starts, ends, strict=False)}

    def resolved(self, indices: str) -> str:
        """Return the text of indices with numbers for integers that are declared, and for sums and differences."""

        def number(found: re.Match[str]) -> str:
            item = self.known.get(found[0])
            return item.value if item and item.type == "int" and NUMBER.fullmatch(item.value) else found[0]

        return SUM.sub(lambda m: str(int(m[1]) + int(m[2] + m[3])), re.sub(r"[A-Za-z_]\w*", number, indices))

    def items(self) -> Iterator[DeclaredName]:
        """Yield all that the modeller declared, in the order of the output."""
        for name in self.shown or self.known:
            if name in self.known and not name.startswith((INTRODUCED, "_")):
                yield from self.parts(name, name, self.texts_of(name))

    def texts_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the values of what is declared; none if it is of no enumeration."""
        shown = re.search(rf"_toString_(\w+)\({name}[\[,]", self.shown.get(name, ""))
        return self.enumeration(shown[1]) if shown else ()

    def enumeration(self, name: str) -> tuple[str, ...]:
        """Return the names of an enumeration as MiniZinc writes them, none if they are not known."""
        body, found = self.written.get(name, ""), list[str]()
        if not body and f"{ENUMERATION}0_{name}" not in self.known:
            return ()
        for k, last in enumerate((*LAST_OF_PART.findall(body), f"card({name})")):
            part = self.written.get(f"{k}_{name}", body)
            found += self.part_of_enumeration(name, k, part, range(len(found) + 1, self.total(last) + 1))
        return tuple(found)

    def total(self, text: str) -> int:
        """Return the value of a sum of numbers and sizes of sets, such as 1+card(Color)+2; 0 for what is not known."""
        sets = (self.declared_range(name) for name in re.findall(r"card\((\w+)\)", text))
        return sum(map(len, sets)) + sum(map(int, re.findall(r"(?<![\w(])[0-9]+(?![\w)])", text)))

    def part_of_enumeration(self, name: str, k: int, body: str, numbers: range) -> Iterator[str]:
        """Yield the names of these numbers, which are part `k` of an enumeration."""
        if listed := self.known.get(f"{ENUMERATION}{k}_{name}"):
            yield from map(str, json.loads(listed.value))
        elif made := CONSTRUCTOR.search(body):
            inside = INSIDE.search(body)
            names = self.enumeration(inside[1]) if inside else ()
            of = [n - int(self.known[f"_constrMin_{k}_{name}"].value) for n in numbers]
            yield from (f"{made[1]}({names[n - 1] if names else n})" for n in of)
        else:
            yield from (f"to_enum({name},{n})" for n in numbers)

    def parts(self, label: str, name: str, texts: tuple[str, ...]) -> Iterator[DeclaredName]:
        """Yield the items of what is called `label`; those of an array have indices."""
        if name not in self.known:
            yield DeclaredName(label, NUMBERS, texts, (self.operand(name),))
            return
        kind, indices, value = self.known[name]
        if indices or kind.startswith("array"):
            for index, part in self.elements(name, indices, value):
                yield from self.parts(f"{label}[{','.join(index)}]", part, texts)
        elif option := OPTIONAL.fullmatch(value):
            yield DeclaredName(label, OPTION, texts, (self.occurring(option[1]), self.operand(option[2])))
        elif kind.startswith("set of"):
            members = [*self.members(value)]
            names = tuple(texts[int(n) - 1] if 1 <= int(n) <= len(texts) else n for n, _ in members)
            if members or value.replace(" ", "") == "{}":
                yield DeclaredName(label, SET, names, tuple(self.operand(part) for _, part in members))
        else:
            yield DeclaredName(label, NUMBERS, texts, (self.operand(name),))

    def occurring(self, name: str) -> str | int:
        """Return the variable that is 0 where an option is absent."""
        present = PRESENT.fullmatch(self.known[name].value) if name in self.known else None
        return present[1] if present else self.operand(name)

    def operand(self, text: str) -> str | int:
        """Return a number, also that of a truth value, or the name of a variable."""
        value = self.known[text].value if text in self.known else text
        return CONSTANTS[value] if value in CONSTANTS else int(value) if NUMBER.fullmatch(value) else text

    def untied(self) -> set[str]:
        """Return the values of optional Booleans, which nothing fixes where they are absent."""
        options = (OPTIONAL.fullmatch(item.value) for item in self.known.values() if item.type == "opt bool")
        return {m[2] for m in options if m}

    def members(self, value: str) -> Iterator[tuple[str, str]]:
        """Yield the members that a set may have, each with the Boolean that tells if it has it."""
        if (mapped := MAPPED.fullmatch(value)) and mapped[1] in self.known:
            _, indices, items = self.known[mapped[1]]
            for (index,), part in self.elements(mapped[1], indices, items):
                if part != "false":
                    yield index, part
        elif constant := CONSTANT_SET.fullmatch(value):
            first, last = int(constant[2] or 0), int(constant[3] or -1)
            listed = re.findall(r"-?[0-9]+", constant[1] or "")
            yield from ((n, "true") for n in [*listed, *map(str, range(first, min(last, first + MAX_MEMBERS) + 1))])

    def elements(self, name: str, indices: str, value: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield each element of an array with the texts of its indices."""
        if array := ARRAY.fullmatch(value):
            indices, value = indices if RANGE.sub("", indices).strip(", ") else array[1], array[2]
        while value in self.known and self.known[value].value:
            value = self.known[value].value
        listed = ITEMS.fullmatch(value)
        if listed:
            items = [part.strip() for part in re.split(r"[,|]", listed[1]) if part.strip()]
        else:
            flat = self.named.get(value or name)
            items = [str(item).lower() if isinstance(item, bool) else str(item) for item in flat or ()]
        yield from zip(self.indices_of(indices, len(items)), items, strict=False)

    def indices_of(self, text: str, size: int) -> Sequence[tuple[str, ...]]:
        """Return the indices of all elements of an array of `size`; from 1 if those of the text are not known."""
        dimensions, total = [self.index_set(part.strip()) for part in text.split(",")], 1
        for dimension in dimensions:
            total *= len(dimension)
        return [*product(*dimensions)] if total == size else [(str(i),) for i in range(1, size + 1)]

    def index_set(self, text: str) -> Sequence[str]:
        """Return the texts of the indices of one dimension."""
        if found := RANGE.fullmatch(text):
            return range_of(found)
        return self.enumeration(text) or self.declared_range(text)

    def declared_range(self, name: str) -> Sequence[str]:
        """Return the members of a set that is declared as a range."""
        found = RANGE.fullmatch(self.known[name].value) if name in self.known else None
        return range_of(found) if found else ()


def range_of(found: re.Match[str]) -> Sequence[str]:
    """Return the numbers of a range as texts; none of one that is too long for an array."""
    first, last = int(found[1]), int(found[2])
    return [*map(str, range(first, last + 1))] if last - first < 1 << 24 else ()
