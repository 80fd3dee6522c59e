"""Steps that add rows which rows held need not imply, and what they have to show: their goals.

A goal is shown by a block of its own, or without one by propagation or by implication. Redundance (Gocht & Nordstroem
2021) and dominance (Bogaerts, Gocht, McCreesh & Nordstroem 2023) are sound for rows held, the objective and the loaded
order; orders with auxiliary variables are those of Anders and others (2026).
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, NoReturn

from harness.judging.checkers.pseudo_boolean.columns import BAD_ID, BAD_STEP, NO_ORDER, NOT_IMPLIED
from harness.judging.checkers.pseudo_boolean.exact.derivations import RULES
from harness.judging.checkers.pseudo_boolean.exact.rows import Witness, implies, negated, under
from harness.judging.checkers.pseudo_boolean.exact.state import (
    AffineSum,
    Fault,
    OrderDefinition,
    Proof,
    only,
    parts,
    unread,
)
from harness.judging.checkers.pseudo_boolean.exact.statements import ProofStatement, Words
from harness.judging.checkers.pseudo_boolean.programme import SumRow, row


class Obligation(NamedTuple):
    """Rows that are to lead to a conflict; `shown` is the row whose negation they are, if they are one.

    premises  rows that may be used: those that determine the auxiliary variables of an order
    scope     scope in which a block for the goal may stand, beside none
    """

    assumed: tuple[SumRow, ...]
    shown: SumRow | None = None
    premises: tuple[SumRow, ...] = ()
    scope: str = "leq"


Goals = dict[str | int, Obligation]


def goal(shown: SumRow, premises: tuple[SumRow, ...] = ()) -> Obligation:
    """Return the goal to show a row."""
    return Obligation((negated(shown),), shown, premises)


@contextmanager
def block(proof: Proof, rows: Iterable[SumRow], numbered: bool = True) -> Iterator[None]:
    """Hold rows within a block; afterwards delete them, and what the block derived. Numbers are used up."""
    held = proof.held
    size, true, broken = len(held.rows), set(held.true), held.broken
    proof.depth += 1
    for some in rows:
        held.add(some)
    yield
    proof.depth -= 1
    for number in range(len(held.rows), size, -1):
        found = held.rows[number - 1]
        for x in found.terms if found and found.degree > 0 else ():
            held.having[x].pop()
        held.rows[number - 1] = None
    if not numbered:
        del held.rows[size:]
    held.true, held.broken = true, broken


def follows(proof: Proof, wanted: Obligation) -> bool:
    """Return True if a goal follows without a block."""
    conflict, true = proof.held.conflict([*wanted.premises, *wanted.assumed])
    if conflict:
        return True
    if wanted.shown is None:
        return False
    _, true = proof.held.conflict(wanted.premises)
    values = {abs(x): x > 0 for x in true}
    shown = under(wanted.shown, values)
    return any(implies(under(held, values), shown) for _, held in proof.held.numbered())


def closes(proof: Proof, statement: ProofStatement) -> bool:
    """Return True if rows held contradict each other at the end of a block; a row that the end names must be held."""
    hint = parts(statement.words[1:])[-1]
    for word in hint[-1:] if ":" in statement.words or proof.version < 3 else ():
        proof.row(word)
    return proof.held.broken


def show(proof: Proof, wanted: Obligation) -> None:
    """Take the block of a goal."""
    with block(proof, wanted.assumed):
        while (statement := proof.next()).words[0] != "qed":
            inner(proof, statement)
        if not closes(proof, statement):
            raise Fault(NOT_IMPLIED)


def inner(proof: Proof, statement: ProofStatement) -> None:
    """Take a statement that may stand in a block: one that derives rows or changes nothing."""
    name, words = statement.words[0], statement.words[1:]
    if name == "pbc":
        pbc(proof, words)
    else:
        RULES.get(name, unread)(proof, words)


def subproof(
    proof: Proof, goals: Goals, named: Callable[[int], Obligation], scopes: dict[str, tuple[SumRow, ...]] | None = None
) -> None:
    """Take a block with goals up to its end; those without a block of their own must follow."""
    while (statement := proof.next()).words[0] != "qed":
        if statement.words[0] == "proofgoal":
            show(proof, taken(proof, goals, statement.words[1], named, ("", "leq", "geq")))
        elif statement.words[0] == "scope":
            scope = statement.words[1]
            if scope not in (scopes or {}):
                raise Fault(NO_ORDER)
            with block(proof, (scopes or {})[scope]):
                while (statement := proof.next()).words[0] != "qed":
                    if statement.words[0] == "proofgoal":
                        show(proof, taken(proof, goals, statement.words[1], named, (scope,)))
                    else:
                        inner(proof, statement)
        else:
            inner(proof, statement)
    if not closes(proof, statement) and not all(follows(proof, wanted) for wanted in goals.values()):
        raise Fault(NOT_IMPLIED)


def taken(
    proof: Proof, goals: Goals, name: str, named: Callable[[int], Obligation], scopes: tuple[str, ...]
) -> Obligation:
    """Take a goal out by its name: `#` with a number, or the number of a row held, which also may need no block."""
    key = name if name.startswith("#") else proof.number(name)
    if key not in goals and isinstance(key, str):
        raise Fault(BAD_ID)
    wanted = goals[key] if key in goals else named(int(key))
    same = next((k for k, some in goals.items() if some.shown is not None and some.shown == wanted.shown), key)
    found = goals.pop(key) if key in goals else goals.pop(same, wanted)
    if found.scope not in scopes:
        raise Fault(NO_ORDER)
    return found


def missing(number: int) -> NoReturn:
    """Refuse a block for a row held where none is affected."""
    raise Fault(BAD_ID)


def value(witness: Witness, literal: int) -> int | bool:
    """Return the literal or the value that a witness puts in place of a literal."""
    to = witness.get(abs(literal), abs(literal))
    if isinstance(to, bool):
        return to if literal > 0 else not to
    return to if literal > 0 else -to


def ordered(
    order: OrderDefinition, left: Iterable[int | bool], right: Iterable[int | bool]
) -> tuple[Witness, tuple[SumRow, ...]]:
    """Return the substitution that puts literals in place of an order's variables, and the rows that define it."""
    witness = dict(zip((*order.left, *order.right), (*left, *right), strict=True))
    return witness, tuple(under(some, witness) for some in order.definition)


