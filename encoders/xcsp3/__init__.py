"""XCSP3 text of a problem: every kind of constraint and objective, over v1, v2, ... with their own domains."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.formula import OBJECTIVE, Constraints, Unsupported
from encoders.xcsp3.constraints import TO_XCSP3 as TO_XCSP3
from encoders.xcsp3.objectives import objective_text, refusal
from encoders.xcsp3.text import Xcsp3Text, domain_text
from puzzles.problem.values import Domains

NAME = re.compile(r"\bv[0-9]+\b")
CLAUSE = ClauseStyle(
    start="  <intension> or(",
    end=") </intension>\n",
    empty="  <intension> eq(v1,2) </intension>\n",
    true="eq(v",
    false="ne(v",
    between=",",
    after_true=",1)",
    after_false=",1)",
    unit_start="  <intension> ",
    unit_end=" </intension>\n",
    always="  <intension> ge(v1,0) </intension>\n",
)


def xcsp3(
    form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = (), names_all: bool = False
) -> bytes:
    """Return an XCSP3 file of a problem under these domains. Each of `forbidden` is a solution, in value indices.

    With `names_all` a constraint that always holds names each variable that no other does. Raises Unsupported.
    """
    text, first, last = parts(form, domains, forbidden)
    if names_all:
        named = set(NAME.findall(" ".join(text.lines)))
        for x in range(form.variables):
            if text.names[x] not in named:
                text.add_tree(("ge", ("var", x), ("number", (text.numbers(x) or [0])[0])))
    if not text.lines:
        add_anything(text)
    return "\n".join([*first, *text.lines, *last]).encode()


def xcsp3_blocks(form: Constraints, domains: Domains) -> Iterator[bytes]:
    """Return an XCSP3 file block by block; clauses come last. Raises Unsupported."""
    rest, flat = without_clauses(form)
    text, first, last = parts(rest, domains)
    if not text.lines and not len(flat):
        add_anything(text)
    head = "".join(f"{line}\n" for line in (*first, *text.lines))
    return chain([head.encode()], clause_lines(flat, CLAUSE), ["\n".join(last).encode()])


def parts(
    form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = ()
) -> tuple[Xcsp3Text, list[str], list[str]]:
    """Return the constraints of a problem as text, and the lines before and after them. Raises Unsupported."""
    if why := unsupported(form):
        raise Unsupported(why)
    form = form.expressed(TO_XCSP3)
    text = Xcsp3Text(form, domains)
    for part in form.constraints:
        TO_XCSP3[part.kind](text, part)
    for solution in forbidden:
        text.add_tree(("or", *(("ne", ("var", x), ("number", form.numbers[v])) for x, v in enumerate(solution))))
    goal, kind = list[str](), "CSP"
    if form.objective is not None:
        goal, kind = [f" <objectives> {objective_text(text, form.objective)} </objectives>"], "COP"
    if not all(text.domains):
        text.add_false()
    own = [(name, domain_text(numbers)) for name, numbers in zip(text.names, text.domains or [()], strict=True)]
    auxiliary = [(f"a{i}", domain_text(numbers)) for i, numbers in enumerate(text.auxiliary, 1)]
    variables = [f'  <var id="{name}"> {numbers} </var>' for name, numbers in (*own, *auxiliary)]
    first = [f'<instance format="XCSP3" type="{kind}">', " <variables>", *variables, " </variables>", " <constraints>"]
    return text, first, [" </constraints>", *goal, "</instance>", ""]


def add_anything(text: Xcsp3Text) -> None:
    """Add a constraint that always holds, since some solvers need one."""
    text.add_tree(("ge", ("var", 0), ("number", (text.numbers(0) or [0])[0])))


def unsupported(form: Constraints, reader: str = "XCSP3") -> str | None:
    """Return what a reader of XCSP3 does not take of a problem, constraints or objective, as a reason; else None."""
    kinds = [kind for kind in form.expressed(TO_XCSP3).kinds() if kind not in (*TO_XCSP3, OBJECTIVE)]
    if kinds:
        return f"{reader} takes no constraints of the kind {', '.join(kinds)}"
    why = None if form.objective is None else refusal(form.objective)
    return f"{reader} takes {why}" if why else None
