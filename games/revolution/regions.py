"""Region names and validation (rulebook 2.1)."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.errors import BadInput
from games.core.messages import Name, say
from games.revolution.state import State, atlas


def region_name(slug: str) -> Name:
    return Name("region", slug)


def refuse_regions(state: State, regions: Iterable[str], rule: str) -> None:
    """Raise `BadInput` if the board lacks one of the regions."""
    known = atlas(state).regions
    unknown = sorted(region for region in regions if region not in known)
    if unknown:
        raise BadInput(say("unknown-key", key=unknown[0][:40], known=tuple(sorted(known))), rule=rule)
