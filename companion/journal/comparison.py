"""Comparing with the real table: what the journal knows, and the corrections that differences become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal import submit, todo
from companion.journal.causes import Deed, Difference, Finding, Made
from companion.journal.states import game_of, setup_of, state_at
from companion.journal.versions import bump_version, notice, with_latest
from companion.models import Table, Tick
from games.core.actions import Position
from games.core.corrections import COMPARED
from games.core.game import AnyGame
from games.core.positions import SUPPLY
from games.core.steps import Step, read_step

NOTICE = "compared"


# The journal


def deeds_of(table: Table) -> list[Deed]:
    """The entries that count, newest first, back to setting up or to a position."""
    ticked = set(Tick.objects.filter(table=table).values_list("number", "line"))
    deeds = []
    rows = table.entries.filter(undone=False).order_by("-number")
    for number, kind, steps in rows.values_list("number", "action__type", "steps"):
        deeds.append(_deed(number, map(read_step, steps), ticked, is_whole=kind == Position.type))
        if deeds[-1].is_whole:
            return deeds
    start = game_of(table).start(setup_of(table))
    return [*deeds, _deed(0, start.steps, ticked)]


def _deed(
    number: int, steps: Iterable[Step], ticked: set[tuple[int, int]], *, is_whole: bool = False
) -> Deed:
    made = (
        Made(move, line is not None and (number, line) not in ticked) for line, move in todo.moves_of(steps)
    )
    return Deed(number, tuple(made), is_whole)


def is_due(table: Table) -> bool:
    """Whether a round has begun since the table was compared, or since the first one."""
    newest = table.notices.filter(code=NOTICE).order_by("-pk").values_list("params", flat=True).first()
    return table.round > (int(newest["round"]) if newest else 1)


# Corrections

Correction = Mapping[str, Any]


def is_stuck(game: AnyGame, finding: Finding, against: Mapping[str, str]) -> bool:
    """Whether a count of the supply differs and nothing else does: no place is known for the difference."""
    one = finding.missing or finding.extra
    if one is None or finding.is_shift or one.place != SUPPLY or against.get(finding.owner + finding.piece):
        return False
    return finding.piece not in game.uncounted


def corrections(table: Table, findings: Sequence[Finding], against: Mapping[str, str]) -> list[Correction]:
    """The entries that make the app count what was found; first what is taken away, so that it can be put elsewhere.

    ``against`` says where differences in the supply come from: by owner and piece together.
    """
    game, ledger = game_of(table), state_at(table, table.head).ledger
    made: Counter[tuple[str, str, str]] = Counter()

    def correct(finding: Finding, place: str, more: int, other: str | None = None) -> Correction:
        owner, piece = finding.owner, finding.piece
        made[owner, piece, place] += more
        if other:
            made[owner, piece, other] -= more
        count = ledger.count(owner, piece, place) + made[owner, piece, place]
        fields = {"owner": owner, "piece": piece, "place": place, "count": count, "reason": COMPARED}
        return {"type": "correct", **fields, **({"against": other} if other else {})}

    found: list[Correction] = []
    for finding in sorted(findings, key=_when):
        if is_stuck(game, finding, against):
            continue
        for place, more, other in _parts(
            finding, against, lambda one, at: ledger.count(one.owner, one.piece, at)
        ):
            found.append(correct(finding, place, more, other))
    return found


def _when(finding: Finding) -> int:
    """What goes away, what lies elsewhere, what comes."""
    return 1 if finding.is_shift else 0 if finding.missing else 2


def _parts(finding: Finding, against: Mapping[str, str], count: Any) -> Iterator[tuple[str, int, str | None]]:
    """Where how many more are counted, and at whose expense if not the supply's."""
    missing, extra, n = finding.missing, finding.extra, finding.count
    if missing and extra:
        if extra.place == SUPPLY:
            yield missing.place, -n, None
        else:
            yield extra.place, n, None if missing.place == SUPPLY else missing.place
    elif one := missing or extra:
        more = n if extra else -n
        other = against.get(one.owner + one.piece) if one.place == SUPPLY else None
        if one.also:
            yield from ((place, part, None) for place, part in _spread(finding, one, more, count))
        else:
            yield one.place, more, other


def _spread(finding: Finding, one: Difference, more: int, count: Any) -> Iterator[tuple[str, int]]:
    """Among places of which only the sum is seen: where the cause lies, else where most is."""
    move = finding.cause.move if finding.cause else None
    named = {move.source, move.target} if move else set()
    places = sorted(one.places, key=lambda place: (place not in named, -count(one, place)))
    if more > 0:
        yield places[0], more
        return
    for place in places:
        part = min(-more, count(one, place))
        if part:
            yield place, -part
            more += part


def enter(  # noqa: PLR0913 - all of it is what was compared
    *,
    table: Table,
    access: TableAccess,
    faction: str,
    findings: Sequence[Finding],
    against: Mapping[str, str],
    places: int,
    key: str,
) -> list[int]:
    """Enter what was found, all of it or nothing; the numbers of the entries. Raises ``Refusal``."""

    def attempt() -> list[int]:
        refuse_stranger(access)
        _refuse_unless_as_seen(table, findings)
        numbers = [
            submit.submit(
                table=table, access=access, faction=faction, action=dict(action), key=f"{key[:50]}-{at}"
            ).number
            for at, action in enumerate(corrections(table, findings, against))
        ]
        bump_version(table)
        told = {"places": places, "corrections": len(numbers), "round": table.round}
        notice(table, NOTICE, **{name: str(number) for name, number in told.items()})
        return numbers

    return with_latest(table, attempt)


def _refuse_unless_as_seen(table: Table, findings: Iterable[Finding]) -> None:
    """Somebody else may have entered something since it was counted."""
    ledger = state_at(table, table.head).ledger
    for one in (side for finding in findings for side in (finding.missing, finding.extra) if side):
        if sum(ledger.count(one.owner, one.piece, place) for place in one.places) != one.told:
            raise Refusal("gone", _("Something was entered meanwhile. Please look at what has changed."))
