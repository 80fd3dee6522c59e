"""User errors. The command line prints the text, on one line, and exits with 2."""


class BadUsage(ValueError):
    """Invalid or incompatible arguments; the text says what to do instead."""


class NameTaken(BadUsage):
    """Name of a new journal that another journal has, or that another run is about to write."""


class JournalLost(Exception):
    """The journal of a run was deleted, moved or replaced. A copy is saved beside it; the run can be resumed."""


class ClusterLost(Exception):
    """The scheduler of a run is gone; the run can be resumed."""
