"""Escape text of other people, such as errors of plug-ins and names of files, where it is shown; JSON stays exact."""

FORMULA = ("=", "+", "-", "@")


def printable(text: str) -> str:
    """Return the text on one line, with control and invisible characters as backslash escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def csv_cell(text: str) -> str:
    """Return printable text that spreadsheets do not take for a formula; numbers stay as they are."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(FORMULA) and not is_number(shown) else shown


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
