"""The report of one game: its sections, pages, pictures and downloads."""
