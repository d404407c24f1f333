"""The form to correct the pieces at a place."""

from __future__ import annotations

import uuid
from typing import Any

from companion import wording
from companion.pages.table.viewer import Viewer
from companion.titles.walks import Counting
from games.core.ledger import SUPPLY

Kind = tuple[str, str]  # owner and piece


def correction_form(viewer: Viewer, wanted: str) -> dict[str, Any]:
    """Return the counts at the wanted place, if it exists, and the choice of places."""
    snapshot = viewer.snapshot
    game, screen, state = snapshot.game, snapshot.screen, viewer.state
    place = wanted if wanted and game.knows_place(state, wanted) else ""
    source = screen.spills.get(place, "")
    walk = _counting(viewer)
    places = {*state.ledger.occupied(), *(walk.places() if walk else ()), *screen.spills} - {SUPPLY}
    return {
        "place": place,
        "place_name": wording.capital(wording.name(game, "place", place)) if place else "",
        "places": [(p, wording.name(game, "place", p)) for p in sorted(places)],
        "source": source,
        "source_name": wording.name(game, "place", source) if source else "",
        "owners": [(f, snapshot.faction_name(f)) for f in (*snapshot.table.order, *game.neutrals)],
        "lines": [
            (owner, snapshot.faction_name(owner), piece, wording.name(game, "piece", piece), count)
            for (owner, piece), count in sorted(_counts(viewer, place, source, walk).items())
        ],
        "pieces": [(p, wording.name(game, "piece", p)) for p in sorted(game.pieces)],
        "key": uuid.uuid4().hex,
    }


def _counts(viewer: Viewer, place: str, source: str, walk: Counting | None) -> dict[Kind, int]:
    """Return the count of each kind of piece that lies or may lie at a place, or may have come from a source."""
    ledger = viewer.state.ledger
    counts = {(h.owner, h.piece): h.count for h in ledger.at(place)} if place else {}
    spilled = [(h.owner, h.piece) for h in ledger.at(source)] if source else []
    for kind in [*spilled, *(walk.addable_at(place) if walk else ())]:
        counts.setdefault(kind, 0)
    return counts


def _counting(viewer: Viewer) -> Counting | None:
    """Return the places and pieces of games with a comparison walk, else None."""
    walk = viewer.snapshot.screen.walk
    return Counting(viewer.snapshot.game, viewer.state, walk(viewer.state)) if walk else None
