"""The web application: what happens around a table."""
