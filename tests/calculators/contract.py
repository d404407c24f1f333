"""All examples of the public API contract: game, name, body, answer; its gaps are filled in."""

from __future__ import annotations

from typing import Any

FIVE = ["catholics", "habsburgs", "nobility", "burghers", "reformers"]
ALLIES = [["catholics", "habsburgs"], ["burghers", "reformers"]]
TOWER = {
    "in_tower": {"red": 7, "blue": 7, "peasants": 10},
    "cup": {},
    "thrown": {"red": 4, "blue": 3},
    "attacker": "red",
    "defender": "blue",
    "unrest": 0,
    "kind": "player",
    "retention": {"fresh": 0.333, "stuck": 0.667},
}
MARCH = {
    "knights": 4,
    "tiles": [
        {"terrain": "plain", "stack": 0},
        {"terrain": "forest", "stack": 0},
        {"terrain": "plain", "stack": 2},
    ],
}

Row = tuple[str, str, dict[str, Any], dict[str, Any]]

ROWS: list[Row] = [
    (
        "revolution",
        "conflict",
        {"limit": 5, "counters": {"catholics": 3, "habsburgs": 1, "neutral": 2}},
        {
            "left": {"catholics": 3, "habsburgs": 0, "neutral": 2},
            "removed": {"catholics": 0, "habsburgs": 1, "neutral": 0},
        },
    ),
    (
        "revolution",
        "battle",
        {"armies": {"catholics": 1, "habsburgs": 2, "burghers": 2}, "allies": []},
        {
            "left": {"catholics": 0, "habsburgs": 1, "burghers": 0},
            "lost": {"catholics": 1, "habsburgs": 1, "burghers": 2},
            "standoff": False,
        },
    ),
    (
        "revolution",
        "battle",
        {"armies": {"catholics": 1, "habsburgs": 2, "burghers": 1}, "allies": ALLIES},
        {
            "left": {"catholics": 0, "habsburgs": 2, "burghers": 0},
            "lost": {"catholics": 1, "habsburgs": 0, "burghers": 1},
            "standoff": False,
        },
    ),
    (
        "revolution",
        "influence",
        {
            "space": 2,
            "order": FIVE,
            "spent": {"catholics": 1, "habsburgs": 1, "nobility": 1, "burghers": 2, "reformers": 3},
        },
        {"space": 5},
    ),
    (
        "revolution",
        "allegiance",
        {"space": 1, "counters": {"reformers": 1}, "supply": {"catholics": 5, "neutral": 3}, "players": 5},
        {
            "counters": {"catholics": 1, "reformers": 0, "neutral": 0},
            "supply": {"catholics": 4, "reformers": 1, "neutral": 3},
        },
    ),
    ("revolution", "control", {"counters": {"catholics": 3, "neutral": 2}}, {"holder": "catholics"}),
    ("revolution", "control", {"counters": {"catholics": 2, "neutral": 2}}, {"holder": None}),
    (
        "revolution",
        "new-units",
        {
            "cities": [{"links_held": 0}, {"links_held": 2}],
            "towns": 1,
            "countryside": 8,
            "support": 2,
            "supply": 30,
        },
        {"allowance": 8, "parts": {"cities": 4, "towns": 1, "countryside": 1, "support": 2}},
    ),
    ("revolution", "recruit-cost", {"faction": "catholics", "armies": 2}, {"cost": 7}),
    (
        "revolution",
        "taxes",
        {"provinces": [1, 0.5, 0.5], "cities": 3, "rate": 2, "supply": 20},
        {"collected": 8},
    ),
    (
        "revolution",
        "siege",
        {
            "besieger": "habsburgs",
            "counters": {"burghers": 3},
            "supply": {"habsburgs": 5, "neutral": 9},
            "allies": [],
        },
        {
            "counters": {"habsburgs": 2, "burghers": 0, "neutral": 1},
            "supply": {"habsburgs": 3, "burghers": 3, "neutral": 8},
        },
    ),
    (
        "revolution",
        "siege",
        {"besieger": "water-beggars", "counters": {"burghers": 3}, "supply": {}, "allies": []},
        {"counters": {"burghers": 0, "neutral": 0}, "supply": {"burghers": 3, "neutral": 0}},
    ),
    (
        "revolution",
        "neutrals",
        {
            "round": 1,
            "supply": 10,
            "order_choice": ["holland"],
            "provinces": {"holland": {"limit": 8, "counters": 5}},
        },
        {"placed": {"holland": 3}},
    ),
    (
        "revolution",
        "turn-order",
        {
            "points": {"catholics": 10, "habsburgs": 7.5, "burghers": 8},
            "order": ["burghers", "catholics", "habsburgs"],
            "choices": [0, 1],
        },
        {
            "laying": ["catholics", "burghers", "habsburgs"],
            "order": ["burghers", "habsburgs", "catholics"],
        },
    ),
    (
        "revolution",
        "turn-order",
        {"points": {"catholics": 10, "burghers": 8}, "order": ["burghers", "catholics"]},
        {"laying": ["catholics", "burghers"]},
    ),
    (
        "revolution",
        "score",
        {
            "faction": "nobility",
            "players": 5,
            "cities": 2,
            "provinces": [1, 0.5],
            "minor_provinces": [0.5],
            "final": False,
            "objective": 7,
        },
        {"points": 6.5, "parts": {"cities": 2, "provinces": 1.5, "minor_provinces": 0, "objective": 3}},
    ),
    (
        "wallenstein",
        "battle",
        {"attacker": 3, "defender": 4, "peasants": 1, "unrest": 0, "kind": "player", "uncommitted": 0},
        {
            "winner": "defender",
            "survivors": 2,
            "back_to_supply": {"attacker": 3, "defender": 2, "peasants": 1},
            "stay_in_cup": {"peasants": 0},
            "province": "held",
        },
    ),
    (
        "wallenstein",
        "hunger",
        {"grain": 5, "loss": 2, "provinces": 5},
        {"grain": 3, "shortage": 2, "revolts": 1, "extra_rebels": 2},
    ),
    (
        "wallenstein",
        "majorities",
        {"palace": {"red": 2, "blue": 2}, "church": {"red": 1}, "trading_house": {"blue": 1, "black": 1}},
        {"points": {"red": 4, "blue": 2, "black": 0}},
    ),
    (
        "wallenstein",
        "score",
        {
            "regions": {
                "brandenburg": {
                    "provinces": {"red": 3},
                    "palace": {"red": 1},
                    "church": {"red": 1},
                    "trading_house": {},
                }
            }
        },
        {"points": {"red": 10}, "parts": {"red": {"provinces": 3, "buildings": 2, "majorities": 5}}},
    ),
    (
        "wallenstein",
        "winner",
        {
            "points": {"red": 40, "blue": 40, "black": 39},
            "palaces": {"red": 3, "blue": 3, "black": 9},
            "churches": {"red": 2, "blue": 3},
            "trading_houses": {"red": 5},
        },
        {"winners": ["blue"]},
    ),
    ("signoria", "die-cost", {"space": 5, "die": 1}, {"florins": 4}),
    (
        "signoria",
        "initiative",
        {
            "track": {"0": ["purple", "red", "blue", "yellow"]},
            "moves": [["red", 2], ["blue", 2], ["yellow", 1]],
            "top": 9,
        },
        {
            "track": {"0": ["purple"], "1": ["yellow"], "2": ["red", "blue"]},
            "order": ["blue", "red", "yellow", "purple"],
        },
    ),
    (
        "signoria",
        "threshold",
        {"dice": [6, 4, 3], "members": 0},
        {"total": 13, "limit": 13, "rewarded": True},
    ),
    (
        "signoria",
        "end-score",
        {
            "men": [9, 7, 3, 13],
            "fields": {
                "political": {"face_up": [4, 3, 2], "face_down": 0},
                "church": {"face_up": [5, 3], "face_down": 1},
                "military": {"face_up": [4, 4], "face_down": 0},
                "marriage": {"face_up": [], "face_down": 2},
            },
        },
        {"points": 32, "parts": {"men": 14, "political": 9, "church": 9, "military": 0, "marriage": 0}},
    ),
    (
        "signoria",
        "winner",
        {"points": {"red": 50, "blue": 50, "yellow": 51}, "stack": ["red", "yellow", "blue"]},
        {"ranking": ["yellow", "blue", "red"]},
    ),
    ("raubritter", "march", {**MARCH, "left": [1, 2, 1]}, {"legal": True}),
    ("raubritter", "marches", MARCH, {"options": [[1, 2, 1], [1, 3], [2, 2], [4]]}),
    ("raubritter", "placement", {"players": 2, "tiles": [[0, 0], [1, 0]], "at": [2, 0]}, {"legal": True}),
    (
        "raubritter",
        "score",
        {"tiles": [{"building": "castle", "stack": ["red", "blue"]}], "reserve": {"red": 2, "blue": 0}},
        {"points": {"red": 0, "blue": 1}, "winners": ["blue"]},
    ),
]
IDS = [f"{game}-{name}-{i}" for i, (game, name, _, _) in enumerate(ROWS)]
