"""Engines that carry leases to places on other machines."""
