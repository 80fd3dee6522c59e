"""Lineage of contenders: what each is made of, and which are independent of each other."""
