"""CP-SAT models of boards: integers, Booleans, or both, built once; each puzzle changes only the domains."""

from collections.abc import Callable
from typing import Any

from backends.cpsat.importing import cp_model
from encoders.formula import AllDifferent, Booleans, Channelled
from puzzles.problem.values import Domains, Solution, bits


def intervals(mask: int) -> list[int]:
    """Return a domain in CP-SAT's form: the first and last value of each run of consecutive values."""
    ends: list[int] = []
    for v in bits(mask):
        if ends and ends[-1] == v - 1:
            ends[-1] = v
        else:
            ends += [v, v]
    return ends


def variable_type() -> Any:
    """Return the class of a variable's message, which is that of Google's protocol buffers before OR-Tools 9.15."""
    try:
        from ortools.sat.python.cp_model_helper import IntegerVariableProto
    except ImportError:
        from ortools.sat.cp_model_pb2 import IntegerVariableProto
    return IntegerVariableProto


def copying(message: Any) -> Callable[[Any, Any], None]:
    """Return the function that writes a message into another one."""
    found: Callable[[Any, Any], None] = getattr(message, "copy_from", None) or message.CopyFrom
    return found


class BoardModel:
    """A CP-SAT model of a board: its integers, its Booleans (either may be missing), its current domains."""

    def __init__(self, formula: AllDifferent | Booleans | Channelled) -> None:
        self.variable_type = variable_type()
        self.cp, self.copy = cp_model().CpModel(), copying(self.variable_type)
        parts = (formula.integers, formula.booleans) if isinstance(formula, Channelled) else (formula,)
        self.integers: list[Any] = []
        self.booleans: list[list[Any]] = []
        for part in parts:
            if isinstance(part, AllDifferent):
                self.add_integers(part)
            else:
                self.add_booleans(part)
        if isinstance(formula, Channelled):
            self.channel()
        self.values = parts[0].values
        self.domains: list[int] = [(1 << self.values) - 1] * parts[0].squares
        own = [[x] for x in self.integers] or [[] for _ in self.domains]
        for mine, row in zip(own, self.booleans, strict=False):  # no Booleans, or a row for each square
            mine += row
        self.variables = [[self.cp.proto.variables[x.index] for x in mine] for mine in own]
        self.pattern_cache: dict[int, list[Any]] = {}

    def add_integers(self, part: AllDifferent) -> None:
        self.integers = [self.cp.new_int_var(0, part.values - 1, "") for _ in range(part.squares)]
        for unit in part.units:
            self.cp.add_all_different([self.integers[s] for s in unit])

    def add_booleans(self, part: Booleans) -> None:
        self.booleans = [[self.cp.new_bool_var("") for _ in range(part.values)] for _ in range(part.squares)]
        candidates = [b for row in self.booleans for b in row]
        for group in part.exactly_one:
            self.cp.add_exactly_one([candidates[p] for p in group])
        for group in part.at_most_one:
            self.cp.add_at_most_one([candidates[p] for p in group])

    def channel(self) -> None:
        """Channel each square's integer to its Booleans."""
        for x, row in zip(self.integers, self.booleans, strict=True):
            for v, b in enumerate(row):
                self.cp.add(x == v).only_enforce_if(b)
                self.cp.add(x != v).only_enforce_if(~b)

    def set_domains(self, domains: Domains) -> None:
        """Write these domains into the model; none may be empty."""
        for s, mask in enumerate(domains):
            if mask == self.domains[s]:
                continue
            self.domains[s] = mask
            for variable, pattern in zip(self.variables[s], self.patterns(mask), strict=True):
                self.copy(variable, pattern)

    def patterns(self, mask: int) -> list[Any]:
        """Return variables whose data is copied over a square's: faster than writing the bounds of domains."""
        found = self.pattern_cache.get(mask)
        if found is None:
            single = [(mask != 1 << v) + 2 * (mask >> v & 1) for v in range(self.values)]
            masks = ([mask] if self.integers else []) + (single if self.booleans else [])
            found = self.pattern_cache[mask] = [self.new_variable(m) for m in masks]
        return found

    def new_variable(self, mask: int) -> Any:
        """Return a variable with this domain outside the model."""
        made = self.variable_type()
        made.domain.extend(intervals(mask))
        return made

    def decode(self, values: tuple[int, ...]) -> Solution:
        """Return the solution from the values of all variables: integers, then Booleans by square."""
        squares, width = len(self.domains), self.values
        if self.integers:
            return values[:squares]
        return tuple([values.index(1, s * width, s * width + width) - s * width for s in range(squares)])
