"""Declared variables: names, sizes and domains, checked and counted before anything is expanded."""

import re
from collections.abc import Iterator
from math import prod

from puzzles.errors import ParseError, brief
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.document import XmlElement
from puzzles.readers.xcsp3.tokens import INT, NAME, check_variable

MAX_VARIABLES = 1 << 18
SIZE = re.compile(r"(?:\[[0-9]{1,9}\])++")
ITEM = re.compile(rf"({INT})(?:\.\.({INT}))?")


def declared(variables: XmlElement) -> dict[str, tuple[int, ...]]:
    """Return the sizes of arrays and () of variables, by name. Raises ParseError, Refusal."""
    names: dict[str, tuple[int, ...]] = {}
    known = {}
    count = 0
    for element in variables:
        name = element.attributes.get("id", "")
        if element.tag not in ("var", "array") or not re.fullmatch(NAME, name) or name in names:
            raise ParseError(
                f"<{element.tag}> with id {brief(name)}: expected a <var> or <array> with a new name", element.line
            )
        if (kind := element.attributes.get("type", "integer")) != "integer":
            raise Refusal([f"{kind} variables"])
        names[name] = sizes_of(element)
        known[name] = element
        count += prod(names[name])
        if count > MAX_VARIABLES:
            raise Refusal([f"more than {MAX_VARIABLES} variables"])
        for domain in domains(element, names):
            origin = domain if "as" not in domain.attributes else known.get(domain.attributes["as"])
            if origin is None:
                raise ParseError(f"as={domain.attributes['as']!r} names nothing before it", domain.line)
            check_domain(origin)
    if not names:
        raise ParseError("<variables> declares none", variables.line)
    return names


def sizes_of(element: XmlElement) -> tuple[int, ...]:
    """Return the sizes of an array, () for a variable. Raises ParseError."""
    if element.tag == "var":
        return ()
    text = element.attributes.get("size", "").strip()
    sizes = tuple(map(int, text[1:-1].split("]["))) if SIZE.fullmatch(text) else ()
    if not sizes or 0 in sizes:
        raise ParseError(f"size {brief(text)} of an array: expected one such as [4] or [3][5]", element.line)
    return sizes


def domains(element: XmlElement, names: dict[str, tuple[int, ...]]) -> Iterator[XmlElement]:
    """Yield the elements whose text is a domain: the element itself, or its children. Raises ParseError."""
    if element.tag == "var" and element.children:
        raise ParseError(f"<{element.children[0].tag}> in a <var>", element.children[0].line)
    for child in element:
        if child.tag != "domain" or "for" not in child.attributes:
            raise ParseError(f"<{child.tag}> in an <array>: expected <domain for=...>", child.line)
        for token in child.attributes["for"].split():
            if token != "others":
                if token.partition("[")[0] != element.attributes["id"]:
                    raise ParseError(f"{brief(token)} is no part of the array", child.line)
                check_at(token, names, child.line)
    yield from element.children or [element]


def check_at(token: str, names: dict[str, tuple[int, ...]], line: int) -> None:
    """Check the name of variables. Raises ParseError at the line."""
    try:
        check_variable(token, names)
    except ParseError as e:
        raise ParseError(str(e), line) from None


def check_domain(element: XmlElement) -> None:
    """Check the text of a domain. Raises ParseError."""
    tokens = element.text.split()
    for token in tokens:
        match = ITEM.fullmatch(token)
        if match is None or int(match[1]) > int(match[2] or match[1]):
            raise ParseError(f"{brief(token)} in a domain: expected integers and ranges such as -2..5", element.line)
    if not tokens:
        raise ParseError("a domain without values", element.line)
