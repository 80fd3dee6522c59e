"""The squares of a line, by each of the ways in which people write them: READINGS.

A reading takes a line and returns the marks of its squares, None if it can't be meant. '' is an empty field.
"""

import re
from collections.abc import Callable

from puzzles.readers.boards import marks

Cells = list[str]
Reading = Callable[[str], Cells | None]
RULE = re.compile(r"[-+*=|:.'_ \t]*(?:---|===)[-+*=|:.'_ \t]*")  # a line drawn between rows, or around them
FRAME = re.compile(
    rf"{RULE.pattern}|\s*([*+:])[-=_*+|:.\s]*\1\s*|\s*\\(?:begin|end|hline|[a-z]+rule)\b.*|[\s\[\](){{}};,]*|[|\s]*(?:(?::-+:?|-+:)[|\s]*)+"
)
COMMAND = re.compile(r"\\\\(?:\[[^\]]*\])?|\\(?:hline|[a-z]+rule|cline\{[^}]*\})|\\[a-z]+\{(\w*)\}")  # of LaTeX
LABEL = re.compile(r"\s*(?:(?i:row|line|r)\s*([0-9]{1,2})\b|([0-9]{1,2}|[A-Za-z])(?=\s*[:.)=]))\s*[:.)=]?\s*(?=\S)")
ITEMS = re.compile(r"[ \[({]*(.*?)(?:[\])}][\s\])},;]*)?")
ARROWS = re.compile(r"[-=]+>|→|⇒|!")
BOXED = re.compile(r"\[([^\[\]]*)\]")
END_BARS = re.compile(r"^\s*\||\|\s*$")
NAME = re.compile(r"(?i)^(?:row|col(?:umn)?|[rc])?(?=[0-9])|\W")


def fields(text: str) -> Cells | None:
    """Return what is between separators, without brackets around all."""
    match = ITEMS.fullmatch(END_BARS.sub("", COMMAND.sub(r"\1", text)).strip(" "))
    text = match[1] if match else text
    for separator in ("&", "|", "\t", ";", ","):
        if separator in text:
            found = [field.strip(" \"'") for field in text.split(separator)]
            return found if not any(" " in field for field in found) else None
    return None


def boxed(text: str) -> Cells | None:
    """Return what is in brackets, a pair for each square."""
    return [cell.strip() for cell in BOXED.findall(text)] if not BOXED.sub("", text).strip(" |,;") else None


def words(text: str) -> Cells:
    """Return the words of a line, bars read as blanks."""
    return text.replace("|", " ").split()


def joined(text: str) -> str:
    """Return the characters of a line but for blanks and bars."""
    return "".join(words(text))


def is_spaced(head: str) -> bool:
    """Return True for marks with a blank between each and the next, '1 2 3', where no blank is a square."""
    return " " not in head[::2] and not head[1::2].strip()


def parted(text: str) -> Cells:
    """Return the words of a line, bars and arrows read as blanks."""
    return words(ARROWS.sub(" ", text))


def characters(text: str) -> Cells | None:
    """Return the characters of words of one length."""
    found = parted(text.strip().strip("\"',;"))
    return list("".join(found)) if len(set(map(len, found))) == 1 else None


def spaced(pitch: int, first: int) -> Reading:
    """Return the reading of squares that may be blank: one each `pitch` columns, from `first` on, between bars."""

    def read(text: str) -> Cells | None:
        parts = END_BARS.sub("", text).split("|")
        parts[-1] = parts[-1].ljust(len(parts[0]))
        if len(parts) < 2 or len(set(map(len, parts))) > 1:
            return None
        cells = [part[first::pitch] for part in parts]
        return list("".join(cells)) if same_marks(parts, cells) else None

    return read


def same_marks(parts: Cells, cells: Cells) -> bool:
    """Return True if no mark of the parts is left out of their cells."""
    return "".join(parts).replace(" ", "") == "".join(cells).replace(" ", "")


READINGS = (boxed, fields, parted, characters, spaced(1, 0), spaced(2, 1), spaced(2, 0), spaced(3, 1))


def is_counted(labels: Cells) -> bool:
    """Return True for 1, 2, 3 ..., 0, 1, 2 ... or A, B, C ..., perhaps with words such as 'row'."""
    plain, n = [NAME.sub("", label).upper() for label in labels], len(labels)
    return plain in ([*map(str, range(1, n + 1))], [*map(str, range(n))], list(marks.LETTERS[:n]))
