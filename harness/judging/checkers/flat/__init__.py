"""Proofs of constraint programming, in DRCP, about flat programs (Flippo et al. 2024).

domains     numbers that variables may still take, and atoms about them
inferences  for each kind of post, a test that no numbers of the domains satisfy it
drcp        the steps of a proof
"""
