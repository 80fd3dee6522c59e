"""Selection of contenders: by patterns of names, and by the problems that their backends accept."""
