from backends.native.kernel_io import open_session
from backends.native.kernel9 import solve
def open(formula):
    return open_session(formula, solve, False, "native:batch")
