"""Decorators of the solver's functions: compiled without reference counts.

Numba counts references to each array of an argument at each call, also of an inlined one. With the solver's many
arrays that took three quarters of its time. Without Numba's run-time system (`_nrt`) there are no counts, and kernels
can't allocate arrays.
"""

from backends.native.compiling import decorators

compiled, internal, inlined = decorators(_nrt=False)
