"""Calls of a solver, as a trace states them: those of IPASIR, as CaDiCaL writes them, or of IPAMIR."""

from puzzles.errors import ParseError, brief
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import MOST_SAVED, SATISFIABLE, UNKNOWN, UNSATISFIABLE
from puzzles.readers.cnf import MAX_VARIABLES
from puzzles.readers.integers import integer

REFUSED = {"constrain": "a constraint of one ask", "connect_propagator": "a propagator"}  # calls that change answers
ANSWERS = {b"10": SATISFIABLE, b"20": UNSATISFIABLE}
OPTIMA = {b"30": SATISFIABLE, b"10": UNSATISFIABLE}  # of IPAMIR
CALLS = {"add": "IPASIR", "val": "IPASIR", "failed": "IPASIR", "add_hard": "IPAMIR", "add_soft_lit": "IPAMIR"}
DIGITS = len(str(MOST_SAVED))


class Trace:
    """A trace so far.

    answers  numbers after `solve`, or SATISFIABLE or UNSATISFIABLE as a call after it tells     costs  -1 if unknown
    kind     IPASIR or IPAMIR, '' before a call tells
    """

    def __init__(self) -> None:
        self.asks, self.answers, self.costs, self.kind = list[QueryAsk](), list[bytes | int](), list[int](), ""
        self.clauses, self.clause = list[list[int]](), list[int]()
        self.assumed, self.soft = list[int](), list[tuple[int, int]]()

    def take(self, call: str, words: list[bytes], line: int) -> None:
        """Take a call with its arguments. Raises ParseError."""
        if call in REFUSED:
            raise ParseError(f"{call!r}: {REFUSED[call]} is not read", line)
        if (kind := CALLS.get(call, self.kind)) != (self.kind or kind):
            raise ParseError(f"{call!r} is a call of {kind} in a trace of {self.kind}", line)
        self.kind = kind
        if call in ("add", "add_hard", "assume", "add_soft_lit"):
            if len(words) != 1 + (call == "add_soft_lit"):
                more = " and a cost" if call == "add_soft_lit" else ""
                raise ParseError(f"expected {call!r} and a literal{more}", line)
            self.state(call, literal(words[0], line), words[1:], line)
        elif call == "solve":
            self.asks.append(QueryAsk(self.clauses, self.assumed, self.soft))
            self.answers.append(words[0] if words else UNKNOWN)
            self.costs.append(-1)
            self.clauses, self.assumed, self.soft = [], [], []
        elif call in ("val", "failed") and self.answers and self.answers[-1] == UNKNOWN:
            self.answers[-1] = SATISFIABLE if call == "val" else UNSATISFIABLE
        elif call == "val_obj" and self.answers and self.answers[-1] == b"30" and words:
            self.costs[-1] = cost_of(words[0], line)

    def state(self, call: str, p: int, more: list[bytes], line: int) -> None:
        """Take a literal, or the end of a clause."""
        if not p and call in ("assume", "add_soft_lit"):
            raise ParseError(f"{call!r} of the literal 0", line)
        if call == "assume":
            self.assumed.append(p)
        elif call == "add_soft_lit":
            self.soft.append((p, cost_of(more[0], line)))
        elif p:
            self.clause.append(p)
        else:
            self.clauses.append(self.clause)
            self.clause = []

    def expected(self) -> list[int]:
        """Return the answer to each ask, or UNKNOWN."""
        known = OPTIMA if self.kind == "IPAMIR" else ANSWERS
        return [known.get(answer, UNKNOWN) if isinstance(answer, bytes) else answer for answer in self.answers]


def cost_of(word: bytes, line: int) -> int:
    """Return the cost that a word is. Raises ParseError."""
    if not word.isdigit() or len(word) > DIGITS or int(word) > MOST_SAVED:
        raise ParseError(f"{brief(word.decode())} is not a cost from 0 to {MOST_SAVED}", line)
    return int(word)


def literal(word: bytes, line: int) -> int:
    """Return the literal that a word is, or the 0 at an end. Raises ParseError."""
    number = integer(word)
    if number is None or abs(number) > MAX_VARIABLES:
        raise ParseError(f"{brief(word.decode())} is not a literal of at most {MAX_VARIABLES}", line)
    return number
