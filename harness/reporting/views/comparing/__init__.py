"""Comparisons: of two contenders or runs by their ratios, and of many in a matrix."""
