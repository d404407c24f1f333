"""Comparing with the real table without JavaScript: the walk, the differences, the corrections."""

from __future__ import annotations

import random
import re
from collections import Counter
from html import unescape
from typing import Any

import pytest

from companion.journal.states import game_of, state_at
from companion.journal.submit import tick_all, undo
from companion.models import Entry, Table
from companion.titles import screen_of
from companion.titles.walks import Counting, Line
from companion.web.phone import SEATS_COOKIE
from tests.pages.conftest import HTMX, Phone
from tests.statistics.journals import played
from tests.tables.planning import enter, other_plan, plan, planning
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db

# Game, number of players, and number of entries before the comparison.
MIDDLES = (("raubritter", 3, 45), ("revolution", 5, 130), ("signoria", 3, 55), ("wallenstein", 3, 80))
EVERY_GAME = pytest.mark.parametrize(("slug", "players", "entries"), MIDDLES)


def phone_of(sitting: Sitting, *tokens: str) -> Phone:
    phone = Phone()
    phone.code = sitting.table.code
    phone.client.cookies[SEATS_COOKIE] = ".".join(tokens or [sitting.host_token])
    return phone


def at_table(slug: str, players: int, entries: int, seed: int = 1) -> tuple[Sitting, Phone]:
    sitting = played(slug, players, entries=entries, seed=seed)
    return sitting, phone_of(sitting, next(iter(sitting.tokens.values())))


def counting(table: Table) -> Counting:
    state = state_at(table, table.head)
    screen: Any = screen_of(table)
    return Counting(game_of(table), state, screen.walk(state))


def stops(phone: Phone) -> list[str]:
    return [stop.slug for stop in counting(phone.table()).walk.stops]


def part(stop: str) -> str:
    return f"compare/?stop={stop}"


def form(page: str) -> dict[str, str]:
    """Return the count fields of a stop's page."""
    tags = re.findall(r'<input[^>]*name="((?:n|was)\.[^"]*)"[^>]*value="([^"]*)"', page)
    return {unescape(name): value for name, value in tags}


def page(phone: Phone, at: str = "compare/") -> str:
    answer = phone.get(at)
    assert answer.status_code == 200, answer.content
    return unescape(answer.content.decode())


def text(content: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", content).split())


def confirm(phone: Phone, stop: str) -> Any:
    return phone.post(part(stop), do="next", **form(page(phone, part(stop))))


def enter_counts(phone: Phone, stop: str, **counts: int) -> Any:
    """Submit a stop's form with changed counts; missing lines are added first."""
    for key in counts:
        if f"n.{key}" not in form(page(phone, part(stop))):
            owner, piece, place = key.split(" ")
            phone.post(
                part(stop), do="add", where=place, what=f"{owner} {piece}", **form(page(phone, part(stop)))
            )
    sent = form(page(phone, part(stop)))
    sent |= {f"n.{key}": str(count) for key, count in counts.items()}
    return phone.post(part(stop), do="next", **sent)


def totals(table: Table) -> Counter[tuple[str, str]]:
    game = game_of(table)
    counts: Counter[tuple[str, str]] = Counter()
    for line in state_at(table, table.head).ledger.holdings():
        if line.piece not in game.uncounted:
            counts[line.owner, game.places.backs.get(line.piece, line.piece)] += line.count
    return counts


def counted(table: Table, line: Line) -> int:
    ledger = state_at(table, table.head).ledger
    places = (line.spot.place, *line.spot.also)
    return sum(ledger.count(line.owner, line.piece, place) for place in places)


# All four games


@EVERY_GAME
def test_confirming_every_stop_changes_nothing(slug: str, players: int, entries: int) -> None:
    sitting, phone = at_table(slug, players, entries)
    before = state_at(sitting.table, sitting.table.head)
    walk = stops(phone)
    at = phone.get("compare/")
    for number, stop in enumerate(walk, 1):
        shown = text(unescape(at.content.decode()))
        assert f"{number} of {len(walk)}" in shown
        answer = confirm(phone, stop)
        assert answer.status_code == 302
        at = phone.client.get(answer["Location"])
    assert f"All {len(walk)} places agree." in text(at.content.decode())
    done = phone.post(part("end"), do="enter")
    assert f"All {len(walk)} places agree." in text(phone.client.get(done["Location"]).content.decode())
    table = sitting.fresh()
    assert (table.head, table.latest) == (sitting.table.head, sitting.table.latest)
    assert state_at(table, table.head) == before
    assert table.notices.get().params == {
        "places": str(len(walk)),
        "corrections": "0",
        "round": str(table.round),
    }


@EVERY_GAME
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))])
def test_entered_differences_become_the_counts(slug: str, players: int, entries: int, seed: int) -> None:
    """Counts deviate at random places; afterwards the app has these counts, and the totals are unchanged."""
    sitting, phone = at_table(slug, players, entries, seed)
    generator = random.Random(seed)
    known = counting(sitting.table)
    before = totals(sitting.table)
    wanted: dict[str, tuple[str, int]] = {}
    for stop in known.walk.stops:
        lines = [line for line in known.lines(stop) if line.spot.place != "supply" and line.count]
        for line in generator.sample(lines, min(len(lines), generator.randrange(3))):
            wanted[line.key] = (stop.slug, line.count - generator.randint(1, line.count))
    assert wanted
    # One of the missing pieces is at another place that may hold it.
    for key, (_slug, _count) in list(wanted.items())[:2]:
        owner, piece, place = key.split(" ")
        others = [
            (stop.slug, spot.place)
            for stop in known.walk.stops
            for spot in stop.spots
            if spot.place != place and (owner, piece) in known.addable(spot)
        ]
        if others:
            slug_, there = generator.choice(others)
            present = known.state.ledger.count(owner, piece, there)
            wanted.setdefault(f"{owner} {piece} {there}", (slug_, present + 1))
    for stop in known.walk.stops:
        counts = {key: count for key, (slug_, count) in wanted.items() if slug_ == stop.slug}
        assert enter_counts(phone, stop.slug, **counts).status_code == 302
    assert sitting.fresh().latest == sitting.table.latest, "nothing is submitted yet"

    answer = phone.post(part("end"), do="enter")

    assert answer.status_code == 302, text(answer.content.decode())
    table = sitting.fresh()
    lines = known.all_lines(wanted)
    after = {key: counted(table, lines[key]) for key in wanted}
    assert after == {key: count for key, (_slug, count) in wanted.items()}
    assert totals(table) == before
    made = Entry.objects.filter(table=table, number__gt=sitting.table.latest)
    assert {entry.action["type"] for entry in made} == {"correct"}
    assert {entry.action["reason"] for entry in made} == {"compared"}
    done = text(unescape(phone.client.get(answer["Location"]).content.decode()))
    assert re.search(rf"{made.count()} corrections? w(as|ere) entered", done)
    assert "Compared with the real table." in done


