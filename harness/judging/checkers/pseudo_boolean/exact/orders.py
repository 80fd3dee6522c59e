"""Definitions of orders, and which one is loaded."""

from collections.abc import Sequence

from harness.judging.checkers.pseudo_boolean.columns import NO_ORDER as BAD_ORDER
from harness.judging.checkers.pseudo_boolean.columns import NOT_IMPLIED, UNREAD_RULE
from harness.judging.checkers.pseudo_boolean.exact.held import NumberedRows
from harness.judging.checkers.pseudo_boolean.exact.rows import under
from harness.judging.checkers.pseudo_boolean.exact.state import NO_ORDER, Fault, OrderDefinition, Proof, only, parts
from harness.judging.checkers.pseudo_boolean.exact.statements import Words
from harness.judging.checkers.pseudo_boolean.exact.strengthening import (
    Goals,
    follows,
    goal,
    inner,
    missing,
    ordered,
    strengthen,
    subproof,
)
from harness.judging.checkers.pseudo_boolean.programme import SumRow


def named_lists(proof: Proof) -> dict[str, tuple[int, ...]]:
    """Read lists of variables up to the end of their block."""
    found = {}
    while (statement := proof.next()).words[0] != "qed":
        found[statement.words[0]] = tuple(proof.literal(word) for word in statement.words[1:])
    return found


def in_empty(proof: Proof, rows: Sequence[SumRow]) -> Proof:
    """Return a proof that goes on with the same statements, from these rows alone."""
    return Proof(
        proof.programme,
        max(proof.version, 2),
        proof.statements,
        proof.take,
        NumberedRows(rows),
        fresh=proof.fresh,
        at=proof.at,
        depth=1,
    )


def specified(proof: Proof, aux: tuple[int, ...]) -> tuple[SumRow, ...]:
    """Read the rows that determine auxiliary variables: each has a witness over these, or follows."""
    within = in_empty(proof, ())
    while (statement := within.next()).words[0] != "qed":
        if statement.words[0] == "red":
            witness = within.witness([*parts(statement.words[1:]), []][1])
            if not set(witness) <= set(aux):
                raise Fault(BAD_ORDER)
            strengthen(within, statement.words[1:], dominance=False)
        else:
            inner(within, statement)
    return tuple(some for _, some in within.held.numbered())


def defined(proof: Proof) -> tuple[SumRow, ...]:
    found = []
    while (statement := proof.next()).words[0] != "qed":
        found.append(proof.constraint([word for word in statement.words if word != ":"]))
    return tuple(found)


def shown(proof: Proof, rows: Sequence[SumRow], goals: Goals, has_block: bool) -> None:
    """Check that goals follow from rows."""
    within = in_empty(proof, rows)
    if has_block:
        subproof(within, goals, missing)
    elif not all(follows(within, wanted) for wanted in goals.values()):
        raise Fault(NOT_IMPLIED)


def transitive(proof: Proof, order: OrderDefinition) -> None:
    """Check that an order is transitive: u before v and v before w give u before w."""
    lists, block = dict[str, tuple[int, ...]](), False
    while (statement := proof.next()).words[0] != "qed":
        if statement.words[0] == "vars":
            lists = named_lists(proof)
        elif statement.words[0] == "proof":
            transitivity(proof, order, lists)
            block = True
        else:
            raise Fault(UNREAD_RULE)
    if not block:
        raise Fault(BAD_ORDER)


