"""Engines: they start or find places, and carry leases to them and results back."""
