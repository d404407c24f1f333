"""Players that need no person: for demo, simulation and fuzzing."""
