"""Access to a table: seat and host tokens, table codes, rate limits per client address."""
