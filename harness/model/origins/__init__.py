"""Origins of contenders: what their answers come from, whatever their names are."""
