"""Whole evenings: a game by touch, seats, and the actions of the host."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.servers import Server
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]

PAIR = ("blue", "yellow")


async def guests(new_phone: NewPhone, evening: Evening) -> tuple[Phone, Phone]:
    """Return the phones of Anna, who is the host, and of Bert, with the table's page open."""
    anna, bert = await new_phone("Anna"), await new_phone("Bert")
    await anna.hold_seats(evening.tokens["host"], evening.tokens["blue"])
    await bert.hold_seats(evening.tokens["yellow"])
    for phone in (anna, bert):
        await phone.open(f"/t/{evening.code}/")
        await phone.live()
    return anna, bert


async def change_seat(phone: Phone, name: str, button: str, *, hold: bool = False) -> None:
    """Tap or hold a button of a seat in the menu."""
    await phone.menu()
    seat = phone.page.locator("li", has_text=name).filter(has=phone.page.locator("details"))
    await seat.locator("summary").tap()
    target = seat.get_by_role("button", name=button)
    await (phone.hold(target) if hold else target.tap())


# --- The game ---


async def test_game_by_touch_to_its_end_and_a_rematch(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR, seed=5)
    anna, bert = await guests(new_phone, evening)
    by_faction = {"blue": anna, "yellow": bert}

    async def play_by_touch(most: int) -> None:
        """Answer up to `most` prompts with the first choice of each."""
        for _ in range(most):
            waiting_for = evening.get()["waiting_for"]
            if not waiting_for:
                return
            await take_a_turn(by_faction[waiting_for[0]], evening)

    await play_by_touch(6)
    evening.play(52)
    await play_by_touch(60)
    assert evening.get()["status"] == "finished"
    winner = evening.get()["winners"][0]
    for phone in (anna, bert):
        await phone.sees(re.compile(rf"{'Anna' if winner == 'blue' else 'Bert'}\s+wins"))
        await phone.sees("The result")

    # Anna opens a rematch, Bert follows; both keep their seats.
    await anna.button("Play again with the same people").tap()
    await anna.sees("Take your seats")
    assert anna.code != evening.code
    await bert.page.get_by_role("link", name="To the next game").tap()
    await bert.sees("You are seated.")
    await anna.hold(anna.button("Hold to start the game"))
    await anna.sees("Anna: Lay your two starting tiles")
    await anna.lay()
    await bert.sees(re.compile("Lay a plain at"))
    await bert.lay()
    await bert.sees(re.compile("(Anna|Bert): Place a tile"))


async def take_a_turn(phone: Phone, evening: Evening) -> None:
    """Answer the prompt on this phone by touch."""
    version = evening.get()["version"]
    await phone.shows(version)
    kind = await phone.page.locator("[data-entry]").get_attribute("data-entry")
    if kind == "lay":
        await phone.choose("tile1", "plain")
        await phone.choose("tile2", "mountain")
    elif kind == "place":
        await phone.choose("tile")
        await phone.choose("at")
    elif kind == "march":
        ways = phone.page.locator("input[name=way]:enabled")
        if await ways.count():
            await ways.first.locator("xpath=..").tap()
        many = phone.page.locator("input[name=many]:enabled").last
        await many.locator("xpath=..").tap()
        if await phone.main.is_disabled():
            await phone.page.locator("label.split:not([hidden])").first.tap()
    await phone.main.tap()
    await phone.shows(version + 1)


