"""Notes about the event of the season, on the forms that it affects."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.wallenstein.names import effect_of, event_title, short_name
from games.core.prompts import Prompt
from games.wallenstein.battles import clash_of, guarded
from games.wallenstein.cards import (
    ANGRY_PEASANTS,
    BAD_HARVEST,
    BUILD,
    CHURCH_PEACE,
    COLLECT_GRAIN,
    GOOD_HARVEST,
    MOVEMENT,
    PALACE_GUARDS,
    RECRUIT,
    TRADE_BONUS,
    TROOP_SHORTAGE,
    WEARY_PEASANTS,
)
from games.wallenstein.movement import card_of, targets_of
from games.wallenstein.pieces import TRADING_HOUSE
from games.wallenstein.state import State, neighbours_of, owner_of

# Event -> the actions it affects.
AFFECTED: dict[str, tuple[str, ...]] = {
    TRADE_BONUS: tuple(action for action, building in BUILD.items() if building == TRADING_HOUSE),
    GOOD_HARVEST: (COLLECT_GRAIN,),
    BAD_HARVEST: (COLLECT_GRAIN,),
    TROOP_SHORTAGE: tuple(RECRUIT),
    CHURCH_PEACE: MOVEMENT,
    ANGRY_PEASANTS: MOVEMENT,
    WEARY_PEASANTS: MOVEMENT,
    PALACE_GUARDS: MOVEMENT,
}


def event_note(state: State, prompt: Prompt) -> str:
    """Return a sentence if the event changes the rules of a prompt; empty if not."""
    if state.current is None:
        return ""
    match prompt.action:
        case "reveal":
            return _on_action(state, state.row[state.frames[-1].data["action"]])
        case "move":
            return _on_move(state)
        case "defend" | "throw":
            return _in_battle(state)
    return ""


def _with_title(state: State, effect: str) -> str:
    return _("%(event)s: %(effect)s") % {"event": event_title(state.current or ""), "effect": effect}


def _on_action(state: State, action: str) -> str:
    kind = (state.current or "").partition(":")[0]
    return _with_title(state, effect_of(state.current or "")) if action in AFFECTED[kind] else ""


def _on_move(state: State) -> str:
    card = card_of(state)
    neighbours, targets = neighbours_of(state, card.province), targets_of(state, card)
    if state.current == CHURCH_PEACE:
        closed = [p for p in neighbours if p not in targets]
        return (
            _with_title(state, _("you cannot attack %(names)s.") % {"names": _names(closed)})
            if closed
            else ""
        )
    if state.current == PALACE_GUARDS:
        guarded_targets = [p for p in targets if guarded(state, p) and owner_of(state, p) != card.faction]
        effect = _("one green cube more defends %(names)s.") % {"names": _names(guarded_targets)}
        return _with_title(state, effect) if guarded_targets else ""
    has_empty = any(owner_of(state, p) is None for p in targets)
    return _on_action(state, card.action) if has_empty else ""


def _names(provinces: Iterable[str]) -> str:
    return ", ".join(map(short_name, provinces))


def _in_battle(state: State) -> str:
    clash = clash_of(state)
    if clash.kind == "neutral" and state.current in (ANGRY_PEASANTS, WEARY_PEASANTS):
        effect = ngettext(
            "%(count)d green cube is thrown in.", "%(count)d green cubes are thrown in.", clash.rebels
        )
        return _with_title(state, effect % {"count": clash.rebels})
    if clash.kind == "player" and guarded(state, clash.province):
        return _with_title(state, _("one green cube more is thrown in."))
    return ""
