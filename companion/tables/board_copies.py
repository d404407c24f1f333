"""Boards: a group's own copy of the printed figures, compared figure by figure.

A copy may be wrong while it is being corrected (neighbours are entered one by one); it can be
taken to a table only when nothing is wrong with it. Whoever knows its code may correct it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from companion import wording
from companion.access.codes import draw_code
from companion.access.rate_limits import WRONG_CODE
from companion.access.table_access import TableAccess, refuse_unless_host
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.journal.validation import validate_json
from companion.journal.versions import bump_version, with_latest
from companion.models import Board, Status, Table
from companion.tables.seats import clean_name
from games.core.boards import RULEBOOK, Path, figure_at, with_figure
from games.core.codec import Json
from games.core.figures import printed
from games.core.game import AnyGame
from games.registry import GAMES

FORMAT = "seneschal-board-1"
CODE_LENGTH = 8
_CODE = re.compile(rf"[0-9A-Za-z]{{1,{CODE_LENGTH + 2}}}")


# Copies


def make_copy(*, game: AnyGame, name: str) -> Board:
    """A copy of the shipped figures, none of them compared yet. Raises ``Refusal``."""
    return _make(game, name, game.board.figures, [])


def _make(game: AnyGame, name: str, figures: Json, confirmed: list[str]) -> Board:
    return Board.objects.create(
        code=_new_code(), game=game.slug, name=clean_name(name), figures=figures, confirmed=confirmed
    )


def _new_code() -> str:
    while True:
        code = draw_code(CODE_LENGTH)
        if not Board.objects.filter(code=code).exists():
            return code


def find_board(address: str, game: str, code: str) -> Board:
    """The copy with a code, for somebody who may not guess codes for ever. Raises ``Refusal``."""
    WRONG_CODE.refuse_if_used_up(address)
    board = Board.objects.filter(game=game, code=code.upper()).first() if _CODE.fullmatch(code) else None
    if board is None:
        WRONG_CODE.take(address)
        raise unknown_board()
    return board


def rename(*, board: Board, name: str) -> None:
    """Call a copy something else. Raises ``Refusal``."""
    columns = {"name": clean_name(name), "changed_at": timezone.now()}
    if not Board.objects.filter(pk=board.pk).update(**columns, version=F("version") + 1):
        raise unknown_board()
    board.refresh_from_db()


def delete(*, board: Board) -> None:
    """Throw a copy away. A game that has begun keeps its figures; one that has not begins with those that ship."""
    for table in Table.objects.filter(board=board, status=Status.OPEN):
        with_latest(table, functools.partial(bump_version, table, board=None))
    Board.objects.filter(pk=board.pk).delete()


def unknown_board() -> Refusal:
    return Refusal("unknown", _("There is no copy with this code."))


# What is known about it


def wrong_with(game: AnyGame, figures: Mapping[str, Json]) -> list[str]:
    """Every reason why no copy can look like this, as sentences."""
    return [wording.capital(wording.render(game, message)) for message in game.figures_wrong(figures)]


def refuse_misfit(game: AnyGame, board: Board) -> None:
    """Refuse a copy of another game, or of a board file that has since got other parts."""
    if board.game != game.slug or not game.board.fits(board.figures):
        raise Refusal("illegal", _("The copy “%(name)s” does not fit this game.") % {"name": board.name})


def refuse_wrong(game: AnyGame, board: Board) -> None:
    """Refuse to play with figures that cannot be."""
    refuse_misfit(game, board)
    for sentence in wrong_with(game, board.figures)[:1]:
        raise Refusal(
            "illegal",
            _("The copy “%(name)s” cannot be used yet: %(why)s") % {"name": board.name, "why": sentence},
        )


def unconfirmed(game: AnyGame, board: Board | None) -> list[Path]:
    """The figures nobody has seen printed: not in the rulebook, and not compared."""
    compared = set(board.confirmed) if board else set()
    return [
        path
        for path, figure in game.board.leaves.items()
        if figure.source != RULEBOOK and ".".join(path) not in compared
    ]


# Comparing


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure as it stood on the phone, and as somebody leaves it."""

    seen: Json
    typed: Json
    right: bool  # it was compared and is right as it is typed


