"""Pages to check and edit the printed figures of a group's own edition."""
