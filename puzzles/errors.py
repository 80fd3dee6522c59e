"""Errors of a user's input, which the command line prints as one line."""


class BadInput(ValueError):
    """User input that can't be read. The text is one line: FILE:LINE, or FILE:LINE:COLUMN, and what was expected."""


class MissingPackage(BadInput):
    """Files of a format are read by a package that is not installed. The text names a file and the package."""


class BadLayout(ValueError):
    """The parameters are invalid for the family; the text says which are expected."""
