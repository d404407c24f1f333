"""A table played through the REST API, for screenshots and browser tests."""

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
EXAMPLE = "raubritter"  # the title of examples, since its games are short
LISTED = ("choice", "joint")  # kinds of domains that list all their elements
TIMEOUT = 20  # seconds

Condition = Callable[[Mapping[str, Any]], bool]

_keys = count()


class ApiError(Exception):
    """An error response of the API."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body


def ask(url: str, data: Any = None, token: str = "") -> Any:
    """GET, or POST if there is data; return the JSON of the response. Raise `ApiError` on an error status."""
    headers = {"Authorization": f"Seat {token}"} if token else {}
    body = None
    if data is not None:
        body, headers["Content-Type"] = json.dumps(data).encode(), "application/json"
    request = urllib.request.Request(url, body, headers)  # noqa: S310 - http to a local server
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            raise ApiError(error.code, json.loads(error.read())) from None


@dataclass
class Evening:
    """A table, with tokens by faction; the host's token has the key `host`."""

    site: str
    code: str
    tokens: dict[str, str]
    seed: int = 7
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    @classmethod
    def open(
        cls,
        site: str,
        factions: Sequence[str] = (),
        *,
        game: str = EXAMPLE,
        options: Mapping[str, Any] | None = None,
        seed: int = 7,
        start: bool = True,
    ) -> Evening:
        """Open a table with these seats taken, and start the game."""
        seats = [{"name": NAMES.get(faction, faction), "faction": faction} for faction in factions]
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
        """Submit an action for a faction with the token of the host."""
        return self.post("actions", {"faction": faction, "action": action, "key": f"evening-{next(_keys)}"})

    def correct(self, place: str, number: int, piece: str = "knight", owner: str = "blue") -> Any:
        fields = {"owner": owner, "piece": piece, "place": place, "count": number, "reason": "miscounted"}
        return self.enter(owner, {"type": "correct", **fields})

    def step(self) -> dict[str, Any] | None:
        """Make a random entry and return it; None if there are no prompts."""
        prompts = self.get("prompts/")
        if not prompts:
            return None
        prompt = self._random.choice(prompts)
        action = self._choose(prompt)
        self.enter(prompt["faction"], action)
        return action

    def play(self, entries: int) -> None:
        for _ in range(entries):
            if self.step() is None:
                return

    def play_until(self, action: str, condition: Condition = lambda _prompt: True, most: int = 400) -> str:
        """Play until a prompt has this action and meets the condition; return the faction asked."""
        for _ in range(most):
            for prompt in self.get("prompts/"):
                if prompt["action"] == action and condition(prompt):
                    return str(prompt["faction"])
            if self.step() is None:
                break
        raise RuntimeError(f"nobody was asked for {action}")

    def play_to_the_end(self) -> None:
        self.play(1000)

    def _choose(self, prompt: Mapping[str, Any]) -> dict[str, Any]:
        """Return a random action of the prompt's domain, or its example. Marches prefer long ways."""
        if any(bounds["kind"] not in LISTED for bounds in prompt["choices"].values()):
            return dict(prompt["example"])
        action = {"type": prompt["action"]}
        for name, bounds in prompt["choices"].items():
            options = bounds["options"]
            if prompt["action"] == "march":
                options = sorted(options, key=lambda option: len(option[-1]))[-5:]
            value = self._random.choice(options)
            joint = bounds["kind"] == "joint"
            action.update(zip(name.split("+"), value, strict=True) if joint else {name: value})
        return action
