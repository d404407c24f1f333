"""A report as one file that needs no server: what pages load from elsewhere stands in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from companion.charts.sections import Section
from companion.models import Table

STYLES = ("css/seneschal.css", "css/report.css")
SCRIPTS = ("vendor/plotly-cartesian.min.js", "js/report.js")


def styles() -> SafeString:
    return mark_safe("\n".join(_read(name) for name in STYLES))  # noqa: S308 - our own style sheets


def scripts() -> list[SafeString]:
    """Each as it may stand between tags: what would end or hide a script is written otherwise."""
    return [
        mark_safe(_read(name).replace("</script", "<\\/script").replace("<!--", "\\x3C!--"))  # noqa: S308 - installed, or our own
        for name in SCRIPTS
    ]


@cache
def _read(name: str) -> str:
    """A file that pages load; empty where it was never installed, and the page says so then."""
    found = finders.find(name)
    return Path(found).read_text(encoding="utf-8") if isinstance(found, str) else ""


def size_alone(sections: Sequence[Section]) -> int:
    """How large the file is, in bytes, as near as people want to know."""
    loaded = sum(len(_read(name).encode()) for name in (*STYLES, *SCRIPTS))
    return loaded + sum(len(json.dumps(chart.figure)) for section in sections for chart in section.charts)


def file_name(table: Table) -> str:
    """What the file is called once it is saved: the game and the day."""
    day = table.started_at.date().isoformat() if table.started_at else table.code
    return slugify(f"{table.game} {day}")
