"""Files from seeds."""
