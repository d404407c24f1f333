"""Fixtures for page tests: Ada is host and seated, Béla is seated, Charlie is a spectator."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from companion.models import Table

HTMX = {"HX-Request": "true"}


class Phone:
    """A browser without JavaScript, with its own cookies."""

    def __init__(self) -> None:
        self.client = Client()
        self.code = ""

    def open(self, game: str = "raubritter") -> str:
        answer = self.client.post("/open/", {"game": game})
        self.code = answer["Location"].split("/")[2]
        return self.code

    def sit(self, code: str, name: str, faction: str) -> Any:
        self.code = code
        return self.post("sit/", name=name, faction=faction)

    def get(self, part: str = "", **headers: str) -> Any:
        return self.client.get(f"/t/{self.code}/{part}", headers=headers)

    def post(self, part: str, *, htmx: bool = False, **fields: Any) -> Any:
        return self.client.post(f"/t/{self.code}/{part}", fields, headers=HTMX if htmx else {})

    def take_up(self, game: str, *factions: str) -> None:
        """Open a table, take all seats on this phone and start entering a position."""
        self.open(game)
        for faction in factions:
            self.sit(self.code, faction.title(), faction)
        self.post("position/", do="start")

    def position(self, query: str = "") -> str:
        """Return the text of the position page."""
        page = re.sub(r"<[^>]+>", " ", self.get(f"position/{query}").content.decode())
        return " ".join(page.split())

    def tap(self, *words: str, **more: str) -> int:
        """Send a tap on the position page and return the HTTP status."""
        answer = self.post("position/", do="tap", tap=" ".join(words), **more)
        return int(answer.status_code)

    def table(self) -> Table:
        return Table.objects.get(code=self.code)

    def field(self, name: str, part: str = "") -> str:
        """Return the value of a hidden field on the page."""
        page = self.get(part).content.decode()
        tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
        assert tag, name
        value = re.search(r'value="([^"]*)"', tag[0])
        assert value
        return value[1]


@pytest.fixture
def ada(db: None) -> Phone:
    phone = Phone()
    phone.open()
    phone.sit(phone.code, "Ada", "red")
    return phone


@pytest.fixture
def bela(ada: Phone) -> Phone:
    phone = Phone()
    phone.sit(ada.code, "Béla", "blue")
    return phone


@pytest.fixture
def charlie(ada: Phone) -> Phone:
    phone = Phone()
    phone.code = ada.code
    return phone


@pytest.fixture
def playing(ada: Phone, bela: Phone) -> Phone:
    """Ada's phone in a game of two in which both have laid their starting tiles."""
    ada.post("host/", do="start")
    ada.post("act/", faction="red", type="lay", **LAY[0])
    bela.post("act/", faction="blue", type="lay", **LAY[1])
    assert ada.table().round == 1
    return ada


# Form fields for laying the starting tiles of Raubritter.
LAY = (
    {"tile1": "plain", "at1": "0,0", "tile2": "mountain", "at2": "1,0"},
    {"tile1": "plain", "at1": "0,1", "tile2": "plain-village", "at2": "1,1"},
)

# A legal entry of Ada in the game of `playing`.
PLACE = {"faction": "red", "type": "place", "tile": "plain-town", "at": "2,0"}
