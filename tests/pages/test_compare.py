"""Comparing with the real table: the walk, what differs, and what becomes of it; without JavaScript."""

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

# A game, people, and entries after which it is compared.
MIDDLES = (("raubritter", 3, 45), ("revolution", 5, 130), ("signoria", 3, 55), ("wallenstein", 3, 80))
EVERY_GAME = pytest.mark.parametrize(("slug", "players", "entries"), MIDDLES)


def phone_of(sitting: Sitting, *tokens: str) -> Phone:
    one = Phone()
    one.code = sitting.table.code
    one.client.cookies[SEATS_COOKIE] = ".".join(tokens or [sitting.host_token])
    return one


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
    """The counts of a stop as the page shows them."""
    tags = re.findall(r'<input[^>]*name="((?:n|was)\.[^"]*)"[^>]*value="([^"]*)"', page)
    return {unescape(name): value for name, value in tags}


def page(phone: Phone, at: str = "compare/") -> str:
    answer = phone.get(at)
    assert answer.status_code == 200, answer.content
    return unescape(answer.content.decode())


def text(content: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", content).split())


def same(phone: Phone, stop: str) -> Any:
    return phone.post(part(stop), do="next", **form(page(phone, part(stop))))


def say(phone: Phone, stop: str, **counts: int) -> Any:
    """A stop's form with other counts; what is not on it yet is added first."""
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
    found: Counter[tuple[str, str]] = Counter()
    for line in state_at(table, table.head).ledger.holdings():
        if line.piece not in game.uncounted:
            found[line.owner, game.places.backs.get(line.piece, line.piece)] += line.count
    return found


def counted(table: Table, line: Line) -> int:
    ledger = state_at(table, table.head).ledger
    places = (line.spot.place, *line.spot.also)
    return sum(ledger.count(line.owner, line.piece, place) for place in places)


# All four games


@EVERY_GAME
def test_who_says_same_everywhere_changes_nothing(slug: str, players: int, entries: int) -> None:
    sitting, phone = at_table(slug, players, entries)
    before = state_at(sitting.table, sitting.table.head)
    walk = stops(phone)
    at = phone.get("compare/")
    for number, stop in enumerate(walk, 1):
        shown = text(unescape(at.content.decode()))
        assert f"{number} of {len(walk)}" in shown
        answer = same(phone, stop)
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
def test_what_differs_is_counted_so_afterwards(slug: str, players: int, entries: int, seed: int) -> None:
    """Random places have more or fewer; afterwards the app counts just that, and no piece is new or lost."""
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
    # One of what was taken away lies somewhere else: at a place that may hold it.
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
            lies = known.state.ledger.count(owner, piece, there)
            wanted.setdefault(f"{owner} {piece} {there}", (slug_, lies + 1))
    for stop in known.walk.stops:
        counts = {key: count for key, (slug_, count) in wanted.items() if slug_ == stop.slug}
        assert say(phone, stop.slug, **counts).status_code == 302
    assert sitting.fresh().latest == sitting.table.latest, "nothing counts yet"

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
def test_every_place_has_its_name(slug: str, players: int, entries: int) -> None:
    """What lies somewhere is met on the walk, but for what nobody sees or counts; each line once."""
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
    """Robber Knights: somebody's knights stand somewhere."""
    return played("raubritter", 2, entries=40)


@pytest.fixture
def phone(sitting: Sitting) -> Phone:
    return phone_of(sitting, next(iter(sitting.tokens.values())))


def standing(sitting: Sitting) -> tuple[str, str, int]:
    """A stop, the line of some knights there, and how many."""
    known = counting(sitting.fresh())
    for stop in known.walk.stops:
        for line in known.lines(stop):
            if line.piece == "knight" and line.spot.place != "supply" and line.count > 1:
                return stop.slug, line.key, line.count
    raise AssertionError("no knights")


def test_a_difference_names_its_cause(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    say(phone, stop, **{key: 0})
    shown = text(page(phone, part("end")))
    assert f": 0, the app has {count}." in shown
    assert re.search(r"Entry \d+, .*: “Put \d knights? on [A-Z]\d+”. Nobody ticked that line.", shown) or (
        "The newest entry that moved these: Entry" in shown
    )
    assert "Hold: enter 1 correction" in shown
    number = re.search(r"replay/\?at=(\d+)", page(phone, part("end")))
    assert number
    assert f'href="/t/{phone.code}/mend/{number[1]}/"' in page(phone, part("end"))
    # Once it was ticked it is less likely that nobody did it.
    tick_all(table=sitting.fresh(), access=sitting.host, number=int(number[1]))
    assert "Nobody ticked" not in text(page(phone, part("end"))).split("Entry " + number[1])[1][:80]


def test_a_knight_at_the_next_place_is_one_correction(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    owner, piece, place = key.split(" ")
    known = counting(sitting.table)
    here = known.stop(stop)
    assert here
    other = next(spot.place for spot in here.spots if spot.place != place)
    lies = known.state.ledger.count(owner, piece, other)
    say(phone, stop, **{key: count - 1, f"{owner} {piece} {other}": lies + 1})
    assert "1 probably lies at" in text(page(phone, part("end")))
    phone.post(part("end"), do="enter")
    entry = Entry.objects.get(table=sitting.fresh(), number=sitting.table.latest + 1)
    assert (entry.action["place"], entry.action["against"]) == (other, place)
    assert sitting.fresh().latest == sitting.table.latest + 1


def test_what_was_said_survives_a_reload_and_a_look_at_other_stops(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    answer = phone.post(part(stop), htmx=True, do="weigh", **{f"n.{key}": "0", f"was.{key}": str(count)})
    assert "Likely cause" in answer.content.decode()
    same(phone, stops(phone)[-1])
    assert form(page(phone, part(stop)))[f"n.{key}"] == "0"
    assert form(page(phone, part(stop)))[f"was.{key}"] == str(count)
    assert text(page(phone)).startswith(text(page(phone, part(stops(phone)[0])))[:40]), (
        "the first unseen stop"
    )
    other = phone_of(sitting, list(sitting.tokens.values())[1])
    assert form(page(other, part(stop)))[f"n.{key}"] == str(count), "each phone has its own"


def test_put_right_on_the_table(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    say(phone, stop, **{key: 0})
    answer = phone.post(part(stop), do="right", **form(page(phone, part(stop))))
    assert answer.status_code == 302
    assert form(page(phone, part(stop)))[f"n.{key}"] == str(count)
    assert "1 place agrees." in text(page(phone, part("end")))


def test_somebody_enters_something_meanwhile(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    owner, piece, place = key.split(" ")
    shown = form(page(phone, part(stop)))
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    # Same is not the same any more.
    answer = phone.post(part(stop), do="next", **shown)
    assert answer.status_code == 409
    assert "These counts are new; please look again." in answer.content.decode()
    assert form(unescape(answer.content.decode()))[f"n.{key}"] == str(count - 1)
    # What was typed is kept, beside the new count.
    answer = phone.post(part(stop), do="next", **{**shown, f"n.{key}": str(count + 2)})
    assert answer.status_code == 409
    assert form(unescape(answer.content.decode()))[f"n.{key}"] == str(count + 2)
    assert sitting.fresh().latest == 41, "what was entered meanwhile alone"


def test_what_was_said_before_somebody_entered_something_is_counted_again(
    phone: Phone, sitting: Sitting
) -> None:
    stop, key, count = standing(sitting)
    owner, piece, place = key.split(" ")
    say(phone, stop, **{key: 0})
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    assert "Please count these again" in text(page(phone, part("end")))
    assert f"It had {count} when you counted" in text(page(phone, part(stop)))
    assert phone.post(part("end"), do="enter").status_code == 409
    assert say(phone, stop, **{key: 0}).status_code == 302
    assert "Please count these again" not in text(page(phone, part("end")))
    assert phone.post(part("end"), do="enter").status_code == 302
    assert state_at(sitting.fresh(), sitting.fresh().head).ledger.count(owner, piece, place) == 0


def test_what_somebody_has_corrected_meanwhile_agrees(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    owner, piece, place = key.split(" ")
    say(phone, stop, **{key: count - 1})
    correct = {"type": "correct", "owner": owner, "piece": piece, "place": place, "reason": "seen"}
    enter(sitting, owner, {**correct, "count": count - 1})
    assert "1 place agrees." in text(page(phone, part("end")))


def test_a_count_of_the_supply_that_nothing_explains(phone: Phone, sitting: Sitting) -> None:
    faction = next(iter(sitting.tokens))
    supply = f"{faction} knight supply"
    before = state_at(sitting.table, sitting.table.head).ledger.count(faction, "knight", "supply")
    say(phone, f"of-{faction}", **{supply: before + 1})
    assert "This cannot be right" in text(page(phone, part("end")))
    phone.post(part("end"), do="enter")
    assert sitting.fresh().latest == sitting.table.latest
    # With the place it is missing from, it is that one's correction.
    stop, key, count = standing(sitting)
    owner = key.split(" ")[0]
    left = state_at(sitting.table, sitting.table.head).ledger.count(owner, "knight", "supply")
    say(phone, stop, **{key: count - 1})
    say(phone, f"of-{owner}", **{f"{owner} knight supply": left + 1})
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
def test_what_makes_no_sense_is_refused_in_a_sentence(
    phone: Phone, sitting: Sitting, fields: dict[str, str], sentence: str
) -> None:
    stop = stops(phone)[0]
    answer = phone.post(part(stop), **fields)
    assert answer.status_code == 400
    assert sentence in unescape(answer.content.decode())
    assert sitting.fresh().latest == sitting.table.latest


def test_a_stop_that_is_none(phone: Phone) -> None:
    assert "There is no such stop" in phone.post(part("moon"), do="next").content.decode()
    assert f"1 of {len(stops(phone))}" in text(page(phone, part("moon")))


def test_more_pieces_than_there_are_in_the_supply(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = standing(sitting)
    say(phone, stop, **{key: 500})
    answer = phone.post(part("end"), do="enter")
    assert answer.status_code == 400
    assert "would have to come from there" in answer.content.decode()
    assert sitting.fresh().latest == sitting.table.latest


def test_all_corrections_are_entered_or_none(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = standing(sitting)
    owner = key.split(" ")[0]
    known = counting(sitting.table)
    fewer = next(
        line
        for line in known.all_lines().values()
        if line.owner != owner and line.piece == "knight" and line.spot.place != "supply" and line.count
    )
    where = next(one.slug for one in known.walk.stops if fewer.key in {line.key for line in known.lines(one)})
    say(phone, where, **{fewer.key: 0})
    say(phone, stop, **{key: 500})
    assert phone.post(part("end"), do="enter").status_code == 400
    assert sitting.fresh().latest == sitting.table.latest


def test_sent_twice_it_counts_once(phone: Phone, sitting: Sitting) -> None:
    stop, key, _count = standing(sitting)
    say(phone, stop, **{key: 0})
    phone.post(part("end"), do="enter", key="once")
    again = phone.post(part("end"), do="enter", key="once")
    assert again.status_code == 409
    assert sitting.fresh().latest == sitting.table.latest + 1
    assert sitting.fresh().notices.filter(code="compared").count() == 1


def test_corrections_can_be_undone(phone: Phone, sitting: Sitting) -> None:
    before = state_at(sitting.table, sitting.table.head)
    stop, key, _count = standing(sitting)
    say(phone, stop, **{key: 0})
    phone.post(part("end"), do="enter")
    undo(table=sitting.fresh(), access=sitting.host)
    assert state_at(sitting.fresh(), sitting.fresh().head) == before


def test_begin_again(phone: Phone, sitting: Sitting) -> None:
    stop, key, count = standing(sitting)
    say(phone, stop, **{key: 0})
    phone.post(part("end"), do="again")
    assert form(page(phone, part(stop)))[f"n.{key}"] == str(count)
    assert "places were not looked at" in text(page(phone, part("end")))


def test_with_scripts_only_the_page_itself_is_sent(phone: Phone) -> None:
    stop, following = stops(phone)[:2]
    answer = phone.post(part(stop), htmx=True, do="next", **form(page(phone, part(stop))))
    assert answer.content.decode().lstrip().startswith("<main")
    assert answer["HX-Push-Url"] == f"/t/{phone.code}/{part(following)}"
    assert phone.get(part(stop), **HTMX).status_code == 200


# For whom, and when


def test_spectators_read_a_sentence(sitting: Sitting) -> None:
    charlie = Phone()
    charlie.code = sitting.table.code
    answer = charlie.get("compare/")
    assert answer.status_code == 401
    assert "Comparing is for those who sit at this table" in answer.content.decode()
    assert charlie.post("compare/?stop=end", do="enter").status_code == 401
    assert "compare/" not in charlie.get("?tab=board").content.decode()
    charlie.code = "CCCCCC"
    assert charlie.get("compare/").status_code == 404


def test_the_host_without_a_seat_compares_too(sitting: Sitting) -> None:
    host = phone_of(sitting)
    stop, key, _count = standing(sitting)
    say(host, stop, **{key: 0})
    assert host.post(part("end"), do="enter").status_code == 302


def test_not_before_the_game_and_not_after_it(ada: Phone, bela: Phone) -> None:
    assert "The game has not begun yet." in ada.get("compare/").content.decode()
    ada.post("host/", do="start")
    ada.post("host/", do="finish")
    assert "This game was ended." in ada.get("compare/").content.decode()
    assert "compare/" not in ada.get("?tab=board").content.decode()


def test_a_score_pad_has_no_walk() -> None:
    sitting = played("raubritter", 2, entries=1, mode="pad")
    one = phone_of(sitting)
    assert "A score pad does not know what lies on the board." in one.get("compare/").content.decode()
    assert "compare/" not in one.get("?tab=board").content.decode()


def test_it_is_offered_once_a_round(phone: Phone, sitting: Sitting) -> None:
    board = text(page(phone, "?tab=board"))
    assert "Compare with the real table" in board
    assert " has begun. Compare with the real table" in board
    assert f'href="/t/{phone.code}/compare/"' in page(phone, "?tab=help")
    same(phone, stops(phone)[0])
    phone.post(part("end"), do="enter")
    board = text(page(phone, "?tab=board"))
    assert "Compare with the real table" in board
    assert "has begun." not in board
    assert "Compared with the real table: places 1, corrections 0." in text(page(phone, "?tab=journal"))


def test_it_is_not_urged_when_the_game_is_over() -> None:
    sitting = played("raubritter", 2)
    assert sitting.fresh().status == "finished"
    board = text(page(phone_of(sitting, sitting.tokens["blue"]), "?tab=board"))
    assert "Compare with the real table" in board
    assert "has begun." not in board


# Secrets


def test_a_hidden_plan_shows_nowhere_on_the_walk() -> None:
    """Two games that differ in one hidden plan look the same to everybody else."""
    shown = []
    for other in (False, True):
        sitting = planning(3)
        if other:
            enter(sitting, "blue", other_plan(sitting, "blue"))
        else:
            plan(sitting, "blue")
        one = phone_of(sitting, sitting.tokens["red"])
        known = counting(sitting.fresh())
        line = next(line for line in known.all_lines().values() if line.piece == "army" and line.count)
        where = next(s.slug for s in known.walk.stops if line.key in {one.key for one in known.lines(s)})
        say(one, where, **{line.key: line.count + 1})
        pages = [page(one, part(stop)) for stop in (*stops(one), "end")]
        shown.append(
            [re.sub(rf'{one.code}|value="[0-9a-f]{{32}}"|csrf\w+" value="\w+"', "", p) for p in pages]
        )
    assert shown[0] == shown[1]


def test_nobody_is_asked_about_the_tower() -> None:
    sitting, phone = at_table("wallenstein", 3, 80)
    known = counting(sitting.table)
    faction = sitting.table.order[0]
    assert "tower" not in {spot.place for stop in known.walk.stops for spot in stop.spots}
    ledger = known.state.ledger
    left, hidden = (ledger.count(faction, "army", place) for place in ("supply", "tower"))
    say(phone, f"of-{faction}", **{f"{faction} army supply": left - 1})
    assert "Nobody sees into the tower." in text(page(phone, part(f"of-{faction}")))
    phone.post(part("end"), do="enter")
    after = state_at(sitting.fresh(), sitting.fresh().head).ledger
    assert (after.count(faction, "army", "supply"), after.count(faction, "army", "tower")) == (
        left - 1,
        hidden + 1,
    )


def test_unrest_is_nobodys() -> None:
    """Before any marker lies on the board it can be added, once, as what the rules look for."""
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
