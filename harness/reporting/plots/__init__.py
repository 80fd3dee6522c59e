"""Plots of a journal's results, as files (matplotlib) and in the terminal."""
