"""What a user can do wrong. The command line prints the text, one line, and exits 2."""


class BadUsage(ValueError):
    """Arguments that can't be, or that don't fit together; the text says what to do instead."""
