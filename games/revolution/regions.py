"""Region names and validation (rulebook 2.1)."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.messages import Name
from games.revolution.checks import refuse_unknown
from games.revolution.state import State, atlas


def region_name(slug: str) -> Name:
    return Name("region", slug)


def refuse_regions(state: State, regions: Iterable[str], rule: str) -> None:
    """Raise `BadInput` if the board lacks one of the regions."""
    refuse_unknown(regions, sorted(atlas(state).regions), rule)
