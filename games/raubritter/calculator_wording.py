"""English wording used only by the calculators of Robber Knights."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Wording, plural, text

MESSAGES: Mapping[str, Wording] = {
    # Marches (5.3)
    "no-castle": text("The first tile is the castle; name at least that."),
    "march-legal": plural(
        "{count} knight may be left like this: {left}.", "{count} knights may be left like this: {left}."
    ),
    "march-nobody": text("No knights are sent; that is always allowed."),
    "march-tile": plural(
        "Tile {number}, a {terrain}: {count} knight stays; at least {cost}, and {there} + {count} is at most {most}.",
        "Tile {number}, a {terrain}: {count} knights stay; at least {cost}, and {there} + {count} is at most {most}.",
    ),
    "march-lone": text("Tile {number}, a {terrain}: at this table a single knight may stay."),
    "marches-found": plural(
        "There is {count} way to place {knights}.", "There are {count} ways to place {knights}."
    ),
    "tile-open": plural(
        "Tile {number}, a {terrain}: at least {cost} must stay, and {count} more fits.",
        "Tile {number}, a {terrain}: at least {cost} must stay, and {count} more fit.",
    ),
    "tile-blocks": plural(
        "Tile {number}, a {terrain}: at least {cost} must stay, but {count} more fits; the way ends before it.",
        "Tile {number}, a {terrain}: at least {cost} must stay, but {count} more fit; the way ends before it.",
    ),
    "tile-lake": text("Tile {number} is a lake; the way ends before it."),
    # Placement (5.1)
    "listed-twice": text("There are two tiles at column {column}, row {row}. Please check."),
    "placement-legal": plural(
        "The cell is free and shares an edge with {count} tile; the land is then {columns} wide and {rows} high,"
        " at most {most}.",
        "The cell is free and shares an edge with {count} tiles; the land is then {columns} wide and {rows} high,"
        " at most {most}.",
    ),
    # Score (5.4, 6)
    "nobody": text("Name at least one player."),
    "too-high": text("At most {most} knights can stay on a tile; here are {count}."),
    "too-many-in-all": text("{faction} has {most} knights in all; here are {count}. Please check."),
    "controls": plural(
        "Tile {number}, a {building}: {faction} is on top, {count} point.",
        "Tile {number}, a {building}: {faction} is on top, {count} points.",
    ),
    "here": text("here"),
    # Titles and labels
    "calculator.march": text("Is this march legal?"),
    "calculator.marches": text("All marches along a line"),
    "calculator.placement": text("May a tile lie here?"),
    "calculator.score": text("Points and winner"),
    "input.knights": text("Knights sent"),
    "input.tiles": text("Tiles"),
    "input.tiles.one": text("Tile"),
    "input.march.tiles": text("Tiles, the castle first"),
    "input.marches.tiles": text("Tiles, the castle first"),
    "input.tiles.0": text("column"),
    "input.tiles.1": text("row"),
    "input.terrain": text("terrain"),
    "input.stack": text("knights there"),
    "input.score.stack": text("knights there from the bottom up"),
    "input.left": text("Knights left on each tile"),
    "input.players": text("Players"),
    "input.at": text("Where the new tile goes"),
    "input.at.0": text("column"),
    "input.at.1": text("row"),
    "input.building": text("building"),
    "input.reserve": text("Knights not yet placed"),
    "input.options": text("As this table plays"),
    "input.must_move": text("At least one knight of a new castle must move on if it can"),
    "input.lone_knight": text("A single knight may stay on a forest castle"),
    "answer.legal": text("Allowed"),
    "answer.options": text("Knights left on each tile"),
    "answer.points": text("Points"),
    "answer.winners": text("Winner"),
}

NAMES: Mapping[str, str] = {
    "building:castle": text("castle"),
    "building:village": text("village"),
    "building:town": text("town"),
    "building:none": text("no building"),
    "place:here": text("here"),
}
