"""Tables, elements and automata."""

from collections.abc import Mapping, Sequence

from backends.cpsat.posting.model import PostedModel, negated
from encoders.formula import Unsupported
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.element import Element
from puzzles.constraints.table import STAR, Table

MAX_STATES = 100_000  # states of an automaton made deterministic
Steps = Mapping[int, Mapping[int, frozenset[int]]]  # [state][number] -> the next states


def table(model: PostedModel, constraint: Table) -> None:
    """Post CP-SAT's tables; a tuple with stars becomes a literal, the conjunction of the entries without stars."""
    tuples = constraint.rows.tolist() if constraint.scopes else []
    starred = any(STAR in row for row in tuples)
    for scope in constraint.scopes:
        if starred:
            starred_table(model, scope, tuples, constraint.positive)
        elif constraint.positive:
            model.cp.add_allowed_assignments(model.of(scope), tuples)
        else:
            model.cp.add_forbidden_assignments(model.of(scope), tuples)


def starred_table(model: PostedModel, scope: Sequence[int], tuples: Sequence[Sequence[int]], positive: bool) -> None:
    matches = []
    for row in tuples:
        named = [model.takes(x, n) for x, n in zip(scope, row, strict=True) if n != STAR]
        if positive:
            matches.append(model.all_of(named))
        else:
            model.cp.add_bool_or([negated(literal) for literal in named])
    if positive:
        model.cp.add_bool_or(matches)


def element(model: PostedModel, constraint: Element) -> None:
    for items, index, start, value in constraint.rows:
        if items:
            model.cp.add_element(model.variables[index] - start, model.of(items), model.variables[value])
        else:
            model.refuse()


def automaton(model: PostedModel, constraint: Automaton) -> None:
    steps: dict[int, dict[int, frozenset[int]]] = {}
    for state, n, following in constraint.transitions:
        options = steps.setdefault(state, {})
        options[n] = options.get(n, frozenset()) | {following}
    transitions, finals = determinised(steps, constraint.start, frozenset(constraint.finals))
    for scope in constraint.scopes:
        accepting = bool(finals and transitions) if scope else 0 in finals
        if not accepting:
            model.refuse()
        elif scope:
            model.cp.add_automaton(model.of(scope), 0, finals, transitions)


def determinised(steps: Steps, start: int, finals: frozenset[int]) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Return the transitions and final states of the deterministic automaton whose states are sets of states.

    Its start is state 0. Raises Unsupported if it has too many states (Rabin and Scott, 1959).
    """
    numbered = {frozenset({start}): 0}
    transitions = []
    waiting = list(numbered)
    while waiting:
        states = waiting.pop()
        options: dict[int, frozenset[int]] = {}
        for state in states:
            for n, following in steps.get(state, {}).items():
                options[n] = options.get(n, frozenset()) | following
        for n, following in options.items():
            if following not in numbered:
                numbered[following] = len(numbered)
                waiting.append(following)
            transitions.append((numbered[states], n, numbered[following]))
        if len(numbered) > MAX_STATES:
            raise Unsupported(f"cpsat does not support automata of more than {MAX_STATES} deterministic states")
    return transitions, [number for states, number in numbered.items() if states & finals]
