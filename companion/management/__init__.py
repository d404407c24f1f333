"""Commands for whoever looks after an installation, or the texts."""
