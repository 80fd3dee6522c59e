"""Text made printable: foreign text is escaped (JSON stays exact), lines are fitted to the terminal."""

import re
import shutil
import sys
from textwrap import wrap

from harness.model.invocation import as_called

FORMULA = ("=", "+", "-", "@")
MARKUP = re.compile(r"[&<]")  # HTML, which Markdown passes on
MARKDOWN = ("markdown", "github")  # formats
LONGEST = 72  # characters of a cell in a terminal's table
SPECIAL = re.compile(r"[\\`|]|(?<=\])\(")  # ends a cell, opens code or a link's target


def printable(text: str) -> str:
    """Return the text on one line, with control and invisible characters as backslash escapes.

    A byte of a file's name that is no UTF-8 is shown as in names of instances, as \\xNN.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else escaped(c) for c in text)


def escaped(c: str) -> str:
    """Return a character as a backslash escape; U+DCxx is Python's character for a name's byte outside UTF-8."""
    return f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c.encode("unicode_escape").decode("ascii")


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text of at most `longest` characters, shortened in its middle if necessary."""
    tail = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def csv_cell(text: str) -> str:
    """Return printable text that spreadsheets do not take for a formula; numbers are unchanged."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(FORMULA) and not is_number(shown) else shown


def markdown_text(text: str) -> str:
    """Return printable text, escaped for Markdown: no HTML, code, links or end of a table's cell."""
    plain = SPECIAL.sub(r"\\\g<0>", printable(text))
    return MARKUP.sub(lambda found: f"&#{ord(found[0])};", plain)


def line_below(text: str, fmt: str) -> str:
    """Return a line below a table as printable text, in Markdown as an item of a list."""
    line = as_called(text)
    return f"- {markdown_text(line)}" if fmt in MARKDOWN else printable(line)


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


def terminal_width() -> int | None:
    """Return the width of the terminal, or None if standard output is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def to_stderr(text: str) -> None:
    """Print a line to standard error, above a progress bar; on a terminal it is broken between words."""
    line = printable(as_called(text))
    if sys.stderr.isatty():
        line = wrapped(line, shutil.get_terminal_size().columns)
    if (bars := sys.modules.get("tqdm")) is not None:
        bars.tqdm.write(line, file=sys.stderr)
    else:
        print(line, file=sys.stderr, flush=True)


def wrapped(line: str, width: int | None = None) -> str:
    """Return a line broken between words, to fit the terminal if no width is given."""
    width = width or terminal_width()
    if not width:
        return line
    return "\n".join(wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
