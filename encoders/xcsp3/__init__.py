"""XCSP3 text of a problem: every kind of constraint and objective, over v1, v2, ... with their own domains."""

from collections.abc import Sequence

from encoders.formula import OBJECTIVE, Constraints, Unsupported
from encoders.xcsp3.constraints import WRITE
from encoders.xcsp3.objectives import objective_text, refusal
from encoders.xcsp3.text import Xcsp3Text, domain_text
from puzzles.problem.values import Domains


def xcsp3(form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = ()) -> bytes:
    """Return an XCSP3 file of a problem under these domains. Each of `forbidden` is a solution, in value indices.

    Raises Unsupported.
    """
    if why := unsupported(form):
        raise Unsupported(why)
    form = form.expressed(WRITE)
    text = Xcsp3Text(form, domains)
    for part in form.constraints:
        WRITE[part.kind](text, part)
    for solution in forbidden:
        text.add_tree(("or", *(("ne", ("var", x), ("number", form.numbers[v])) for x, v in enumerate(solution))))
    goal, kind = list[str](), "CSP"
    if form.objective is not None:
        goal, kind = [f" <objectives> {objective_text(text, form.objective)} </objectives>"], "COP"
    if not all(text.domains):
        text.add_false()
    if not text.lines:  # some solvers need a constraint
        text.add_tree(("ge", ("var", 0), ("number", (text.numbers(0) or [0])[0])))
    own = [(name, text.numbers(x)) for x, name in enumerate(text.names)]
    auxiliary = [(f"a{i}", numbers) for i, numbers in enumerate(text.auxiliary, 1)]
    variables = [f'  <var id="{name}"> {domain_text(numbers)} </var>' for name, numbers in (*own, *auxiliary)]
    lines = [f'<instance format="XCSP3" type="{kind}">', " <variables>", *variables, " </variables>", " <constraints>"]
    return "\n".join([*lines, *text.lines, " </constraints>", *goal, "</instance>", ""]).encode()


def unsupported(form: Constraints, reader: str = "XCSP3") -> str | None:
    """Return what a reader of XCSP3 does not take of a problem, constraints or objective, as a reason; else None."""
    kinds = [kind for kind in form.expressed(WRITE).kinds() if kind not in (*WRITE, OBJECTIVE)]
    if kinds:
        return f"{reader} takes no constraints of the kind {', '.join(kinds)}"
    why = None if form.objective is None else refusal(form.objective)
    return f"{reader} takes {why}" if why else None
