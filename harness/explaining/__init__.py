"""Explanations of instances without a solution: minimal subsets that contradict, minimal corrections, their checks."""
