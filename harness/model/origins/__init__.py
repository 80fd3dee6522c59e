"""Origins of contenders: where their answers come from, independent of names."""
