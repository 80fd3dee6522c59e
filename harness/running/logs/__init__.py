"""What programs print: kept as compressed files, and numbers read out of it."""
