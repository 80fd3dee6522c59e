"""Verbs of the command line, one file each, with HELP, `add_arguments(parser)` and `run(args) -> exit code`.

Heavy modules are imported inside `run`, so that --help loads neither solvers nor numpy.
"""
