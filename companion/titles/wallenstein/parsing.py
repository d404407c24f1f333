"""Conversion between submitted forms and actions, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import SystemRandom

from companion.titles.widgets import is_number, number
from games.core.codec import Json

Form = Mapping[str, str]
Fields = dict[str, Json]

DECK = "deck"  # the value of ``card`` if the drafted card is not one of the open ones
YES, NO = "yes", "no"


def action_of(form: Form) -> Json:
    """Parse a submitted form into an action. Invalid values are passed on, for the rules to refuse."""
    kind = form.get("type", "")
    parse = _PARSERS.get(kind)
    return {"type": kind, **(parse(form) if parse else {})}


def _parse_fallen(form: Form) -> Fields:
    counts = {key[2:]: number(value) for key, value in form.items() if key.startswith("n.")}
    return {"fallen": {colour: count for colour, count in counts.items() if count != 0}}


def _listed(form: Form, prefix: str) -> list[str]:
    """Return the non-empty values of numbered fields, in order."""
    keys = [key for key in form if key.startswith(prefix) and is_number(key[len(prefix) :])]
    return [form[key] for key in sorted(keys, key=lambda key: int(key[len(prefix) :])) if form[key]]


def _parse_list(field: str, prefix: str = "c.") -> Callable[[Form], Fields]:
    return lambda form: {field: _listed(form, prefix)}


def _parse_events(form: Form) -> Fields:
    numbered = [key[2:] for key in sorted(form) if key.startswith("e.") and form[key]]
    return {
        "cards": [{"event": form[f"e.{i}"], "loss": number(form.get(f"l.{i}", "0"))} for i in numbered],
    }


def _parse_order(form: Form) -> Fields:
    """Return the chosen order; if none was chosen and the app may shuffle, a random one."""
    tapped, lots = _listed(form, "c."), form.get("lots", "").split()
    if lots and not tapped:
        SystemRandom().shuffle(lots)
        return {"order": lots}
    return {"order": tapped}


def _parse_plan(form: Form) -> Fields:
    return {"cards": {key[2:]: value for key, value in form.items() if key.startswith("c.") and value}}


def _parse_draft(form: Form) -> Fields:
    card, turned = form.get("card", ""), form.get("deck.0", "")
    armies = number(form.get("armies", ""))
    if card == DECK:
        return {"province": turned, "armies": armies, "turned": None}
    return {"province": card, "armies": armies, "turned": turned or None}


def _parse_recruit(form: Form) -> Fields:
    target = form.get("target", "") or None
    return {
        "place": form.get("place", "") == YES,
        "target": target,
        "armies": number(form.get("armies", "0")) if target else 0,
    }


_PARSERS: Mapping[str, Callable[[Form], Fields]] = {
    "fill": _parse_fallen,
    "take": lambda form: {"letter": form.get("letter", "")},
    "open": _parse_list("cards"),
    "replace": _parse_list("cards", "r."),
    "draft": _parse_draft,
    "events": _parse_events,
    "row": _parse_list("cards"),
    "announce": _parse_list("actions"),
    "plan": _parse_plan,
    "order": _parse_order,
    "event": lambda form: {"card": number(form.get("card", ""))},
    "turn": lambda form: {"card": form.get("card", "")},
    "reveal": lambda form: {"province": form.get("province", "") or None},
    "recruit": _parse_recruit,
    "move": lambda form: {"target": form.get("target", ""), "armies": number(form.get("armies", ""))},
    "defend": lambda form: {"armies": number(form.get("armies", ""))},
    "throw": _parse_fallen,
    "hunger": _parse_list("provinces"),
}


# Action to form


def form_of(action: Mapping[str, Json]) -> dict[str, str]:
    """Return the form fields that describe an action."""
    write = _WRITERS.get(action["type"])
    return {key: str(value) for key, value in write(action).items()} if write else {}


def _write_fallen(action: Mapping[str, Json]) -> Fields:
    return {f"n.{colour}": count for colour, count in action["fallen"].items()}


def _write_list(field: str, prefix: str = "c.") -> Callable[[Mapping[str, Json]], Fields]:
    return lambda action: {f"{prefix}{i}": value for i, value in enumerate(action[field])}


def _write_events(action: Mapping[str, Json]) -> Fields:
    cards = list(enumerate(action["cards"]))
    return {f"e.{i}": card["event"] for i, card in cards} | {f"l.{i}": card["loss"] for i, card in cards}


def _write_draft(action: Mapping[str, Json]) -> Fields:
    province, turned = action["province"], action["turned"]
    card, deck = (province, turned) if turned else (DECK, province)
    return {"card": card, "deck.0": deck, "armies": action["armies"]}


def _write_recruit(action: Mapping[str, Json]) -> Fields:
    placed = {"place": YES if action["place"] else NO, "target": action["target"] or ""}
    return {**placed, "armies": action["armies"]} if action["target"] else placed


def _write_same(*fields: str) -> Callable[[Mapping[str, Json]], Fields]:
    return lambda action: {field: action[field] for field in fields}


_WRITERS: Mapping[str, Callable[[Mapping[str, Json]], Fields]] = {
    "fill": _write_fallen,
    "take": _write_same("letter"),
    "open": _write_list("cards"),
    "replace": _write_list("cards", "r."),
    "draft": _write_draft,
    "events": _write_events,
    "row": _write_list("cards"),
    "announce": _write_list("actions"),
    "plan": lambda action: {f"c.{key}": province for key, province in action["cards"].items()},
    "order": _write_list("order"),
    "event": _write_same("card"),
    "turn": _write_same("card"),
    "reveal": lambda action: {"province": action["province"] or ""},
    "recruit": _write_recruit,
    "move": _write_same("target", "armies"),
    "defend": _write_same("armies"),
    "throw": _write_fallen,
    "hunger": _write_list("provinces"),
}
