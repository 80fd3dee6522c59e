"""Structure of an instance, checked before pycsp3's parser sees it: elements, attributes, and the form of each text."""

import re
from collections.abc import Iterable, Iterator

from puzzles.errors import ParseError, brief
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3 import tokens
from puzzles.readers.xcsp3.declarations import declared
from puzzles.readers.xcsp3.document import XmlElement
from puzzles.readers.xcsp3.tokens import Names

FORMS: dict[str, tokens.Check] = {
    **dict.fromkeys(("list", "values", "coeffs", "occurs", "index", "value", "size", "args"), tokens.check_list),
    **dict.fromkeys(("heights", "ends", "sizes", "limits", "loads", "weights", "profits"), tokens.check_list),
    **dict.fromkeys(("supports", "conflicts"), tokens.check_tuples),
    **dict.fromkeys(("start", "final"), tokens.matching(tokens.STATES, "names of states")),
    **dict.fromkeys(("matrix", "except", "origins", "lengths"), tokens.check_rows),
    "condition": tokens.check_condition,
    "function": tokens.check_expression,
    "operator": tokens.matching(tokens.ORDER, "lt, le, ge or gt"),
    "transitions": tokens.matching(tokens.TRANSITIONS, "transitions such as (a,0,b)(b,1,a)"),
}
CONSTRAINTS = {  # constraints that are read, with the elements they may have
    "intension": "function",
    "extension": "list supports conflicts",
    "regular": "list transitions start final",
    "mdd": "list transitions",
    "allDifferent": "list matrix except",
    "allEqual": "list except",
    "ordered": "list lengths operator",
    "lex": "list matrix operator",
    "sum": "list coeffs condition",
    "count": "list values condition",
    "nValues": "list except condition",
    "cardinality": "list values occurs",
    "minimum": "list condition",
    "maximum": "list condition",
    "minimumArg": "list condition",
    "maximumArg": "list condition",
    "element": "list matrix index value condition",
    "channel": "list value",
    "cumulative": "origins lengths ends heights condition",
    "noOverlap": "origins lengths",
    "binPacking": "list sizes limits loads condition",
    "knapsack": "list weights profits condition",
    "circuit": "list size",
    "precedence": "list values",
    "clause": "list",
    "instantiation": "list values",
}
ATTRIBUTES = {  # attributes of elements, besides id, class and note
    "list": {"startIndex", "offset", "collect"},
    "matrix": {"startRowIndex", "startColIndex"},
    "values": {"closed", "covered"},
    "slide": {"circular"},
    "limits": {"startIndex"},
    "loads": {"startIndex"},
    "element": {"rank"},
    "minimumArg": {"rank"},
    "maximumArg": {"rank"},
    "noOverlap": {"zeroIgnored"},
}
REIFIED = {"reifiedBy", "hreifiedFrom", "hreifiedTo"}  # attributes of any constraint: a variable that tells of it
CASES = {"increasing": "le", "strictlyIncreasing": "lt", "decreasing": "ge", "strictlyDecreasing": "gt"}
OTHERS = """
    adhoc allDistant allIntersecting and arbo balance deviation flow grammar ifThen ifThenElse iff nArbos nCircuits
    nCliques nPaths nTrees not or partition path permutation range refutation roots seqbin smart soft spread stretch
    subsetAllDifferent sumCosts tree xor
"""
NOT_READ = set(OTHERS.split())
META = ("group", "block", "slide")
TYPES = ("CSP", "COP")
NUMBER = re.compile(r"[0-9]{1,9}")


def check_instance(root: XmlElement) -> Names:
    """Check an instance and return the names of its variables. Raises ParseError, Refusal."""
    if root.tag != "instance" or root.attributes.get("format") != "XCSP3":
        raise ParseError(f'XML of {brief(root.tag)}: expected <instance format="XCSP3">; XCSP 2 is not read', root.line)
    if (kind := root.attributes.get("type", "CSP")) not in TYPES:
        raise Refusal([f"instances of type {brief(kind)}"])
    parts = {part.tag: part for part in root}
    if unknown := set(parts) - {"variables", "constraints", "objectives", "annotations"}:
        tag = sorted(unknown)[0]
        raise ParseError(f"unknown element <{tag}>", parts[tag].line)
    if len(parts) < len(root.children) or "variables" not in parts:
        raise ParseError("expected one <variables>, and <constraints> once at most", root.line)
    names = declared(parts["variables"])
    if refused := dict.fromkeys(refusals(parts.get("constraints", ()), names)):
        raise Refusal(list(refused))
    return names


