"""User errors. The command line prints the text, one line, and exits with 2."""


class BadUsage(ValueError):
    """Invalid or incompatible arguments; the text says what to do instead."""


class ClusterLost(Exception):
    """The scheduler of a run is gone; the run can be resumed."""
