"""The lint check of template lines."""

from __future__ import annotations

from tools.template_lines import LONGEST, files, long_lines


def test_lines_over_the_limit_are_found() -> None:
    source = "\n".join(["a" * LONGEST, "", "a" * (LONGEST + 1)])
    assert list(long_lines(source)) == [(3, LONGEST + 1)]


def test_templates_of_all_kinds_are_checked() -> None:
    assert {".html", ".svg", ".js"} <= {path.suffix for path in files()}