def compare(
    *, game: AnyGame, board: Board, figures: Mapping[Path, Compared], unsure: Collection[Path] = ()
) -> None:
    """Keep what was corrected, which confirms it, and what was found right. Raises ``Refusal``.

    A figure that another phone has changed since it was seen is refused with all the others,
    unless both say the same; other figures are theirs and stay as they are.
    """
    for path, one in figures.items():
        if not game.board.leaves[path].takes(one.typed):
            raise Refusal(
                "bad-input",
                _("This cannot stand for the figure “%(figure)s”.") % {"figure": figure_name(game, path)},
            )
    touched = {path: one for path, one in figures.items() if one.right or one.typed != one.seen}
    with transaction.atomic():
        row = Board.objects.select_for_update().filter(pk=board.pk).first()
        if row is None:
            raise unknown_board()
        refuse_misfit(game, row)
        kept, confirmed = row.figures, set(row.confirmed)
        for path, one in touched.items():
            if figure_at(kept, path) not in (one.seen, one.typed):
                raise Refusal(
                    "gone",
                    _(
                        "Somebody else has changed this meanwhile. What you entered is still here; look at both, then save again."
                    ),
                )
            kept = with_figure(kept, path, one.typed)
            confirmed.add(".".join(path))
        confirmed -= {".".join(path) for path in unsure}
        _keep(game, row, kept, confirmed)
    board.refresh_from_db()


def _keep(game: AnyGame, row: Board, figures: Json, confirmed: set[str]) -> None:
    in_order = [".".join(path) for path in game.board.leaves if ".".join(path) in confirmed]
    if row.figures == figures and row.confirmed == in_order:
        return
    columns = {
        "figures": figures,
        "confirmed": in_order,
        "version": row.version + 1,
        "changed_at": timezone.now(),
    }
    Board.objects.filter(pk=row.pk).update(**columns)


def figure_name(game: AnyGame, path: Path) -> str:
    return wording.figure_path(game, path)


def take_over(*, game: AnyGame, board: Board, figures: Mapping[Path, Json]) -> None:
    """Write figures into a copy that were read off the real board during a game."""
    seen = {
        path: Compared(figure_at(board.figures, path), value, right=True) for path, value in figures.items()
    }
    compare(game=game, board=board, figures=seen)


# As a document


def write_board(board: Board) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "game": board.game,
        "name": board.name,
        "figures": board.figures,
        "confirmed": board.confirmed,
    }


def read_board(data: Any, *, game: AnyGame | None = None) -> Board:
    """A new copy from a document; it must fit, and nothing may be wrong with it. Raises ``Refusal``."""
    validate_json(data)
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise _bad(
            _("This is not the document of a board (its “format” should be “%(format)s”).")
            % {"format": FORMAT}
        )
    unknown = sorted(set(data) - {"format", "game", "name", "figures", "confirmed"})
    if unknown:
        raise _bad(_("A board has no “%(field)s”.") % {"field": unknown[0][:40]})
    found = GAMES.get(data["game"]) if isinstance(data.get("game"), str) else None
    if found is None or (game is not None and found is not game):
        raise _bad(_("This is the board of another game."))
    figures: Json = data.get("figures")
    confirmed = data.get("confirmed", [])
    if not found.board.fits(figures):
        raise _bad(_("The printed figures in the document do not belong to this game."))
    paths = [".".join(path) for path in found.board.leaves]
    if not isinstance(confirmed, list) or not all(one in paths for one in confirmed):
        raise _bad(_("What is confirmed must be a list of the figures’ paths."))
    for sentence in wrong_with(found, figures)[:1]:
        raise _bad(sentence)
    return _make(found, data.get("name", ""), figures, [path for path in paths if path in confirmed])


def _bad(sentence: str) -> Refusal:
    return Refusal("bad-input", sentence)


# At a table


def choose_board(*, table: Table, access: TableAccess, board: Board | None) -> None:
    """Whose figures the game will begin with; None: those that ship. Host only."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.status != Status.OPEN:
            raise Refusal("started", _("The game has begun already."))
        if board:
            refuse_wrong(game_of(table), board)
        bump_version(table, board=board)

    with_latest(table, attempt)


def figures_of(game: AnyGame, table: Table) -> Mapping[str, Json]:
    """The figures a table begins with. Raises ``Refusal`` where its copy has gone wrong since."""
    if table.board is None or not game.board.figures:
        return game.board.figures
    refuse_wrong(game, table.board)
    figures: Mapping[str, Json] = table.board.figures
    return figures


def began_as_shipped(game: AnyGame, table: Table) -> bool:
    """Whether a started table took the figures that ship: its copy may be gone since, or never have been here."""
    return bool(table.setup and table.setup["figures"] == game.board.figures)


def options_of(game: AnyGame, table: Table) -> dict[str, Json]:
    """What was asked for, and what the printed figures say where nothing was asked for."""
    figures = table.setup["figures"] if table.setup else table.board.figures if table.board else None
    kept = figures if figures and game.board.fits(figures) else game.board.figures
    return {**printed(game.options, kept), **table.options}
