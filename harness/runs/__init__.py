"""A run from its start to its results: create or resume its journal, solve, judge and aggregate."""
