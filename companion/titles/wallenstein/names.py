"""Names of provinces, events and pieces in the active language."""

from __future__ import annotations

from companion import wording
from games.core.messages import Message
from games.wallenstein.cards import event_name
from games.wallenstein.game import WALLENSTEIN

# Titles that are left out on the map, for lack of space.
TITLES = ("Bm. ", "Erzbm. ", "Fm. ", "Gft. ", "Hm. ")
LETTERS = 5  # maximal letters of a name on the map of a TV


def name(kind: str, slug: str) -> str:
    return wording.name(WALLENSTEIN, kind, slug)


def event_title(event: str) -> str:
    """Return the name of an event, with its region if it has one."""
    title = event_name(event)
    if isinstance(title, Message):
        return wording.render(WALLENSTEIN, title)
    return name(title.kind, title.slug)


def effect_of(event: str) -> str:
    """Return the effect of an event as a sentence."""
    return name("effect", event.partition(":")[0])


def short_name(province: str) -> str:
    """Return the name of a province without a title such as "Bm."."""
    full = name("province", province)
    title = next((title for title in TITLES if full.startswith(title)), "")
    return full.removeprefix(title)


def name_on_tv(province: str) -> str:
    """Return the name of a province, abbreviated to be legible on a TV from 3 m."""
    first, *others = short_name(province).replace("-", " ").split()
    if others and not first.endswith("."):
        return f"{first[0]}.-{others[0][: LETTERS - 2]}."
    return first if len(first) <= LETTERS + 1 else f"{first[:LETTERS]}."
