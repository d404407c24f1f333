"""Parts of pages are drawn once for several phones; each gets what it would get if it were the only one."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from companion import live
from companion.drawing import CSRF, for_phone, signed
from companion.errors import Refusal
from companion.kept import Kept
from companion.statistics import timers
from companion.tables import holders, recent
from companion.tables.changes import change, on_newest
from companion.tables.holders import identify
from companion.tables.play import tick, undo
from companion.tables.seats import free_seat
from companion.templatetags import seneschal
from companion.views import now, table
from companion.views.phone import SEATS_COOKIE
from games.registry import GAMES
from tests.conformance.walks import PLAYED
from tests.hostile import sitting_at
from tests.tables.sitting import Sitting, correction, enter, play_on

# Real commits: within a transaction nothing is kept.
pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ("", "?tab=board", "?tab=score", "display/")
# What differs from one answer to the next.
OWN = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|name="key" value="[^"]*"|data-now="[^"]*"|data-timer="[^"]*"'
)
SIGNS = re.compile("[\ue000-\ue00f]")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Nothing is kept from before; and the language of the last phone does not stay."""
    forget()
    with translation.override("en"):
        yield


def forget() -> None:
    for kept in (
        now._kept,
        now._large,
        now._small,
        recent._recent,
        recent._told,
        holders._seats,
        timers._kept,
        seneschal._pieces,
    ):
        kept.clear()


def phones_of(sitting: Sitting) -> dict[str, Client]:
    """One for each seat, the host's, and one that only watches."""
    phones = {}
    for who, token in [*sitting.tokens.items(), ("host", sitting.host_token), ("spectator", "")]:
        for language in ("en", "it") if who in ("host", "spectator") else ("en",):
            phones[f"{who} {language}"] = client = Client(headers={"accept-language": language})
            client.cookies[SEATS_COOKIE] = token
            client.cookies["timers"] = "show" if who == "host" else "hide"
    return phones


def seen(phone: Client, sitting: Sitting, page: str, *, change: bool = False) -> str:
    """A page; or of what changed on it, as a phone fetches it that has the page already."""
    headers = {"hx-request": "true"} if change else {}
    answer = phone.get(f"/t/{sitting.table.code}/{page}", headers=headers)
    assert answer.status_code == 200
    found = answer.content.decode()
    assert not SIGNS.search(found)
    return OWN.sub("", found)


@pytest.mark.parametrize(
    "slug", [slug if slug in GAMES else pytest.param(slug, marks=pytest.mark.long) for slug in sorted(PLAYED)]
)
def test_everybody_sees_what_they_would_see_alone(slug: str) -> None:
    """Also where pieces of the board were drawn before, and some of them have changed since."""
    sitting = sitting_at(slug, entries=9)
    earlier: dict[Any, Any] = {}
    for _moment in range(2):
        phones = phones_of(sitting)
        alone = {}
        for who, phone in phones.items():
            for page in PAGES:
                forget()
                alone[who, page] = seen(phone, sitting, page)
        forget()
        for key, piece in earlier.items():
            seneschal._pieces.put(key, piece)
        for _time in range(2):
            together = {(who, page): seen(phones[who], sitting, page) for who, page in alone}
            assert together == alone
        earlier = dict(seneschal._pieces._things)
        if not slug.endswith("pad"):
            play_on(sitting, 3, seed=5)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_what_a_phone_fetches_after_a_change_is_what_its_page_holds(slug: str) -> None:
    """Those that are asked for nothing share nearly all of it."""
    sitting = sitting_at(slug, entries=7)
    for _moment in range(4):
        phones = phones_of(sitting)
        changes = {who: seen(phone, sitting, "", change=True).strip() for who, phone in phones.items()}
        for who, phone in phones.items():
            assert changes[who].startswith("<main")
            assert changes[who].endswith("</main>")
            assert changes[who] in seen(phone, sitting, "")
            assert seen(phone, sitting, "?tab=now", change=True).strip() in seen(phone, sitting, "?tab=now")
        assert len(set(changes.values())) > 2
        play_on(sitting, 1, seed=3)


