"""Reduction of failing cases."""
