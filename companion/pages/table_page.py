"""Template data of a table page: prompts, hand moves, explanations, standings and journal, for one viewer."""

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
from companion.journal.recent import WITH_HANDS, EntrySummary, Recent, recent, summarise
from companion.journal.states import State, game_of, memoised, setup_of, state_at
from companion.journal.todo import Line, hands
from companion.models import Entry, Notice, Seat, Status, Table
from companion.results.pauses import PAUSE, Break
from companion.tables.board_copies import options_of
from companion.tables.hosting import is_host_gone
from companion.tables.seats import shown_name
from companion.titles import screen_of
from companion.titles.base import Screen
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

_data: LruCache[Any] = register(LruCache("page data", 480))  # per version or state: boards, forms, standings
_entries: LruCache[Any] = register(LruCache("entry texts", 10_000))  # titles and lines of entries


@dataclass(frozen=True, slots=True)
class Player:
    """A seat's player with display names."""

    faction: str
    faction_name: str
    name: str
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Hand moves of one entry: each a line, a flag for done, and its player."""

    number: int
    title: str
    lines: tuple[tuple[Line, bool, Player | None], ...]

    @property
    def done(self) -> int:
        return sum(done for _line, done, _player in self.lines)


class TablePage:
    """A table as seen by one phone. Query results are cached, so that each query runs at most once."""

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
        self.shown_to = shown_to  # the faction that has revealed its secrets on this shared phone
        self.at = table.head if at is None else at  # the entry after which the table is shown
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
        """The state with the secrets that this phone may see."""
        return memoised(self.game.view, state_at(self.table, self.at), self.viewer)

    @cached_property
    def public(self) -> State:
        """The state without secrets."""
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
        """The viewer if it sees more than the public state, else None."""
        return self.viewer if self.state != self.public else None

    @cached_property
    def _recent(self) -> Recent:
        return recent(self.table)

    @property
    def _is_newest(self) -> bool:
        return self.at == self.table.head

    def _cached(self, name: str, key: Hashable, compute: Callable[[], T]) -> T:
        """Compute a value once per key and language, for all phones; callers must not modify it."""
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
        """Return the board data of the public state."""
        return self._cached("chart", self.state_key, lambda: self.screen.board(self.public))

    def secret(self) -> Mapping[str, Any]:
        """Return the board data that only this viewer may see."""
        if self._secretive_viewer and self.screen.secret:
            return self.screen.secret(self.state)
        return {}

    @cached_property
    def changed_places(self) -> list[str]:
        """The places to highlight: changed since this phone's last entry, or else by the newest entry."""
        entries = self.entries_since or self._newest_summary
        return sorted({place for entry in entries for place in entry.places})

    @property
    def may_enter(self) -> bool:
        """True for seated players and the host."""
        return self.access.is_seated or self.access.is_host

    @property
    def may_correct(self) -> bool:
        return self.may_enter and not self.table.ended_by_host

    @property
    def may_compare(self) -> bool:
        """True if this phone may compare the app with the real table."""
        is_walked = self.started and not self.table.ended_by_host and self.screen.walk is not None
        return is_walked and self.may_enter

    @property
    def compare_is_due(self) -> bool:
        """True if a round has begun since the last comparison."""
        return self._cached("compare", self.version_key, lambda: is_due(self.table))

    @property
    def has_room(self) -> bool:
        """True if somebody may take a seat."""
        is_open = self.is_open and len(self.seats) < len(self.game.factions)
        return not self.table.locked and (is_open or (self.is_playing and bool(self.free_seats)))

    @property
    def rematch(self) -> Table | None:
        """The latest rematch of this table, once its game has ended."""
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
        """Start of the running break, or None."""
        running = (began for began, ended in self.breaks if ended is None)
        return next(running, None) if self.is_playing else None

    @cached_property
    def clock(self) -> Clock:
        return clock_of(self.table, self.breaks)

    def timers(self) -> list[dict[str, Any]]:
        """Return the clocks: text, and the seconds from which a script continues."""
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
                "most": int(clock.longest.total_seconds()),
            },
        ]

    def thinking(self) -> list[tuple[Player, str]]:
        """Return the thinking time of each player in seat order."""
        spent = self.clock.thinking
        return [(player, wording.duration(spent[f])) for f, player in self.players.items() if f in spent]

    # Secrets

    @property
    def is_shared(self) -> bool:
        """True if several seats with secrets from each other share this phone."""
        return bool(self.game.secrets) and len(self.mine()) > 1

    @cached_property
    def viewer(self) -> str | None:
        """The faction whose secrets are shown: the phone's seat, or on a shared phone the one that revealed them."""
        faction = self.shown_to if self.is_shared else next(iter(self.access.factions), None)
        seat = self.access.seat_for(faction) if faction else None
        return secrets.viewer_of(self.table, seat, self.at)

    @cached_property
    def hidden(self) -> secrets.Hidden:
        """The entries whose content this phone may not see."""
        return secrets.hidden_from(self.table, self.access.seats)

    def covered(self) -> list[Player]:
        """Return the players who can reveal their secrets on this shared phone."""
        if not self.is_shared or self.viewer:
            return []
        hidden = secrets.hidden_entries(self.table)
        hiding = {faction for number, faction in hidden.items() if number not in self.hidden}
        return [self.players[f] for f in self.access.factions if f in hiding and f in self.players]

    @property
    def taken_over(self) -> list[str]:
        """The names of the seats whose takeover is announced to all until the game ends."""
        seats = self.seats if self.is_open or self.is_playing else ()
        return [shown_name(seat) for seat in secrets.taken_over(self.table, seats)]

    # Before the game begins

    @property
    def can_start(self) -> bool:
        return self.game.min_players <= len(self.seats) <= self.game.max_players

    def option_forms(self) -> list[dict[str, Any]]:
        """Return the host's choices: the first player and the table options."""
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
        """Return the choice of the number of people, for games where one may play two factions."""
        chosen = self.table.options.get("players")
        counts = range(self.game.min_players, self.game.max_players + 1)
        people = [(str(count), str(count), count == chosen) for count in counts]
        each = ("", _("One for each seat"), chosen is None)
        return {"name": "players", "title": _("People at the table"), "values": [each, *people]}

    def options(self) -> list[tuple[str, str]]:
        """Return titles and values of the table options in force."""
        setup = self.state.setup
        chosen = [(o.name, setup.options[o.name]) for o in self.game.options]
        return [
            (wording.option_title(self.game, name), wording.option_value(self.game, name, value))
            for name, value in chosen
            if not isinstance(value, dict)
        ]

    # Entering

    def mine(self) -> list[str]:
        """Return the factions that this phone enters for."""
        return [seat.faction for seat in self.seats] if self.scribe else list(self.access.factions)

    def prompted_players(self) -> list[Player]:
        """Return the players of this phone that have a prompt now."""
        players, mine = self.players, self.mine()
        return [players[f] for f in self.table.waiting_for if f in mine and f in players]

    def entry_form(self, wanted: str | None) -> dict[str, Any]:
        """Return the form of one prompted faction of this phone, or its cover if secret; neither if none."""
        prompted = [player.faction for player in self.prompted_players()]
        if not prompted or self.table.ended_by_host:
            return {"form": None, "cover": None}
        faction = wanted if wanted in prompted else prompted[0]
        if self.is_shared and self.shown_to != faction and self._has_secret_prompt(faction):
            return {"form": None, "cover": self.players[faction]}
        return {"form": self.form_for(faction), "cover": None}

    def _has_secret_prompt(self, faction: str) -> bool:
        return any(prompt.action in self.game.secrets for prompt in self._prompts(faction))

    def _prompts(self, faction: str) -> list[Prompt]:
        prompts = self._cached("prompts", self.viewer_key, lambda: self.game.prompts(self.state))
        return [prompt for prompt in prompts if prompt.faction == faction]

    def form_for(self, faction: str) -> dict[str, Any]:
        """Return the entry form of a faction, which must have a prompt in the shown state."""
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
            "draft": f"{faction}-{prompts[0].action}-{self._last_entry_of(faction)}",
            "template": f"{self.screen.folder}/prompt.html",
            "screen": screen,
            "buttons": screen["buttons"],
        }

    def _last_entry_of(self, faction: str) -> int:
        """Return the number of a faction's last entry, 0 if none; drafts are stored under it."""
        if self._is_newest:
            for entry in self._recent.summaries:
                if entry.faction == faction:
                    return entry.number
        own = self.table.entries.filter(faction=faction, undone=False, number__lte=self.at)
        return own.aggregate(last=Max("number"))["last"] or 0

    def waiting(self) -> list[tuple[Player, str]]:
        """Return the other players with a prompt, and its title."""
        players, mine = self.players, self.mine()
        titles = self._titles()
        return [
            (players[f], titles[f])
            for f in self.table.waiting_for
            if f not in mine and f in players and f in titles
        ]

    def _titles(self) -> Mapping[str, str]:
        """Return the title of each faction's first prompt."""

        def compute() -> Mapping[str, str]:
            first = {prompt.faction: prompt for prompt in reversed(self.game.prompts(self.public))}
            return {faction: wording.render(self.game, prompt.title) for faction, prompt in first.items()}

        return self._cached("titles", self.state_key, compute)

    # Entries and undo

    @cached_property
    def newest(self) -> Entry | None:
        if self._is_newest:
            return next(iter(self._recent.entries), None)
        return self.table.entries.filter(number=self.at).first()

    @property
    def _newest_summary(self) -> Sequence[EntrySummary]:
        if self._is_newest:
            return self._recent.summaries[:1]
        return [summarise(self.newest)] if self.newest else []

    @cached_property
    def entries_since(self) -> Sequence[EntrySummary]:
        """The entries since the last one made for a seat of this phone, oldest first.

        For a phone without seats, and for a past state, only the newest entry.
        """
        mine = self.access.factions
        if not mine or not self._is_newest:
            return self._newest_summary
        return list(takewhile(lambda entry: entry.faction not in mine, self._recent.summaries))[::-1]

    def titles_since(self) -> tuple[tuple[str, str], ...]:
        """Return faction and title of each entry in `entries_since`; empty if there is only one."""
        if len(self.entries_since) < 2:  # noqa: PLR2004
            return ()
        return tuple((entry.faction, self._title(entry.number, entry.title)) for entry in self.entries_since)

    def undo_label(self, entry: Entry | None) -> str:
        return _("Undo: %(what)s") % {"what": self.title(entry)} if entry else ""

    def title(self, entry: Entry) -> str:
        """Return the title of an entry: the sentence of its first step."""
        return self._title(entry.number, read_step(entry.steps[0]).message)

    def _title(self, number: int, message: Message) -> str:
        """Render a title; cached beyond the table's version, because entries are immutable."""
        key = (self.table.code, "title", number, get_language())
        title: str = _entries.get_or_compute(key, lambda: wording.render(self.game, message))
        return title

    def redo(self) -> Entry | None:
        return self._recent.redo if not self.table.ended_by_host else None

    def steps_of(self, entry: Entry | None) -> list[dict[str, Any]]:
        return [shown_step(self.game, read_step(step)) for step in entry.steps] if entry else []

    @cached_property
    def tasks(self) -> list[Task]:
        """The hand moves of the newest entry, and of recent ones that are not completely ticked.

        Entries before a position are left out, because a position states what is on the table.
        """
        entries = _from_position(self._recent.entries)
        tasks = [self._task(entry.number, self.title(entry), entry) for entry in entries]
        if len(entries) < WITH_HANDS and not (entries and _is_position(entries[-1])):
            tasks.append(self._task(0, _("Setting up"), None))
        return [
            task for i, task in enumerate(tasks) if task.lines and (i == 0 or task.done < len(task.lines))
        ]

    def _task(self, number: int, title: str, entry: Entry | None) -> Task:
        """Return the hand moves of an entry or of the setup, those of this phone's seats first."""
        mine, ticks = self.access.factions, self._recent.ticks
        lines = sorted(self._lines(number, entry), key=lambda line: line.hand not in mine)
        players = self.players
        rows = ((line, (number, line.number) in ticks, players.get(line.hand or "")) for line in lines)
        return Task(number, title, tuple(rows))

    def _lines(self, number: int, entry: Entry | None) -> list[Line]:
        """Return the hand moves; cached beyond the table's version, because entries are immutable."""

        def compute() -> list[Line]:
            steps = map(read_step, entry.steps) if entry else self.game.start(setup_of(self.table)).steps
            return hands(self.game, steps, self.table.order)

        key = (self.table.code, "hands", number, tuple(self.table.order), get_language())
        lines: list[Line] = _entries.get_or_compute(key, compute)
        return lines

    def newest_steps(self) -> list[dict[str, Any]]:
        return self.steps_of(self.newest)

    # Correcting

    def correct_form(self, place: str) -> dict[str, Any]:
        """Return the form to correct the pieces at a place, and the choice of places."""
        state = self.state
        chosen = place if place and self.game.knows_place(state, place) else ""
        spills = self.screen.spills
        source = spills.get(chosen, "")
        walk = self._counting
        places = sorted({*state.ledger.occupied(), *(walk.places() if walk else ()), *spills} - {"supply"})
        lines = {(h.owner, h.piece): h.count for h in state.ledger.at(chosen)} if chosen else {}
        others = [(h.owner, h.piece) for h in state.ledger.at(source)] if source else []
        for kind in [*others, *(walk.addable_at(chosen) if walk else ())]:
            lines.setdefault(kind, 0)
        return {
            "place": chosen,
            "place_name": wording.capital(wording.name(self.game, "place", chosen)) if chosen else "",
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
        """Return the places and pieces of games with a comparison walk, else None."""
        if self.screen.walk is None:
            return None
        return Counting(self.game, self.state, self.screen.walk(self.state))

    # Board, score, journal

    def score(self) -> dict[str, Any]:
        """Return the standings if the game ended now, leader first, with the parts of each score."""
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
        """Return the points of all players after each completed round."""
        last = self.table.round if self.is_playing else self.table.round + 1
        rows = self.table.standings.filter(round__gt=0, round__lt=last).order_by("round")
        rounds: dict[int, dict[str, str]] = {}
        for row in rows:
            rounds.setdefault(row.round, {})[row.faction] = wording.number(Fraction(row.points))
        return [
            (wording.round_name(self.game, number), [points.get(faction, "") for faction in self.players])
            for number, points in rounds.items()
        ]

    def gains(self, after: State) -> list[dict[str, Any]]:
        """Return everybody's points in a previewed state, and the difference to now."""
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
        """Return a page of entries and notices, newest first."""
        remade = self.table.entries.exclude(origin=None).values("origin")  # shown as their new entries
        entries = self.table.entries.exclude(undone=True, number__in=remade)
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
    """Return the entries, newest first, down to and including the latest position."""
    ends = [i for i, entry in enumerate(entries, 1) if _is_position(entry)]
    return entries[: ends[0]] if ends else entries


def _is_position(entry: Entry) -> bool:
    return bool(entry.action["type"] == Position.type)


def _form_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
