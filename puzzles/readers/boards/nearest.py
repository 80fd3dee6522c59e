"""Name the notation that lines are nearest to, where no reader takes them: what a refusal says first."""

import re
from collections.abc import Sequence

from puzzles.readers.foreign import json_kind

NOT_READ = "is not read"
PAGE = "docs/boards.md has the notations that are read"
MAX_CHARS, MAX_LINE = 2000, 200  # of the first lines, which are searched
NUMBERS = r"[0-9]+(?:,[0-9]+)*"
NEAREST = [  # the beginning of a file, and its name
    (r"\{.*\"(?:cages|cells|metadata)\"", "a puzzle of SudokuPad or f-puzzles as JSON"),
    (
        r"(?:\S*(?:sudokupad\.app|f-puzzles\.com)\S*|(?:scl|scf|ctc|fpuz|fpuzzles)[A-Za-z0-9+/=%]{20,})",
        "a link of SudokuPad",
    ),
    (r"(?:https?://\S*(?:puzz\.link|pzv\.jp|pzprxs)|pzprv3)", "a puzzle of puzz.link"),
    (r"(?:https?|ftp)://", "a link"),
    (r"[0-9]+[a-z]*:(?:[0-9]+[UDLR]*,)+", "a game ID of Unequal of Simon Tatham's collection, a futoshiki"),
    (r"[0-9]+[a-z]*:[_a-z0-9]+,[amsd][0-9]", "a game ID of Keen of Simon Tatham's collection, a KenKen"),
    (r"[0-9]+j?(?:x[0-9]+)?[jxk]*d?[a-z]?[:#][_a-z0-9,]{9,}$", "a game ID of Solo of Simon Tatham's collection"),
    (r"begin\s*\n\s*puzzle\b", "a puzzle of janko.at"),
    (r"(?:[0-9]+\s*\n)?\s*\[\s*\(", "a KenKen as a list of cages in brackets"),
    (r"(?:[0-9]+\s*\n)?\s*[0-9]+#[0-9-]+#", "a KenKen as a list of cages between #"),
    (r"(?s:.*\n)?\s*(?:No)?Clue\b", "a kakuro with a position on each line"),
    (r"[0-9]+ [0-9]+\s*\n(?:\s*(?:-1|[0-9]+ [0-9]+)\s*\n){4}", "a kakuro with a position on each line"),
    (r"[0-9]+\s*\n(?:\s*[0-9]+ [0-9]+ [0-9]+\s*\n)+\s*-1", "a board as rows, columns and values of its givens"),
    (r"[0-9]+\s*\n[0-9]+ [0-9]+\s*\n(?:[0-9]+ [0-9]+ [0-9]+(?: [0-9]+)?\s*\n){2}", "squares as coordinates"),
    (r"(?i:width|height|columns?|rows?)\b[ :]*[0-9]", "a nonogram"),
    (r"SumoCue", "a killer or jigsaw of SumoCue"),
    (r"(?s:.{0,400})[0-9]\\|(?s:.{0,400})\\[0-9]", "a kakuro"),
    (r"(?:[|\s0-9._*-]*[<>^][|\s0-9._*<>^vV-]*\n){2}", "a futoshiki"),
    (
        r"(?:([A-Za-z.])(?:(?![1-9]{9})[A-Za-z0-9.])+\s*\n){3}",
        "a map of cages, whose legend is missing or has another form",
    ),
    (r"(?:[^\n]*\b[A-Za-z][a-z]{2,}\b[^\n]*\b[a-z]{3,}\b[^\n]*\n){2}", "text without a board"),
]


def nearest(lines: Sequence[str]) -> str:
    """Return the name of the notation that the first lines are nearest to, '' if they are near to none."""
    text = "".join(f"{line[:MAX_LINE].rstrip()}\n" for line in lines)[:MAX_CHARS].lstrip()
    return next((name for start, name in NEAREST if re.match(start, text, re.MULTILINE)), "")


def refusal(lines: Sequence[str], why: str) -> str:
    """Return the message for lines that no reader takes: the nearest notation, or `why`."""
    name = nearest(lines)
    return f"nearest to {name}, which {NOT_READ}; {PAGE}" if name else json_kind("\n".join(lines)) or why
