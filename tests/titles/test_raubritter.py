"""Robber Knights on phones: what is drawn, what is offered, what a form means."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import sync_playwright

from companion.titles.base import Button
from companion.titles.raubritter import SCREEN
from games.core.actions import Correct
from games.core.errors import BadInput, Refused
from games.core.prompts import Prompt
from games.raubritter import RAUBRITTER
from games.raubritter.land import label, place_of
from games.raubritter.state import State, knights_on, land_of, types_left
from games.raubritter.tiles import TYPES
from players.randomly import play_out
from tests.titles.boards import render_board
from tools.shots import chromium

STATIC = Path(settings.BASE_DIR) / "static"
MOST_BYTES = 4096  # of what one change sends to a phone; less than half of what it may

# Random games


@lru_cache(maxsize=16)
def played(players: int, seed: int) -> tuple[State, ...]:
    """Every state of a random game."""
    generator = random.Random(f"screens {players} {seed}")
    setup = RAUBRITTER.prepare(generator.sample(RAUBRITTER.factions, players))
    start = RAUBRITTER.start(setup).state
    return (start, *(entry.outcome.state for entry in play_out(RAUBRITTER, setup, generator)))


def asked(state: State) -> Iterator[list[Prompt]]:
    """What each faction is asked, as a phone of theirs shows it."""
    prompts = RAUBRITTER.prompts(state)
    for faction in RAUBRITTER.waiting_for(state):
        yield [prompt for prompt in prompts if prompt.faction == faction]


@lru_cache
def some_asked(action: str) -> list[tuple[State, list[Prompt]]]:
    """Some moments of each game, early and late, at which a player is asked for this."""
    moments = []
    for players in (2, 3, 4):
        found = [(s, p) for s in played(players, 1) for p in asked(s) if p[0].action == action]
        moments += found[:: max(1, len(found) // 7)]
    return moments


def board_of(state: State) -> str:
    return render_board(SCREEN, state)


def prompt_of(state: State, prompts: list[Prompt]) -> str:
    return render_to_string("raubritter/prompt.html", {"screen": SCREEN.prompt(state, prompts)})


# Reading pages


class Radios(HTMLParser):
    """The radio buttons of a page by name, as their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.named: dict[str, list[dict[str, str | None]]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        radio = dict(attrs)
        if tag == "input":
            assert radio["type"] == "radio"
            self.named.setdefault(str(radio["name"]), []).append(radio)

    def values(self, name: str) -> list[str]:
        return [str(radio["value"]) for radio in self.named[name]]


def key(action: Mapping[str, Any]) -> str:
    return json.dumps(action, sort_keys=True)


def meant(radios: Radios, action: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """What every combination of these radio buttons stands for."""
    combinations = itertools.product(*(radios.values(name) for name in names))
    return [SCREEN.action({"type": action, **dict(zip(names, c, strict=True))}) for c in combinations]


# What is offered is what is allowed


@pytest.mark.parametrize(("action", "names"), [("place", ("tile", "at")), ("march", ("march",))])
def test_the_form_offers_exactly_the_domain(action: str, names: tuple[str, ...]) -> None:
    assert len(some_asked(action)) > 20
    for state, prompts in some_asked(action):
        offered = [key(entry) for entry in meant(Radios(prompt_of(state, prompts)), action, names)]
        assert len(set(offered)) == len(offered)
        assert set(offered) == {key(element) for element in prompts[0].elements()}


def test_the_starting_tiles_offer_exactly_the_domain_but_for_what_cannot_be_twice() -> None:
    for state, prompts in some_asked("lay"):
        left = types_left(state, prompts[0].faction)
        radios = Radios(prompt_of(state, prompts))
        offered = meant(radios, "lay", ("tile1", "tile2", "at1", "at2"))
        single = [e for e in offered if e["tiles"][0] == e["tiles"][1] and left[e["tiles"][0]] < 2]
        double = [e for e in offered if e["at"][0] == e["at"][1]]
        refused = {key(entry) for entry in single + double}
        assert {key(e) for e in offered} - refused == {key(e) for e in prompts[0].elements()}
        assert all(str(r["value"]) in TYPES for name in ("tile1", "tile2") for r in radios.named[name])
        marked = {str(r["value"]) for r in radios.named["tile1"] if "data-single" in r}
        assert marked == {tile for tile in TYPES if left[tile] == 1}


def test_only_the_cells_of_the_starting_tiles_are_chosen_beforehand() -> None:
    for state, prompts in [*some_asked("place"), *some_asked("march")]:
        page = Radios(prompt_of(state, prompts))
        assert not [r for group in page.named.values() for r in group if "checked" in r]
    for state, prompts in some_asked("lay"):
        page = Radios(prompt_of(state, prompts))
        chosen = [(name, r["value"]) for name, group in page.named.items() for r in group if "checked" in r]
        assert [name for name, _ in chosen] == ["at1", "at2"]
        assert [value for _, value in chosen] == page.values("at1")[:2]


def test_each_group_must_be_chosen_from_and_each_radio_has_an_id_of_its_own() -> None:
    groups = {"place": {"tile", "at"}, "march": {"march"}, "lay": {"tile1", "tile2", "at1", "at2"}}
    for action, required in groups.items():
        for state, prompts in some_asked(action):
            page = Radios(prompt_of(state, prompts))
            assert {n for n, group in page.named.items() if any("required" in r for r in group)} == required
            ids = [r["id"] for group in page.named.values() for r in group]
            assert len(set(ids)) == len(ids)


def test_the_next_entry_has_other_ids_so_that_no_choice_is_left_over() -> None:
    states = played(3, 1)
    ids = [
        SCREEN.prompt(s, prompts)["id"] for s in states for prompts in asked(s) if prompts[0].action != "lay"
    ]
    assert len(set(ids)) == len(ids)


def test_the_buttons_enter_what_is_asked() -> None:
    for state in played(4, 1):
        for prompts in asked(state):
            buttons = SCREEN.prompt(state, prompts)["buttons"]
            assert all(isinstance(button, Button) and button.label for button in buttons)
            assert [button.type for button in buttons] == [prompt.action for prompt in prompts]
            assert [button.needs_choice for button in buttons] == [
                prompt.action != "end" for prompt in prompts
            ]
    assert SCREEN.prompt(played(4, 1)[-1], []) == {"kind": "", "buttons": []}


def test_castles_come_first() -> None:
    for state, prompts in some_asked("place"):
        tiles = Radios(prompt_of(state, prompts)).values("tile")
        castles = [tile for tile in tiles if tile.endswith("castle")]
        assert not castles or tiles[0] == castles[0]


def test_the_most_valuable_march_comes_first() -> None:
    for state, prompts in some_asked("march"):
        lines = SCREEN.prompt(state, prompts)["lines"]
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)


def test_a_march_tells_what_it_wins() -> None:
    """The points it promises are those the standings show afterwards."""
    for state, prompts in some_asked("march"):
        faction = prompts[0].faction
        before = {s.faction: s.points for s in RAUBRITTER.standings(state)}
        for line in SCREEN.prompt(state, prompts)["lines"]:
            entry = SCREEN.action({"type": "march", "march": line.splits[-1].value})
            after = RAUBRITTER.apply(state, RAUBRITTER.read_action(entry, faction)).state
            points = {s.faction: s.points for s in RAUBRITTER.standings(after)}
            assert points[faction] - before[faction] == line.points
            assert sum(before[f] - points[f] for f in points if f != faction) <= line.points
            full = [stay.full for stay in line.splits[-1].stays]
            assert full == [len(knights_on(after, stop.tile.cell)) == 4 for stop in line.stops]


# What is drawn and told


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_every_page_of_a_game_is_drawn_without_style_or_script_of_its_own() -> None:
    for players in (2, 3, 4):
        for state in played(players, 1)[::5]:
            pages = [board_of(state), *(prompt_of(state, prompts) for prompts in asked(state))]
            for page in pages:
                assert not re.search(r"<script|<style|\sstyle=|\son\w+=|javascript:", page)
                assert "!" not in text_of(page)
                assert "{" not in text_of(page)


def test_the_board_lists_every_tile_with_its_place_and_its_knights() -> None:
    for players in (2, 4):
        for state in played(players, 2)[::20]:
            page = board_of(state)
            listed = re.findall(r"<li[^>]*><b>(\w+)</b> <span>([^<]+)</span>", page)
            land = land_of(state)
            assert [at for at, _ in listed] == [label(c) for c in sorted(land, key=lambda c: (c[1], c[0]))]
            told = dict(listed)
            for cell, tile in land.items():
                assert told[label(cell)].startswith(RAUBRITTER.texts.names[f"tile:{tile}"] + ": ")
                assert ("no knights" in told[label(cell)]) == (not knights_on(state, cell))
                assert ("closed" in told[label(cell)]) == (len(knights_on(state, cell)) == 4)
            assert page.count('class="t ') == len(land)


def corrected(state: State, owner: str, piece: str, place: str, count: int) -> State:
    against = "supply" if place != "supply" else None
    faction = state.order[0]
    action = Correct(
        faction=faction,
        owner=owner,
        piece=piece,
        place=place,
        count=count,
        reason="so it lies",
        against=against,
    )
    return RAUBRITTER.apply(state, action).state


def test_a_stack_is_told_from_the_top() -> None:
    state = next(s for s in played(2, 1) if RAUBRITTER.phase(s) == "turn")
    first, second = state.order
    cell = next(c for c, tile in land_of(state).items() if tile != "lake")
    at, place = label(cell), place_of(cell)
    one = corrected(state, first, "knight", place, 1)
    assert f"{RAUBRITTER.texts.names[f'faction:{first}']} controls it with 1 knight" in board_of(one)
    both = corrected(corrected(state, first, "knight", place, 2), second, "knight", place, 1)
    names = [RAUBRITTER.texts.names[f"faction:{faction}"] for faction in (second, first)]
    assert f"{names[0]} controls it; from the top 1 {names[0]}, 2 {names[1]}" in board_of(both)
    full = corrected(both, second, "knight", place, 2)
    line = re.search(rf"<b>{at}</b> <span>([^<]+)", board_of(full))
    assert line
    assert line[1].endswith("; closed")


def test_what_only_corrections_bring_about_is_drawn_too() -> None:
    state = played(2, 1)[0]
    red = state.order[0]
    far = corrected(state, red, "plain", "cell:10,-10", 1)
    tall = corrected(far, red, "knight", "cell:10,-10", 7)
    bare = corrected(tall, red, "knight", "cell:1,0", 2)
    for corrected_state in (far, tall, bare):
        board = board_of(corrected_state)
        assert "U1" in board
        assert all(prompt_of(corrected_state, prompts) for prompts in asked(corrected_state))
    assert "no tile" in board_of(bare)
    playing = next(s for s in played(2, 1) if RAUBRITTER.phase(s) == "turn")
    for cell, tile in land_of(playing).items():
        owner = next(owner for owner, piece in playing.ledger.pile(place_of(cell)) if piece == tile)
        playing = corrected(playing, owner, tile, place_of(cell), 0)
    assert not land_of(playing)
    assert "0 × 0" in board_of(playing)
    assert all(prompt_of(playing, prompts) for prompts in asked(playing))
    marching = next(s for s in played(2, 1) if RAUBRITTER.phase(s) == "knights")
    faction, castle = marching.frames[-2].data["faction"], place_of(tuple(marching.frames[-1].data["castle"]))
    tile = next(piece for _, piece in marching.ledger.pile(castle) if piece in TYPES)
    gone = corrected(marching, faction, tile, castle, 0)
    assert all(prompt_of(gone, prompts) for prompts in asked(gone))


def test_every_tile_has_a_frame_for_changes() -> None:
    state = played(2, 1)[-1]
    places = tuple(place_of(cell) for cell in list(land_of(state))[:3])
    board = board_of(state)
    assert all(board.count(f'class="new" data-place="{place}"') == 1 for place in places)


@pytest.mark.parametrize(
    ("span", "walls"),
    [((7, 7), 4), ((7, 3), 2), ((3, 7), 2), ((3, 3), 0)],
)
def test_closed_sides_are_drawn(span: tuple[int, int], walls: int) -> None:
    state = next(s for s in played(2, 1) if RAUBRITTER.phase(s) == "turn")
    red = state.order[0]
    for x in range(2, span[0]):
        state = corrected(state, red, "plain", f"cell:{x},0", 1)
    for y in range(2, span[1]):
        state = corrected(state, red, "plain", f"cell:0,{y}", 1)
    board = SCREEN.board(state)
    assert board["land"].walls.count("M") == walls
    assert f"{span[0]} × {span[1]}" in board["extent"]


def test_every_language_is_drawn() -> None:
    state = next(s for s in played(4, 1) if RAUBRITTER.phase(s) == "knights")
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            assert "," not in re.findall(r'viewBox="([^"]+)"', board_of(state))[0]
            assert all(prompt_of(state, prompts) for prompts in asked(state))


# What a page weighs


def weight(page: str) -> int:
    return len(gzip.compress(page.encode(), 6))


def test_pages_are_light() -> None:
    for players in (2, 3, 4):
        for state in played(players, 1)[:: 7 if players < 4 else 3]:
            assert weight(board_of(state)) < MOST_BYTES
            assert all(weight(prompt_of(state, prompts)) < MOST_BYTES for prompts in asked(state))


def test_the_pictures_are_light_and_all_there() -> None:
    pictures = (STATIC / "raubritter/tiles.svg").read_text()
    assert weight(pictures) < 2048
    assert not re.search(r"style|script|href|url\(", pictures)
    ids = set(re.findall(r'<symbol id="([\w-]+)" viewBox="0 0 \d+ \d+">', pictures))
    assert {*TYPES, *RAUBRITTER.factions} <= ids
    used: set[str] = set()
    for state in played(4, 1)[::10]:
        for page in (board_of(state), *(prompt_of(state, prompts) for prompts in asked(state))):
            used.update(re.findall(r'tiles[\w.]*\.svg#([\w-]+)"', page))
    assert used <= ids
    assert len(used) > 15


# What was entered


@pytest.mark.parametrize(
    ("form", "action"),
    [
        ({"type": "end", "tile": "plain", "at": "0,0"}, {"type": "end"}),
        ({"type": "place", "tile": "plain", "at": "2,-1"}, {"type": "place", "tile": "plain", "at": [2, -1]}),
        (
            {"type": "march", "march": "4/east/1.2.1", "way": "west", "many": "5"},
            {"type": "march", "knights": 4, "direction": "east", "left": [1, 2, 1]},
        ),
        (
            {"type": "march", "march": "0//0"},
            {"type": "march", "knights": 0, "direction": None, "left": [0]},
        ),
        (
            {"type": "lay", "tile1": "plain", "tile2": "mountain", "at1": "0,0", "at2": "1,0"},
            {"type": "lay", "tiles": ["plain", "mountain"], "at": [[0, 0], [1, 0]]},
        ),
    ],
)
def test_what_a_form_means(form: dict[str, str], action: dict[str, Any]) -> None:
    assert SCREEN.action(form) == action


ODD = ["", "0", "-1", "1,1", "1,1,1", "1,", ",", "a,b", "1.5,2", "1e9,0", "١,٢", "99999999999,0", "9" * 5000]
ODD += [
    "4/east",
    "/",
    "//",
    "x/y/z",
    "4/east/1.x",
    "4/east/-1.5",
    "4/up/1.3",
    "4/east/1.2.1/9",
    "\x00",
    "plain",
]


def is_refused(state: State, entry: Any, faction: str) -> bool:
    """Whether the rules refuse an entry in their own way; any other error is a fault."""
    try:
        RAUBRITTER.apply(state, RAUBRITTER.read_action(entry, faction))
    except Refused:
        return True
    return False


@pytest.mark.parametrize("action", ["lay", "place", "march", "end", "correct", "option", "", "nonsense"])
def test_an_odd_form_is_refused_and_breaks_nothing(action: str) -> None:
    generator = random.Random(action)
    names = ["tile", "at", "march", "tile1", "tile2", "at1", "at2", "way", "many"]
    states = [next(s for s in played(2, 1) if RAUBRITTER.phase(s) == p) for p in ("setup", "turn", "knights")]
    for _ in range(200):
        state = generator.choice(states)
        faction = RAUBRITTER.waiting_for(state)[0]
        form = {name: generator.choice(ODD) for name in names if generator.random() < 0.7}
        if action:
            form["type"] = action
        entry = SCREEN.action(form)
        json.dumps(entry)
        # An odd form may happen to be right.
        assert is_refused(state, entry, faction) or action in ("place", "march")


def test_a_form_without_a_choice_is_bad_input() -> None:
    for action in ("lay", "place", "march"):
        with pytest.raises(BadInput):
            RAUBRITTER.read_action(SCREEN.action({"type": action}), "red")
    with pytest.raises(BadInput):
        RAUBRITTER.read_action(SCREEN.action({}), "red")


# In a browser


class Phone:
    """A page as the shell builds it around the game's part, under the same content security policy."""

    def __init__(self, browser: Any) -> None:
        self.fragment = ""
        self.sent: list[str] = []
        self.complaints: list[str] = []
        self.page = browser.new_page(viewport={"width": 390, "height": 844})
        self.page.route("**/*", self._answer)
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _answer(self, route: Any) -> None:
        request = route.request
        path = urlsplit(request.url).path
        policy = "; ".join(
            f"{name} {' '.join(sources)}"
            for name, sources in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()
        )
        if request.method == "POST":
            self.sent.append(request.post_data)
            route.fulfill(status=204)
        elif path.startswith("/static/vendor/"):
            route.fulfill(path=Path(settings.BASE_DIR) / "node_modules/htmx.org/dist" / Path(path).name)
        elif path.startswith("/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/static/"))
        else:
            whole = path == "/"
            head = (
                '<!doctype html><html lang="en"><meta charset="utf-8"><title>Table</title>'
                '<link rel="icon" href="data:,"><link rel="stylesheet" href="/static/css/seneschal.css">'
                '<link rel="stylesheet" href="/static/css/raubritter.css">'
                '<meta name="htmx-config" content=\'{"includeIndicatorCSS":false}\'>'
                '<script src="/static/vendor/htmx.min.js" defer></script>'
                '<script src="/static/js/raubritter.js" defer></script><body>'
            )
            route.fulfill(
                body=(head if whole else "") + self.fragment,
                headers={"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy},
            )

    def shows(self, state: State, head: int = 1) -> None:
        """What the server would send now."""
        prompts = next(asked(state))
        screen = SCREEN.prompt(state, prompts)
        form = f"entry-{head}-{prompts[0].faction}"
        buttons = "".join(
            f'<button form="{form}" name="type" value="{b.type}">{b.label}</button>'
            for b in screen["buttons"]
        )
        self._wrap(
            f'<form id="{form}" method="post" action="/act">{prompt_of(state, prompts)}</form>{buttons}'
        )

    def shows_board(self, state: State) -> None:
        self._wrap(board_of(state))

    def _wrap(self, inner: str) -> None:
        self.fragment = (
            '<main id="table" class="table" hx-get="/part" hx-trigger="table-changed" hx-swap="outerMorph">'
            f'<div class="body">{inner}</div></main>'
        )

    def open(self) -> None:
        self.page.goto("http://phone.test/")
        self.page.wait_for_function("document.documentElement.classList.contains('rk-js')")

    def refresh(self) -> None:
        self.page.evaluate(
            """() => new Promise((done) => {
                 document.addEventListener("htmx:after:swap", () => setTimeout(done), { once: true });
                 htmx.trigger("#table", "table-changed");
               })"""
        )

    def tap(self, radio: str) -> None:
        self.page.locator(f"label:has(input{radio})").first.click()

    @property
    def chosen(self) -> dict[str, str]:
        pairs = "[...document.querySelectorAll('input:checked')].map((one) => [one.name, one.value])"
        return dict(self.page.evaluate(pairs))

    @property
    def main(self) -> str:
        return str(self.page.locator("button[name=type]").first.inner_text())

    @property
    def is_complete(self) -> bool:
        return bool(self.page.evaluate("document.querySelector('form').checkValidity()"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = chromium()
    if path is None:
        pytest.skip("Chromium is missing: install it, or set CHROMIUM to its path.")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def phone(browser: Any) -> Iterator[Phone]:
    phone = Phone(browser)
    yield phone
    phone.page.close()
    assert phone.complaints == []


@pytest.mark.browser
def test_a_tile_and_a_cell_are_two_taps_and_survive_a_refresh(phone: Phone) -> None:
    state, prompts = next(case for case in some_asked("place") if len(case[1]) == 2)
    phone.shows(state)
    phone.open()
    assert not phone.is_complete
    assert phone.main == "Place the tile"
    tile = Radios(prompt_of(state, prompts)).values("tile")[-1]
    at = Radios(prompt_of(state, prompts)).values("at")[-1]
    phone.tap(f"[name=tile][value='{tile}']")
    phone.tap(f"[name=at][value='{at}']")
    cell = label(tuple(map(int, at.split(","))))
    words = f"Place the {RAUBRITTER.texts.names[f'tile:{tile}']} at {cell}"
    assert phone.main == words
    phone.shows(state, head=2)  # somebody else entered something
    for _ in range(2):
        phone.refresh()
        assert phone.chosen == {"tile": tile, "at": at}
        assert phone.main == words
        assert phone.is_complete
        assert phone.page.locator(".laid").count() == 1
    phone.page.locator("button[value=place]").click()
    assert [
        SCREEN.action(dict(p.split("=") for p in sent.replace("%2C", ",").split("&"))) for sent in phone.sent
    ] == [{"type": "place", "tile": tile, "at": [*map(int, at.split(","))]}]


@pytest.mark.browser
def test_nothing_stays_chosen_for_the_next_entry(phone: Phone) -> None:
    states = [s for s in played(2, 1) if RAUBRITTER.phase(s) == "turn"]
    before, after = next(
        (a, b)
        for a, b in itertools.pairwise(states)
        if a.frames[-1].data["faction"] == b.frames[-1].data["faction"]
    )
    phone.shows(before)
    phone.open()
    phone.tap("[name=tile]")
    phone.tap("[name=at]")
    phone.shows(after, head=2)
    phone.refresh()
    assert phone.chosen == {}
    assert phone.main == "Place the tile"


@pytest.mark.browser
def test_the_march_is_narrowed_down_by_direction_and_number(phone: Phone) -> None:
    state, prompts = max(some_asked("march"), key=lambda case: case[1][0].size())
    phone.shows(state)
    phone.open()
    assert phone.page.locator(".split:visible").count() == 0
    knights, way, left = max(p for p in prompts[0].fields[0].options if p[1] and len(p[2]) > 1)
    phone.tap(f"[name=way][value={way}]")
    phone.tap(f"[name=many][value='{knights}']")
    shown = phone.page.locator("input[name=march]:visible").evaluate_all("all => all.map((one) => one.value)")
    options = prompts[0].fields[0].options
    expected = {f"{k}/{w}/{'.'.join(map(str, stay))}" for k, w, stay in options if (k, w) == (knights, way)}
    assert set(shown) == expected
    value = f"{knights}/{way}/{'.'.join(map(str, left))}"
    phone.tap(f"[name=march][value='{value}']")
    assert phone.main == f"Send {knights} knights {way}"
    phone.shows(state, head=2)
    phone.refresh()
    assert phone.chosen == {"way": way, "many": str(knights), "march": value}
    assert phone.main == f"Send {knights} knights {way}"
    phone.tap("[name=way][value=stay]")
    assert "march" not in phone.chosen
    assert not phone.is_complete
    phone.tap("[name=many][value='0']")
    assert phone.chosen["march"] == "0//0"
    assert phone.main == "Send no knights"


@pytest.mark.browser
def test_two_starting_tiles_never_lie_on_one_cell(phone: Phone) -> None:
    start = played(4, 1)[0]
    phone.shows(start)
    phone.open()
    assert phone.chosen == {"at1": "0,0", "at2": "1,0"}
    phone.tap("[name=at1][value='1,0']")
    assert phone.chosen == {"at1": "1,0", "at2": "0,0"}
    phone.tap("[name=at2][value='3,1']")
    phone.tap("[name=tile1][value=plain]")
    phone.tap("[name=tile2][value=mountain]")
    chosen = {"at1": "1,0", "at2": "3,1", "tile1": "plain", "tile2": "mountain"}
    assert phone.chosen == chosen
    # Somebody else lays a tile where this phone wanted to.
    other = RAUBRITTER.waiting_for(start)[1]
    entry = {"type": "lay", "tiles": ["plain", "mountain"], "at": [[1, 0], [0, 0]]}
    after = RAUBRITTER.apply(start, RAUBRITTER.read_action(entry, other)).state
    phone.shows(after, head=2)
    phone.refresh()
    assert phone.chosen == {**chosen, "at1": "2,0"}
    assert phone.is_complete


@pytest.mark.browser
def test_a_tapped_tile_tells_who_stands_there(phone: Phone) -> None:
    state = played(4, 1)[-1]
    phone.shows_board(state)
    phone.open()
    assert phone.page.locator(".look").inner_text() == "Tap a tile to see who stands there."
    cells = sorted(land_of(state), key=lambda cell: (cell[1], cell[0]))
    cell = next(cell for cell in cells if len(set(knights_on(state, cell))) > 1)
    phone.page.locator("figure .t").nth(cells.index(cell)).click()
    told = phone.page.locator(".look").inner_text()
    assert told.startswith(label(cell))
    assert "from the top" in told
    phone.refresh()
    assert phone.page.locator(".look").inner_text() == told
    assert phone.page.locator(".looked").count() == 1
    # The pictures come from the shared file, which the policy allows.
    box = phone.page.locator("figure .t use").first.bounding_box()
    assert box["width"] > 20


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 360])
def test_what_is_tapped_is_large_enough(phone: Phone, width: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": 740})
    for action in ("lay", "place", "march"):
        state, _ = max(some_asked(action), key=lambda case: len(land_of(case[0])))
        phone.shows(state)
        phone.open()
        if action == "march":
            phone.tap("[name=way]")
        boxes = phone.page.locator(".rk label:visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => [width, height])"
        )
        assert boxes
        assert min(min(box) for box in boxes) >= 46
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
