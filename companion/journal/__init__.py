"""The journal of a table: states, submitting, undo, mending, secrets, and the relational mirror."""
