"""Machines on which a run's leases ran: their types, ratios by type, and what each place did."""
