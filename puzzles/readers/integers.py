"""Integers of a text, read many at once, as strictly as SAT solvers read them.

An integer is digits, after a minus that is not followed by 0 or by none; blanks, tabs and line ends separate. NumPy's
reader takes more: it reads a sign that stands alone as 0, or joins it to the next number, and takes `+5`.
"""

import re

import numpy as np
import numpy.typing as npt

BLANKS = b" \t\r\n"
WORD = re.compile(rb"[^ \t\r\n]+")
INTEGER = re.compile(rb"0++|(?:0*+|-)[1-9][0-9]{0,17}")
BEYOND = 10**18
SHORT_BYTES = 100  # of a text that takes NumPy longer than Python
Int64Array = npt.NDArray[np.int64]


def integers(text: bytes, beyond: int = BEYOND) -> Int64Array | None:
    """Return the integers of a text, or None if a word is none, or reaches `beyond`, at most 2^63, in size.

    Of greater numbers NumPy makes the greatest of 64 bits.
    """
    if text.translate(None, b"0123456789-" + BLANKS):
        return None
    if not text or text.isspace():  # which NumPy reads as one number
        return np.empty(0, np.int64)
    if len(text) <= SHORT_BYTES and beyond <= BEYOND:
        words = text.split()
        if not all(map(INTEGER.fullmatch, words)):
            return None
        few = list(map(int, words))
        return np.array(few, np.int64) if max(few) < beyond and min(few) > -beyond else None
    codes = np.frombuffer(text, np.uint8)
    minus = codes == ord("-")
    alone = minus[:-1] & (codes[1:] < ord("1"))
    inside = minus[1:] & (codes[:-1] > ord(" "))
    if minus[-1] or alone.any() or inside.any():
        return None
    found: Int64Array = np.fromstring(text, np.int64, sep=" ")  # type: ignore[call-overload,unused-ignore]
    return found if len(found) and int(found.min()) > -beyond and int(found.max()) < beyond else None


def integer(word: bytes) -> int | None:
    """Return the integer that a word is, or None, by the same rules."""
    return int(word) if INTEGER.fullmatch(word) else None
