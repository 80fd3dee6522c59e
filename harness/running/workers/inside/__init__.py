"""The process of a worker, seen from the inside: its session, the file of its instance, its own files and memory."""