@EVERY_GAME
def test_walk_covers_every_visible_holding_once_with_titles(slug: str, players: int, entries: int) -> None:
    """Only holdings in the tower, in the supply and aside may be missing from the walk."""
    sitting = played(slug, players, entries=entries)
    known = counting(sitting.table)
    keys = [line.key for stop in known.walk.stops for line in known.lines(stop)]
    assert len(keys) == len(set(keys))
    assert len({stop.slug for stop in known.walk.stops}) == len(known.walk.stops)
    met = {
        (key.split(" ")[0], key.split(" ")[1], place)
        for key, line in known.all_lines().items()
        for place in (line.spot.place, *line.spot.also)
    }
    unmet = {line.place for line in known.state.ledger.holdings() if tuple(line[:3]) not in met}
    assert unmet <= {"tower", "supply", "aside"}
    titles = [stop.title for stop in known.walk.stops] + [
        s.title for stop in known.walk.stops for s in stop.spots
    ]
    assert not [title for title in titles if not title or ":" in title.replace(": ", "")]


# One game in detail


@pytest.fixture
def sitting() -> Sitting:
    """A game of Raubritter with knights on the board."""
    return played("raubritter", 2, entries=40)


@pytest.fixture
def phone(sitting: Sitting) -> Phone:
    return phone_of(sitting, next(iter(sitting.tokens.values())))


def some_knights(sitting: Sitting) -> tuple[str, str, int]:
    """Return a stop, the key of a line of at least two knights there, and their number."""
    known = counting(sitting.fresh())
    for stop in known.walk.stops:
        for line in known.lines(stop):
            if line.piece == "knight" and line.spot.place != "supply" and line.count > 1:
                return stop.slug, line.key, line.count
    raise AssertionError("no knights")


def test_difference_names_its_likely_cause(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 0})
    shown = text(page(phone, part("end")))
    assert f": 0, the app has {count}." in shown
    assert re.search(r"Entry \d+, .*: “Put \d knights? on [A-Z]\d+”. Nobody ticked that line.", shown) or (
        "The newest entry that moved these: Entry" in shown
    )
    assert "Hold: enter 1 correction" in shown
    number = re.search(r"replay/\?at=(\d+)", page(phone, part("end")))
    assert number
    assert f'href="/t/{phone.code}/mend/{number[1]}/"' in page(phone, part("end"))
    # A ticked line is no longer named as not ticked.
    tick_all(table=sitting.fresh(), access=sitting.host, number=int(number[1]))
    assert "Nobody ticked" not in text(page(phone, part("end"))).split("Entry " + number[1])[1][:80]


