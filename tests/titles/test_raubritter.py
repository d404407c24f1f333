"""Robber Knights: boards, forms and their parsing, behaviour in a browser."""

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
MOST_BYTES = 4096  # compressed size of a fragment

# Random games


@lru_cache(maxsize=16)
def random_states(players: int, seed: int) -> tuple[State, ...]:
    """Return all states of a random game."""
    generator = random.Random(f"screens {players} {seed}")
    setup = RAUBRITTER.prepare(generator.sample(RAUBRITTER.factions, players))
    start = RAUBRITTER.start(setup).state
    return (start, *(entry.outcome.state for entry in play_out(RAUBRITTER, setup, generator)))


def prompts_by_faction(state: State) -> Iterator[list[Prompt]]:
    """Yield the prompts of each faction that has any."""
    prompts = RAUBRITTER.prompts(state)
    for faction in RAUBRITTER.waiting_for(state):
        yield [prompt for prompt in prompts if prompt.faction == faction]


@lru_cache
def prompt_samples(action: str) -> list[tuple[State, list[Prompt]]]:
    """Return states from early to late in each game with a prompt for an action."""
    samples = []
    for players in (2, 3, 4):
        matches = [
            (s, p) for s in random_states(players, 1) for p in prompts_by_faction(s) if p[0].action == action
        ]
        samples += matches[:: max(1, len(matches) // 7)]
    return samples


def render_land(state: State) -> str:
    return render_board(SCREEN, state)


def render_prompt(state: State, prompts: list[Prompt]) -> str:
    return render_to_string("raubritter/prompt.html", {"screen": SCREEN.prompt(state, prompts)})


# Parsing pages


class Radios(HTMLParser):
    """Attributes of the radio buttons of a page, by name."""

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


def parsed_actions(radios: Radios, action: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the action of every combination of some radio buttons."""
    combinations = itertools.product(*(radios.values(name) for name in names))
    return [SCREEN.parse({"type": action, **dict(zip(names, c, strict=True))}) for c in combinations]


# Choices match the rules


@pytest.mark.parametrize(("action", "names"), [("place", ("tile", "at")), ("march", ("march",))])
def test_form_offers_exactly_the_legal_actions(action: str, names: tuple[str, ...]) -> None:
    assert len(prompt_samples(action)) > 20
    for state, prompts in prompt_samples(action):
        offered = [
            key(entry) for entry in parsed_actions(Radios(render_prompt(state, prompts)), action, names)
        ]
        assert len(set(offered)) == len(offered)
        assert set(offered) == {key(element) for element in prompts[0].elements()}


def test_starting_form_offers_legal_actions_and_invalid_duplicates_only() -> None:
    for state, prompts in prompt_samples("lay"):
        left = types_left(state, prompts[0].faction)
        radios = Radios(render_prompt(state, prompts))
        offered = parsed_actions(radios, "lay", ("tile1", "tile2", "at1", "at2"))
        single = [e for e in offered if e["tiles"][0] == e["tiles"][1] and left[e["tiles"][0]] < 2]
        double = [e for e in offered if e["at"][0] == e["at"][1]]
        refused = {key(entry) for entry in single + double}
        assert {key(e) for e in offered} - refused == {key(e) for e in prompts[0].elements()}
        assert all(str(r["value"]) in TYPES for name in ("tile1", "tile2") for r in radios.named[name])
        marked = {str(r["value"]) for r in radios.named["tile1"] if "data-single" in r}
        assert marked == {tile for tile in TYPES if left[tile] == 1}


def test_only_cells_of_starting_tiles_are_preselected() -> None:
    for state, prompts in [*prompt_samples("place"), *prompt_samples("march")]:
        page = Radios(render_prompt(state, prompts))
        assert not [r for group in page.named.values() for r in group if "checked" in r]
    for state, prompts in prompt_samples("lay"):
        page = Radios(render_prompt(state, prompts))
        chosen = [(name, r["value"]) for name, group in page.named.items() for r in group if "checked" in r]
        assert [name for name, _ in chosen] == ["at1", "at2"]
        assert [value for _, value in chosen] == page.values("at1")[:2]


def test_radio_groups_are_required_and_ids_are_unique() -> None:
    groups = {"place": {"tile", "at"}, "march": {"march"}, "lay": {"tile1", "tile2", "at1", "at2"}}
    for action, required in groups.items():
        for state, prompts in prompt_samples(action):
            page = Radios(render_prompt(state, prompts))
            assert {n for n, group in page.named.items() if any("required" in r for r in group)} == required
            ids = [r["id"] for group in page.named.values() for r in group]
            assert len(set(ids)) == len(ids)


def test_each_entry_has_its_own_form_id() -> None:
    states = random_states(3, 1)
    ids = [
        SCREEN.prompt(s, prompts)["id"]
        for s in states
        for prompts in prompts_by_faction(s)
        if prompts[0].action != "lay"
    ]
    assert len(set(ids)) == len(ids)


def test_buttons_match_the_prompts() -> None:
    for state in random_states(4, 1):
        for prompts in prompts_by_faction(state):
            buttons = SCREEN.prompt(state, prompts)["buttons"]
            assert all(isinstance(button, Button) and button.label for button in buttons)
            assert [button.type for button in buttons] == [prompt.action for prompt in prompts]
            assert [button.needs_choice for button in buttons] == [
                prompt.action != "end" for prompt in prompts
            ]
    assert SCREEN.prompt(random_states(4, 1)[-1], []) == {"kind": "", "buttons": []}


def test_castles_are_listed_first() -> None:
    for state, prompts in prompt_samples("place"):
        tiles = Radios(render_prompt(state, prompts)).values("tile")
        castles = [tile for tile in tiles if tile.endswith("castle")]
        assert not castles or tiles[0] == castles[0]


def test_most_valuable_march_is_listed_first() -> None:
    for state, prompts in prompt_samples("march"):
        lines = SCREEN.prompt(state, prompts)["lines"]
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)


def test_points_of_a_march_match_the_standings_afterwards() -> None:
    for state, prompts in prompt_samples("march"):
        faction = prompts[0].faction
        before = {s.faction: s.points for s in RAUBRITTER.standings(state)}
        for line in SCREEN.prompt(state, prompts)["lines"]:
            entry = SCREEN.parse({"type": "march", "march": line.splits[-1].value})
            after = RAUBRITTER.apply(state, RAUBRITTER.read_action(entry, faction)).state
            points = {s.faction: s.points for s in RAUBRITTER.standings(after)}
            assert points[faction] - before[faction] == line.points
            assert sum(before[f] - points[f] for f in points if f != faction) <= line.points
            full = [stay.full for stay in line.splits[-1].stays]
            assert full == [len(knights_on(after, stop.tile.cell)) == 4 for stop in line.stops]


# Pages


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_pages_have_no_inline_style_or_script() -> None:
    for players in (2, 3, 4):
        for state in random_states(players, 1)[::5]:
            pages = [
                render_land(state),
                *(render_prompt(state, prompts) for prompts in prompts_by_faction(state)),
            ]
            for page in pages:
                assert not re.search(r"<script|<style|\sstyle=|\son\w+=|javascript:", page)
                assert "!" not in text_of(page)
                assert "{" not in text_of(page)


def test_board_lists_every_tile_with_its_knights() -> None:
    for players in (2, 4):
        for state in random_states(players, 2)[::20]:
            page = render_land(state)
            listed = re.findall(r"<li[^>]*><b>(\w+)</b> <span>([^<]+)</span>", page)
            land = land_of(state)
            assert [at for at, _ in listed] == [label(c) for c in sorted(land, key=lambda c: (c[1], c[0]))]
            text_at = dict(listed)
            for cell, tile in land.items():
                assert text_at[label(cell)].startswith(RAUBRITTER.texts.names[f"tile:{tile}"] + ": ")
                assert ("no knights" in text_at[label(cell)]) == (not knights_on(state, cell))
                assert ("closed" in text_at[label(cell)]) == (len(knights_on(state, cell)) == 4)
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


def test_stack_is_described_from_the_top() -> None:
    state = next(s for s in random_states(2, 1) if RAUBRITTER.phase(s) == "turn")
    first, second = state.order
    cell = next(c for c, tile in land_of(state).items() if tile != "lake")
    at, place = label(cell), place_of(cell)
    single = corrected(state, first, "knight", place, 1)
    assert f"{RAUBRITTER.texts.names[f'faction:{first}']} controls it with 1 knight" in render_land(single)
    both = corrected(corrected(state, first, "knight", place, 2), second, "knight", place, 1)
    names = [RAUBRITTER.texts.names[f"faction:{faction}"] for faction in (second, first)]
    assert f"{names[0]} controls it; from the top 1 {names[0]}, 2 {names[1]}" in render_land(both)
    full = corrected(both, second, "knight", place, 2)
    line = re.search(rf"<b>{at}</b> <span>([^<]+)", render_land(full))
    assert line
    assert line[1].endswith("; closed")


def test_positions_that_only_corrections_allow_are_rendered() -> None:
    state = random_states(2, 1)[0]
    red = state.order[0]
    far = corrected(state, red, "plain", "cell:10,-10", 1)
    tall = corrected(far, red, "knight", "cell:10,-10", 7)
    bare = corrected(tall, red, "knight", "cell:1,0", 2)
    for corrected_state in (far, tall, bare):
        board = render_land(corrected_state)
        assert "U1" in board
        assert all(render_prompt(corrected_state, prompts) for prompts in prompts_by_faction(corrected_state))
    assert "no tile" in render_land(bare)
    playing = next(s for s in random_states(2, 1) if RAUBRITTER.phase(s) == "turn")
    for cell, tile in land_of(playing).items():
        owner = next(owner for owner, piece in playing.ledger.pile(place_of(cell)) if piece == tile)
        playing = corrected(playing, owner, tile, place_of(cell), 0)
    assert not land_of(playing)
    assert "0 × 0" in render_land(playing)
    assert all(render_prompt(playing, prompts) for prompts in prompts_by_faction(playing))
    marching = next(s for s in random_states(2, 1) if RAUBRITTER.phase(s) == "knights")
    faction, castle = marching.frames[-2].data["faction"], place_of(tuple(marching.frames[-1].data["castle"]))
    tile = next(piece for _, piece in marching.ledger.pile(castle) if piece in TYPES)
    removed = corrected(marching, faction, tile, castle, 0)
    assert all(render_prompt(removed, prompts) for prompts in prompts_by_faction(removed))


def test_every_tile_has_a_highlight_frame() -> None:
    state = random_states(2, 1)[-1]
    places = tuple(place_of(cell) for cell in list(land_of(state))[:3])
    board = render_land(state)
    assert all(board.count(f'class="new" data-place="{place}"') == 1 for place in places)


@pytest.mark.parametrize(
    ("span", "walls"),
    [((7, 7), 4), ((7, 3), 2), ((3, 7), 2), ((3, 3), 0)],
)
def test_sides_that_cannot_grow_are_marked(span: tuple[int, int], walls: int) -> None:
    state = next(s for s in random_states(2, 1) if RAUBRITTER.phase(s) == "turn")
    red = state.order[0]
    for x in range(2, span[0]):
        state = corrected(state, red, "plain", f"cell:{x},0", 1)
    for y in range(2, span[1]):
        state = corrected(state, red, "plain", f"cell:0,{y}", 1)
    board = SCREEN.board(state)
    assert board["land"].walls.count("M") == walls
    assert f"{span[0]} × {span[1]}" in board["extent"]


def test_pages_render_in_every_language() -> None:
    state = next(s for s in random_states(4, 1) if RAUBRITTER.phase(s) == "knights")
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            assert "," not in re.findall(r'viewBox="([^"]+)"', render_land(state))[0]
            assert all(render_prompt(state, prompts) for prompts in prompts_by_faction(state))


# Page sizes


def compressed_size(page: str) -> int:
    return len(gzip.compress(page.encode(), 6))


def test_pages_are_small() -> None:
    for players in (2, 3, 4):
        for state in random_states(players, 1)[:: 7 if players < 4 else 3]:
            assert compressed_size(render_land(state)) < MOST_BYTES
            assert all(
                compressed_size(render_prompt(state, prompts)) < MOST_BYTES
                for prompts in prompts_by_faction(state)
            )


def test_tile_symbols_are_small_and_complete() -> None:
    pictures = (STATIC / "raubritter/tiles.svg").read_text()
    assert compressed_size(pictures) < 2048
    assert not re.search(r"style|script|href|url\(", pictures)
    ids = set(re.findall(r'<symbol id="([\w-]+)" viewBox="0 0 \d+ \d+">', pictures))
    assert {*TYPES, *RAUBRITTER.factions} <= ids
    used: set[str] = set()
    for state in random_states(4, 1)[::10]:
        for page in (
            render_land(state),
            *(render_prompt(state, prompts) for prompts in prompts_by_faction(state)),
        ):
            used.update(re.findall(r'tiles[\w.]*\.svg#([\w-]+)"', page))
    assert used <= ids
    assert len(used) > 15


# Form to action


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
def test_form_is_parsed_to_an_action(form: dict[str, str], action: dict[str, Any]) -> None:
    assert SCREEN.parse(form) == action


@pytest.mark.parametrize("action", ["lay", "place", "march"])
def test_form_filled_from_an_action_is_parsed_to_the_same_action(action: str) -> None:
    for _state, prompts in prompt_samples(action):
        for entry in itertools.islice(prompts[0].elements(), 20):
            assert key(SCREEN.parse({**SCREEN.fill(entry), "type": action})) == key(entry)


MALFORMED = [
    "",
    "0",
    "-1",
    "1,1",
    "1,1,1",
    "1,",
    ",",
    "a,b",
    "1.5,2",
    "1e9,0",
    "١,٢",
    "99999999999,0",
    "9" * 5000,
]
MALFORMED += [
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
    """Return True if the rules raise `Refused`; let any other error pass."""
    try:
        RAUBRITTER.apply(state, RAUBRITTER.read_action(entry, faction))
    except Refused:
        return True
    return False


@pytest.mark.parametrize("action", ["lay", "place", "march", "end", "correct", "option", "", "nonsense"])
def test_malformed_form_is_refused_without_other_errors(action: str) -> None:
    generator = random.Random(action)
    names = ["tile", "at", "march", "tile1", "tile2", "at1", "at2", "way", "many"]
    states = [
        next(s for s in random_states(2, 1) if RAUBRITTER.phase(s) == p) for p in ("setup", "turn", "knights")
    ]
    for _ in range(200):
        state = generator.choice(states)
        faction = RAUBRITTER.waiting_for(state)[0]
        form = {name: generator.choice(MALFORMED) for name in names if generator.random() < 0.7}
        if action:
            form["type"] = action
        entry = SCREEN.parse(form)
        json.dumps(entry)
        # A random form may happen to be valid.
        assert is_refused(state, entry, faction) or action in ("place", "march")


def test_empty_form_is_bad_input() -> None:
    for action in ("lay", "place", "march"):
        with pytest.raises(BadInput):
            RAUBRITTER.read_action(SCREEN.parse({"type": action}), "red")
    with pytest.raises(BadInput):
        RAUBRITTER.read_action(SCREEN.parse({}), "red")


# In a browser


class Phone:
    """A browser page with a game fragment, under the content security policy of the app."""

    def __init__(self, browser: Any) -> None:
        self.fragment = ""
        self.sent: list[str] = []
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={"width": 390, "height": 844})
        self.page.route("**/*", self._answer)
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

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
                '<script type="module" src="/static/js/raubritter.js"></script><body>'
            )
            route.fulfill(
                body=(head if whole else "") + self.fragment,
                headers={"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy},
            )

    def show_prompt(self, state: State, head: int = 1) -> None:
        """Set the fragment that the server returns to the prompt of a state."""
        prompts = next(prompts_by_faction(state))
        screen = SCREEN.prompt(state, prompts)
        form = f"entry-{head}-{prompts[0].faction}"
        buttons = "".join(
            f'<button form="{form}" name="type" value="{b.type}">{b.label}</button>'
            for b in screen["buttons"]
        )
        self._wrap(
            f'<form id="{form}" method="post" action="/act">{render_prompt(state, prompts)}</form>{buttons}'
        )

    def show_board(self, state: State) -> None:
        self._wrap(render_land(state))

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
    def main_button(self) -> str:
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
    assert phone.errors == []


@pytest.mark.browser
def test_chosen_tile_and_cell_survive_a_refresh(phone: Phone) -> None:
    state, prompts = next(case for case in prompt_samples("place") if len(case[1]) == 2)
    phone.show_prompt(state)
    phone.open()
    assert not phone.is_complete
    assert phone.main_button == "Place the tile"
    tile = Radios(render_prompt(state, prompts)).values("tile")[-1]
    at = Radios(render_prompt(state, prompts)).values("at")[-1]
    phone.tap(f"[name=tile][value='{tile}']")
    phone.tap(f"[name=at][value='{at}']")
    cell = label(tuple(map(int, at.split(","))))
    label_text = f"Place the {RAUBRITTER.texts.names[f'tile:{tile}']} at {cell}"
    assert phone.main_button == label_text
    phone.show_prompt(state, head=2)  # another player has entered an action
    for _ in range(2):
        phone.refresh()
        assert phone.chosen == {"tile": tile, "at": at}
        assert phone.main_button == label_text
        assert phone.is_complete
        assert phone.page.locator(".laid").count() == 1
    phone.page.locator("button[value=place]").click()
    assert [
        SCREEN.parse(dict(p.split("=") for p in sent.replace("%2C", ",").split("&"))) for sent in phone.sent
    ] == [{"type": "place", "tile": tile, "at": [*map(int, at.split(","))]}]


@pytest.mark.browser
def test_choices_are_cleared_for_the_next_entry(phone: Phone) -> None:
    states = [s for s in random_states(2, 1) if RAUBRITTER.phase(s) == "turn"]
    before, after = next(
        (a, b)
        for a, b in itertools.pairwise(states)
        if a.frames[-1].data["faction"] == b.frames[-1].data["faction"]
    )
    phone.show_prompt(before)
    phone.open()
    phone.tap("[name=tile]")
    phone.tap("[name=at]")
    phone.show_prompt(after, head=2)
    phone.refresh()
    assert phone.chosen == {}
    assert phone.main_button == "Place the tile"


@pytest.mark.browser
def test_marches_are_filtered_by_direction_and_number(phone: Phone) -> None:
    state, prompts = max(prompt_samples("march"), key=lambda case: case[1][0].size())
    phone.show_prompt(state)
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
    assert phone.main_button == f"Send {knights} knights {way}"
    phone.show_prompt(state, head=2)
    phone.refresh()
    assert phone.chosen == {"way": way, "many": str(knights), "march": value}
    assert phone.main_button == f"Send {knights} knights {way}"
    phone.tap("[name=way][value=stay]")
    assert "march" not in phone.chosen
    assert not phone.is_complete
    phone.tap("[name=many][value='0']")
    assert phone.chosen["march"] == "0//0"
    assert phone.main_button == "Send no knights"


@pytest.mark.browser
def test_starting_tiles_never_share_a_cell(phone: Phone) -> None:
    start = random_states(4, 1)[0]
    phone.show_prompt(start)
    phone.open()
    assert phone.chosen == {"at1": "0,0", "at2": "1,0"}
    phone.tap("[name=at1][value='1,0']")
    assert phone.chosen == {"at1": "1,0", "at2": "0,0"}
    phone.tap("[name=at2][value='3,1']")
    phone.tap("[name=tile1][value=plain]")
    phone.tap("[name=tile2][value=mountain]")
    chosen = {"at1": "1,0", "at2": "3,1", "tile1": "plain", "tile2": "mountain"}
    assert phone.chosen == chosen
    # Another player lays a tile on the chosen cell.
    other = RAUBRITTER.waiting_for(start)[1]
    entry = {"type": "lay", "tiles": ["plain", "mountain"], "at": [[1, 0], [0, 0]]}
    after = RAUBRITTER.apply(start, RAUBRITTER.read_action(entry, other)).state
    phone.show_prompt(after, head=2)
    phone.refresh()
    assert phone.chosen == {**chosen, "at1": "2,0"}
    assert phone.is_complete


@pytest.mark.browser
def test_tapping_a_tile_shows_its_knights(phone: Phone) -> None:
    state = random_states(4, 1)[-1]
    phone.show_board(state)
    phone.open()
    assert phone.page.locator(".look").inner_text() == "Tap a tile to see who stands there."
    cells = sorted(land_of(state), key=lambda cell: (cell[1], cell[0]))
    cell = next(cell for cell in cells if len(set(knights_on(state, cell))) > 1)
    phone.page.locator("figure .t").nth(cells.index(cell)).click()
    text = phone.page.locator(".look").inner_text()
    assert text.startswith(label(cell))
    assert "from the top" in text
    phone.refresh()
    assert phone.page.locator(".look").inner_text() == text
    assert phone.page.locator(".looked").count() == 1
    # The policy allows symbols from the shared SVG file.
    box = phone.page.locator("figure .t use").first.bounding_box()
    assert box["width"] > 20


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 360])
def test_tap_targets_are_large_enough(phone: Phone, width: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": 740})
    for action in ("lay", "place", "march"):
        state, _ = max(prompt_samples(action), key=lambda case: len(land_of(case[0])))
        phone.show_prompt(state)
        phone.open()
        if action == "march":
            phone.tap("[name=way]")
        boxes = phone.page.locator(".rk label:visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({width, height}) => [width, height])"
        )
        assert boxes
        assert min(min(box) for box in boxes) >= 46
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
