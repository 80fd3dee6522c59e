"""One file a verb. Each has HELP, `arguments(parser)` and `run(args) -> exit code`.

What a verb needs beyond argparse it imports inside `run`, so that --help loads no solver and no numpy.
"""
