"""Board copies: the printed figures of a group's own box, compared figure by figure.

A copy may be inconsistent while it is being corrected (neighbours are entered one by one), but only a
consistent one can be used at a table. Anybody who knows its code may correct it.
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
from companion.access.codes import random_code
from companion.access.rate_limits import WRONG_CODE
from companion.access.table_access import TableAccess, refuse_unless_host
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.journal.validation import validate_json
from companion.journal.versions import bump_version, with_latest
from companion.models import Board, Status, Table
from companion.registry import games
from companion.tables.seats import clean_name
from games.core.boards import RULEBOOK, Path, figure_at, with_figure
from games.core.codec import Json
from games.core.figures import printed
from games.core.game import AnyGame

FORMAT = "seneschal-board-1"
CODE_LENGTH = 8
_CODE = re.compile(rf"[0-9A-Za-z]{{1,{CODE_LENGTH + 2}}}")


# Copies


def make_copy(*, game: AnyGame, name: str) -> Board:
    """Create a copy of the shipped figures, none confirmed. Raise `Refusal` if the name is invalid."""
    return _create(game, name, game.board.figures, [])


def _create(game: AnyGame, name: str, figures: Json, confirmed: list[str]) -> Board:
    return Board.objects.create(
        code=_new_code(), game=game.slug, name=clean_name(name), figures=figures, confirmed=confirmed
    )


def _new_code() -> str:
    while True:
        code = random_code(CODE_LENGTH)
        if not Board.objects.filter(code=code).exists():
            return code


def find_board(address: str, game: str, code: str) -> Board:
    """Return the copy with this code. Raise `Refusal` if there is none; wrong guesses are rate limited."""
    WRONG_CODE.refuse_if_exhausted(address)
    board = Board.objects.filter(game=game, code=code.upper()).first() if _CODE.fullmatch(code) else None
    if board is None:
        WRONG_CODE.take(address)
        raise unknown_board()
    return board


def rename(*, board: Board, name: str) -> None:
    """Rename a copy. Raise `Refusal` if the name is invalid or the copy was deleted."""
    columns = {"name": clean_name(name), "changed_at": timezone.now()}
    if not Board.objects.filter(pk=board.pk).update(**columns, version=F("version") + 1):
        raise unknown_board()
    board.refresh_from_db()


def delete(*, board: Board) -> None:
    """Delete a copy. Started games keep its figures; tables still open fall back to the shipped ones."""
    for table in Table.objects.filter(board=board, status=Status.OPEN):
        with_latest(table, functools.partial(bump_version, table, board=None))
    Board.objects.filter(pk=board.pk).delete()


def unknown_board() -> Refusal:
    return Refusal("unknown", _("There is no copy with this code."))


# Validation


def figure_errors(game: AnyGame, figures: Mapping[str, Json]) -> list[str]:
    """Return every inconsistency of the figures, as sentences."""
    return [wording.capital(wording.render(game, message)) for message in game.figures_wrong(figures)]


def refuse_misfit(game: AnyGame, board: Board) -> None:
    """Raise `Refusal` if a copy is of another game, or the structure of the board file has changed since."""
    if board.game != game.slug or not game.board.fits(board.figures):
        raise Refusal("illegal", _("The copy “%(name)s” does not fit this game.") % {"name": board.name})


def refuse_invalid(game: AnyGame, board: Board) -> None:
    """Raise `Refusal` if a copy does not fit the game or has inconsistent figures."""
    refuse_misfit(game, board)
    for sentence in figure_errors(game, board.figures)[:1]:
        raise Refusal(
            "illegal",
            _("The copy “%(name)s” cannot be used yet: %(why)s") % {"name": board.name, "why": sentence},
        )


def unconfirmed(game: AnyGame, board: Board | None) -> list[Path]:
    """Return the figures that are neither in the rulebook nor confirmed against a real board."""
    confirmed = set(board.confirmed) if board else set()
    return [
        path
        for path, figure in game.board.leaves.items()
        if figure.source != RULEBOOK and ".".join(path) not in confirmed
    ]


# Comparison with the real board


@dataclass(frozen=True, slots=True)
class Comparison:
    """A figure as the phone showed it, and as the user submitted it."""

    seen: Json
    typed: Json
    right: bool  # the user confirmed the submitted value


def compare(
    *, game: AnyGame, board: Board, figures: Mapping[Path, Comparison], unsure: Collection[Path] = ()
) -> None:
    """Save corrected figures (which confirms them) and confirmed figures; unconfirm those in `unsure`.

    Raise `Refusal`, and save nothing, if another phone has meanwhile changed one of them to another value.
    Changes of other phones to other figures are kept.
    """
    for path, comparison in figures.items():
        if not game.board.leaves[path].takes(comparison.typed):
            raise Refusal(
                "bad-input",
                _("This cannot stand for the figure “%(figure)s”.") % {"figure": figure_name(game, path)},
            )
    touched = {path: c for path, c in figures.items() if c.right or c.typed != c.seen}
    with transaction.atomic():
        row = Board.objects.select_for_update().filter(pk=board.pk).first()
        if row is None:
            raise unknown_board()
        refuse_misfit(game, row)
        saved, confirmed = row.figures, set(row.confirmed)
        for path, comparison in touched.items():
            if figure_at(saved, path) not in (comparison.seen, comparison.typed):
                raise Refusal(
                    "gone",
                    _(
                        "Somebody else has changed this meanwhile. What you entered is still here; look at both, then save again."
                    ),
                )
            saved = with_figure(saved, path, comparison.typed)
            confirmed.add(".".join(path))
        confirmed -= {".".join(path) for path in unsure}
        _save(game, row, saved, confirmed)
    board.refresh_from_db()


def _save(game: AnyGame, row: Board, figures: Json, confirmed: set[str]) -> None:
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


def record_figures(*, game: AnyGame, board: Board, figures: Mapping[Path, Json]) -> None:
    """Save figures read off the real board during a game, as confirmed."""
    comparisons = {
        path: Comparison(figure_at(board.figures, path), value, right=True) for path, value in figures.items()
    }
    compare(game=game, board=board, figures=comparisons)


# Export and import


def write_board(board: Board) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "game": board.game,
        "name": board.name,
        "figures": board.figures,
        "confirmed": board.confirmed,
    }


def read_board(data: Any, *, game: AnyGame | None = None) -> Board:
    """Create a copy from a document. Raise `Refusal` if it does not fit the game or is inconsistent."""
    validate_json(data)
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise _bad(
            _("This is not the document of a board (its “format” should be “%(format)s”).")
            % {"format": FORMAT}
        )
    unknown = sorted(set(data) - {"format", "game", "name", "figures", "confirmed"})
    if unknown:
        raise _bad(_("A board has no “%(field)s”.") % {"field": unknown[0][:40]})
    rules = games().get(data["game"]) if isinstance(data.get("game"), str) else None
    if rules is None or (game is not None and rules is not game):
        raise _bad(_("This is the board of another game."))
    figures: Json = data.get("figures")
    confirmed = data.get("confirmed", [])
    if not rules.board.fits(figures):
        raise _bad(_("The printed figures in the document do not belong to this game."))
    paths = [".".join(path) for path in rules.board.leaves]
    if not isinstance(confirmed, list) or not all(path in paths for path in confirmed):
        raise _bad(_("What is confirmed must be a list of the figures’ paths."))
    for sentence in figure_errors(rules, figures)[:1]:
        raise _bad(sentence)
    return _create(rules, data.get("name", ""), figures, [path for path in paths if path in confirmed])


def _bad(sentence: str) -> Refusal:
    return Refusal("bad-input", sentence)


# At a table


def choose_board(*, table: Table, access: TableAccess, board: Board | None) -> None:
    """Choose the copy whose figures the game will start with; None: the shipped ones. Host only."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.status != Status.OPEN:
            raise Refusal("started", _("The game has begun already."))
        if board:
            refuse_invalid(game_of(table), board)
        bump_version(table, board=board)

    with_latest(table, attempt)


def figures_of(game: AnyGame, table: Table) -> Mapping[str, Json]:
    """Return the figures a table starts with. Raise `Refusal` if its copy is inconsistent by now."""
    if table.board is None or not game.board.figures:
        return game.board.figures
    refuse_invalid(game, table.board)
    figures: Mapping[str, Json] = table.board.figures
    return figures


def uses_shipped_figures(game: AnyGame, table: Table) -> bool:
    """Return True if the game started with the shipped figures.

    Compares the figures themselves: the copy may be deleted, or unknown here after an import.
    """
    return bool(table.setup and table.setup["figures"] == game.board.figures)


def options_of(game: AnyGame, table: Table) -> dict[str, Json]:
    """Return the options of a table; those not chosen come from its printed figures."""
    figures = table.setup["figures"] if table.setup else table.board.figures if table.board else None
    fitting = figures if figures and game.board.fits(figures) else game.board.figures
    return {**printed(game.options, fitting), **table.options}
