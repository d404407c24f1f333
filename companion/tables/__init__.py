"""Services that write tables: opening, seats, hosting, circles, board copies, documents, retention."""
