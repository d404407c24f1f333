"""Helpers shared by all views: cookies, cached fragments, messages, downloads, addresses."""