def test_shifted_piece_is_one_correction(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    owner, piece, place = key.split(" ")
    known = counting(sitting.table)
    here = known.stop(stop)
    assert here
    other = next(spot.place for spot in here.spots if spot.place != place)
    present = known.state.ledger.count(owner, piece, other)
    enter_counts(phone, stop, **{key: count - 1, f"{owner} {piece} {other}": present + 1})
    assert "1 probably lies at" in text(page(phone, part("end")))
    phone.post(part("end"), do="enter")
    entry = Entry.objects.get(table=sitting.fresh(), number=sitting.table.latest + 1)
    assert (entry.action["place"], entry.action["against"]) == (other, place)
    assert sitting.fresh().latest == sitting.table.latest + 1


def test_counts_survive_reloads_and_visits_to_other_stops(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    answer = phone.post(part(stop), htmx=True, do="weigh", **{f"n.{key}": "0", f"was.{key}": str(count)})
    assert "Likely cause" in answer.content.decode()
    confirm(phone, stops(phone)[-1])
    assert form(page(phone, part(stop)))[f"n.{key}"] == "0"
    assert form(page(phone, part(stop)))[f"was.{key}"] == str(count)
    assert text(page(phone)).startswith(text(page(phone, part(stops(phone)[0])))[:40]), (
        "the first unseen stop"
    )
    other = phone_of(sitting, list(sitting.tokens.values())[1])
    assert form(page(other, part(stop)))[f"n.{key}"] == str(count), "each phone has its own counts"


def test_fixing_the_real_table_drops_the_difference(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 0})
    answer = phone.post(part(stop), do="right", **form(page(phone, part(stop))))
    assert answer.status_code == 302
    assert form(page(phone, part(stop)))[f"n.{key}"] == str(count)
    assert "1 place agrees." in text(page(phone, part("end")))


def test_stop_form_conflicts_with_an_entry_made_meanwhile(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    owner, piece, place = key.split(" ")
    shown = form(page(phone, part(stop)))
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    # Confirming outdated counts is a conflict.
    answer = phone.post(part(stop), do="next", **shown)
    assert answer.status_code == 409
    assert "These counts are new; please look again." in answer.content.decode()
    assert form(unescape(answer.content.decode()))[f"n.{key}"] == str(count - 1)
    # The typed count is kept next to the new one.
    answer = phone.post(part(stop), do="next", **{**shown, f"n.{key}": str(count + 2)})
    assert answer.status_code == 409
    assert form(unescape(answer.content.decode()))[f"n.{key}"] == str(count + 2)
    assert sitting.fresh().latest == 41, "only the entry made meanwhile"


def test_outdated_count_must_be_entered_again(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    owner, piece, place = key.split(" ")
    enter_counts(phone, stop, **{key: 0})
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    assert "Please count these again" in text(page(phone, part("end")))
    assert f"It had {count} when you counted" in text(page(phone, part(stop)))
    assert phone.post(part("end"), do="enter").status_code == 409
    assert enter_counts(phone, stop, **{key: 0}).status_code == 302
    assert "Please count these again" not in text(page(phone, part("end")))
    assert phone.post(part("end"), do="enter").status_code == 302
    assert state_at(sitting.fresh(), sitting.fresh().head).ledger.count(owner, piece, place) == 0


def test_difference_corrected_meanwhile_agrees(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    owner, piece, place = key.split(" ")
    enter_counts(phone, stop, **{key: count - 1})
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    assert "1 place agrees." in text(page(phone, part("end")))


def test_supply_difference_needs_a_matching_place(phone: Phone, sitting: Sitting) -> None:
    faction = next(iter(sitting.tokens))
    supply = f"{faction} knight supply"
    before = state_at(sitting.table, sitting.table.head).ledger.count(faction, "knight", "supply")
    enter_counts(phone, f"of-{faction}", **{supply: before + 1})
    assert "This cannot be right" in text(page(phone, part("end")))
    phone.post(part("end"), do="enter")
    assert sitting.fresh().latest == sitting.table.latest
    # Together with a place that lacks the piece, it becomes a correction of that place.
    stop, key, count = some_knights(sitting)
    owner = key.split(" ")[0]
    left = state_at(sitting.table, sitting.table.head).ledger.count(owner, "knight", "supply")
    enter_counts(phone, stop, **{key: count - 1})
    enter_counts(phone, f"of-{owner}", **{f"{owner} knight supply": left + 1})
    assert "This cannot be right" not in text(page(phone, part("end")))
    phone.post(part("end"), do="enter")
    after = state_at(sitting.fresh(), sitting.fresh().head).ledger
    assert after.count(owner, "knight", "supply") == left + 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"do": "next", "n.red knight moon": "1"}, "There is no such piece."),
        ({"do": "next", "n.blue knight cell:0,0": "x"}, "whole numbers from 0 to 999"),
        ({"do": "next", "n.blue knight cell:0,0": "-1"}, "whole numbers from 0 to 999"),
        ({"do": "next", "n.blue knight cell:0,0": "1000"}, "whole numbers from 0 to 999"),
        ({"do": "next", "n.blue knight cell:0,0": "٣"}, "whole numbers from 0 to 999"),
        ({"do": "add", "where": "cell:0,0", "what": "blue dragon"}, "Choose a place and a piece."),
        ({"do": "add"}, "Choose a place and a piece."),
        ({"do": "fly"}, "There is no such button."),
        ({}, "There is no such button."),
    ],
)
def test_invalid_form_is_rejected_with_a_message(
    phone: Phone, sitting: Sitting, fields: dict[str, str], sentence: str
) -> None:
    stop = stops(phone)[0]
    answer = phone.post(part(stop), **fields)
    assert answer.status_code == 400
    assert sentence in unescape(answer.content.decode())
    assert sitting.fresh().latest == sitting.table.latest


