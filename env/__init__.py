"""The episode and its Gymnasium faces."""
