"""Results of finished games as statistics count them: plain data, filters, tallies, ratings."""
