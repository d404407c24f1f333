"""What the API tells of a table, as JSON data. Texts are in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from companion import wording
from companion.access.table_access import TableAccess
from companion.api.errors import section
from companion.journal import mirror, secrets
from companion.journal.marks import marks_of
from companion.journal.mending import Plan
from companion.journal.states import State, game_of, state_at
from companion.models import Entry, Seat, Table
from companion.models import Standing as StandingRow
from companion.tables.board_copies import options_of
from companion.tables.opening import Opened
from games.core.codec import Json, to_json
from games.core.game import AnyGame
from games.core.options import Option
from games.core.prompts import Prompt
from games.core.steps import Act, Step, read_step

Answer = dict[str, Json]


def game(known: AnyGame) -> Answer:
    return {
        "slug": known.slug,
        "name": known.name,
        "min_players": known.min_players,
        "max_players": known.max_players,
        "factions": list(known.factions),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.values) if isinstance(option, Option) else None,
                "fixed": option.fixed,
            }
            for option in known.options
        ],
    }


# Tables


def opened(new: Opened) -> Answer:
    """A new table with its tokens, which are told only now."""
    return {
        "code": new.table.code,
        "host_token": new.host_token,
        "version": new.table.version,
        "seats": [seat_taken(seat, token) for seat, token in new.seats],
    }


def seat_taken(seat: Seat, token: str) -> Answer:
    return {"seat": seat.number, "faction": seat.faction, "token": token}


def table(found: Table) -> Answer:
    return {
        "code": found.code,
        "game": found.game,
        "version": found.version,
        "number": found.head,
        "status": found.status,
        "round": found.round,
        "phase": found.phase,
        "order": found.order,
        "waiting_for": found.waiting_for,
        "seats": [seat(one) for one in found.seats.all()],
        "winners": found.winners,
        "locked": found.locked,
        "options": options_of(game_of(found), found),
    }


def seat(one: Seat) -> Answer:
    return {"seat": one.number, "name": one.name, "faction": one.faction, "free": not one.token_hash}


# Playing


def state(found: Table, number: int, reader: TableAccess) -> Answer:
    """The state after an entry, as the reader may see it; before the game begins nothing lies anywhere."""
    if found.setup is None:
        return {"version": found.version, "number": 0, "round": 0, "phase": "", "holdings": [], "facts": {}}
    played, seen = game_of(found), _seen(found, number, reader)
    return {
        "version": found.version,
        "number": number,
        "round": seen.round,
        "phase": played.phase(seen),
        "holdings": [holding._asdict() for holding in seen.ledger.holdings()],
        "facts": played.facts(seen),
    }


def _seen(found: Table, number: int, reader: TableAccess) -> State:
    """A program shows one token, so it holds one seat at most."""
    viewer = secrets.viewer_of(found, reader.seats[0] if reader.is_seated else None, number)
    return game_of(found).view(state_at(found, number), viewer)


def prompts(found: Table, reader: TableAccess) -> list[Answer]:
    if found.setup is None or found.ended_by_host:
        return []
    played = game_of(found)
    return [_prompt(played, prompt) for prompt in played.prompts(_seen(found, found.head, reader))]


def _prompt(played: AnyGame, prompt: Prompt) -> Answer:
    return {
        "faction": prompt.faction,
        "action": prompt.action,
        "title": wording.render(played, prompt.title),
        "rule": prompt.rule,
        "choices": prompt.choices(),
        "example": prompt.example_json(),
    }


def step(played: wording.Speaker, one: Step) -> Answer:
    """A step. ``moves`` are all its moves, those of the finer ``steps`` within it included: who reads
    only the outermost steps sees every move exactly once.
    """
    return {
        "rule": section(one.rule),
        "text": wording.render(played, one.message),
        "moves": [to_json(move) for move in one.all_moves()],
        "acts": [_act(played, act) for act in one.acts],
        "steps": [step(played, finer) for finer in one.steps],
        "key": one.key,
        "result": one.result,
        "ruling": one.ruling,
        "options": list(one.options),
    }


def _act(played: wording.Speaker, act: Act) -> Answer:
    return {"hand": act.hand, "text": wording.render(played, act.message)}


def steps(played: AnyGame, kept: Iterable[Json]) -> list[Answer]:
    """Steps as they are kept with an entry."""
    return [step(played, read_step(data)) for data in kept]


def journal(found: Table, reader: TableAccess) -> list[Answer]:
    played, entries = game_of(found), list(found.entries.all())
    hidden = secrets.hidden_from(found, reader.seats)  # after the entries: what is newer is hidden, too
    return [_entry(played, entry, hidden) for entry in entries]


def _entry(played: AnyGame, entry: Entry, hidden: secrets.Hidden) -> Answer:
    return {
        "number": entry.number,
        "parent": entry.parent,
        "faction": entry.faction,
        "action": secrets.action_told(entry, hidden),
        "at": entry.created_at.isoformat(),
        "undone": entry.undone,
        "rules": entry.rules,
        "steps": steps(played, entry.steps),
        "origin": entry.origin,
        "mended_at": entry.mended_at.isoformat() if entry.mended_at else None,
        "reason": entry.reason,
        "marks": marks_of(entry),
    }


def planned(found: Table, plan: Plan) -> Answer:
    """What a mend would change; nothing of it where that would tell a secret."""
    if plan.withheld:
        now = standings_of(game_of(found), plan.before)
        return {"version": plan.version, "hidden": True, "holds": [], "broken": [], "standings": now}
    return {
        "version": plan.version,
        "hidden": False,
        "holds": plan.holds,
        "broken": [
            {"number": one.number, "text": one.why.message, "rule": section(one.why.rule)}
            for one in plan.broken
        ],
        "standings": standings_of(game_of(found), plan.after),
    }


def standings(found: Table) -> list[Answer]:
    """For each round its last standings, in the order of the seats."""
    if found.setup is None:
        return []
    place = {faction: i for i, faction in enumerate(found.setup["factions"])}
    rows = sorted(found.standings.all(), key=lambda row: (row.round, place[row.faction]))
    return [_standing(row) for row in rows]


def _standing(row: StandingRow) -> Answer:
    points = int(row.points) if row.points == int(row.points) else float(row.points)
    return {"round": row.round, "faction": row.faction, "points": points, "parts": row.parts}


def standings_of(played: AnyGame, after: State) -> list[Answer]:
    """The standings in a state that is not kept."""
    return [
        {
            "round": after.round,
            "faction": one.faction,
            "points": mirror.plain(one.points),
            "parts": {part: mirror.plain(points) for part, points in one.parts.items()},
        }
        for one in played.standings(after)
    ]
