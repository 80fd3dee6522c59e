"""Members of the instance of a file, in the words and by the lines of that file.

A subset is read as the file without the other members would be, so all that a reader or a compiler does to a model is
done to the subset too. What a file declares beside its constraints, such as domains, is always there.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from harness.explaining.members import Divided, divided, of_clauses
from harness.explaining.subsets import Subset
from puzzles.formats import ReaderOptions, format_of, parse_text, read
from puzzles.problem import Instance
from puzzles.readers.pairing import DATA, MODEL, model_of
from puzzles.readers.source import Source, from_file, opened

MAX_WORDS = 200  # characters of a member
PART = re.compile(r'"(?:[^"\\\n]|\\.)*"|%[^\n]*|/\*.*?\*/|[;()\[\]{}]', re.DOTALL)  # of MiniZinc
AND, WEAKER = r"/\\", r"<->|->|<-|\\/|\b(?:xor|if|let)\b"  # operators of MiniZinc
GENERATOR = re.compile(r"\s*((?:\w+\s*,\s*)*\w+)\s+in\s+(-?\w+(?:\s*\.\.\s*-?\w+)?)\s*(?:,|$)")
LOOP = re.compile(r"\s*forall\s*\(")
NAMED = re.compile(r"(?m)(?:\bint\s*:\s*|^\s*)(\w+)\s*=\s*(-?[0-9]{1,9}|-?\w+\s*\.\.\s*-?\w+)\s*;")
INTEGER = re.compile(r"-?[0-9]{1,9}")
SELECTOR = "crosscheck_member_"  # names of the Booleans before the parts of a model
MAX_ROUNDS = 1000  # of a loop; one that has more is one part
LITERAL_LINE = re.compile(rb"[ \t]*-?[0-9]")


def divided_file(instance: Instance[Any], path: Path) -> Divided:
    """Return the members of the instance of a file; those of its problem where the file tells no more."""
    if path.suffix in (MODEL, DATA):
        return of_model(instance, path)
    with opened(path, source := from_file(path)) as file:
        form = instance.source.format if instance.source else format_of(file.peek(1 << 16))
        if form == "cnf":
            return of_clauses(instance, list(clause_lines(file)))
        if form == "flatzinc":
            return of_flatzinc(instance, file.read(), source)
        if form == "xcsp3":
            return of_xcsp3(instance, file.read())
        if form == "opb" or path.suffix == ".opb":
            return of_opb(instance, file.read().decode())
    return divided(instance)


def clause_lines(file: Any) -> Iterator[int]:
    """Yield the line on which each clause of a DIMACS file begins."""
    begun = False
    for number, line in enumerate(file, 1):
        if not LITERAL_LINE.match(line):
            continue
        for word in line.split():
            if not begun:
                yield number
            begun = word != b"0"


def of_flatzinc(instance: Instance[Any], data: bytes, source: Source) -> Divided:
    """Return the constraints of a FlatZinc model."""
    from puzzles.readers.flatzinc import parsed
    from puzzles.readers.flatzinc.build import build

    document = parsed(data, source)
    texts = data.decode("utf-8", "replace").split("\n")
    lines = [document.line_of(call.entry) for call in document.calls]
    calls = document.calls

    def make(kept: Subset) -> Instance[Any]:
        return build(instance.name, replace(document, calls=[calls[i] for i in sorted(kept)]), False, source.note)

    named = (texts[line - 1] if 0 < line <= len(texts) else call.name for line, call in zip(lines, calls, strict=True))
    return Divided(instance, by_line(lines, named), make)


def of_xcsp3(instance: Instance[Any], data: bytes) -> Divided:
    """Return the constraints of an XCSP3 file; each argument list of a group is one."""
    from puzzles.readers.xcsp3 import parsed
    from puzzles.readers.xcsp3.build import build
    from puzzles.readers.xcsp3.document import parse

    root = parse(data)
    root.children = [part for part in root if part.tag != "objectives"]
    found = parsed(root)
    texts = data.decode("utf-8", "replace").split("\n")
    lines = [entry[0] for entry in found["constraints"]]

    def make(kept: Subset) -> Instance[Any]:
        return build(instance.name, found | {"constraints": [found["constraints"][i] for i in sorted(kept)]})

    named = (f"{entry[1]}: {texts[entry[0] - 1]}" for entry in found["constraints"])
    return Divided(instance, by_line(lines, named), make)


def of_opb(instance: Instance[Any], text: str) -> Divided:
    """Return the constraints of an OPB file."""
    bare = re.sub(r"(?m)^\s*\*.*$", lambda comment: " " * len(comment[0]), text)
    head = "".join(line + "\n" for line in text.split("\n") if line.startswith("* #variable="))
    found = re.finditer(r"\s*([^;\s][^;]*;)", bare)
    rows = [(text.count("\n", 0, own.start(1)) + 1, own[1]) for own in found if not own[1].startswith(("min:", "max:"))]

    def make(kept: Subset) -> Instance[Any]:
        some = head + "\n".join(rows[i][1] for i in sorted(kept)) + "\n"
        return next(iter(parse_text(some, instance.name))) if kept else Instance(instance.name, *nothing(instance))

    return Divided(instance, by_line([line for line, _ in rows], [own for _, own in rows]), make)


def nothing(instance: Instance[Any]) -> tuple[Any, Any]:
    """Return the problem of an instance without its constraints, and the domains."""
    return replace(instance.problem, constraints=(), objective=None), instance.domains


def of_model(instance: Instance[Any], path: Path, ignore_objective: bool = True) -> Divided:
    """Return the parts of the constraint items of a MiniZinc model; those of files that it includes are always there.

    The compiler is run for each subset, since it solves a part of a model itself; for cores once, with each part behind
    a Boolean.
    """
    model, data = (path, None) if path.suffix == MODEL else (model_of(path), path)
    text = model.read_text()
    found = [own for own in statements(text) if re.match(r"constraint\b", text[own[0] : own[1]])]
    known = numbers_of(text + ("" if data is None else data.read_text()))
    pieces = [(item, piece) for item, (a, b) in enumerate(found) for piece in parts_of(text[a + 10 : b - 1], known)]
    lines = [text.count("\n", 0, found[item][0]) + 1 for item, _ in pieces]

    def make(kept: Subset) -> Instance[Any]:
        return compiled({i: f"({pieces[i][1]})" for i in kept})

    def behind() -> tuple[Instance[Any], Sequence[str]]:
        names = [f"{SELECTOR}{i}" for i in range(len(pieces))]
        head = "".join(f"var bool: {name};\n" for name in names)
        return compiled({i: f"({name} -> ({pieces[i][1]}))" for i, name in enumerate(names)}, head), names

    def compiled(stated: Mapping[int, str], head: str = "") -> Instance[Any]:
        """Return the model with these parts of its constraints."""
        part = text
        for item in reversed(range(len(found))):
            both = " /\\ ".join(stated[i] for i, (of, _) in enumerate(pieces) if of == item and i in stated)
            whole_item = f"constraint {both};" if both else ""
            part = part[: found[item][0]] + whole_item + part[found[item][1] :]
        with tempfile.TemporaryDirectory(prefix="crosscheck-explain-") as folder:
            for other in model.parent.absolute().glob(f"*{MODEL}"):
                os.symlink(other, Path(folder) / other.name)
            own = Path(folder) / model.name
            own.unlink()
            own.write_text(head + part)
            beside = own if data is None else Path(folder) / data.name
            if data is not None:
                beside.write_bytes(data.read_bytes())
            (whole,) = read(beside, ReaderOptions(ignore_objective=ignore_objective))
            return replace(whole, source=None)

    return Divided(instance, by_line(lines, [piece for _, piece in pieces]), make, behind=behind)


def numbers_of(text: str) -> dict[str, str]:
    """Return the numbers and ranges of a model and its data that have a name."""
    return {name: value.replace(" ", "") for name, value in NAMED.findall(text)}


def parts_of(text: str, known: Mapping[str, str]) -> list[str]:
    """Return the parts of a constraint: those of a conjunction, and the rounds of a loop over ranges that are known."""
    joints = [] if any(outside(text, WEAKER)) else [*outside(text, AND)]
    if joints:
        cuts = [0, *(end for joint in joints for end in joint.span()), len(text)]
        return [part for a, b in zip(cuts[::2], cuts[1::2], strict=True) for part in parts_of(text[a:b], known)]
    brackets = [m.start() for m in outside(text, r"[()]", 1)]
    loop = LOOP.match(text)
    if not loop or len(brackets) != 4 or text[brackets[1] + 1 : brackets[2]].strip() or text[brackets[3] + 1 :].strip():
        return [text]
    head, _, where = text[loop.end() : brackets[1]].partition("where")
    names, ranges = list[str](), list[range]()
    for generator in GENERATOR.finditer(head):
        each, values = generator[1].split(","), generator[2].replace(" ", "")
        ends = [known.get(end, end) for end in known.get(values, values).split("..")]
        if len(ends) != 2 or not all(INTEGER.fullmatch(end) for end in ends):
            return [text]
        names, ranges = names + each, ranges + [range(int(ends[0]), int(ends[1]) + 1)] * len(each)
    if GENERATOR.sub("", head).strip() or prod(map(len, ranges)) > MAX_ROUNDS:
        return [text]
    bodies, stated = parts_of(text[brackets[2] + 1 : brackets[3]], known), f" where {where.strip()}" if where else ""
    rounds = (", ".join(f"{x.strip()} in {{{n}}}" for x, n in zip(names, own, strict=True)) for own in product(*ranges))
    return [f"forall({each}{stated})({body})" for each in rounds for body in bodies]


def outside(text: str, pattern: str, depth: int = 0) -> Iterator[re.Match[str]]:
    """Yield the matches outside brackets, or with brackets that are `depth` deep, texts and comments."""
    deep = 0
    for part in re.finditer(f"{PART.pattern}|{pattern}", text, re.DOTALL):
        opens, closes = part[0] in tuple("([{"), part[0] in tuple(")]}")
        deep += opens
        if deep == depth and part[0][0] not in '"%' and not part[0].startswith("/*") and re.fullmatch(pattern, part[0]):
            yield part
        deep -= closes


def statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each statement of a MiniZinc model, without the blanks and comments before it."""
    start, depth = 0, 0
    for part in PART.finditer(text):
        if part[0][0] in "%/" and not text[start : part.start()].strip():
            start = part.end()
        depth += (part[0][0] in "([{") - (part[0][0] in ")]}")
        if part[0] == ";" and depth == 0:
            yield start + len(text[start : part.end()]) - len(text[start : part.end()].lstrip()), part.end()
            start = part.end()


def by_line(lines: Sequence[int], texts: Any) -> list[str]:
    """Return members in words: each with its line."""
    words = (" ".join(text.split()) for text in texts)
    shown = (word if len(word) <= MAX_WORDS else word[:MAX_WORDS] + " ..." for word in words)
    return [f"line {line}: {word}" for line, word in zip(lines, shown, strict=True)]
