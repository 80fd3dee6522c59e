"""CP-SAT does not swallow Ctrl-C, after which an answer would look complete."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

INTERRUPTED = """
import os, signal, threading, time
from backends.contract.answer import Ask
from backends.contract.registry import find
from encoders.direct import alldifferent
from puzzles.corpora import find as corpus
from puzzles.formats import read

(graph,) = read(corpus("phase-myciel5"))
session = find("cpsat").open(alldifferent(graph.problem))
signal.signal(signal.SIGINT, signal.default_int_handler)
timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
try:
    timer.start()
    session.ask(Ask(graph.domains, 2, 1.0))
    time.sleep(1)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
def test_ctrl_c_during_a_search_reaches_the_caller() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.stdout == "interrupted\n", done.stderr
