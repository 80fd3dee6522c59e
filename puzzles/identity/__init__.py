"""Identity of instances: hashes of other people, digests that renaming does not change, renamings."""