def test_unknown_stop_is_rejected(phone: Phone) -> None:
    assert "There is no such stop" in phone.post(part("moon"), do="next").content.decode()
    assert f"1 of {len(stops(phone))}" in text(page(phone, part("moon")))


def test_more_pieces_than_the_supply_has_are_rejected(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 500})
    answer = phone.post(part("end"), do="enter")
    assert answer.status_code == 400
    assert "would have to come from there" in answer.content.decode()
    assert sitting.fresh().latest == sitting.table.latest


def test_corrections_are_submitted_all_or_none(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = some_knights(sitting)
    owner = key.split(" ")[0]
    known = counting(sitting.table)
    fewer = next(
        line
        for line in known.all_lines().values()
        if line.owner != owner and line.piece == "knight" and line.spot.place != "supply" and line.count
    )
    where = next(s.slug for s in known.walk.stops if fewer.key in {line.key for line in known.lines(s)})
    enter_counts(phone, where, **{fewer.key: 0})
    enter_counts(phone, stop, **{key: 500})
    assert phone.post(part("end"), do="enter").status_code == 400
    assert sitting.fresh().latest == sitting.table.latest


def test_submitting_twice_counts_once(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 0})
    phone.post(part("end"), do="enter", key="once")
    again = phone.post(part("end"), do="enter", key="once")
    assert again.status_code == 409
    assert sitting.fresh().latest == sitting.table.latest + 1
    assert sitting.fresh().notices.filter(code="compared").count() == 1


def test_corrections_can_be_undone(phone: Phone, sitting: Sitting) -> None:
    before = state_at(sitting.table, sitting.table.head)
    stop, key, _count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 0})
    phone.post(part("end"), do="enter")
    undo(table=sitting.fresh(), access=sitting.host)
    assert state_at(sitting.fresh(), sitting.fresh().head) == before


