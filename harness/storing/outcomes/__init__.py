"""Leases and outcomes in the journal: committed per lease, read back as columns."""
