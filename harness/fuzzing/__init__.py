"""Finds wrong answers, makes them small, and hands them over: `fuzz`, `shrink`, `replay`."""
