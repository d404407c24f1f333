# ruff: noqa: INP001 - a folder for PYTHONPATH, not a package
"""Make Django's clock return the time in the file named by `SHOTS_CLOCK`.

Python imports this module at start-up if its folder is on `PYTHONPATH`, whatever command starts the server.
"""

import os
from datetime import datetime
from pathlib import Path

from django.utils import timezone

_file = Path(os.environ["SHOTS_CLOCK"])


def _now() -> datetime:
    return datetime.fromisoformat(_file.read_text())


timezone.now = _now
