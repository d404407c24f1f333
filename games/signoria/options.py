"""The table options: open questions of the digest, part 8, that a table may settle otherwise."""

from __future__ import annotations

from games.core.options import Option

THRESHOLD_ABOVE_22 = Option("threshold_above_22", "R-03", default=False, values=(False, True))

OPTIONS = (THRESHOLD_ABOVE_22,)
