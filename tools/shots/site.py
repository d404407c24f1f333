"""Shots of pages that belong to no table: home, help, rules, calculators, boards, statistics."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from companion.registry import titles
from tools.evening import ask
from tools.shots.games import LIGHT, OTHER_LANGUAGES
from tools.shots.shot import LARGE, PHONE, Look, Shot
from tools.shots.stage import Stage, read_records

EVERY_RULE = 12  # take one in so many rules


def site_scene(stage: Stage) -> Iterator[Shot]:
    yield Shot("site-home", f"{stage.site}/", sizes=(PHONE, LARGE))
    yield Shot("site-home-light", f"{stage.site}/", look=LIGHT)
    yield Shot("site-home-hints", f"{stage.site}/", look=Look(hints=True))
    yield Shot("site-home-wrong-code", f"{stage.site}/", prepare=join_with_wrong_code)
    tables = [stage.open(read_records(game)[0].factions, game=game) for game in titles()]
    hosts = tuple(table.host for table in tables)
    yield Shot("site-home-tables", f"{stage.site}/", hosts)
    yield Shot("site-help", f"{stage.site}/help/", sizes=(PHONE, LARGE))
    for look in OTHER_LANGUAGES:
        yield Shot(f"site-home-{look.language}", f"{stage.site}/", hosts, look=look)
        yield Shot(f"site-help-{look.language}", f"{stage.site}/help/", look=look)
    yield Shot("site-offline", f"{stage.site}/offline/")
    yield Shot("site-trust", f"{stage.site}/trust/", status=404)
    yield Shot("site-nothing-here", f"{stage.site}/no/such/page/", status=404)
    yield Shot("site-no-such-table", f"{stage.site}/t/WRONG7/", status=404)
    yield Shot("site-api", f"{stage.site}/api/docs/", sizes=(LARGE,))
    yield Shot("site-admin", f"{stage.site}/admin/login/", sizes=(LARGE,))


def join_with_wrong_code(page: Page) -> None:
    page.fill("input[name=code]", "WRONG7")
    page.click("form[action$='/join/'] button")


def rules_scene(stage: Stage) -> Iterator[Shot]:
    yield Shot("rules", f"{stage.site}/rules/")
    for game in titles():
        register = f"{stage.site}/rules/{game}/"
        yield Shot(f"rules-{game}", register)
        for link in stage.links(register, "#rule-.*")[::EVERY_RULE]:
            rule = link.partition("#rule-")[2]
            yield Shot(f"rules-{game}-{rule}", f"{register}{rule}/")


def calculators_scene(stage: Stage) -> Iterator[Shot]:
    index = f"{stage.site}/calculators/"
    yield Shot("calculators", index, sizes=(PHONE, LARGE))
    for address in stage.links(index, r"/calculators/[a-z-]+/[a-z-]+/"):
        stage.clock.next_entry()
        *_, game, name, _end = address.split("/")
        yield Shot(f"calculators-{game}-{name}", address)


def boards_scene(stage: Stage) -> Iterator[Shot]:
    """Yield the shipped printed figures, and a group's copy of them."""
    for game in titles():
        yield Shot(f"boards-{game}", f"{stage.site}/boards/{game}/")
        code = copy_board(stage, game)
        copy, cookies = f"{stage.site}/boards/{game}/{code}/", {"boards": code}
        yield Shot(f"boards-{game}-known", f"{stage.site}/boards/{game}/", cookies=cookies)
        yield Shot(f"boards-{game}-copy", copy, cookies=cookies)
        for number, address in enumerate(stage.links(copy, r"\?at=.*")[:3], 1):
            yield Shot(f"boards-{game}-copy-{number}", address, cookies=cookies)


def copy_board(stage: Stage, game: str) -> str:
    """Create a group's copy of a board; return its code."""
    address = f"{stage.site}/api/boards/{game}/"
    document = {"format": "seneschal-board-1", "game": game, "name": "Ours", "confirmed": []}
    code = str(ask(address, {**document, "figures": ask(address)["figures"]})["code"])
    stage.codes.append(code)
    return code


def statistics_scene(stage: Stage) -> Iterator[Shot]:
    """Yield statistics of the recorded games played in the scenes before."""
    cookies = {"circles": stage.circle}
    yield Shot("statistics", f"{stage.site}/stats/")
    yield Shot("statistics-known", f"{stage.site}/stats/", cookies=cookies)
    if not stage.circle:
        return
    circle = f"{stage.site}/stats/circle/{stage.circle}/"
    yield Shot("statistics-circle", circle, cookies=cookies, sizes=(PHONE, LARGE))
    for game in titles():
        yield Shot(f"statistics-{game}", f"{stage.site}/stats/{game}/", sizes=(PHONE, LARGE))
        yield Shot(f"statistics-{game}-hu", f"{stage.site}/stats/{game}/", look=Look(language="hu"))
        yield Shot(f"statistics-{game}-circle", f"{circle}{game}/", cookies=cookies)
        members = stage.links(f"{circle}{game}/", rf".*/{game}/\d+/")
        for number, address in enumerate(members[:2], 1):
            yield Shot(f"statistics-{game}-member-{number}", address, cookies=cookies)
