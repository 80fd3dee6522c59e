"""Tables, what prints them, and text made printable."""
