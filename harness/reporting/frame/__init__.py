"""Frames: a journal read once with one selection, its results in typed columns, and its summary as typed entries."""
