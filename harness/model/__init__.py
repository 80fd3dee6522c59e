"""Data types that all other packages share: contenders, leases, outcomes, settings, hosts, errors."""
