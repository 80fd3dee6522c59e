"""CP-SAT does not swallow Ctrl-C, after which an answer would look complete."""

import os
import signal
import threading
import time

import pytest

from backends.contract.answer import Ask
from backends.contract.registry import find
from encoders.direct import alldifferent
from puzzles.corpora import find as corpus
from puzzles.formats import read


def test_ctrl_c_during_a_search_reaches_the_caller() -> None:
    (graph,) = read(corpus("phase-myciel5"))
    session = find("cpsat").open(alldifferent(graph.problem))
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

    def ask() -> None:
        timer.start()
        session.ask(Ask(graph.domains, 2, 1.0))
        timer.join()
        time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        ask()
