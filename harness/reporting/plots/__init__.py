"""Plots of a journal's results: their data (definitions), as files (matplotlib) and in the terminal."""
