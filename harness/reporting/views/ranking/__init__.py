"""Rankings of contenders by a score."""
