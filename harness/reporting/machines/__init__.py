"""Machines on which a run's leases ran: types, ratios by type, and the work of each place."""
