"""What a table's page shows: who is to do what, the hands, the reasons, the standings, the journal."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import Any, TypeVar

from django.db.models import Max
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion import wording
from companion.access.table_access import TableAccess, seats_of
from companion.cache import LruCache, register
from companion.journal import secrets
from companion.journal.clocks import Clock, clock_of, in_minutes
from companion.journal.comparison import is_due
from companion.journal.recent import WITH_HANDS, Recent, Told, recent, told
from companion.journal.states import State, game_of, memoised, setup_of, state_at
from companion.journal.todo import Line, hands
from companion.models import Entry, Notice, Seat, Status, Table
from companion.results.pauses import PAUSE, Break
from companion.tables.board_copies import options_of
from companion.tables.hosting import is_host_gone
from companion.tables.seats import shown_name
from companion.titles import screen_of
from companion.titles.base import Hides, Screen, Spills, Walks
from companion.titles.walks import Counting
from companion.web.entries import notice_text, shown_marks, shown_step
from games.core.actions import Position
from games.core.game import AnyGame
from games.core.messages import Message
from games.core.options import Option
from games.core.prompts import Prompt
from games.core.steps import read_step

TABS = ("now", "board", "score", "journal", "help")
JOURNAL_PAGE = 40

T = TypeVar("T")

_data: LruCache[Any] = register(LruCache("page data", 240))  # of a version or state: boards, forms, standings
_entries: LruCache[Any] = register(LruCache("entry texts", 4_000))  # titles and lines of entries


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table, as pages name them."""

    faction: str
    faction_name: str
    name: str
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Lines of the hands list for one entry: each a line, a flag for done, and its player."""

    number: int
    title: str
    lines: tuple[tuple[Line, bool, Player | None], ...]

    @property
    def done(self) -> int:
        return sum(done for _line, done, _player in self.lines)


class TablePage:
    """A table as one phone sees it. Each question is asked of the database once at most."""

    def __init__(
        self,
        table: Table,
        access: TableAccess,
        *,
        scribe: bool = False,
        at: int | None = None,
        shown_to: str | None = None,
    ) -> None:
        self.table = table
        self.shown_to = shown_to  # who has uncovered what others must not see on this phone
        self.at = table.head if at is None else at  # the entry after which it is seen
        self.access = access
        self.game: AnyGame = game_of(table)
        self.screen: Screen = screen_of(table)
        self.scribe = scribe and access.is_host
        self.seats: Sequence[Seat] = seats_of(table)

    # The table

    @property
    def is_open(self) -> bool:
        return self.table.status == Status.OPEN

    @property
    def is_playing(self) -> bool:
        return self.table.status == Status.PLAYING

    @cached_property
    def players(self) -> dict[str, Player]:
        return {
            seat.faction: Player(
                seat.faction, self.faction_name(seat.faction), shown_name(seat), is_free=not seat.token_hash
            )
            for seat in self.seats
            if seat.faction
        }

    def faction_name(self, faction: str) -> str:
        return wording.name(self.game, "faction", faction)

    @property
    def winners(self) -> list[Player]:
        players = self.players
        return [players[faction] for faction in self.table.winners if faction in players]

    @property
    def host_is_gone(self) -> bool:
        return not self.access.is_host and self.access.is_seated and is_host_gone(self.table)

    @property
    def started(self) -> bool:
        return self.table.setup is not None

    @property
    def phase_name(self) -> str:
        return wording.name(self.game, "phase", self.table.phase)

    @cached_property
    def state(self) -> State:
        """As this phone may see it."""
        return memoised(self.game.view, state_at(self.table, self.at), self.viewer)

    @cached_property
    def public(self) -> State:
        """As everybody may see it."""
        return secrets.public(self.table, self.at)

    # Cache keys

    @property
    def state_key(self) -> Hashable:
        """Cache key for fragments that show nothing but the public state."""
        return self.table.code, self.at

    @property
    def version_key(self) -> Hashable:
        """Cache key for fragments that show more than the state: names, the newest entry."""
        return self.table.code, self.table.version, self.at

    @property
    def viewer_key(self) -> Hashable:
        """Cache key for fragments that may show the viewer's secrets."""
        return self.table.code, self.at, self._secretive_viewer

    @cached_property
    def _secretive_viewer(self) -> str | None:
        """The viewer, if it sees more than the public state."""
        return self.viewer if self.state != self.public else None

    @cached_property
    def _recent(self) -> Recent:
        return recent(self.table)

    @property
    def _is_newest(self) -> bool:
        return self.at == self.table.head

    def _cached(self, name: str, key: Hashable, compute: Callable[[], T]) -> T:
        """Compute a value once per key and language, for all phones. Nobody may change it."""
        value: T = _data.get_or_compute((name, key, get_language()), compute)
        return value

    # The board

    @property
    def board_template(self) -> str:
        return f"{self.screen.folder}/board.html"

    @property
    def picture_template(self) -> str:
        return f"{self.screen.folder}/picture.html"

    def chart(self) -> Mapping[str, Any]:
        """Return the data of the board as everybody may see it."""
        return self._cached("chart", self.state_key, lambda: self.screen.board(self.public))

    def secret(self) -> Mapping[str, Any]:
        """Return the data of what only this viewer may see on the board."""
        if self._secretive_viewer and isinstance(self.screen, Hides):
            return self.screen.secret(self.state)
        return {}

    @cached_property
    def changed_places(self) -> list[str]:
        """The places to highlight: those changed since the last entry of this phone, or by the newest entry."""
        changed = self.since or self._newest_told
        return sorted({place for entry in changed for place in entry.places})

    @property
    def may_enter(self) -> bool:
        """Whether this phone is more than a spectator's."""
        return self.access.is_seated or self.access.is_host

    @property
    def may_correct(self) -> bool:
        return self.may_enter and not self.table.ended_by_host

    @property
    def may_compare(self) -> bool:
        """Whether this phone may compare the app with the real table."""
        is_walked = self.started and not self.table.ended_by_host and isinstance(self.screen, Walks)
        return is_walked and self.may_enter

    @property
    def compare_is_due(self) -> bool:
        """Whether a round has begun since somebody did."""
        return self._cached("compare", self.version_key, lambda: is_due(self.table))

    @property
    def has_room(self) -> bool:
        """Whether somebody may still sit down."""
        is_open = self.is_open and len(self.seats) < len(self.game.factions)
        return not self.table.locked and (is_open or (self.is_playing and bool(self.free_seats)))

    @property
    def rematch(self) -> Table | None:
        """The next game of the same people, once this one has ended."""
        return None if self.is_open or self.is_playing else self.table.rematches.order_by("-pk").first()

    @property
    def free_seats(self) -> list[Seat]:
        return [seat for seat in self.seats if not seat.token_hash]

    # Time

    @property
    def breaks(self) -> Sequence[Break]:
        return self._recent.breaks

    @property
    def break_since(self) -> datetime | None:
        """Since when there is a break."""
        running = (began for began, ended in self.breaks if ended is None)
        return next(running, None) if self.is_playing else None

    @cached_property
    def clock(self) -> Clock:
        return clock_of(self.table, self.breaks)

    def timers(self) -> list[dict[str, Any]]:
        """What the clocks show, and the seconds from which a script goes on."""
        clock = self.clock
        return [
            {
                "title": _("This decision"),
                "text": in_minutes(clock.deciding),
                "seconds": int(clock.deciding.total_seconds()),
                "most": int(PAUSE.total_seconds()),
            },
            {
                "title": _("Evening"),
                "text": in_minutes(clock.played),
                "seconds": int(clock.played.total_seconds()),
                "most": int(clock.most.total_seconds()),
            },
        ]

    def thinking(self) -> list[tuple[Player, str]]:
        """How long each has thought so far, in the order of the seats."""
        spent = self.clock.thinking
        return [(player, wording.duration(spent[f])) for f, player in self.players.items() if f in spent]

    # Secrets

    @property
    def is_shared(self) -> bool:
        """Whether several people use this phone, who have something to hide from each other."""
        return bool(self.game.secrets) and len(self.mine()) > 1

    @cached_property
    def viewer(self) -> str | None:
        """Whose secrets are shown: a phone's own seat's; where people share it, of who has uncovered them."""
        faction = self.shown_to if self.is_shared else next(iter(self.access.factions), None)
        seat = self.access.seat_for(faction) if faction else None
        return secrets.viewer_of(self.table, seat, self.at)

    @cached_property
    def hidden(self) -> secrets.Hidden:
        """The entries whose content whoever holds this phone may not know."""
        return secrets.hidden_from(self.table, self.access.seats)

    def covered(self) -> list[Player]:
        """Those who can have a look at what they have hidden on a phone that they share."""
        if not self.is_shared or self.viewer:
            return []
        hidden = secrets.hidden_entries(self.table)
        hiding = {faction for number, faction in hidden.items() if number not in self.hidden}
        return [self.players[f] for f in self.access.factions if f in hiding and f in self.players]

    @property
    def taken_over(self) -> list[str]:
        """The names of the seats whose takeover everybody is shown while a game goes on."""
        seats = self.seats if self.is_open or self.is_playing else ()
        return [shown_name(seat) for seat in secrets.taken_over(self.table, seats)]

    # Before the game begins

    @property
    def can_start(self) -> bool:
        return self.game.min_players <= len(self.seats) <= self.game.max_players

    def option_forms(self) -> list[dict[str, Any]]:
        """What the host may choose: who begins, and the open questions of the rules."""
        first = self.table.options.get("first_player") or ""
        players = [(p.faction, p.name, p.faction == first) for p in self.players.values()]
        lots = [("", _("First seat"), not first), ("random", _("By lot"), first == "random")]
        forms = [{"name": "first_player", "title": _("Who begins"), "values": [*lots, *players]}]
        if self.game.refuse_seating:
            forms.append(self._people_form())
        options = options_of(self.game, self.table)
        for option in self.game.options:
            if isinstance(option, Option):
                chosen = options[option.name]
                values = [
                    (_form_value(v), wording.option_value(self.game, option.name, v), v == chosen)
                    for v in option.values
                ]
                forms.append(
                    {
                        "name": option.name,
                        "title": wording.option_title(self.game, option.name),
                        "values": values,
                    }
                )
        return forms

    def _people_form(self) -> dict[str, Any]:
        """How many people play, where somebody may play two factions."""
        chosen = self.table.options.get("players")
        counts = range(self.game.min_players, self.game.max_players + 1)
        people = [(str(count), str(count), count == chosen) for count in counts]
        each = ("", _("One for each seat"), chosen is None)
        return {"name": "players", "title": _("People at the table"), "values": [each, *people]}

    def options(self) -> list[tuple[str, str]]:
        """The table options in force."""
        setup = self.state.setup
        chosen = [(o.name, setup.options[o.name]) for o in self.game.options]
        return [
            (wording.option_title(self.game, name), wording.option_value(self.game, name, value))
            for name, value in chosen
            if not isinstance(value, dict)
        ]

    # Entering

    def mine(self) -> list[str]:
        """The factions this phone enters for."""
        return [seat.faction for seat in self.seats] if self.scribe else list(self.access.factions)

    def asked(self) -> list[Player]:
        """Those of them that are asked for something now."""
        players, mine = self.players, self.mine()
        return [players[f] for f in self.table.waiting_for if f in mine and f in players]

    def entry_form(self, wanted: str | None) -> dict[str, Any]:
        """The form for one faction that is to enter something on this phone, or the cover over it, or neither."""
        asked = [player.faction for player in self.asked()]
        if not asked or self.table.ended_by_host:
            return {"form": None, "cover": None}
        faction = wanted if wanted in asked else asked[0]
        if self.is_shared and self.shown_to != faction and self._asks_secretly(faction):
            return {"form": None, "cover": self.players[faction]}
        return {"form": self.form_for(faction), "cover": None}

    def _asks_secretly(self, faction: str) -> bool:
        return any(prompt.action in self.game.secrets for prompt in self._prompts(faction))

    def _prompts(self, faction: str) -> list[Prompt]:
        prompts = self._cached("prompts", self.viewer_key, lambda: self.game.prompts(self.state))
        return [prompt for prompt in prompts if prompt.faction == faction]

    def form_for(self, faction: str) -> dict[str, Any]:
        """What a faction is asked for where the table is seen; it must be asked for something there."""
        prompts = self._prompts(faction)
        key = (self.viewer_key, faction)
        screen = self._cached("screen", key, lambda: self.screen.prompt(self.state, prompts))
        return {
            "faction": faction,
            "player": self.players[faction],
            "title": wording.render(self.game, prompts[0].title),
            "rules": list(dict.fromkeys(prompt.rule for prompt in prompts)),
            "key": uuid.uuid4().hex,
            "id": f"entry-{self.at}-{faction}",
            "draft": f"{faction}-{prompts[0].action}-{self._last_of(faction)}",
            "template": f"{self.screen.folder}/prompt.html",
            "screen": screen,
            "buttons": screen["buttons"],
        }

    def _last_of(self, faction: str) -> int:
        """The newest entry of a faction: what was typed after it belongs to the question after it."""
        if self._is_newest:
            for one in self._recent.told:
                if one.faction == faction:
                    return one.number
        own = self.table.entries.filter(faction=faction, undone=False, number__lte=self.at)
        return own.aggregate(last=Max("number"))["last"] or 0

    def waiting(self) -> list[tuple[Player, str]]:
        """Who else is to enter something, and what."""
        players, mine = self.players, self.mine()
        titles = self._titles()
        return [
            (players[f], titles[f])
            for f in self.table.waiting_for
            if f not in mine and f in players and f in titles
        ]

    def _titles(self) -> Mapping[str, str]:
        """What each is asked for, in one sentence."""

        def make() -> Mapping[str, str]:
            first = {prompt.faction: prompt for prompt in reversed(self.game.prompts(self.public))}
            return {faction: wording.render(self.game, prompt.title) for faction, prompt in first.items()}

        return self._cached("titles", self.state_key, make)

    # What happened

    @cached_property
    def newest(self) -> Entry | None:
        if self._is_newest:
            return next(iter(self._recent.entries), None)
        return self.table.entries.filter(number=self.at).first()

    @property
    def _newest_told(self) -> Sequence[Told]:
        if self._is_newest:
            return self._recent.told[:1]
        return [told(self.newest)] if self.newest else []

    @cached_property
    def since(self) -> Sequence[Told]:
        """What has been entered since somebody on this phone entered something, the oldest first.

        For a phone that enters nothing, and for a moment of the past, the newest entry alone.
        """
        mine = self.access.factions
        if not mine or not self._is_newest:
            return self._newest_told
        return list(takewhile(lambda one: one.faction not in mine, self._recent.told))[::-1]

    def told_since(self) -> tuple[tuple[str, str], ...]:
        """Return the faction and title of each entry since; empty if there is only one."""
        if len(self.since) < 2:  # noqa: PLR2004
            return ()
        return tuple((one.faction, self._title(one.number, one.title)) for one in self.since)

    def undo_label(self, entry: Entry | None) -> str:
        return _("Undo: %(what)s") % {"what": self.title(entry)} if entry else ""

    def title(self, entry: Entry) -> str:
        """An entry in one sentence: its first step."""
        return self._title(entry.number, read_step(entry.steps[0]).message)

    def _title(self, number: int, message: Message) -> str:
        """An entry never changes, so its sentence outlasts the version of the table."""
        key = (self.table.code, "title", number, get_language())
        title: str = _entries.get_or_compute(key, lambda: wording.render(self.game, message))
        return title

    def redo(self) -> Entry | None:
        return self._recent.redo if not self.table.ended_by_host else None

    def steps_of(self, entry: Entry | None) -> list[dict[str, Any]]:
        return [shown_step(self.game, read_step(step)) for step in entry.steps] if entry else []

    @cached_property
    def tasks(self) -> list[Task]:
        """What hands have to do: the newest entries with lines that are not ticked, and the newest of all.

        Before a position nothing is left to do: it tells what lies on the table.
        """
        entries = _from_position(self._recent.entries)
        tasks = [self._task(entry.number, self.title(entry), entry) for entry in entries]
        if len(entries) < WITH_HANDS and not (entries and _is_position(entries[-1])):
            tasks.append(self._task(0, _("Setting up"), None))
        return [
            task for i, task in enumerate(tasks) if task.lines and (i == 0 or task.done < len(task.lines))
        ]

    def _task(self, number: int, title: str, entry: Entry | None) -> Task:
        """The lines of an entry, or of setting up; one's own first."""
        mine, ticks = self.access.factions, self._recent.ticks
        lines = sorted(self._lines(number, entry), key=lambda line: line.hand not in mine)
        players = self.players
        rows = ((line, (number, line.number) in ticks, players.get(line.hand or "")) for line in lines)
        return Task(number, title, tuple(rows))

    def _lines(self, number: int, entry: Entry | None) -> list[Line]:
        """An entry never changes, so these outlast the version of the table."""

        def make() -> list[Line]:
            steps = map(read_step, entry.steps) if entry else self.game.start(setup_of(self.table)).steps
            return hands(self.game, steps, self.table.order)

        key = (self.table.code, "hands", number, tuple(self.table.order), get_language())
        lines: list[Line] = _entries.get_or_compute(key, make)
        return lines

    def newest_steps(self) -> list[dict[str, Any]]:
        return self.steps_of(self.newest)

    # Correcting

    def correct_form(self, place: str) -> dict[str, Any]:
        """What lies at a place, to be corrected; and the places there are to choose from."""
        state = self.state
        known = place if place and self.game.knows_place(state, place) else ""
        spills = self.screen.spills if isinstance(self.screen, Spills) else {}
        source = spills.get(known, "")
        walk = self._counting
        places = sorted({*state.ledger.occupied(), *(walk.places() if walk else ()), *spills} - {"supply"})
        lines = {(h.owner, h.piece): h.count for h in state.ledger.at(known)} if known else {}
        others = [(h.owner, h.piece) for h in state.ledger.at(source)] if source else []
        for kind in [*others, *(walk.addable_at(known) if walk else ())]:
            lines.setdefault(kind, 0)
        return {
            "place": known,
            "place_name": wording.capital(wording.name(self.game, "place", known)) if known else "",
            "places": [(p, wording.name(self.game, "place", p)) for p in places],
            "source": source,
            "source_name": wording.name(self.game, "place", source) if source else "",
            "owners": [(f, self.faction_name(f)) for f in (*self.table.order, *self.game.neutrals)],
            "lines": [
                (owner, self.faction_name(owner), piece, wording.name(self.game, "piece", piece), count)
                for (owner, piece), count in sorted(lines.items())
            ],
            "pieces": [(p, wording.name(self.game, "piece", p)) for p in sorted(self.game.pieces)],
            "key": uuid.uuid4().hex,
        }

    @property
    def _counting(self) -> Counting | None:
        """What may lie where, in games whose table is walked along."""
        if not isinstance(self.screen, Walks):
            return None
        return Counting(self.game, self.state, self.screen.walk(self.state))

    # Board, score, journal

    def score(self) -> dict[str, Any]:
        """How the game would stand if it ended now, the leader first, with the parts."""
        return self._cached("score", self.version_key, self._score)

    def _score(self) -> dict[str, Any]:
        state = self.public
        standings = memoised(self.game.if_it_ended_now, state)
        ordered = sorted(standings, key=lambda s: -s.points)
        most = max((standing.points for standing in standings), default=Fraction(0))
        parts = list(standings[0].parts) if standings else []
        provisional = self.game.provisional(state)
        result = self.game.result(state)
        rows = [
            {
                "player": self.players.get(s.faction),
                "points": wording.number(s.points),
                "parts": [wording.number(s.parts[part]) for part in parts],
                "share": round(100 * s.points / most) if most else 0,
            }
            for s in ordered
        ]
        return {
            "rows": rows,
            "parts": [wording.name(self.game, "part", part) for part in parts],
            "by_part": [
                (wording.name(self.game, "part", part), [wording.number(s.parts[part]) for s in ordered])
                for part in parts
                if any(standing.parts[part] for standing in standings)
            ],
            "provisional": wording.render(self.game, provisional) if provisional else "",
            "reason": wording.render(self.game, result.reason) if result and result.reason else "",
        }

    def by_round(self) -> list[tuple[str, list[str]]]:
        """The points after each round that is over, of everybody in the order of play."""
        last = self.table.round if self.is_playing else self.table.round + 1
        kept = self.table.standings.filter(round__gt=0, round__lt=last).order_by("round")
        rounds: dict[int, dict[str, str]] = {}
        for row in kept:
            rounds.setdefault(row.round, {})[row.faction] = wording.number(Fraction(row.points))
        return [
            (wording.round_name(self.game, number), [points.get(faction, "") for faction in self.players])
            for number, points in rounds.items()
        ]

    def gains(self, after: State) -> list[dict[str, Any]]:
        """Everybody's points after an entry that is not made yet, and what it would bring."""
        before = {s.faction: s.points for s in self.game.standings(self.state)}
        return [
            {
                "player": self.players.get(s.faction),
                "points": wording.number(s.points),
                "gain": wording.number(s.points - before[s.faction]),
                "more": s.points >= before[s.faction],
            }
            for s in sorted(self.game.standings(after), key=lambda s: -s.points)
        ]

    def journal(self, before: int | None) -> dict[str, Any]:
        """A page of entries and notices, the newest first."""
        again = self.table.entries.exclude(origin=None).values("origin")  # those are shown where they are now
        entries = self.table.entries.exclude(undone=True, number__in=again)
        entries = entries.order_by("-number")
        if before:
            entries = entries.filter(number__lt=before)
        page = list(entries[: JOURNAL_PAGE + 1])
        shown = page[:JOURNAL_PAGE]
        since = min(entry.created_at for entry in shown) if len(page) > JOURNAL_PAGE else None
        lines: list[tuple[datetime, dict[str, Any]]] = [(e.created_at, self._journal_line(e)) for e in shown]
        if not before:
            lines += [(n.created_at, {"notice": notice_text(n)}) for n in self._notices(since)]
        lines.sort(key=lambda line: line[0], reverse=True)
        return {"lines": lines, "older": shown[-1].number if len(page) > JOURNAL_PAGE else None}

    def _notices(self, since: datetime | None) -> Iterable[Notice]:
        notices = self.table.notices.all()
        return notices.filter(created_at__gte=since) if since else notices

    def _journal_line(self, entry: Entry) -> dict[str, Any]:
        return {
            "entry": entry,
            "may_change": entry.number not in self.hidden,
            "title": self.title(entry),
            "steps": self.steps_of(entry),
            "marks": shown_marks(entry),
            "reason": wording.reason(entry.reason),
        }


def _from_position(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries, the newest first, down to one that tells what lies on the table."""
    ends = [i for i, entry in enumerate(entries, 1) if _is_position(entry)]
    return entries[: ends[0]] if ends else entries


def _is_position(entry: Entry) -> bool:
    return bool(entry.action["type"] == Position.type)


def _form_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
