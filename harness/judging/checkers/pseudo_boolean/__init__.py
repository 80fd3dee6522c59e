"""Checker of pseudo-Boolean proofs: cutting planes, in columns of 64 bits or with Python integers of any size.

The checker reads the dialect of VeriPB's versions 1 (Gocht & Nordstroem 2021) that Exact and RoundingSat write.
"""
