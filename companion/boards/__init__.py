"""Pages on which a group checks the printed figures of its own edition."""
