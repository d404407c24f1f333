# ruff: noqa: INP001 - a folder for PYTHONPATH, no package
"""Make Django's clock show the time in the file that ``SHOTS_CLOCK`` names.

Python imports this module at start-up when its folder is on ``PYTHONPATH``, whatever command starts the server.
"""

import os
from datetime import datetime
from pathlib import Path

from django.utils import timezone

_file = Path(os.environ["SHOTS_CLOCK"])


def _now() -> datetime:
    return datetime.fromisoformat(_file.read_text())


timezone.now = _now
