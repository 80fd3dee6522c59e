"""Normalise typed boards: frames to ASCII, separated fields to words, zero-padded numbers to numbers."""

import re
from math import isqrt

FRAMES = dict.fromkeys(range(9472, 9600), "+")  # the block Box Drawing
FRAMES |= (
    {ord(c): "|" for c in "│┃║┆┇┊┋╎╏"} | {ord(c): "-" for c in "─━═┄┅┈┉╌╍"} | {0xA0: " "}
)  # and the no-break space
FRAMES |= {first + i: str(i + 1) for first in (0x2460, 0x2776, 0x2780, 0x278A) for i in range(9)}  # digits in circles
FRAMES |= {0xFF10 + i: str(i) for i in range(10)} | {0x24EA: "0", 0xFE0F: "", 0x20E3: ""}  # wide digits and keycaps
FRAMES |= {ord(c): "." for c in "□▢◻◽⬜○◯"}
MAX_FIELD_CHARS = 3  # characters of a field: a number
MIN_FIELDS = 4
COMMENT = re.compile(r"\s#.*")
SET = re.compile(r"\s*(?:[.0]|\+?[1-9])+\s*")  # squares of HoDoKu, with '+' before values that were set
PADDED = re.compile(r"\s*[0-9]{2}(\s+[0-9]{2})+\s*")


def normalise(raw: str) -> str:
    """Return a line without its comment, its frame in ASCII and its fields as words, '.' for an empty field."""
    if not raw.isascii():
        raw = raw.translate(FRAMES)
    if "#" in raw:
        raw = COMMENT.sub("", raw)
    if "+" in raw and SET.fullmatch(raw):
        raw = raw.replace("+", "")
    for separator in "\t;,":
        if separator in raw and not (separator == "," and (":" in raw or "|" in raw)):
            raw = join_fields(raw.split(separator), raw)
    if (" 0" in raw or raw[:1] == "0") and PADDED.fullmatch(raw):
        raw = " ".join(str(int(word)) for word in raw.split())
    return raw


def join_fields(fields: list[str], raw: str) -> str:
    """Join fields with spaces, or return the raw line if they can't be marks: too few, or one too long.

    The separator may also end the line: an empty last field is none if no other is empty and a square number is left.
    """
    fields = [field.strip() for field in fields]
    if not fields[-1] and all(fields[:-1]) and isqrt(len(fields) - 1) ** 2 == len(fields) - 1:
        fields.pop()
    if len(fields) < MIN_FIELDS or any(len(field) > MAX_FIELD_CHARS or " " in field for field in fields):
        return raw
    return " ".join(field or "." for field in fields)
