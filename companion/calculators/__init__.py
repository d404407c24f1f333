"""Calculators: one-off rulings that need no table."""
