"""What games were like: numbers out of journals and mirrors, and figures of them."""
