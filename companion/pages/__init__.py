"""Views of tables (phone, display, replay, mending, comparing, positions) and of the site's own pages."""
