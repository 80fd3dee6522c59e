"""Leases out to worker processes, outcomes back."""
