"""PostgreSQL as Django knows it, but for what happens while it is away."""
