"""Pages for phones, display, replay, boards and calculators."""
