"""Engines: what starts or finds places, and carries leases to them and results back."""
