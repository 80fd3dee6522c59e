"""Rounds of random boards and other problems."""
