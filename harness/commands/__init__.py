"""Verbs of the command line, one file each: add_arguments(parser), run(args) -> exit code.

Heavy modules are imported inside `run`, so that --help loads neither solvers nor numpy.
"""
