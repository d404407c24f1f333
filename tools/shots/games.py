"""Shots of the pages of a game, taken while its recorded games are played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.registry import titles
from tools.evening import NAMES, ask
from tools.shots.shot import LARGE, PHONE, Look, Shot, open_details, tap
from tools.shots.stage import Record, Stage, TimedEvening, action_of, read_records

THIRDS = ("early", "middle", "late")
TABS = ("board", "score", "journal")
MORE_TABS = ("help", "menu", "correct")
MENDED = 3  # pages of each kind of mending
LIGHT = Look(theme="light")
MAP_SCRIPT = "js/atlas.js"  # of games with regions to tap
HUNGARIAN, ITALIAN = OTHER_LANGUAGES = (Look(language="hu"), Look(language="it"))


def game_scene(game: str, stage: Stage) -> Iterator[Shot]:
    """Yield the lobby, all pages during the longest recorded game, and new forms during the others."""
    longest, *others = read_records(game)
    yield from lobby(stage, game, longest.factions)
    seen: set[tuple[str, str]] = set()
    yield from played(stage, longest, seen, every_page=True)
    for record in others:
        yield from played(stage, record, seen, every_page=False)


def lobby(stage: Stage, game: str, factions: Sequence[str]) -> Iterator[Shot]:
    evening = stage.open(game=game, start=False)
    host = evening.host
    yield Shot(f"{game}-lobby-empty-host", evening.page, (host,))
    yield Shot(f"{game}-lobby-empty-guest", evening.page)
    for faction in factions[:2]:
        taken = ask(
            f"{stage.site}/api/tables/{evening.code}/seats/",
            {"name": NAMES.get(faction, faction), "faction": faction},
        )
        evening.tokens[faction] = taken["token"]
    seated = (host, evening.tokens[factions[0]])
    yield Shot(f"{game}-lobby-host", evening.page, seated, sizes=(PHONE, LARGE))
    yield Shot(f"{game}-lobby-options", evening.page, seated, tap("#options summary"))
    yield Shot(f"{game}-lobby-guest", evening.page)
    yield Shot(f"{game}-lobby-seated", evening.page, (evening.tokens[factions[1]],))
    yield Shot(f"{game}-lobby-light", evening.page, seated, look=LIGHT)
    yield Shot(f"{game}-lobby-help", f"{evening.page}?tab=help", seated)
    yield Shot(f"{game}-lobby-menu", f"{evening.page}?tab=menu", seated)
    yield Shot(f"{game}-lobby-display", f"{evening.page}display/", sizes=(LARGE,))


def played(stage: Stage, record: Record, seen: set[tuple[str, str]], *, every_page: bool) -> Iterator[Shot]:
    """Play a recorded game; yield each form that is new for its third of a game."""
    evening, entries = stage.open_record(record), record.entries
    middles = {len(entries) * (2 * third + 1) // 6: name for third, name in enumerate(THIRDS)}
    for number, entry in enumerate(entries):
        third = THIRDS[3 * number // len(entries)]
        if (third, entry["type"]) not in seen:
            seen.add((third, entry["type"]))
            name = f"{record.game}-form-{entry['type']}-{third}"
            yield Shot(name, evening.page, (evening.tokens[entry["faction"]],))
        if every_page and number in middles:
            yield from moment(Moment.of(evening, record, middles[number], entry["faction"]))
            if middles[number] == "middle":
                yield from middle(stage, Moment.of(evening, record, "middle", entry["faction"]))
        evening.enter(entry["faction"], action_of(entry))
    yield from result(evening, record)
    if every_page:
        yield from finished(evening, record)


@dataclass(frozen=True, slots=True)
class Moment:
    """A table during a game, with the tokens of its viewers."""

    name: str  # game and moment; prefix of the picture names
    evening: TimedEvening
    asked: str  # token of a seat with a prompt
    waiting: str  # token of a seat without a prompt; "" if there is none

    @classmethod
    def of(cls, evening: TimedEvening, record: Record, third: str, asked: str) -> Moment:
        others = [
            faction for faction in record.factions if faction not in {asked, *evening.get()["waiting_for"]}
        ]
        waiting = evening.tokens[others[0]] if others else ""
        return cls(f"{record.game}-{third}", evening, evening.tokens[asked], waiting)

    @property
    def page(self) -> str:
        return self.evening.page

    @property
    def host(self) -> tuple[str, ...]:
        """Return the tokens of a host who has a prompt."""
        return (self.evening.host, self.asked)


def moment(at: Moment) -> Iterator[Shot]:
    """Yield the main pages, as seen by different viewers."""
    yield Shot(f"{at.name}-now-asked", at.page, (at.asked,), sizes=(PHONE, LARGE))
    if at.waiting:
        yield Shot(f"{at.name}-now-waiting", at.page, (at.waiting,))
    yield Shot(f"{at.name}-now-spectator", at.page)
    yield Shot(f"{at.name}-now-host", at.page, (at.evening.host,))
    for tab in TABS:
        yield Shot(f"{at.name}-{tab}", f"{at.page}?tab={tab}", (at.asked,))
    yield Shot(f"{at.name}-board-spectator", f"{at.page}?tab=board")
    yield Shot(f"{at.name}-display", f"{at.page}display/", sizes=(LARGE,))


def middle(stage: Stage, at: Moment) -> Iterator[Shot]:
    """Yield pages that change little during a game."""
    for tab in MORE_TABS:
        yield Shot(f"{at.name}-{tab}", f"{at.page}?tab={tab}", at.host)
        yield Shot(f"{at.name}-{tab}-spectator", f"{at.page}?tab={tab}")
    for tab in ("journal", "menu"):
        yield Shot(f"{at.name}-{tab}-open", f"{at.page}?tab={tab}", at.host, open_details)
    scribe = {"scribe": at.evening.code}
    yield Shot(f"{at.name}-now-scribe", at.page, at.host, cookies=scribe)
    yield Shot(f"{at.name}-seats", f"{at.page}seats/", at.host)
    yield Shot(
        f"{at.name}-move-seat", f"{at.page}?tab=menu", at.host, tap("details > summary", "button[value=move]")
    )
    yield Shot(f"{at.name}-journal-older", f"{at.page}?tab=journal&before=20", at.host)
    yield from corrections(at)
    yield from looks(at)
    yield from beside_the_table(stage, at)
    yield from mending(stage, at)
    yield from positions(stage, at)


def corrections(at: Moment) -> Iterator[Shot]:
    held = (line["place"] for line in at.evening.get("state/")["holdings"] if line["place"] != "supply")
    for number, place in enumerate(list(dict.fromkeys(held))[:2], 1):
        yield Shot(f"{at.name}-correct-place-{number}", f"{at.page}?tab=correct&place={place}", at.host)


def looks(at: Moment) -> Iterator[Shot]:
    """Yield pages in the light theme, in other languages, and with hints."""
    for tab in ("now", "board"):
        address = f"{at.page}?tab={tab}"
        yield Shot(f"{at.name}-{tab}-light", address, (at.asked,), look=LIGHT)
        yield Shot(f"{at.name}-{tab}-hints", address, (at.asked,), look=Look(hints=True))
    yield Shot(f"{at.name}-now-spectator-hints", at.page, look=Look(hints=True))
    for tab in ("now", *TABS):
        yield Shot(f"{at.name}-{tab}-hu", f"{at.page}?tab={tab}", (at.asked,), look=HUNGARIAN)
    yield Shot(f"{at.name}-now-it", at.page, (at.asked,), look=ITALIAN)
    for look in (LIGHT, *OTHER_LANGUAGES):
        name = f"{at.name}-display-{look.theme}-{look.language}"
        yield Shot(name, f"{at.page}display/", look=look, sizes=(LARGE,))
    game = at.name.partition("-")[0]
    if MAP_SCRIPT in titles()[game].screen.js:
        yield Shot(f"{at.name}-sheet", f"{at.page}?tab=board", (at.asked,), tap("[data-land]"))


def beside_the_table(stage: Stage, at: Moment) -> Iterator[Shot]:
    """Yield the pages that the menu links to."""
    yield Shot(f"{at.name}-display-phone", f"{at.page}display/")
    yield Shot(f"{at.name}-replay", f"{at.page}replay/", sizes=(PHONE, LARGE))
    for entry in (1, 20, 40):
        yield Shot(f"{at.name}-replay-{entry}", f"{at.page}replay/?at={entry}")
    yield Shot(f"{at.name}-report", f"{at.page}report/")
    yield Shot(f"{at.name}-figures", f"{at.page}figures/", at.host)
    for number, address in enumerate(stage.links(f"{at.page}figures/", r"\?path=.*", at.host)[:3], 1):
        yield Shot(f"{at.name}-figures-{number}", address, at.host)
    yield Shot(f"{at.name}-compare", f"{at.page}compare/", at.host)
    stops = stage.links(f"{at.page}compare/", r"[^?]*\?stop=.*", at.host)
    for number, address in enumerate(stops[:4], 1):
        yield Shot(f"{at.name}-compare-{number}", address, at.host)
    yield Shot(f"{at.name}-compare-end", f"{at.page}compare/?stop=end", at.host)
    yield Shot(f"{at.name}-compare-done", f"{at.page}compare/?stop=done", at.host)


def mending(stage: Stage, at: Moment) -> Iterator[Shot]:
    """Yield pages for changing, leaving out and ruling entries, found by their links in the journal."""
    journal = f"{at.page}?tab=journal"
    for kind, pattern in (("change", ""), ("leave-out", "leave-out/"), ("rule", r"rule/.*")):
        addresses = stage.links(journal, rf"/t/\w+/mend/\d+/{pattern}", at.host)
        for number, address in enumerate(addresses[:MENDED], 1):
            yield Shot(f"{at.name}-mend-{kind}-{number}", address, at.host)


def positions(stage: Stage, at: Moment) -> Iterator[Shot]:
    """Yield the pages for entering a position."""
    yield Shot(f"{at.name}-position", f"{at.page}position/", at.host)
    parts = stage.links(f"{at.page}position/", r"[^?]*\?part=[\w-]+", at.host)
    for number, address in enumerate(parts, 1):
        yield Shot(f"{at.name}-position-{number}", address, at.host)


def result(evening: TimedEvening, record: Record) -> Iterator[Shot]:
    name = f"{record.game}-end-{record.name}"
    yield Shot(f"{name}-now", evening.page, (evening.tokens[record.factions[0]],), sizes=(PHONE, LARGE))
    yield Shot(f"{name}-score", f"{evening.page}?tab=score")
    yield Shot(f"{name}-display", f"{evening.page}display/", sizes=(LARGE,))
    yield Shot(f"{name}-report", f"{evening.page}report/")
    yield Shot(f"{name}-report-picture", f"{evening.page}report/summary.svg", sizes=(LARGE,))


def finished(evening: TimedEvening, record: Record) -> Iterator[Shot]:
    """Yield further pages of a finished game."""
    name = f"{record.game}-finished"
    host = (evening.host, evening.tokens[record.factions[0]])
    yield Shot(f"{name}-now-host", evening.page, host)
    yield Shot(f"{name}-now-spectator", evening.page)
    for tab in ("board", "journal", "menu"):
        yield Shot(f"{name}-{tab}", f"{evening.page}?tab={tab}", host)
    yield Shot(f"{name}-replay", f"{evening.page}replay/")
    yield Shot(f"{name}-report-large", f"{evening.page}report/", sizes=(LARGE,))
    yield Shot(f"{name}-report-light", f"{evening.page}report/", look=LIGHT)
    for look in OTHER_LANGUAGES:
        yield Shot(f"{name}-now-{look.language}", evening.page, host, look=look)
        yield Shot(f"{name}-report-{look.language}", f"{evening.page}report/", look=look)
