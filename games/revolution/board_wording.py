"""English names of the printed figures, for comparison with a copy of the game."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import text

NAMES: Mapping[str, str] = {
    # Parts
    "figure:provinces": text("Provinces"),
    "figure:regions": text("Regions and command strips"),
    "figure:rivers": text("Rivers"),
    "figure:support": text("Support boxes"),
    "figure:cities": text("Cities", "Revolution"),
    "figure:bishoprics": text("Bishoprics"),
    "figure:universities": text("Universities"),
    "figure:commercial": text("Commercial towns"),
    "figure:beggars": text("Where the Water Beggars act"),
    # A province: its shield, its card, its settlements
    "figure:limit": text("Limit"),
    "figure:tax": text("Tax"),
    "figure:points": text("Points"),
    "figure:minor": text("Points at the end"),
    "figure:region": text("Region"),
    "figure:towns": text("Towns", "Revolution"),
    "figure:neighbours": text("Neighbours"),
    # A command strip
    "figure:boxes": text("Boxes"),
    "figure:orange": text("Orange boxes"),
    "figure:arrows": text("Arrows to"),
    # A river
    "figure:course": text("Provinces in order"),
    "figure:channels": text("River arm"),
    # A support box
    "figure:factions": text("Who may use it"),
    "figure:cells": text("Cells, from the left"),
    "figure:map": text("light"),
    "figure:treasury": text("coloured"),
    "figure:both": text("half coloured"),
    # A city: its row of the chart, its card
    "figure:allegiance": text("First column"),
    "figure:links": text("Places on the card"),
}
