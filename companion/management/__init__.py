"""Management commands for operators and translators."""
