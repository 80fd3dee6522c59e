"""Writers of 9x9 boards in the formats of other programs, for tests of the readers. '.' marks open squares."""

import json
from collections.abc import Callable, Sequence

Writer = Callable[[Sequence[str]], str]  # boards of 81 characters -> text of a file


def rows(board: str) -> list[str]:
    return [board[i : i + 9] for i in range(0, 81, 9)]


def numbers(board: str) -> list[list[int]]:
    return [[0 if c == "." else int(c) for c in row] for row in rows(board)]


def lines(form: str) -> Writer:
    """Return a writer of one line per board: `form` with the board at '{}'."""
    return lambda boards: "".join(f"{form.format(board)}\n" for board in boards)


def blocks(write_row: Callable[[str], str], between: str = "\n", first: str = "") -> Writer:
    """Return a writer of one line per row."""
    return lambda boards: between.join(first + "".join(f"{write_row(row)}\n" for row in rows(b)) for b in boards)


def game_id(board: str) -> str:
    """Write a game ID of Solo."""
    text, run = "", 0
    for c in [*board, ""]:
        if c == ".":
            run += 1
            continue
        text += "z" * (run // 26) + (chr(96 + run % 26) if run % 26 else "")
        text += "_" * (not run and text[-1:].isdigit() and bool(c)) + c
        run = 0
    return f"3x3:{text}"


def minizinc(boards: Sequence[str]) -> str:
    arrays = [" |\n  ".join(", ".join(str(v or "_") for v in row) for row in numbers(b)) for b in boards]
    return "".join(f"% board\narray[1..9, 1..9] of opt int: start = [|\n  {array} |];\n" for array in arrays)


def opensudoku(boards: Sequence[str]) -> str:
    games = "".join(f'<game data="{b.replace(".", "0")}" />\n' for b in boards)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="2">\n<name>all</name>\n{games}</opensudoku>\n'


def candidates(c: str) -> str:
    """Return a place for each value of a square, '.' for a value that is no candidate."""
    return "123456789" if c == "." else "".join(v if v == c else "." for v in "123456789")


def mini_grids(boards: Sequence[str]) -> str:
    text = ""
    for r, row in enumerate(row for board in boards for row in rows(board)):
        for i in (0, 3, 6):
            words = [candidates(c)[i : i + 3] for c in row]
            text += "|".join(" ".join(words[j : j + 3]) for j in (0, 3, 6)) + "\n"
        text += "-----------+-----------+-----------\n" * (r % 3 == 2 and r % 9 < 8) + "\n" * (r % 9 == 8)
    return text


WRITERS: dict[str, Writer] = {
    "lines": lines("{}"),
    "lines with names": lines("{} a name"),
    "lines with ratings": lines("{},9.9"),
    "lines with fields": lines("{};17;ED=1.2/1.2"),
    "lines with tabs": lines("{}\teasy"),
    "lines with comments": lines("{} # hard: 1"),
    "lines after a hash": lines("0000183b305c {} 1.2"),
    "csv without a header": lines("17,{},easy,0.5"),
    "library lines of HoDoKu": lines(":0000:1:{}:::"),
    "game IDs": lambda boards: "".join(f"{game_id(b)}\n" for b in boards),
    "MiniZinc": minizinc,
    "JSON": lambda boards: json.dumps([numbers(b) for b in boards]),
    "JSON with null": lambda boards: json.dumps(
        [[[v or None for v in r] for r in numbers(b)] for b in boards], indent=1
    ),
    "JSON of strings": lambda boards: json.dumps(list(boards)),
    "JSON of rows": lambda boards: json.dumps([rows(b) for b in boards]),
    "Python lists": lambda boards: "".join(f"board = {numbers(b)}\n" for b in boards),
    "Python tuples": lambda boards: "".join(f"{tuple(map(tuple, numbers(b)))}\n" for b in boards),
    "OpenSudoku": opensudoku,
    "mini-grids": mini_grids,
    "places on a line": lambda boards: "".join("".join(map(candidates, b)) + "\n" for b in boards),
    "a leading size": blocks(str, first="9\n"),
    "a leading box": blocks(str, first="3 3\n"),
    "dashes": blocks(lambda row: row.replace(".", "-")),
    "dashes, stacked": blocks(lambda row: row.replace(".", "-"), between=""),
    "blanks": blocks(lambda row: row.replace(".", " ")),
    "e": lambda boards: "".join(b.replace(".", "e") + "\n" for b in boards),
    "trailing commas": blocks(lambda row: "".join(f"{c}," for c in row.replace(".", "0"))),
    "commas and blanks": blocks(lambda row: ", ".join(row.replace(".", "0"))),
    "semicolons": blocks(lambda row: ";".join(c.strip(".") for c in row)),
    "zero-padded numbers": blocks(lambda row: " ".join(f"0{c}" for c in row.replace(".", "0"))),
}
