"""Runner: plan, run, judge, store and report."""
