"""Printed figures of a game's board, and custom copies of them."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from companion.access import rate_limits
from companion.api import serializers
from companion.api.bodies import read_object
from companion.api.errors import not_found
from companion.api.schema import describe
from companion.api.views import ApiView
from companion.models import Board
from companion.registry import titles
from companion.tables import board_copies
from companion.web.phone import address_of
from games.core.codec import Json
from games.core.game import AnyGame


def _game(slug: str) -> AnyGame:
    if slug not in titles():
        raise not_found()
    return titles()[slug].game


class Boards(ApiView):
    @describe(serializers.ShippedBoard, "unknown", operation_id="board")
    def get(self, request: Request, game: str) -> Response:  # noqa: ARG002 - the framework's signature
        """The printed figures of a game, and the source of each."""
        board = _game(game).board
        sources = {".".join(path): figure.source for path, figure in board.leaves.items()}
        return Response({"game": game, "figures": board.figures, "sources": sources})

    @describe(
        serializers.BoardCopy,
        *("bad-input", "unknown", "too-large", "too-many"),
        sends=serializers.BoardDocument,
        status=201,
        operation_id="import_board",
    )
    def post(self, request: Request, game: str) -> Response:
        """Create a custom copy of the board from an exported document. Its figures must be consistent."""
        played = _game(game)
        rate_limits.OPEN_TABLE.take(address_of(request))
        board = board_copies.read_board(read_object(request), game=played)
        return Response(_copy(played, board), status=201)


class Copy(ApiView):
    @describe(serializers.BoardCopy, "unknown", "too-many", operation_id="board_copy")
    def get(self, request: Request, game: str, code: str) -> Response:
        """A custom copy of a board."""
        played = _game(game)
        return Response(_copy(played, board_copies.find_board(address_of(request), game, code)))


def _copy(game: AnyGame, board: Board) -> dict[str, Json]:
    wrong = board_copies.figure_errors(game, board.figures) if game.board.fits(board.figures) else []
    return {**board_copies.write_board(board), "code": board.code, "version": board.version, "wrong": wrong}
