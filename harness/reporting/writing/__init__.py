"""Tables and what prints them."""