@pytest.mark.parametrize(("slug", "entries"), [("signoria", 9), ("wallenstein", 45)])
def test_what_others_will_ask_for_is_drawn_ahead(
    slug: str, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While they hear of a change; then each page has only what is its own left to draw, as a plan of this season."""
    sitting = sitting_at(slug, entries)
    drawn: list[str] = []
    rendered = now.Sight._rendered

    def noted(self: now.Sight, template: str, /, **more: Any) -> Any:
        drawn.append(template)
        return rendered(self, template, **more)

    monkeypatch.setattr(now.Sight, "_rendered", noted)
    monkeypatch.setattr(live.hub, "is_heard_by_several", lambda _table: True)
    monkeypatch.setattr(table, "let_others_first", lambda ahead: [*ahead] and drawn.append("made"))
    phones_of(sitting)["host en"].post(f"/t/{sitting.table.code}/undo/", headers={"hx-request": "true"})
    assert f"{slug}/board.html" in drawn[: drawn.index("made")]
    assert "table/table.html" in drawn[: drawn.index("made")]
    drawn.clear()
    waiting_for = sitting.fresh().waiting_for
    watching = [token for faction, token in sitting.tokens.items() if faction not in waiting_for]
    assert len(watching) > 1
    for token in watching:
        phone = Client(headers={"accept-language": "en"})
        phone.cookies.load({SEATS_COOKIE: token, "timers": "show"})
        seen(phone, sitting, "", change=True)
    hidden = f"{slug}/secret.html"
    assert {*drawn} <= {"table/since.html", "table/task.html", "parts/timers.html", hidden}
    assert (hidden in drawn) == bool(GAMES[slug].secrets)


def test_a_plan_is_drawn_for_its_own_phone_alone() -> None:
    """The board of whoever has planned shows the plan; it is never what others are given."""
    sitting = sitting_at("wallenstein", entries=0)
    phones = phones_of(sitting)
    for _entry in range(60):
        play_on(sitting, 1)
        planned = {who for who, phone in phones.items() if "Your plan" in seen(phone, sitting, "?tab=board")}
        if planned:
            break
    planner = sitting.fresh().entries.latest("number").faction
    assert planned == {f"{planner} en"}


def test_a_version_is_read_once_for_all_phones() -> None:
    sitting = sitting_at("raubritter", entries=6)
    phones = phones_of(sitting)
    costs = []
    for who in sitting.tokens:
        with CaptureQueriesContext(connection) as queries:
            seen(phones[f"{who} en"], sitting, "?tab=board")
        costs.append(len(queries))
    assert costs[0] > 1
    assert set(costs[1:]) == {1}  # the table itself, which says its version


def test_a_seat_that_was_freed_is_gone_at_once() -> None:
    sitting = sitting_at("raubritter", entries=2)
    faction = next(iter(sitting.tokens))
    phone = phones_of(sitting)[f"{faction} en"]
    assert "Undo" in seen(phone, sitting, "")
    free_seat(table=sitting.table, holder=sitting.host, seat=sitting.seat(faction))
    assert "You are watching." in seen(phone, sitting, "")


def test_what_was_rolled_back_is_not_kept_for_the_next_version() -> None:
    sitting = sitting_at("raubritter", entries=2)
    table, faction = sitting.table, next(iter(sitting.tokens))

    def fail() -> None:
        change(table)
        raise Refusal("gone", "no")

    with pytest.raises(Refusal):
        on_newest(table, fail)
    assert holders.seats_of(table)
    assert table.version == sitting.fresh().version
    free_seat(table=table, holder=sitting.host, seat=sitting.seat(faction))
    assert not identify(sitting.fresh(), [sitting.tokens[faction]]).is_seated


def test_a_tick_is_seen_by_everybody() -> None:
    sitting = sitting_at("raubritter", entries=1)
    phones = phones_of(sitting)
    before = {who: seen(phone, sitting, "") for who, phone in phones.items()}
    tick(table=sitting.table, holder=sitting.host, number=1, line=0, done=True)
    for who, phone in phones.items():
        after = seen(phone, sitting, "")
        assert after.count('aria-pressed="true"') == before[who].count('aria-pressed="true"') + 1


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_what_shows_the_state_alone_outlasts_a_tick(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sitting_at(slug, entries=9)
    phone = phones_of(sitting)["spectator en"]
    drawn: list[str] = []
    draw = now.Sight._draw

    def told(sight: now.Sight, part: str, tab: str) -> str:
        drawn.append(part)
        return draw(sight, part, tab)

    monkeypatch.setattr(now.Sight, "_draw", told)
    seen(phone, sitting, "?tab=board")
    assert "board" in drawn
    drawn.clear()
    on_newest(sitting.table, lambda: change(sitting.table))
    seen(phone, sitting, "?tab=board")
    assert drawn == ["acts"]


def test_a_piece_of_the_board_is_drawn_where_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sitting_at("wallenstein", entries=60)
    phone = phones_of(sitting)["spectator en"]
    seen(phone, sitting, "?tab=board")
    before = set(seneschal._pieces._things)
    play_on(sitting, 1)
    seen(phone, sitting, "?tab=board")
    assert len(set(seneschal._pieces._things) - before) < len(before) / 4


# Signs


def test_a_phone_gets_what_it_marks() -> None:
    drawn = f"<g class='a{signed(['x', 'y'], ' changed')}'>{signed(['mine:red'], 'open')}</g>"
    assert for_phone(drawn, []) == "<g class='a'></g>"
    assert for_phone(drawn, ["y"]) == "<g class='a changed'></g>"
    assert for_phone(drawn, {"x", "mine:red"}) == "<g class='a changed'>open</g>"


def test_the_token_is_only_made_where_a_form_asks_for_it() -> None:
    class Token:
        made = 0

        def __str__(self) -> str:
            self.made += 1
            return "secret"

    token = Token()
    assert for_phone("<p>", [], token) == "<p>"
    assert for_phone(signed(["x"], CSRF), [], token) == ""
    assert token.made == 0
    assert for_phone(CSRF, [], token) == "secret"


@pytest.mark.parametrize(
    "typed",
    ["\ue000", "\ue000x\ue001", "\ue000x\ue001y\ue002", "\ue002\ue001\ue000", "\ue003", "\ue004since:\ue004"],
)
def test_signs_that_somebody_types_are_only_characters(typed: str) -> None:
    drawn = f"<p>{typed}</p>{signed(['x'], f'<b>{typed}</b>')}<p>{typed}</p>{signed(['y'], 'gone')}"
    assert for_phone(drawn, ["x"], "token", str.upper) == f"<p>{typed}</p><b>{typed}</b><p>{typed}</p>"


def test_a_reason_full_of_signs_changes_no_page() -> None:
    sitting = sitting_at("raubritter", entries=6)
    typed = "\ue000x\ue001 \ue003 \ue004since:\ue004 \ue004clocks:\ue004"
    pages = {}
    for reason in ("counted", typed):
        enter(sitting, "blue", correction(count=20, reason=reason))
        phones = phones_of(sitting)
        for who, phone in phones.items():
            found = phone.get(f"/t/{sitting.table.code}/", headers={"hx-request": "true"}).content.decode()
            pages[who, reason] = OWN.sub("", found).replace(typed, "counted")
        undo(table=sitting.table, holder=sitting.host)
    for who in phones:
        assert without_numbers(pages[who, typed]) == without_numbers(pages[who, "counted"])


def without_numbers(page: str) -> str:
    """Versions and numbers of entries go on."""
    return re.sub(r"\d+", "", page)


# What is kept


def test_one_makes_it_and_the_others_wait() -> None:
    kept: Kept[int] = Kept(5)
    made = []

    def make() -> int:
        time.sleep(0.1)
        made.append(1)
        return 7

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(kept.get_or_make("a", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [7] * 8
    assert made == [1]


def test_who_waited_for_somebody_who_failed_makes_it() -> None:
    kept: Kept[int] = Kept(5)

    def fail() -> int:
        raise ValueError

    with pytest.raises(ValueError):
        kept.get_or_make("a", fail)
    assert kept.get_or_make("a", lambda: 3) == 3


def test_nothing_is_kept_within_a_transaction() -> None:
    kept: Kept[Any] = Kept(5)
    with transaction.atomic():
        assert kept.get_or_make("a", lambda: 1) == 1
    assert kept.get("a") is None


def test_the_least_used_go_first() -> None:
    kept: Kept[int] = Kept(2)
    for key, thing in (("a", 1), ("b", 2)):
        kept.put(key, thing)
    kept.get("a")
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)


def test_languages_do_not_mix() -> None:
    sitting = sitting_at("raubritter", entries=1)
    phones = phones_of(sitting)
    english, italian = (seen(phones[f"spectator {one}"], sitting, "") for one in ("en", "it"))
    with translation.override("it"):
        assert translation.gettext("If it ended now") in italian
    assert "If it ended now" in english
