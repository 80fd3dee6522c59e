"""Statements of a pseudo-Boolean proof, of every version in one form.

    version 1, 2   a line is a statement; `;` separates its parts; `begin` opens a block, `end` or `qed` closes it
    version 3      `;` ends a statement; `:` separates its parts; a block opens by its keyword alone

A statement has `:` between its parts, `subproof` for `begin`, and `qed` for the word that closes a block.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

Words = list[str]
TOKEN = re.compile(
    r"(?P<comment>%[^\n]*)|[;:]|==>|<==|>=|<=|->|→|@[^\s;:%]+|[~#]?[$A-Za-z_](?:[^\s;:%~<>=+*-]|-(?!>))*|#?[+-]?[0-9]+|\S"
)
OPENING = {"proofgoal": 2, "scope": 2, "def_order": 2, "eord_def": 2} | dict.fromkeys(
    ("vars", "spec", "def", "transitivity", "reflexivity", "proof"), 1
)


class ProofStatement(NamedTuple):
    """ProofStatement with the number of its first line and its label, '' without one."""

    line: int
    label: str
    words: Words


def statements(text: str, version: int) -> Iterator[ProofStatement]:
    """Yield the statements after the header of a proof."""
    found = terminated(text) if version > 2 else lines(text)
    for line, words in found:
        label = words.pop(0) if version > 1 and words[0].startswith("@") else ""
        if words and words[0] == "end" and words[1:2] != ["pseudo-Boolean"]:
            words[0] = "qed"
        yield ProofStatement(line, label, words)


def lines(text: str) -> Iterator[tuple[int, Words]]:
    """Yield the words of each line after the first."""
    for line, row in enumerate(text.split("\n")[1:], 2):
        words = row.replace(";", " : ").split()
        if not words or words[0].startswith(("*", "%", ":")):
            continue
        while words[-1] == ":":
            words.pop()
        if words[-1] == "begin":
            words[-1] = "subproof"
        yield line, words


def terminated(text: str) -> Iterator[tuple[int, Words]]:
    """Yield the words of each statement that `;` ends, or the keyword of a block; a rest begins with an empty word."""
    line, words, first = 1, Words(), 0
    at, last = len(text.split("\n", 1)[0]), 0
    while match := TOKEN.search(text, at):
        line, last, at = line + text.count("\n", last, match.start()), match.start(), match.end()
        word = match[0]
        if word == "*" and not words:  # a comment, as in version 2
            at = text.find("\n", at) % (len(text) + 1)
        elif match["comment"] is None:
            first = first if words else line
            if word != ";":
                words.append(word)
            named = bool(words) and words[0].startswith("@")
            opens = words[named:] and OPENING.get(words[named]) == len(words) - named
            if words and (word == ";" or opens or words[-2:] == [":", "subproof"]):
                yield first, words
                words = []
    if words:
        yield first, ["", *words]
