"""Text <-> puzzles."""


class BadInput(ValueError):
    """A user's input that can't be read: one line, FILE:LINE: what is wrong and what was expected."""