def no_worse(objective: AffineSum, witness: Witness) -> SumRow:
    """Return the row of: the objective does not grow under a witness."""
    terms, bound = list[tuple[int, int]](), 0
    for x, c in objective.terms.items():
        to = witness.get(x, x)
        terms.append((c, x))
        if isinstance(to, bool):
            bound += c * to
        else:
            terms.append((-c, to))
    return row(terms, bound)


def affected(proof: Proof, witness: Witness, core: bool) -> list[tuple[int, SumRow]]:
    """Return the rows held that a witness changes, by number, as it changes them; a row that implies that is left."""
    held, found = proof.held, []
    numbers = {n for x in witness for y in (x, -x) for n in held.having.get(y, ())}
    for number in sorted(numbers & held.core if core else numbers, reverse=True):
        before = held.get(number)
        after = before and under(before, witness)
        if before and after and before != after and not implies(before, after):
            found.append((number, after))
    return list({(frozenset(some.terms.items()), some.degree): (number, some) for number, some in found}.values())


class Strengthening(NamedTuple):
    """Goals of a step, and its scopes."""

    goals: Goals
    scopes: dict[str, tuple[SumRow, ...]]


def needed(proof: Proof, new: SumRow, witness: Witness, dominance: bool, core: bool) -> Strengthening:
    """Return what a row with a witness has to show."""
    order, left = proof.order, [value(witness, x) for x in proof.ordered]
    used = dominance or any(abs(x) in witness for x in proof.ordered)
    forth, smaller = ordered(order, left, proof.ordered)
    back, greater = ordered(order, proof.ordered, left)
    leq = tuple(under(some, forth) for some in order.specification)
    geq = tuple(under(some, back) for some in order.specification)
    if used and order.aux:
        are_new(proof, order.aux, new, witness)
    goals: Goals = {n: goal(after, leq if used else ()) for n, after in affected(proof, witness, core)}
    rows = [] if dominance else [goal(under(new, witness), leq if used else ())]
    rows += [goal(some, leq) for some in smaller] if used else []
    if dominance:
        rows.append(Obligation(greater, None, geq, "geq"))
    if proof.objective is not None:
        rows.append(goal(no_worse(proof.objective, witness), leq if used else ()))
    goals |= {f"#{i}": wanted for i, wanted in enumerate(rows, 1)}
    return Strengthening(goals, {"leq": leq, "geq": geq} if used and order.specification else {})


def are_new(proof: Proof, variables: tuple[int, ...], new: SumRow, witness: Witness) -> None:
    """Check that auxiliary variables of the order occur nowhere else."""
    used = {abs(x) for x, numbers in proof.held.having.items() if any(proof.held.get(n) for n in numbers)}
    used |= {abs(x) for x in (*new.terms, *proof.ordered, *witness, *witness.values())}
    used |= set(proof.objective.terms) if proof.objective else set()
    if used & set(variables):
        raise Fault(NO_ORDER)


