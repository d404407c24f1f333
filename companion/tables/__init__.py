"""The services of a table. They alone write: opening, seats, hosting, playing, ticking."""
