"""Rules of the games in plain Python, independent of the web application."""