def substitution(proof: Proof, rest: list[Words]) -> tuple[dict[int, int | bool], bool]:
    """Return the witness of a step, from the words after its row, and True if a block follows."""
    has_block = rest[-1:] == [["subproof"]]
    stated = rest[:-1] if has_block else rest
    if len(stated) > 1:
        raise Fault(BAD_STEP)
    return proof.witness(stated[0] if stated else []), has_block


def strengthen(proof: Proof, words: Words, dominance: bool) -> None:
    head, *rest = parts(words)
    proof.held.refresh()
    new, (witness, has_block) = proof.constraint(head), substitution(proof, rest)
    core = dominance or proof.strict
    if has_block or not proof.held.shows(new):
        goals, scopes = needed(proof, new, witness, dominance, core)
        discharge(proof, new, witness, goals, scopes, has_block)
    proof.hold(new, core=proof.strict)


def discharge(
    proof: Proof,
    new: SumRow,
    witness: Witness,
    goals: Goals,
    scopes: dict[str, tuple[SumRow, ...]],
    has_block: bool,
) -> None:
    """Show goals under the negation of a row, with the block that follows or without one."""
    label = proof.label
    with block(proof, [negated(new)], has_block):
        if has_block:
            subproof(proof, goals, lambda n: goal(under(proof.held.rows[n - 1] or SumRow({}, 0), witness)), scopes)
        elif not all(follows(proof, wanted) for wanted in goals.values()):
            raise Fault(NOT_IMPLIED)
    proof.label = label


def red(proof: Proof, words: Words) -> None:
    """Hold a row with a witness by redundance."""
    strengthen(proof, words, dominance=False)


def dom(proof: Proof, words: Words) -> None:
    """Hold a row with a witness by dominance: rows of the core, under the witness, and a smaller assignment."""
    strengthen(proof, words, dominance=True)


def pbc(proof: Proof, words: Words) -> None:
    """Hold a row whose negation a block refutes."""
    head, *rest = parts(words)
    new, has_block, label = proof.constraint(head), rest == [["subproof"]], proof.label
    if rest and not has_block:
        raise Fault(BAD_STEP)
    if not has_block and not proof.held.shows(new):
        raise Fault(NOT_IMPLIED)
    if has_block:
        with block(proof, [negated(new)]):
            subproof(proof, {"#1": Obligation(())}, missing)
        proof.label = label
    proof.hold(new)


@contextmanager
def core_alone(proof: Proof, without: Iterable[int] = ()) -> Iterator[None]:
    """Leave only rows of the core, without some, for the derivations of a block."""
    held = proof.held
    hidden = {n: some for n, some in held.numbered() if n not in held.core or n in set(without)}
    for number in hidden:
        held.rows[number - 1] = None
    held.stale = True
    held.refresh()
    yield
    for number, some in hidden.items():
        held.rows[number - 1] = some
    held.stale = True
    held.refresh()


def obju(proof: Proof, words: Words) -> None:
    """Replace the objective by another that the core shows to be equal."""
    head, *rest = parts(words)
    old, stated = proof.objective, proof.affine(only(head, len(head), 1)[1:])
    if old is None or head[0] not in ("new", "diff"):
        raise Fault(BAD_STEP)
    if head[0] == "diff":
        stated = AffineSum(
            {x: c for x in {**old.terms, **stated.terms} if (c := old.terms.get(x, 0) + stated.terms.get(x, 0))},
            old.constant + stated.constant,
        )
    terms = [*((c, x) for x, c in stated.terms.items()), *((-c, x) for x, c in old.terms.items())]
    more = row(terms, old.constant - stated.constant)
    less = row([(-c, x) for c, x in terms], stated.constant - old.constant)
    goals: Goals = {"#1": goal(more), "#2": goal(less)}
    with core_alone(proof):
        if rest[-1:] == [["subproof"]]:
            with block(proof, ()):
                subproof(proof, goals, missing)
        elif not all(follows(proof, wanted) for wanted in goals.values()):
            raise Fault(NOT_IMPLIED)
    proof.objective = stated


def preserved(proof: Proof, words: Words) -> None:
    """Check that a variable is equal to a row, so that it may join or leave those on which solutions are compared."""
    head, *rest = parts(words)
    name, body = head[:1], head[1:]
    goals: Goals = {
        "#1": goal(proof.constraint([*name, "==>", *body])),
        "#2": goal(proof.constraint([*name, "<==", *body])),
    }
    if rest[-1:] == [["subproof"]]:
        with block(proof, ()):
            subproof(proof, goals, missing)
    elif not all(follows(proof, wanted) for wanted in goals.values()):
        raise Fault(NOT_IMPLIED)