def refusals(elements: Iterable[XmlElement], names: Names) -> Iterator[str]:
    """Check constraints; yield the names of unsupported constraints. Raises ParseError."""
    for element in elements:
        at = [element]
        try:
            if element.tag in NOT_READ:
                yield element.tag
            elif element.tag == "block":
                yield from refusals(element, names)
            elif element.tag in META:
                yield from in_meta(element, names)
            elif element.tag in CONSTRAINTS:
                yield from in_constraint(element, names, at)
            else:
                raise ParseError(f"unknown constraint <{element.tag}>")
        except ParseError as e:
            raise e if e.line is not None else ParseError(str(e), at[-1].line) from None
        yield from attributes(element, names)


def in_meta(element: XmlElement, names: Names) -> Iterator[str]:
    """Check a group, which is a template and its arguments, or a slide, which is lists and a template."""
    group = element.tag == "group"
    own = "args" if group else "list"
    templates = [child for child in element if child.tag != own]
    if len(templates) != 1 or len(element.children) < 2 or element.children[0 if group else -1] is not templates[0]:
        raise ParseError(f"<{element.tag}> needs one constraint and <{own}>")
    if templates[0].tag in META:
        raise ParseError(f"<{templates[0].tag}> as the template of a <{element.tag}>")
    for child in element:
        if child.tag == own:
            yield from attributes(child, names)
            check_text(child, names)
    yield from refusals(templates, names)


def in_constraint(element: XmlElement, names: Names, at: list[XmlElement]) -> Iterator[str]:
    """Check the parts of a constraint; the part in hand is the last of `at`."""
    normalise(element)
    if not element.children:
        check_text(element, names, "function" if element.tag == "intension" else "list")
    for child in element:
        at.append(child)
        if child.tag not in FORMS or child.children:
            raise ParseError(f"unexpected <{child.tag}> in <{element.tag}>")
        if child.tag not in CONSTRAINTS[element.tag].split():
            yield f"{element.tag} with {child.tag}"
            continue
        yield from attributes(child, names)
        check_text(child, names)
        if child.tag not in ("function", "condition") and len({token[0] == "%" for token in child.text.split()}) > 1:
            yield "templates that mix parameters and others"


def normalise(element: XmlElement) -> None:
    """State the case of an order as its operator, and the rank of an index as that of its constraint."""
    if element.tag in ("ordered", "lex") and (case := element.attributes.pop("case", None)) is not None:
        if case not in CASES:
            raise ParseError(f"case={brief(case)}: expected {', '.join(CASES)}", element.line)
        children = element.children or [XmlElement("list", {}, element.line, element.text)]
        element.children = [*children, XmlElement("operator", {}, element.line, CASES[case])]
    for child in element:
        if child.tag == "index" and "rank" in child.attributes:
            element.attributes["rank"] = child.attributes.pop("rank")


def check_text(element: XmlElement, names: Names, form: str = "") -> None:
    """Close up and check the text of an element by the form of its tag, or by `form`. Raises ParseError."""
    element.text = tokens.closed_up(element.text)
    if not element.text and element.tag not in ("supports", "conflicts", "args"):
        raise ParseError(f"<{element.tag}> is empty", element.line)
    FORMS[form or element.tag](element.text, names)


def attributes(element: XmlElement, names: Names) -> Iterator[str]:
    """Yield each attribute that is not supported, with its element. Raises ParseError."""
    for name, text in element.attributes.items():
        known = name in ("id", "class", "note") or name in ATTRIBUTES.get(element.tag, ())
        if name in REIFIED and element.tag in CONSTRAINTS:
            if "%" in text:
                yield f"{element.tag} with {name} of a parameter"
            else:
                check_reified(element, name, names)
            continue
        if not known and (name, text) not in (("rank", "any"), ("type", "hard")):
            taken = [
                f"<{child}>" for child in CONSTRAINTS.get(element.tag, "").split() if name in ATTRIBUTES.get(child, ())
            ]
            yield f"{element.tag} with {name}{', which stands at ' if taken else ''}{' or '.join(taken)}"
        elif name == "rank" and text not in ("any", "first", "last"):
            raise ParseError(f"rank={brief(text)}: expected any, first or last", element.line)
        elif name in ("closed", "covered", "circular", "zeroIgnored") and text not in ("true", "false"):
            raise ParseError(f"{name}={brief(text)}: expected true or false", element.line)
        elif (name.startswith("start") and not NUMBER.fullmatch(text.removeprefix("-"))) or (
            name in ("offset", "collect") and not NUMBER.fullmatch(text)
        ):
            raise ParseError(f"{name}={brief(text)}: expected a number", element.line)


def check_reified(element: XmlElement, name: str, names: Names) -> None:
    """Check the name of the variable that tells of a constraint. Raises ParseError."""
    try:
        tokens.check_variable(element.attributes[name], names, single=True)
    except ParseError as e:
        raise ParseError(f"{name}: {e}", element.line) from None
