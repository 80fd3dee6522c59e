"""Results of others, read from their files into a journal of instances that are known by name alone."""
