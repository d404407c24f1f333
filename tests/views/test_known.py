"""What a phone shows already is not sent to it again; put together with that, it is the whole page."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from companion.drawing import for_phone, knowable, signed
from games.registry import GAMES
from tests.hostile import sitting_at
from tests.tables.sitting import Sitting, play_on
from tests.views.test_drawing import OWN, phones_of

pytestmark = pytest.mark.django_db(transaction=True)

MARK = re.compile(r' data-known="([^"]+)"')
SAME = re.compile(r'<(\w+) id="([^"]+)" data-same="([^"]+)"></\1>')
PAGES = ("", "?tab=board", "?tab=score", "display/")


def fetched(phone: Client, sitting: Sitting, page: str, known: str = "") -> str:
    """The part that scripts fetch, for a phone that has these."""
    headers = {"hx-request": "true"} | ({"known": known} if known else {})
    answer = phone.get(f"/t/{sitting.table.code}/{page}", headers=headers)
    assert answer.status_code == 200
    return OWN.sub("", answer.content.decode())


def elements_of(page: str) -> dict[str, str]:
    """Those with a mark, by their ids, each with those that it holds."""
    found = {}
    for start in re.finditer(r'<(\w+) data-known="[^"]+"[^>]*? id="([^"]+)"', page):
        depth = 0
        for tag in re.finditer(rf"<(/?){start[1]}\b[^>]*?(/?)>", page[start.start() :]):
            depth += -1 if tag[1] else 0 if tag[2] else 1
            if not depth:
                found[start[2]] = page[start.start() : start.start() + tag.end()]
                break
    return found


def put_together(part: str, elements: dict[str, str]) -> str:
    def put_in(empty: re.Match[str]) -> str:
        found = elements[empty[2]]
        assert MARK.findall(found)[0] == empty[3]
        return found

    return SAME.sub(put_in, part)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_put_together_it_is_the_whole_page(slug: str) -> None:
    sitting = sitting_at(slug, entries=9)
    phones = phones_of(sitting)
    had = {(who, page): fetched(phone, sitting, page) for who, phone in phones.items() for page in PAGES}
    spared = 0
    for moment in range(4):
        play_on(sitting, 1 + moment, seed=moment)
        for (who, page), before in had.items():
            whole = fetched(phones[who], sitting, page)
            part = fetched(phones[who], sitting, page, " ".join(MARK.findall(before)))
            elements = elements_of(before)
            assert len(elements) == len(MARK.findall(before)) == len(set(MARK.findall(before)))
            assert put_together(part, elements) == whole
            assert len(part) <= len(whole)
            spared += len(whole) - len(part)
            had[who, page] = whole
    assert spared > 100_000


def test_a_tap_is_answered_with_what_is_new_too() -> None:
    sitting = sitting_at("wallenstein", entries=40)
    phone = phones_of(sitting)["host en"]
    before = fetched(phone, sitting, "?tab=board")
    address = f"/t/{sitting.table.code}/undo/?tab=board"
    known = " ".join(MARK.findall(before))
    answer = phone.post(address, headers={"hx-request": "true", "known": known}).content.decode()
    assert len(SAME.findall(answer)) > 20
    assert len(answer) < len(before) / 2
    assert put_together(OWN.sub("", answer), elements_of(before)) == fetched(phone, sitting, "?tab=board")


def test_a_page_that_is_opened_is_whole() -> None:
    """Whatever a browser sends along: nothing is there yet that could be left as it is."""
    sitting = sitting_at("revolution", entries=9)
    phone = Client()
    part = fetched(phone, sitting, "")
    answer = phone.get(f"/t/{sitting.table.code}/", headers={"known": " ".join(MARK.findall(part))})
    assert not SAME.search(answer.content.decode())


@pytest.mark.parametrize("said", ["", " ", "x", "\x00", "ű", "a" * 5000, "<g>", '" onload="x', "----- _____"])
def test_whatever_a_phone_says_it_has_the_page_is_whole(said: str) -> None:
    sitting = sitting_at("raubritter", entries=5)
    phone = Client()
    assert fetched(phone, sitting, "", said) == fetched(phone, sitting, "")


def test_no_cache_mixes_up_what_phones_have() -> None:
    sitting = sitting_at("raubritter", entries=5)
    phone = phones_of(sitting)["host en"]
    address = f"/t/{sitting.table.code}/"
    whole = phone.get(address, headers={"hx-request": "true"})
    known = " ".join(MARK.findall(whole.content.decode()))
    asked = {"hx-request": "true", "known": known}
    part = phone.get(address, headers=asked)
    assert "Known" in part["Vary"]
    assert "Known" in phone.get(f"{address}display/")["Vary"]
    assert whole["ETag"] != part["ETag"]
    assert phone.get(address, headers=asked | {"if-none-match": part["ETag"]}).status_code == 304
    assert phone.get(address, headers=asked | {"if-none-match": whole["ETag"]}).status_code == 200


def test_what_somebody_hides_has_no_mark() -> None:
    """A phone remembers what has one, also when another person looks at it."""
    sitting = sitting_at("wallenstein", entries=0)
    phones = phones_of(sitting)
    for _entry in range(60):
        play_on(sitting, 1)
        pages = {who: fetched(phone, sitting, "?tab=board") for who, phone in phones.items()}
        planned = [page for page in pages.values() if "Your plan" in page]
        if planned:
            break
    (page,) = planned
    assert not any("Your plan" in element for element in elements_of(page).values())
    assert {*elements_of(page)} == {*elements_of(pages["spectator en"])}


def test_a_drawing_that_holds_elements_with_a_mark_is_found_wherever_it_stands() -> None:
    """By its id. Else htmx puts another around those that stay, which is made of HTML and shows nothing."""
    drawings = 0
    for slug in GAMES:
        sitting = sitting_at(slug, entries=9)
        for who, phone in phones_of(sitting).items():
            for page in PAGES:
                for drawing in re.findall(r"(?s)<svg.*?</svg>", fetched(phone, sitting, page)):
                    if MARK.search(drawing):
                        drawings += 1
                        assert re.match(r'<svg[^>]* id="', drawing), (slug, who, page, drawing[:100])
    assert drawings > 50


def test_no_element_with_a_mark_holds_a_form() -> None:
    """Its token would be another one each time."""
    for slug in GAMES:
        sitting = sitting_at(slug, entries=9)
        for who, phone in phones_of(sitting).items():
            for page in PAGES:
                for element in elements_of(fetched(phone, sitting, page)).values():
                    assert "<form" not in element, (slug, who, page)
                    assert "csrf" not in element


# Signs


def test_an_element_is_known_by_its_mark() -> None:
    element = '<b class="x" id="one">1</b>'
    drawn = f"<p>{knowable(element)}</p>"
    whole = for_phone(drawn, [], known=[])
    (mark,) = MARK.findall(whole)
    assert whole == f'<p><b data-known="{mark}" class="x" id="one">1</b></p>'
    assert for_phone(drawn, [], known=["else"]) == whole
    assert for_phone(drawn, [], known=[mark]) == f'<p><b id="one" data-same="{mark}"></b></p>'
    assert for_phone(drawn, []) == f"<p>{element}</p>"


def test_an_element_may_hold_others() -> None:
    """Of one that is as it was nothing more is said; of one that is not, each of those that it holds is told apart."""

    def land(*provinces: str) -> str:
        drawn = "".join(knowable(f'<g id="{one[0]}">{one}</g>') for one in provinces)
        drawing = knowable(f'<svg id="map">{drawn}</svg>')
        return f"<p>{drawing}</p>"

    whole = for_phone(land("a1", "b1"), [], known=[])
    around, first, second = MARK.findall(whole)
    assert f'<svg data-known="{around}" id="map"><g data-known="{first}" id="a">a1</g><g' in whole
    assert for_phone(land("a1", "b1"), [], known=[around, first, second]) == (
        f'<p><svg id="map" data-same="{around}"></svg></p>'
    )
    changed = for_phone(land("a1", "b2"), [], known=[around, first, second])
    other, new = MARK.findall(changed)
    assert changed == (
        f'<p><svg data-known="{other}" id="map"><g id="a" data-same="{first}"></g>'
        f'<g data-known="{new}" id="b">b2</g></svg></p>'
    )
    assert other not in (around, first, second)
    assert for_phone(land("a1"), []) == '<p><svg id="map"><g id="a">a1</g></svg></p>'


def test_a_mark_is_the_same_whichever_process_gives_it() -> None:
    """A phone may be answered by another one next time."""
    inner = knowable('<g id="a"></g>')
    drawn = knowable(f'<svg id="map">{inner}</svg>')
    assert MARK.findall(for_phone(drawn, [], known=[])) == ["3kdao", "_pWix"]


def test_another_content_is_another_mark() -> None:
    elements = [knowable(f'<g id="one">{content}</g>') for content in ("", "1", "2", " 1")]
    assert len({MARK.findall(for_phone(element, [], known=[]))[0] for element in elements}) == len(elements)


def test_what_a_phone_marks_is_content_too() -> None:
    drawn = knowable(f'<g id="one" class="{signed(["x"], "changed")}"></g>')
    plain, changed = (for_phone(drawn, marks, known=[]) for marks in ([], ["x"]))
    assert MARK.findall(plain) != MARK.findall(changed)
    assert for_phone(drawn, ["x"], known=MARK.findall(plain)) == changed
    assert SAME.fullmatch(for_phone(drawn, ["x"], known=MARK.findall(changed)))


def test_what_has_no_id_is_sent() -> None:
    drawn = knowable("<g><text id='no'>1</text></g>")
    assert for_phone(drawn, [], known=[""]) == "<g><text id='no'>1</text></g>"
