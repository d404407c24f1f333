"""Statistics across games: queries, charts, pages, exports and simulated games."""
