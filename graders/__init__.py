"""Deterministic graders: pure functions of a submission and the truth of its file."""
