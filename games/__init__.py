"""The rules: what happens on the table. Plain Python; nothing of the web."""
