"""A table played through the REST API, as a program would: for pictures and for browser tests."""

from __future__ import annotations

import json
import random
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

NAMES = {
    "blue": "Anna",
    "yellow": "Bert",
    "green": "Clara",
    "red": "Dénes",
    "catholics": "Anna",
    "habsburgs": "Bert",
    "nobility": "Clara",
    "burghers": "Dénes",
    "reformers": "Emma",
    "purple": "Emma",
    "black": "Ferenc",
}
LISTED = ("choice", "joint")  # the kinds of fields of which every element is told
PATIENCE = 20

Suits = Callable[[Mapping[str, Any]], bool]

_keys = count()


class Answered(Exception):  # noqa: N818 - an answer, though not the one that was hoped for
    """The server refused."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body


def ask(url: str, data: Any = None, token: str = "") -> Any:
    """GET, or POST when there is data; the JSON that is answered. Raises ``Answered``."""
    headers = {"Authorization": f"Seat {token}"} if token else {}
    body = None
    if data is not None:
        body, headers["Content-Type"] = json.dumps(data).encode(), "application/json"
    request = urllib.request.Request(url, body, headers)  # noqa: S310 - http, to ourselves
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            raise Answered(error.code, json.loads(error.read())) from None


@dataclass
class Evening:
    """One table. Tokens are by faction; the host's own under ``host``."""

    site: str
    code: str
    tokens: dict[str, str]
    seed: int = 7
    _chance: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    @classmethod
    def open(
        cls,
        site: str,
        factions: Sequence[str] = (),
        *,
        game: str = "raubritter",
        options: Mapping[str, Any] | None = None,
        seed: int = 7,
        start: bool = True,
    ) -> Evening:
        """A table with these seats taken, and the game begun."""
        seats = [{"name": NAMES[faction], "faction": faction} for faction in factions]
        opened = ask(f"{site}/api/tables/", {"game": game, "seats": seats, "options": options or {}})
        tokens = {seat["faction"]: seat["token"] for seat in opened["seats"]}
        evening = cls(site, opened["code"], {**tokens, "host": opened["host_token"]}, seed)
        if start:
            evening.post("start", {})
        return evening

    @property
    def page(self) -> str:
        return f"{self.site}/t/{self.code}/"

    def get(self, part: str = "") -> Any:
        return ask(f"{self.site}/api/tables/{self.code}/{part}")

    def post(self, part: str, data: Any, faction: str = "host") -> Any:
        return ask(f"{self.site}/api/tables/{self.code}/{part}/", data, self.tokens[faction])

    def enter(self, faction: str, action: Any) -> Any:
        """Enter an action for a faction, from the host's hand."""
        return self.post("actions", {"faction": faction, "action": action, "key": f"evening-{next(_keys)}"})

    def correct(self, place: str, number: int, piece: str = "knight", owner: str = "blue") -> Any:
        fields = {"owner": owner, "piece": piece, "place": place, "count": number, "reason": "miscounted"}
        return self.enter(owner, {"type": "correct", **fields})

    def step(self, seldom: str = "") -> dict[str, Any] | None:
        """One entry, by chance, one kind only where nothing else is asked; None when nobody is asked any more."""
        prompts = self.get("prompts/")
        if not prompts:
            return None
        prompt = self._chance.choice([p for p in prompts if p["action"] != seldom] or prompts)
        action = self._choose(prompt)
        self.enter(prompt["faction"], action)
        return action

    def play(self, entries: int) -> None:
        for _ in range(entries):
            if self.step() is None:
                return

    def play_until(self, action: str, suits: Suits = lambda _prompt: True, most: int = 400) -> str:
        """Play until somebody is asked for a kind of action, under circumstances that suit; who it is."""
        for _ in range(most):
            for prompt in self.get("prompts/"):
                if prompt["action"] == action and suits(prompt):
                    return str(prompt["faction"])
            if self.step() is None:
                break
        raise RuntimeError(f"nobody was asked for {action}")

    def play_to_the_end(self) -> None:
        self.play(1000)

    def _choose(self, prompt: Mapping[str, Any]) -> dict[str, Any]:
        """An element of the prompt's domain, or its example; knights rather march than stay at home."""
        if any(bounds["kind"] not in LISTED for bounds in prompt["choices"].values()):
            return dict(prompt["example"])
        action = {"type": prompt["action"]}
        for name, bounds in prompt["choices"].items():
            options = bounds["options"]
            if prompt["action"] == "march":
                options = sorted(options, key=lambda option: len(option[-1]))[-5:]
            value = self._chance.choice(options)
            joint = bounds["kind"] == "joint"
            action.update(zip(name.split("+"), value, strict=True) if joint else {name: value})
        return action
