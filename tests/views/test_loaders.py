"""Templates are read without line ends that show nowhere, and with all those that do."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.template.loader import get_template

from companion.loaders import without_line_ends

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>\n", "<ul><li>1</li><li>2</li></ul>"),
        ("<p>\n  one\n  two\n</p>", "<p>one\n  two</p>"),
        ("<b>one</b>\n<i>two</i>", "<b>one</b>\n<i>two</i>"),
        ("<li> <b>one</b> <i>two</i> </li>", "<li> <b>one</b> <i>two</i> </li>"),
        ("{{ one }}\n{{ two }}", "{{ one }}\n{{ two }}"),
        ('<div class="a"\n  id="b">\n  text', '<div class="a"\n  id="b">text'),
        ("<link>\n<path>\n<pages>", "<link><path>\n<pages>"),
        ("{% if a > b %}\n<b>", "{% if a > b %}\n<b>"),
    ],
)
def test_line_ends_around_blocks_are_gone(source: str, read: str) -> None:
    assert without_line_ends(source) == read


def test_what_is_translated_is_read_as_it_was_collected() -> None:
    """What stands in a template is looked up as it stands there."""
    told = re.compile(r"(?s){% blocktranslate.*?{% endblocktranslate %}")
    found = 0
    for template in TEMPLATES:
        source = template.read_text()
        found += len(told.findall(source))
        assert told.findall(without_line_ends(source)) == told.findall(source), template
    assert found > 100


def test_nothing_is_shown_as_it_is_written() -> None:
    """There, line ends would be seen."""
    for template in TEMPLATES:
        assert not re.search("<pre|<textarea", template.read_text()), template


def test_pages_are_made_of_what_was_read_so() -> None:
    read = get_template("table/task.html").template.source  # type: ignore[attr-defined]
    assert read == without_line_ends(read)
    assert len(read) < len((settings.BASE_DIR / "templates" / "table" / "task.html").read_text())
