"""What the parent observes of workers and of itself while they solve."""
