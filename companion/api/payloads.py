"""Response data of the API as JSON values. Texts are in the language of the request."""

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

Payload = dict[str, Json]


def game(rules: AnyGame) -> Payload:
    return {
        "slug": rules.slug,
        "name": rules.name,
        "min_players": rules.min_players,
        "max_players": rules.max_players,
        "factions": list(rules.factions),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": list(option.values) if isinstance(option, Option) else None,
                "fixed": option.fixed,
            }
            for option in rules.options
        ],
    }


# Tables


def opened(new: Opened) -> Payload:
    """Return a new table with its tokens, which are never shown again."""
    return {
        "code": new.table.code,
        "host_token": new.host_token,
        "version": new.table.version,
        "seats": [seat_taken(seat, token) for seat, token in new.seats],
    }


def seat_taken(seat: Seat, token: str) -> Payload:
    return {"seat": seat.number, "faction": seat.faction, "token": token}


def table(row: Table) -> Payload:
    return {
        "code": row.code,
        "game": row.game,
        "version": row.version,
        "number": row.head,
        "status": row.status,
        "round": row.round,
        "phase": row.phase,
        "order": row.order,
        "waiting_for": row.waiting_for,
        "seats": [seat(seat_row) for seat_row in row.seats.all()],
        "winners": row.winners,
        "locked": row.locked,
        "options": options_of(game_of(row), row),
    }


def seat(row: Seat) -> Payload:
    return {"seat": row.number, "name": row.name, "faction": row.faction, "free": not row.token_hash}


# Playing


def state(table: Table, number: int, reader: TableAccess) -> Payload:
    """Return the state after an entry as this reader may see it; before the start it is empty."""
    if table.setup is None:
        return {"version": table.version, "number": 0, "round": 0, "phase": "", "holdings": [], "facts": {}}
    rules, seen = game_of(table), _masked_state(table, number, reader)
    return {
        "version": table.version,
        "number": number,
        "round": seen.round,
        "phase": rules.phase(seen),
        "holdings": [holding._asdict() for holding in seen.ledger.holdings()],
        "facts": rules.facts(seen),
    }


def _masked_state(table: Table, number: int, reader: TableAccess) -> State:
    """Return the masked state. An API client sends one token, so it holds at most one seat."""
    viewer = secrets.viewer_of(table, reader.seats[0] if reader.is_seated else None, number)
    return game_of(table).view(state_at(table, number), viewer)


def prompts(table: Table, reader: TableAccess) -> list[Payload]:
    if table.setup is None or table.ended_by_host:
        return []
    rules = game_of(table)
    return [_prompt(rules, prompt) for prompt in rules.prompts(_masked_state(table, table.head, reader))]


def _prompt(rules: AnyGame, prompt: Prompt) -> Payload:
    return {
        "faction": prompt.faction,
        "action": prompt.action,
        "title": wording.render(rules, prompt.title),
        "rule": prompt.rule,
        "choices": prompt.choices(),
        "example": prompt.example_json(),
    }


def step(speaker: wording.Speaker, outer: Step) -> Payload:
    """Return a step. `moves` includes those of nested `steps`: the outermost steps list every move once."""
    return {
        "rule": section(outer.rule),
        "text": wording.render(speaker, outer.message),
        "moves": [to_json(move) for move in outer.all_moves()],
        "acts": [_act(speaker, act) for act in outer.acts],
        "steps": [step(speaker, inner) for inner in outer.steps],
        "key": outer.key,
        "result": outer.result,
        "ruling": outer.ruling,
        "options": list(outer.options),
    }


def _act(speaker: wording.Speaker, act: Act) -> Payload:
    return {"hand": act.hand, "text": wording.render(speaker, act.message)}


def steps(rules: AnyGame, stored: Iterable[Json]) -> list[Payload]:
    """Return the steps stored with an entry."""
    return [step(rules, read_step(data)) for data in stored]


def journal(table: Table, reader: TableAccess) -> list[Payload]:
    rules, entries = game_of(table), list(table.entries.all())
    # Read after the entries, so that newer secrets are masked, too.
    hidden = secrets.hidden_from(table, reader.seats)
    return [_entry(rules, entry, hidden) for entry in entries]


def _entry(rules: AnyGame, entry: Entry, hidden: secrets.Hidden) -> Payload:
    return {
        "number": entry.number,
        "parent": entry.parent,
        "faction": entry.faction,
        "action": secrets.visible_action(entry, hidden),
        "at": entry.created_at.isoformat(),
        "undone": entry.undone,
        "rules": entry.rules,
        "steps": steps(rules, entry.steps),
        "origin": entry.origin,
        "mended_at": entry.mended_at.isoformat() if entry.mended_at else None,
        "reason": entry.reason,
        "marks": marks_of(entry),
    }


def planned(table: Table, plan: Plan) -> Payload:
    """Return the effects of a mend; none of them if that would reveal a secret."""
    if plan.withheld:
        now = standings_of(game_of(table), plan.before)
        return {"version": plan.version, "hidden": True, "holds": [], "broken": [], "standings": now}
    return {
        "version": plan.version,
        "hidden": False,
        "holds": plan.holds,
        "broken": [
            {"number": entry.number, "text": entry.why.message, "rule": section(entry.why.rule)}
            for entry in plan.broken
        ],
        "standings": standings_of(game_of(table), plan.after),
    }


def standings(table: Table) -> list[Payload]:
    """Return the last standings of each round, in seat order."""
    if table.setup is None:
        return []
    place = {faction: i for i, faction in enumerate(table.setup["factions"])}
    rows = sorted(table.standings.all(), key=lambda row: (row.round, place[row.faction]))
    return [_standing(row) for row in rows]


def _standing(row: StandingRow) -> Payload:
    points = int(row.points) if row.points == int(row.points) else float(row.points)
    return {"round": row.round, "faction": row.faction, "points": points, "parts": row.parts}


def standings_of(rules: AnyGame, after: State) -> list[Payload]:
    """Return the standings in a state that is not stored."""
    return [
        {
            "round": after.round,
            "faction": standing.faction,
            "points": mirror.plain(standing.points),
            "parts": {part: mirror.plain(points) for part, points in standing.parts.items()},
        }
        for standing in rules.standings(after)
    ]
