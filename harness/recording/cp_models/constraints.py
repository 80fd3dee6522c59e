"""Constraints of a CP-SAT model as statements of FlatZinc: a function for each name in the proto."""

from collections.abc import Callable, Iterable
from typing import Any

from harness.model.errors import BadUsage
from harness.recording.cp_models.scheduling import add_cumulative, add_interval, add_no_overlap, add_rectangles
from harness.recording.cp_models.statements import Affine, FlatZincModel, Terms, listed, values_of

MOST_SYMBOLS = 100_000  # between the least and the greatest label of an automaton


def add_constraint(text: FlatZincModel, constraint: Any) -> None:
    """Add a constraint of the proto. Raises BadUsage."""
    kind = kind_of(constraint)
    if not kind:
        return
    if kind not in TO_FLATZINC:
        raise BadUsage(f"the constraint {kind} of a CpModel is not taken")
    enforcers = list(constraint.enforcement_literal)
    if enforcers and kind not in ENFORCED:
        raise BadUsage(f"the constraint {kind} of a CpModel is not taken with only_enforce_if")
    TO_FLATZINC[kind](text, getattr(constraint, kind), *([enforcers] if kind in ENFORCED else []))


def kind_of(constraint: Any) -> str:
    """Return the kind of a constraint of the proto, '' for an empty constraint."""
    kinds = (name.removeprefix("has_") for name in dir(constraint) if name.startswith("has_"))
    return next((kind for kind in kinds if getattr(constraint, f"has_{kind}")()), "")


def add_linear(text: FlatZincModel, part: Any, enforcers: list[int]) -> None:
    terms, _ = text.terms(Affine(part.vars, part.coeffs))
    text.within(terms, list(part.domain), enforcers)


def add_or(text: FlatZincModel, part: Any, enforcers: list[int]) -> None:
    text.clause([*part.literals, *(-k - 1 for k in enforcers)])


def add_and(text: FlatZincModel, part: Any, enforcers: list[int]) -> None:
    for literal in part.literals:
        text.clause([literal, *(-k - 1 for k in enforcers)])


def true_of(literals: Iterable[int]) -> tuple[Terms, int]:
    """Return the number of true literals as terms and an offset."""
    terms, offset = Terms(), 0
    for k in literals:
        name = f"v{k if k >= 0 else -k - 1}"
        terms[name] = terms.get(name, 0) + (1 if k >= 0 else -1)
        offset += k < 0
    return {name: a for name, a in terms.items() if a}, offset


def add_true(least: int) -> Callable[[FlatZincModel, Any, list[int]], None]:
    """Return the function that requires at least `least`, and at most one, of the literals to be true."""

    def post(text: FlatZincModel, part: Any, enforcers: list[int]) -> None:
        terms, offset = true_of(part.literals)
        if terms:
            text.within(terms, [least - offset, 1 - offset], enforcers)
        elif not least <= offset <= 1:
            text.clause([-k - 1 for k in enforcers])

    return post


def add_xor(text: FlatZincModel, part: Any) -> None:
    text.add("array_bool_xor", listed(map(text.boolean, part.literals)))


def add_operator(name: str) -> Callable[[FlatZincModel, Any], None]:
    """Return the function that adds an operator of two operands."""

    def post(text: FlatZincModel, part: Any) -> None:
        left, right = map(text.operand, part.exprs)
        text.add(name, left, right, text.operand(part.target))

    return post


def add_product(text: FlatZincModel, part: Any) -> None:
    result, factors = text.operand(part.target), list(map(text.operand, part.exprs))
    partial = factors[0] if factors else "1"
    for factor in factors[1:]:
        ends = [a * b for a in text.bounds(partial) for b in text.bounds(factor)]
        made = text.new(min(ends), max(ends))
        text.add("int_times", partial, factor, made)
        partial = made
    text.add("int_eq", partial, result)


def add_maximum(text: FlatZincModel, part: Any) -> None:
    text.add("array_int_maximum", text.operand(part.target), listed(map(text.operand, part.exprs)))


