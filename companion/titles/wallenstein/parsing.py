"""From a sent form to the action it describes, and back to the fields of the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import SystemRandom

from companion.titles.widgets import is_number, number
from games.core.codec import Json

Form = Mapping[str, str]
Fields = dict[str, Json]

DECK = "deck"  # where a drafted card comes from, if it is none of the open ones
YES, NO = "yes", "no"


def action_of(form: Form) -> Json:
    """The action a sent form describes. What is badly filled in is passed on for the rules to refuse."""
    kind = form.get("type", "")
    read = _READ.get(kind)
    return {"type": kind, **(read(form) if read else {})}


def _fallen(form: Form) -> Fields:
    found = {key[2:]: number(value) for key, value in form.items() if key.startswith("n.")}
    return {"fallen": {colour: count for colour, count in found.items() if count != 0}}


def _listed(form: Form, prefix: str) -> list[str]:
    """The values of numbered fields, in their order; empty ones are left out."""
    keys = [key for key in form if key.startswith(prefix) and is_number(key[len(prefix) :])]
    return [form[key] for key in sorted(keys, key=lambda key: int(key[len(prefix) :])) if form[key]]


def _list_of(field: str, prefix: str = "c.") -> Callable[[Form], Fields]:
    return lambda form: {field: _listed(form, prefix)}


def _events(form: Form) -> Fields:
    numbered = [key[2:] for key in sorted(form) if key.startswith("e.") and form[key]]
    return {
        "cards": [{"event": form[f"e.{i}"], "loss": number(form.get(f"l.{i}", "0"))} for i in numbered],
    }


def _order(form: Form) -> Fields:
    """The order as it was tapped; if nothing was and the app shuffles, one by lot."""
    tapped, lots = _listed(form, "c."), form.get("lots", "").split()
    if lots and not tapped:
        SystemRandom().shuffle(lots)
        return {"order": lots}
    return {"order": tapped}


def _plan(form: Form) -> Fields:
    return {"cards": {key[2:]: value for key, value in form.items() if key.startswith("c.") and value}}


def _draft(form: Form) -> Fields:
    card, turned = form.get("card", ""), form.get("deck.0", "")
    armies = number(form.get("armies", ""))
    if card == DECK:
        return {"province": turned, "armies": armies, "turned": None}
    return {"province": card, "armies": armies, "turned": turned or None}


def _recruit(form: Form) -> Fields:
    target = form.get("target", "") or None
    return {
        "place": form.get("place", "") == YES,
        "target": target,
        "armies": number(form.get("armies", "0")) if target else 0,
    }


_READ: Mapping[str, Callable[[Form], Fields]] = {
    "fill": _fallen,
    "take": lambda form: {"letter": form.get("letter", "")},
    "open": _list_of("cards"),
    "replace": _list_of("cards", "r."),
    "draft": _draft,
    "events": _events,
    "row": _list_of("cards"),
    "announce": _list_of("actions"),
    "plan": _plan,
    "order": _order,
    "event": lambda form: {"card": number(form.get("card", ""))},
    "turn": lambda form: {"card": form.get("card", "")},
    "reveal": lambda form: {"province": form.get("province", "") or None},
    "recruit": _recruit,
    "move": lambda form: {"target": form.get("target", ""), "armies": number(form.get("armies", ""))},
    "defend": lambda form: {"armies": number(form.get("armies", ""))},
    "throw": _fallen,
    "hunger": _list_of("provinces"),
}


# Back


def form_of(action: Mapping[str, Json]) -> dict[str, str]:
    """The fields of the form that describes an action."""
    write = _WRITTEN.get(action["type"])
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


_WRITTEN: Mapping[str, Callable[[Mapping[str, Json]], Fields]] = {
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
