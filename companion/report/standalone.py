"""Styles and scripts that are inlined into a standalone report, and its size and file name."""

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
SCRIPTS = ("vendor/plotly-cartesian.min.js", "js/report.js")  # a classic script, a module


def styles() -> SafeString:
    return mark_safe("\n".join(_read(name) for name in STYLES))  # noqa: S308 - our own style sheets


def scripts() -> list[SafeString]:
    """Return the scripts for inlining; sequences that would end or hide a script element are escaped."""
    return [
        mark_safe(_read(name).replace("</script", "<\\/script").replace("<!--", "\\x3C!--"))  # noqa: S308 - vendored or our own scripts
        for name in SCRIPTS
    ]


@cache
def _read(name: str) -> str:
    """Read a static file; empty if it is not installed (the page then says that charts cannot be drawn)."""
    path = finders.find(name)
    return Path(path).read_text(encoding="utf-8") if isinstance(path, str) else ""


def standalone_size(sections: Sequence[Section]) -> int:
    """Return the approximate size of the standalone file in bytes."""
    inlined = sum(len(_read(name).encode()) for name in (*STYLES, *SCRIPTS))
    return inlined + sum(len(json.dumps(chart.plot)) for section in sections for chart in section.charts)


def file_name(table: Table) -> str:
    """Return the name of a download without its extension: game and day."""
    day = table.started_at.date().isoformat() if table.started_at else table.code
    return slugify(f"{table.game} {day}")
