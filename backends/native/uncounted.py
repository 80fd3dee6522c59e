"""Decorators of solvers with many arrays (cdcl, engine, the 9x9 kernels): compiled without reference counts.

Numba counts references to each array of an argument at each call, also of an inlined one. With a solver's many arrays
that took three quarters of its time. Without Numba's run-time system (`_nrt`) there are no counts, and kernels can't
allocate arrays.

A call between compiled functions passes every array of a NamedTuple separately, some 200 words; small functions called
for every literal are therefore inlined, and other functions are kept few.
"""

from backends.native.compiling import decorators

compiled, internal, inlined = decorators(_nrt=False)
