"""XCSP3 for programs: an 's' line, and an <instantiation> that 'v' lines hold.

    v <instantiation cost="5"> <list> x[] y </list> <values> 1 2x3 * </values> </instantiation>

2x3 stands for three times 2, * for any value, x[] for all variables of an array. Colours of a terminal are ignored.
Values of an objective are stated as its source does, in a written file too.
"""

import re
from collections.abc import Iterator, Sequence

from backends.programs.endings import SATISFIABLE
from backends.programs.optimising import UNSHOWN, Shown
from backends.programs.process import ProgramFailed
from backends.programs.program_session import NO_RESULT, longest_number, model_bytes, printed, stated_status
from backends.shared.enumeration import Values
from encoders.formula import Constraints
from encoders.reach import refuse_beyond
from encoders.xcsp3 import TO_XCSP3, unsupported, xcsp3
from puzzles.errors import plural
from puzzles.objectives import stated
from puzzles.problem.values import Domains, Numbered

COST = re.compile(r"""<instantiation[^<>]*\scost\s*=\s*["']\s*([+-]?[0-9]{1,4000})\s*["']""")
VALUE = re.compile(r"(-?[0-9]{1,18}|\*)(?:x([1-9][0-9]{0,8}))?")
INDEX = re.compile(r"\[([0-9]*)(?:\.\.([0-9]+))?\]")
AUXILIARY = re.compile(r"a[1-9][0-9]*")  # name of an auxiliary variable in a written file


class XcspNotation:
    """One problem as an XCSP3 file; `names` are its variables in the file of the instance."""

    word = "xcsp3"
    ending = "xml"
    remark, nothing, unshown = "", NO_RESULT, UNSHOWN
    refused = staticmethod(unsupported)
    ranges = tuple(TO_XCSP3)
    check_size = staticmethod(refuse_beyond)

    def __init__(self, formula: Constraints) -> None:
        self.formula = formula
        self.index = formula.index()
        self.longest = longest_number(formula.numbers)

    def decoder(self, domains: Domains) -> Values:
        return Values()

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        return xcsp3(self.formula, domains, forbidden, names_all=True)  # ACE prints no value of the others

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        names = sum(map(len, self.formula.names)) if original else model_bytes(len(domains), len("v"))
        return names + len(domains) * (self.longest + 2 * len("v \n"))

    def turned(self, value: int, original: bool) -> int:
        goal = self.formula.objective
        return stated(goal, value) if goal else value

    def shown(self, text: str, domains: Domains, original: bool) -> Shown:
        names = self.formula.names if original else Numbered("v", self.formula.variables)
        costs = COST.findall(text)
        return Shown(self.solution(text, names, domains), self.turned(int(costs[-1]), original) if costs else None)

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        texts, parts = printed(output)
        status = stated_status(texts)
        return status, self.shown(" ".join(parts), domains, original).model if status == SATISFIABLE else []

    def solution(self, text: str, names: Sequence[str], domains: Domains) -> list[int]:
        """Return the value of each variable, an invalid one for a variable whose number is no value of the problem."""
        if not names:
            return []
        listed, values = part(text, "list").split(), part(text, "values").split()
        variables = list(expanded(listed, names))
        taken = self.taken(values, len(variables))
        found = dict(zip(variables, taken, strict=True))
        return [self.value(name, found, mask) for name, mask in zip(names, domains, strict=True)]

    def taken(self, values: Sequence[str], count: int) -> list[int | None]:
        """Return the numbers of a list of values, None for `*`. Raises ProgramFailed unless they are `count`."""
        found = list[int | None]()
        for text in values:
            match = VALUE.fullmatch(text)
            if not match:
                raise ProgramFailed(f"the values hold {text[:40]!r}, which is no integer")
            times = int(match[2] or 1)
            if len(found) + times > count:
                raise ProgramFailed(f"more values than a list of {plural(count, 'variable')} takes")
            found += [None if match[1] == "*" else int(match[1])] * times
        if len(found) < count:
            raise ProgramFailed(f"{plural(len(found), 'value')} for a list of {plural(count, 'variable')}")
        return found

    def value(self, name: str, found: dict[str, int | None], mask: int) -> int:
        """Return the value index of a variable; a variable that is not listed must have a single value."""
        number = found.get(name)
        if number is not None:
            return self.index(number)
        numbers = self.formula.members(mask)
        if name not in found and len(numbers) != 1:
            raise ProgramFailed(f"the output has no value for {name}")
        return self.index(numbers[0]) if numbers else len(self.formula.numbers)


def part(text: str, tag: str) -> str:
    """Return the text of the last element with that tag. Raises ProgramFailed."""
    _, begin, rest = text.rpartition(f"<{tag}>")
    inner, end, _ = rest.partition(f"</{tag}>")
    if not (begin and end):
        raise ProgramFailed(f"the output has 's SATISFIABLE' but no <{tag}> in 'v' lines")
    return inner


def expanded(listed: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the names of variables, arrays such as x[] and x[1..3][] expanded. Raises ProgramFailed."""
    known = set(names)
    seen = set[str]()
    for text in listed:
        matched = [text] if text in known or AUXILIARY.fullmatch(text) else members(text, names)
        if not matched:
            raise ProgramFailed(f"the list names {text[:40]!r}, which is no variable")
        for name in matched:
            if name in seen:
                raise ProgramFailed(f"the list names {name} twice")
            seen.add(name)
            yield name


def members(text: str, names: Sequence[str]) -> list[str]:
    """Return the variables of an array that a text such as x[2][] names, in order."""
    base, bracket, rest = text.partition("[")
    wanted = INDEX.findall(bracket + rest)
    if not wanted or INDEX.sub("", bracket + rest):
        return []
    ranges = [(int(a or 0), int(b or a) if a else None) for a, b in wanted]
    found = []
    for name in names:
        if name.startswith(f"{base}["):
            at = [int(i) for i, _ in INDEX.findall(name.removeprefix(base)) if i]
            inside = (low <= i and (high is None or i <= high) for i, (low, high) in zip(at, ranges, strict=False))
            if len(at) == len(ranges) and all(inside):
                found.append(name)
    return found