async def test_going_back_to_an_entry_and_redoing_the_later_ones(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    evening.play(12)
    anna, bert = await guests(new_phone, evening)
    await anna.tab("Journal")
    await anna.page.locator("#entry-8 summary").tap()
    await anna.hold(anna.page.locator("#entry-8").get_by_role("button", name="Hold: back to here"))
    await bert.tab("Journal")
    await expect(bert.page.locator(".entry.undone")).to_have_count(4)
    assert evening.get()["number"] == 8
    await anna.tab("Score")
    for number in range(9, 13):
        await anna.button("Redo").tap()
        await expect(bert.page.locator(".entry.undone")).to_have_count(12 - number)
    assert evening.get()["number"] == 12


# --- Seats ---


async def test_seat_moves_to_another_phone_by_a_single_use_link(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna, bert = await guests(new_phone, evening)
    await change_seat(bert, "Bert", "Move to another phone")
    await bert.sees("Move the seat of Bert")
    link = await bert.page.locator(".address").inner_text()
    new = await new_phone("Bert's other phone")
    await new.open(link)
    await new.button("Yes, this phone now").tap()
    await new.lay()
    await anna.sees(re.compile("Lay a plain at"))
    # The old phone is a spectator now, and the link cannot be used again.
    await bert.open(f"/t/{evening.code}/")
    await bert.sees("You are watching.")
    thief = await new_phone("thief")
    thief.ignore_faults("status of 409")
    await thief.open(link)
    await thief.button("Yes, this phone now").tap()
    await thief.sees("This link is used up or too old.")


async def test_freed_seat_can_be_taken_by_somebody_else(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    evening.play(6)
    anna, bert = await guests(new_phone, evening)
    clara = await new_phone("Clara")
    await clara.open(f"/t/{evening.code}/")
    await clara.sees("You are watching.")
    await change_seat(bert, "Bert", "Hold: free this seat", hold=True)
    await clara.page.get_by_role("link", name="A seat is free.").tap()
    await clara.sit("Clara", "Yellow")
    await expect(clara.page.locator("#table")).not_to_contain_text("You are watching.")
    await anna.tab("Journal")
    await anna.sees("Bert has left; the seat is free.")
    await anna.sees("Clara has taken the seat of Bert.")
    assert [seat["name"] for seat in evening.get()["seats"]] == ["Anna", "Clara"]
    assert len(await clara.tokens()) == 1


async def test_locked_table_lets_nobody_join(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR, start=False)
    anna, _bert = await guests(new_phone, evening)
    late = await new_phone("late")
    await late.open(f"/t/{evening.code}/")
    await late.sees("Your seat")
    await anna.menu()
    await anna.button("Lock: nobody else may join").tap()
    await late.sees("The host has locked this table. You can watch.")
    await anna.button("Let people join again").tap()
    await late.sit("Clara", "Green")
    await late.sees("You are seated.")


async def test_one_phone_holds_several_seats(new_phone: NewPhone, site: str) -> None:
    both = await new_phone("both")
    await both.open("/")
    await both.button("Raubritter").tap()
    await both.sit("Anna", "Blue")
    await both.page.locator("summary", has_text="Another seat on this phone").tap()
    await both.sit("Bert", "Yellow")
    await both.hold(both.button("Hold to start the game"))
    # Both seats have a prompt; choose which one to answer.
    await both.page.locator("nav.choices a", has_text="Bert").tap()
    await both.sees("Bert: Lay your two starting tiles")
    await both.choose("tile1", "plain")
    await both.choose("tile2", "mountain")
    await both.main.tap()
    await both.sees("Anna: Lay your two starting tiles")
    await both.lay()
    await both.sees("Anna: Place a tile")


# --- The host ---


async def test_scribe_enters_for_everybody(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    evening.play_until("place")
    scribe = await new_phone("scribe")
    await scribe.hold_seats(evening.tokens["host"])
    await scribe.open(f"/t/{evening.code}/")
    await expect(scribe.page.locator("[data-entry]")).to_have_count(0)
    await scribe.menu()
    await scribe.button("Enter for everybody on this phone").tap()
    await scribe.sees("Anna: Place a tile")
    await scribe.place("plain")
    await scribe.button("End the turn").tap()
    await scribe.sees("Bert: Place a tile")
    await scribe.place("plain")
    await scribe.menu()
    await scribe.button("Enter only for my own seats").tap()
    await expect(scribe.page.locator("[data-entry]")).to_have_count(0)


async def test_host_hands_over_to_another_player(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna, bert = await guests(new_phone, evening)
    await bert.menu()
    await expect(bert.page.get_by_role("heading", name="Host")).to_have_count(0)
    await change_seat(anna, "Bert", "Make host")
    await expect(bert.page.get_by_role("heading", name="Host")).to_be_visible()
    await expect(anna.page.get_by_role("heading", name="Host")).to_have_count(0)
    await anna.tab("Journal")
    await anna.sees("Bert is the host now.")


async def test_absent_host_can_be_replaced(new_phone: NewPhone, server: Server) -> None:
    evening = Evening.open(server.url, PAIR)
    bert = await new_phone("Bert")
    await bert.hold_seats(evening.tokens["yellow"])
    await bert.open(f"/t/{evening.code}/?tab=menu")
    await expect(bert.button("Become the host")).to_have_count(0)
    with closing(sqlite3.connect(server.database, timeout=20)) as database, database:
        database.execute(
            "UPDATE companion_table SET host_seen_at = '2020-01-01 00:00:00' WHERE code = ?", [evening.code]
        )
    await bert.page.reload()
    await bert.button("Become the host").tap()
    await expect(bert.page.get_by_role("heading", name="Host")).to_be_visible()
    await bert.tab("Journal")
    await bert.sees("The host was gone; Bert is the host now.")


async def test_game_is_given_up_reopened_and_ended_early(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    evening.play(10)
    anna, bert = await guests(new_phone, evening)
    await anna.menu()
    await anna.hold(anna.button("Hold: give the game up"))
    await bert.sees("The game was given up")
    await expect(bert.main).to_have_count(0)
    await anna.button("Reopen the game").tap()
    await bert.sees(re.compile("(Anna|Bert): "))
    await anna.hold(anna.button("Hold: end now, as it stands"))
    await bert.sees(re.compile("wins|share the victory"))
    await bert.tab("Journal")
    await bert.sees("The host ended the game early; it counts as it stood.")


async def test_deleted_table_is_gone_for_all_phones(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna, bert = await guests(new_phone, evening)
    for phone in (anna, bert):
        phone.ignore_faults("status of 404|/events/")
    await anna.menu()
    await anna.hold(anna.button("Hold: delete this table"))
    await anna.sees("Open a table")
    await bert.sees("There is no table with this code.")
    before = len(bert.requests)
    await bert.page.wait_for_timeout(7000)
    assert len(bert.requests) <= before + 2, "a phone stops polling a deleted table"
