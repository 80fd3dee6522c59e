"""Signals that end a scheduler or a place."""

import signal


def ending_signals() -> list[signal.Signals]:
    """Return SIGINT and SIGTERM, without signals that this process was started to ignore.

    A script's shell ignores SIGINT for what it starts with `&`, so that Ctrl-C ends the script alone.
    """
    return [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) != signal.SIG_IGN]
