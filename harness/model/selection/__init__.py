"""Selection of contenders: by patterns of names, and by what their backends accept."""
