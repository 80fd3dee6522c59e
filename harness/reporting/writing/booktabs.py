"""LaTeX: tables with the rules of booktabs, every text escaped."""

import re
from collections.abc import Sequence

from harness.reporting.writing.printable import printable

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{sign: "\\" + sign for sign in "{}$&#_%"},
}
PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))
LIGATURES = re.compile(r"(?<=[-`',!?])(?=[-`',])")  # -- would be set as a dash
UNITS = {"us": r"\textmu{}s"}
TIME = re.compile(r"([\d.,]+) (s|ms|us|ns)")
COUNTED = re.compile(rf"[\d,]+ \({TIME.pattern}\)")  # a number, and a time in brackets
NARROW, WIDE = 4, 9  # columns that fit a column of text, and a page
FIT = r"\centering\footnotesize\setlength{\tabcolsep}{4pt}\setlength{\belowcaptionskip}{4pt}"
RANGE = re.compile(f"(?:{TIME.pattern}) to (?:{TIME.pattern})")


def latex_text(text: str) -> str:
    """Return a text escaped for LaTeX; control characters are escaped visibly."""
    return LIGATURES.sub("{}", PATTERN.sub(lambda found: SPECIAL[found[0]], printable(text)))


def latex_cell(text: str) -> str:
    """Return a cell; times, and ends of intervals that are times, have a thin space before their unit."""
    if TIME.fullmatch(text) or RANGE.fullmatch(text) or COUNTED.fullmatch(text):
        return TIME.sub(lambda found: rf"{found[1]}\,{UNITS.get(found[2], found[2])}", text)
    return latex_text(text)


def comment(text: str) -> str:
    """Return a text as one line of a LaTeX comment."""
    return f"% {printable(text)}"


def latex_table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return the lines of a table of cells in LaTeX; the first `left` columns are left-aligned, the others right."""
    lines = [" & ".join(line) + r" \\" for line in (headers, *rows)]
    columns = "l" * left + "r" * (len(headers) - left)
    start = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule", lines[0], r"\midrule"]
    return [*start, *lines[1:], r"\bottomrule", r"\end{tabular}"]


def floating(lines: Sequence[str], caption: str, label: str, columns: int, needs: str = "booktabs") -> str:
    """Return a table that floats, with its caption in LaTeX; one of many columns takes both columns of a page."""
    kind = "table" if columns <= NARROW else "table*"
    start = [rf"\begin{{{kind}}}", FIT, rf"\caption{{{caption}}}\label{{tab:{label}}}"]
    if columns > WIDE:
        needs, lines = f"{needs},graphicx", [r"\resizebox{\textwidth}{!}{%", *lines, "}"]
    return "\n".join([f"% needs \\usepackage{{{needs}}}", *start, *lines, rf"\end{{{kind}}}"])
