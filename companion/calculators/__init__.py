"""Calculators: forms that resolve a single rules question without a table."""
