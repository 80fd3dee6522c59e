"""XML as elements with their lines, read by expat. Document types are refused, and with them entities."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType, errors

from puzzles.errors import ParseError, brief

MAX_DEPTH = 50  # nesting of elements


@dataclass(slots=True)
class XmlElement:
    """An element: its text is the text before its first child. `line` is where it opens."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list["XmlElement"] = field(default_factory=list)

    def __iter__(self) -> Iterator["XmlElement"]:
        return iter(self.children)


class Builder:
    """Handlers of expat. `open` holds the elements that are not closed yet, after a root for the document."""

    def __init__(self, parser: XMLParserType) -> None:
        self.parser = parser
        self.open = [XmlElement("", {}, 0)]
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler = self.text
        parser.StartDoctypeDeclHandler = self.doctype

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) > MAX_DEPTH:
            raise ParseError(f"elements nested deeper than {MAX_DEPTH}", self.parser.CurrentLineNumber)
        element = XmlElement(tag, attributes, self.parser.CurrentLineNumber)
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def text(self, text: str) -> None:
        element = self.open[-1]
        if not element.children:
            element.text += text
        elif not text.isspace():
            raise ParseError(f"text {brief(text.strip())} between elements", self.parser.CurrentLineNumber)

    def doctype(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise ParseError(
            "XML with a document type, which may define entities, is not read: take out <!DOCTYPE ...>", line
        )


def parse(data: bytes) -> XmlElement:
    """Return the root element of a document. Raises ParseError."""
    parser = ParserCreate()
    builder = Builder(parser)
    try:
        parser.Parse(data, True)
    except ExpatError as e:
        raise ParseError(f"not well-formed XML: {errors.messages[e.code]}", e.lineno, e.offset + 1) from None
    except ParseError:
        raise
    except (ValueError, LookupError) as e:  # of an unknown encoding
        raise ParseError(f"not well-formed XML: {e}", 1) from None
    return builder.open[0].children[0]
