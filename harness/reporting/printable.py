"""Escape text of other people, such as errors of plug-ins and names of files, where it is shown; JSON stays exact."""

import re
import sys

FORMULA = ("=", "+", "-", "@")
MARKUP = re.compile(r"[&<]")  # of HTML, which Markdown passes on
LONGEST = 72  # characters of a cell in a terminal's table
SPECIAL = re.compile(r"[\\`|]|(?<=\])\(")  # ends a cell, opens code or a link's target


def printable(text: str) -> str:
    """Return the text on one line, with control and invisible characters as backslash escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text of at most `longest` characters, its middle left out if it has more."""
    tail = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def csv_cell(text: str) -> str:
    """Return printable text that spreadsheets do not take for a formula; numbers stay as they are."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(FORMULA) and not is_number(shown) else shown


def markdown_text(text: str) -> str:
    """Return printable text that Markdown shows as it is: no HTML, code, links or end of a table's cell."""
    plain = SPECIAL.sub(r"\\\g<0>", printable(text))
    return MARKUP.sub(lambda found: f"&#{ord(found[0])};", plain)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def writable(characters: str) -> bool:
    """Return True if standard output can write these characters."""
    try:
        characters.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
