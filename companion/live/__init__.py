"""Event streams: the hub that announces new versions, and the shutdown of open streams."""