def add_all_different(text: FlatZincModel, part: Any) -> None:
    text.add("fzn_all_different_int", listed(map(text.operand, part.exprs)))


def add_element(text: FlatZincModel, part: Any) -> None:
    """Add an element, whose index is from 0 in the proto and from 1 in the file."""
    terms, offset = text.terms(part.linear_index)
    index = text.variable(terms, offset + 1)
    items = listed(map(text.operand, part.exprs))
    text.add("array_var_int_element", index, items, text.operand(part.linear_target))


def add_table(text: FlatZincModel, part: Any) -> None:
    operands, flat = list(map(text.operand, part.exprs)), list(part.values)
    size = len(operands)
    if not part.negated:
        text.add("fzn_table_int", listed(operands), listed(flat))
        return
    for i in range(0, len(flat), size or 1):
        different = [text.new(0, 1, "bool") for _ in operands]
        for x, number, made in zip(operands, flat[i : i + size], different, strict=True):
            text.add("int_ne_reif", x, number, made)
        text.add("bool_clause", listed(different), "[]")


def add_automaton(text: FlatZincModel, part: Any) -> None:
    """Add an automaton; states and labels are numbered from 1 in the file."""
    labels = list(part.transition_label)
    least, size = min(labels, default=0), max(labels, default=0) - min(labels, default=0) + 1
    if size > MOST_SYMBOLS:
        raise BadUsage(f"an automaton of a CpModel with labels over {MOST_SYMBOLS:,} numbers is not taken")
    known = [part.starting_state, *part.final_states, *part.transition_tail, *part.transition_head]
    states = {state: i for i, state in enumerate(dict.fromkeys(known), 1)}
    steps = [0] * (len(states) * size)
    for tail, head, label in zip(part.transition_tail, part.transition_head, labels, strict=True):
        steps[(states[tail] - 1) * size + label - least] = states[head]
    word = [text.variable(terms, offset - least + 1) for terms, offset in map(text.terms, part.exprs)]
    ends = "{" + ",".join(str(states[q]) for q in part.final_states) + "}"
    text.add("fzn_regular", listed(word), len(states), size, listed(steps), 1, ends)


def add_inverse(text: FlatZincModel, part: Any) -> None:
    sides = (listed(f"v{i}" for i in side) for side in (part.f_direct, part.f_inverse))
    text.add("crosscheck_inverse", *sides, 0, 0)


def add_circuit(text: FlatZincModel, part: Any) -> None:
    """Add a circuit as successors: an arc is taken where its head is the successor of its tail."""
    arcs = list(zip(part.tails, part.heads, part.literals, strict=True))
    if len({arc[:2] for arc in arcs}) < len(arcs):
        raise BadUsage("a circuit of a CpModel with two arcs between the same nodes is not taken")
    nodes = {node: i for i, node in enumerate(sorted({node for arc in arcs for node in arc[:2]}), 1)}
    after = {
        node: text.new(1, len(nodes), values_of(nodes[head] for tail, head, _ in arcs if tail == node))
        for node in nodes
    }
    for tail, head, literal in arcs:
        text.add("int_eq_reif", after[tail], nodes[head], text.boolean(literal))
    text.add("fzn_subcircuit", listed(after.values()))


ENFORCED: dict[str, Callable[[FlatZincModel, Any, list[int]], None]] = {
    "linear": add_linear,
    "bool_or": add_or,
    "bool_and": add_and,
    "at_most_one": add_true(0),
    "exactly_one": add_true(1),
    "interval": add_interval,
}
TO_FLATZINC: dict[str, Callable[..., None]] = ENFORCED | {
    "bool_xor": add_xor,
    "int_div": add_operator("int_div"),
    "int_mod": add_operator("int_mod"),
    "int_prod": add_product,
    "lin_max": add_maximum,
    "all_diff": add_all_different,
    "element": add_element,
    "table": add_table,
    "automaton": add_automaton,
    "inverse": add_inverse,
    "circuit": add_circuit,
    "no_overlap": add_no_overlap,
    "no_overlap_2d": add_rectangles,
    "cumulative": add_cumulative,
}
