"""Automatic players for demos, simulations and fuzzing."""