def test_starting_again_discards_the_counts(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = some_knights(sitting)
    enter_counts(phone, stop, **{key: 0})
    phone.post(part("end"), do="again")
    assert form(page(phone, part(stop)))[f"n.{key}"] == str(count)
    assert "places were not looked at" in text(page(phone, part("end")))


def test_htmx_gets_only_the_main_element(phone: Phone) -> None:
    stop, following = stops(phone)[:2]
    answer = phone.post(part(stop), htmx=True, do="next", **form(page(phone, part(stop))))
    assert answer.content.decode().lstrip().startswith("<main")
    assert answer["HX-Push-Url"] == f"/t/{phone.code}/{part(following)}"
    assert phone.get(part(stop), **HTMX).status_code == 200


# Access


def test_spectators_are_rejected_with_a_message(sitting: Sitting) -> None:
    charlie = Phone()
    charlie.code = sitting.table.code
    answer = charlie.get("compare/")
    assert answer.status_code == 401
    assert "Comparing is for those who sit at this table" in answer.content.decode()
    assert charlie.post("compare/?stop=end", do="enter").status_code == 401
    assert "compare/" not in charlie.get("?tab=board").content.decode()
    charlie.code = "CCCCCC"
    assert charlie.get("compare/").status_code == 404


def test_host_without_a_seat_may_compare(sitting: Sitting) -> None:
    host = phone_of(sitting)
    stop, key, _count = some_knights(sitting)
    enter_counts(host, stop, **{key: 0})
    assert host.post(part("end"), do="enter").status_code == 302


def test_comparing_is_rejected_before_and_after_the_game(ada: Phone, bela: Phone) -> None:
    assert "The game has not begun yet." in ada.get("compare/").content.decode()
    ada.post("host/", do="start")
    ada.post("host/", do="finish")
    assert "This game was ended." in ada.get("compare/").content.decode()
    assert "compare/" not in ada.get("?tab=board").content.decode()


def test_score_pad_has_no_walk() -> None:
    sitting = played("raubritter", 2, entries=1, mode="pad")
    phone = phone_of(sitting)
    assert "A score pad does not know what lies on the board." in phone.get("compare/").content.decode()
    assert "compare/" not in phone.get("?tab=board").content.decode()


def test_reminder_is_shown_once_a_round(phone: Phone, sitting: Sitting) -> None:
    board = text(page(phone, "?tab=board"))
    assert "Compare with the real table" in board
    assert " has begun. Compare with the real table" in board
    assert f'href="/t/{phone.code}/compare/"' in page(phone, "?tab=help")
    confirm(phone, stops(phone)[0])
    phone.post(part("end"), do="enter")
    board = text(page(phone, "?tab=board"))
    assert "Compare with the real table" in board
    assert "has begun." not in board
    assert "Compared with the real table: places 1, corrections 0." in text(page(phone, "?tab=journal"))


def test_no_reminder_after_the_game() -> None:
    sitting = played("raubritter", 2)
    assert sitting.fresh().status == "finished"
    board = text(page(phone_of(sitting, sitting.tokens["blue"]), "?tab=board"))
    assert "Compare with the real table" in board
    assert "has begun." not in board


# Secrets


def test_hidden_plan_does_not_change_the_walk() -> None:
    """Two games that differ in one hidden plan look the same to everybody else."""
    shown = []
    for other in (False, True):
        sitting = planning(3)
        if other:
            enter(sitting, "blue", other_plan(sitting, "blue"))
        else:
            plan(sitting, "blue")
        phone = phone_of(sitting, sitting.tokens["red"])
        known = counting(sitting.fresh())
        line = next(line for line in known.all_lines().values() if line.piece == "army" and line.count)
        where = next(s.slug for s in known.walk.stops if line.key in {other.key for other in known.lines(s)})
        enter_counts(phone, where, **{line.key: line.count + 1})
        pages = [page(phone, part(stop)) for stop in (*stops(phone), "end")]
        shown.append(
            [re.sub(rf'{phone.code}|value="[0-9a-f]{{32}}"|csrf\w+" value="\w+"', "", p) for p in pages]
        )
    assert shown[0] == shown[1]


def test_tower_is_not_on_the_walk() -> None:
    sitting, phone = at_table("wallenstein", 3, 80)
    known = counting(sitting.table)
    faction = sitting.table.order[0]
    assert "tower" not in {spot.place for stop in known.walk.stops for spot in stop.spots}
    ledger = known.state.ledger
    left, hidden = (ledger.count(faction, "army", place) for place in ("supply", "tower"))
    enter_counts(phone, f"of-{faction}", **{f"{faction} army supply": left - 1})
    assert "Nobody sees into the tower." in text(page(phone, part(f"of-{faction}")))
    phone.post(part("end"), do="enter")
    after = state_at(sitting.fresh(), sitting.fresh().head).ledger
    assert (after.count(faction, "army", "supply"), after.count(faction, "army", "tower")) == (
        left - 1,
        hidden + 1,
    )


def test_unrest_is_offered_once_with_the_peasants_as_owner() -> None:
    """The marker can be added although none is on the board."""
    sitting, phone = at_table("wallenstein", 3, 3)
    state = state_at(sitting.table, sitting.table.head)
    assert not [h for h in state.ledger.holdings() if h.piece == "unrest"]
    shown = page(phone, part("sachsen-1"))
    offered = re.findall(r'<option value="(\w+) unrest">', shown)
    assert offered == ["peasants"]


def test_unseen_tiles_are_counted_by_their_back() -> None:
    sitting, phone = at_table("raubritter", 3, 45)
    faction = sitting.table.order[0]
    shown = form(page(phone, part(f"of-{faction}")))
    assert {name for name in shown if name.startswith("n.")} == {
        f"n.{faction} knight supply",
        f"n.{faction} tile supply",
    }
