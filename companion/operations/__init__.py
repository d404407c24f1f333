"""Running the application: server process, limits on requests and connections, backups, logging."""
