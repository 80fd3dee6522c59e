"""One file a format. Each reads a Source under Terms and yields puzzles as it goes; puzzles.formats is the door."""