def transitivity(proof: Proof, order: OrderDefinition, lists: dict[str, tuple[int, ...]]) -> None:
    third = lists.get("fresh_right", ())
    first_aux, second_aux = (lists.get(f"fresh_aux_{k}", lists.get(f"fresh_aux{k}", ())) for k in (1, 2))
    names = (*order.left, *order.right, *order.aux, *third, *first_aux, *second_aux)
    if len(third) != len(order.left) or len(set(names)) < len(names):
        raise Fault(BAD_ORDER)
    if len(first_aux) != len(order.aux) or len(second_aux) != len(order.aux):
        raise Fault(BAD_ORDER)
    next_, _ = ordered(order, order.right, third)
    next_ = {**next_, **dict(zip(order.aux, first_aux, strict=True))}
    whole, _ = ordered(order, order.left, third)
    whole = {**whole, **dict(zip(order.aux, second_aux, strict=True))}
    rows = [*order.definition, *order.specification]
    rows += [under(some, next_) for some in (*order.definition, *order.specification)]
    rows += [under(some, whole) for some in order.specification]
    wanted = [under(some, whole) for some in order.definition]
    shown(proof, rows, {f"#{i}": goal(some) for i, some in enumerate(wanted, 1)}, True)


def reflexivity(proof: Proof, order: OrderDefinition, has_block: bool) -> None:
    """Check that every assignment comes before itself."""
    same, wanted = ordered(order, order.left, order.left)
    rows = [under(some, same) for some in order.specification]
    shown(proof, rows, {f"#{i}": goal(some) for i, some in enumerate(wanted, 1)}, has_block)


def def_order(proof: Proof, words: Words) -> None:
    """Define an order, whose transitivity and reflexivity are shown."""
    name, order, done, reflexive = only(words, 1, 1)[0], NO_ORDER, set[str](), False
    while (statement := proof.next()).words[0] != "qed":
        part = statement.words[0]
        if part in done:
            raise Fault(BAD_ORDER)
        done.add(part)
        if part == "vars":
            lists = named_lists(proof)
            order = OrderDefinition(lists.get("left", ()), lists.get("right", ()), lists.get("aux", ()))
            own = (*order.left, *order.right, *order.aux)
            if len(order.left) != len(order.right) or len(set(map(abs, own))) < len(own) or min(own, default=1) < 0:
                raise Fault(BAD_ORDER)
        elif part == "spec":
            order = order._replace(specification=specified(proof, order.aux))
        elif part == "def":
            order = order._replace(definition=defined(proof))
        elif part == "transitivity" and "def" in done:
            transitive(proof, order)
        elif part == "reflexivity" and "def" in done:
            while (statement := proof.next()).words[0] != "qed":
                if statement.words[0] != "proof":
                    raise Fault(UNREAD_RULE)
                reflexivity(proof, order, True)
                reflexive = True
        else:
            raise Fault(UNREAD_RULE)
    variables = {abs(x) for some in (*order.definition, *order.specification) for x in some.terms}
    if "transitivity" not in done or variables - {*order.left, *order.right, *order.aux}:
        raise Fault(BAD_ORDER)
    if not reflexive:
        reflexivity(proof, order, False)
    proof.orders[name] = order


def load_order(proof: Proof, words: Words) -> None:
    """Load an order for some literals, or none; all rows held join the core."""
    order = proof.orders.get(words[0]) if words else NO_ORDER
    literals = tuple(proof.literal(word) for word in words[1:])
    if order is None or len(literals) != len(order.left):
        raise Fault(BAD_ORDER)
    proof.order, proof.ordered = order, literals
    proof.held.core |= {number for number, _ in proof.held.numbered()}


def eord_def(proof: Proof, words: Words) -> None:
    """Check the definition of an order."""
    order, lists = proof.orders.get(words[0]), dict[str, tuple[int, ...]]()
    definition, specification = tuple[SumRow, ...](), tuple[SumRow, ...]()
    while (statement := proof.next()).words[0] != "qed":
        if statement.words[0] == "vars":
            lists = named_lists(proof)
        elif statement.words[0] == "def":
            definition = defined(proof)
        elif statement.words[0] == "spec":
            specification = defined(proof)
        else:
            raise Fault(UNREAD_RULE)
    stated = OrderDefinition(
        lists.get("left", ()), lists.get("right", ()), lists.get("aux", ()), definition, specification
    )
    if stated != order:
        raise Fault(BAD_ORDER)
