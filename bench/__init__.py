"""How fast it is. Every figure is a median, and is compared with a bare baseline in the same run."""
