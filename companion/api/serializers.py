"""Serializers: they validate the form of requests, and describe responses in the schema.

Only the form: rules and availability are checked by the services. Parsing is strict: a number is not a
string, and an unknown field is an error.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from companion.errors import STATUS
from companion.journal.marks import MARKS
from companion.journal.mending import LONGEST_REASON, MEND_REASONS
from companion.journal.submit import LONGEST_KEY
from companion.models import Status
from games.core.boards import SOURCES

OBJECT = {"type": "object", "additionalProperties": True}
ACTION = {
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}
OPTIONS = {
    "type": "object",
    "properties": {
        "mode": {"type": "string", "enum": ["full"], "default": "full"},
        "players": {
            "type": "integer",
            "description": "Number of players; defaults to the number of seats.",
        },
        "first_player": {
            "type": "string",
            "description": "A faction, or `random`; defaults to the first seat.",
        },
    },
    "additionalProperties": {"description": "The table options of the game."},
}


# Requests


class StrictSerializer(serializers.Serializer):
    """Serializer that rejects unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(name for name in data if name not in self.fields)
            if unknown:
                raise serializers.ValidationError({unknown[0][:40]: [_("There is no such field here.")]})
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """String that is neither trimmed nor converted from a number."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictIntegerField(serializers.IntegerField):
    """Integer that is not converted from a string."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(ACTION)
class Action(serializers.JSONField):
    """Action as JSON; the game parses it, so that its errors name the rule."""


@extend_schema_field(OPTIONS)
class Options(serializers.DictField):
    """Table options; the game parses them."""


class NewSeat(StrictSerializer):
    name = StrictCharField(help_text="At most 20 characters.")
    faction = StrictCharField(help_text="One of the game's `factions`.")


class NewTable(StrictSerializer):
    game = StrictCharField(help_text="The slug of a game.")
    seats = NewSeat(
        many=True, required=False, default=list, help_text="In clockwise order. More players may join later."
    )
    options = Options(required=False, default=dict)
    board = StrictCharField(
        required=False, allow_null=True, default=None, help_text="The code of a custom board."
    )
    circle = StrictCharField(
        required=False, allow_null=True, default=None, help_text="The key of the circle the game belongs to."
    )


class Entering(StrictSerializer):
    action = Action(
        allow_null=True, help_text="As described by the prompts; `correct` and `option` at any time."
    )
    faction = StrictCharField()
    key = StrictCharField(
        required=False,
        allow_null=True,
        default=None,
        help_text=f"Idempotency key of up to {LONGEST_KEY} characters: a repeated request counts once.",
    )


class MendPlan(StrictSerializer):
    number = StrictIntegerField(help_text="The entry to change or remove.")
    action = Action(
        allow_null=True, help_text="The correct action, rulings included; null removes the entry."
    )
    faction = StrictCharField(
        required=False, allow_null=True, default=None, help_text="The entry's faction, which cannot change."
    )


class Mending(MendPlan):
    reason = StrictCharField(
        max_length=LONGEST_REASON,
        help_text=f"{', '.join(f'`{code}`' for code in MEND_REASONS)}, or free text.",
    )
    version = StrictIntegerField(help_text="The table's version in the preview.")
    key = StrictCharField(required=False, allow_null=True, default=None)


class Naming(StrictSerializer):
    number = StrictIntegerField(
        required=False, allow_null=True, default=None, help_text="The entry to undo or redo."
    )
    key = StrictCharField(required=False, allow_null=True, default=None)


class EmptyBody(StrictSerializer):
    """Empty request body."""


# Responses


class Error(serializers.Serializer):
    code = serializers.ChoiceField(choices=list(STATUS))
    message = serializers.CharField(help_text="A sentence in the language of the request.")
    rule = serializers.CharField(
        allow_null=True, help_text="The section of the rulebook, if a rule is the reason."
    )


class GameOption(serializers.Serializer):
    name = serializers.CharField()
    default = serializers.JSONField()
    values = serializers.ListField(
        allow_null=True, help_text="Null if the value is a number for each key of the default."
    )
    fixed = serializers.BooleanField(help_text="Whether it cannot change after the start of the game.")


class Game(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    min_players = serializers.IntegerField()
    max_players = serializers.IntegerField()
    factions = serializers.ListField(child=serializers.CharField())
    options = GameOption(many=True)


class SeatTaken(serializers.Serializer):
    seat = serializers.IntegerField()
    faction = serializers.CharField(allow_blank=True)
    token = serializers.CharField(help_text="For `Authorization: Seat …`. Shown only once.")


class Opened(serializers.Serializer):
    code = serializers.CharField()
    host_token = serializers.CharField(help_text="May act for every seat. Shown only once.")
    version = serializers.IntegerField()
    seats = SeatTaken(many=True)


class Seat(serializers.Serializer):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    faction = serializers.CharField(allow_blank=True)
    free = serializers.BooleanField(help_text="Whether its player has left it.")


class Table(serializers.Serializer):
    code = serializers.CharField()
    game = serializers.CharField()
    version = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The latest active entry; 0 at the start.")
    status = serializers.ChoiceField(choices=Status.choices)
    round = serializers.IntegerField()
    phase = serializers.CharField(allow_blank=True)
    order = serializers.ListField(child=serializers.CharField())
    waiting_for = serializers.ListField(child=serializers.CharField())
    seats = Seat(many=True)
    winners = serializers.ListField(child=serializers.CharField())
    locked = serializers.BooleanField()
    options = serializers.DictField()


class Holding(serializers.Serializer):
    owner = serializers.CharField()
    piece = serializers.CharField()
    place = serializers.CharField()
    count = serializers.IntegerField()


class State(serializers.Serializer):
    version = serializers.IntegerField()
    number = serializers.IntegerField()
    round = serializers.IntegerField()
    phase = serializers.CharField(allow_blank=True)
    holdings = Holding(many=True)
    facts = serializers.DictField(help_text="Facts besides the pieces: frames, order, round.")


class Prompt(serializers.Serializer):
    faction = serializers.CharField()
    action = serializers.CharField(help_text="The type of the action.")
    title = serializers.CharField()
    rule = serializers.CharField()
    choices = serializers.DictField(
        help_text="The valid values of each field; interdependent fields are joined with `+`."
    )
    example = Action(help_text="An action that is valid now.")


class Move(serializers.Serializer):
    owner = serializers.CharField()
    piece = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment] # a field of the response
    target = serializers.CharField()
    count = serializers.IntegerField()
    becomes = serializers.CharField(allow_null=True, help_text="The piece it turns into, if any.")
    reported = serializers.BooleanField(help_text="Whether players have already made this move on the board.")


class Act(serializers.Serializer):
    hand = serializers.CharField(allow_null=True, help_text="The faction that acts; null for anyone.")
    text = serializers.CharField()


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/Step"}})
class FinerSteps(serializers.ListField):
    """Steps nested in a step."""


class Step(serializers.Serializer):
    rule = serializers.CharField(
        allow_null=True, help_text="The section of the rulebook; null if the table decided."
    )
    text = serializers.CharField()
    moves = Move(many=True, help_text="All moves of this step, including those of nested steps.")
    acts = Act(many=True, help_text="Physical actions that move no piece.")
    steps = FinerSteps(help_text="Nested steps. Their moves are included in `moves`.")
    key = serializers.CharField(allow_null=True, help_text="The key for overriding the result by a ruling.")
    result = serializers.JSONField(allow_null=True, help_text="The result that the key stands for.")
    ruling = serializers.CharField(
        allow_null=True, help_text="The table's reason, if the result was overridden."
    )
    options = serializers.ListField(
        child=serializers.CharField(), help_text="The table options that affected the step."
    )


class Accepted(serializers.Serializer):
    version = serializers.IntegerField()
    number = serializers.IntegerField()
    steps = Step(many=True)


class Version(serializers.Serializer):
    version = serializers.IntegerField()


class Moved(Version):
    number = serializers.IntegerField(help_text="The entry that was undone or redone.")


class Entry(serializers.Serializer):
    number = serializers.IntegerField()
    parent = serializers.IntegerField(  # type: ignore[assignment] # a field of the response
        help_text="The preceding entry; 0 for the start."
    )
    faction = serializers.CharField()
    action = Action()
    at = serializers.DateTimeField()
    undone = serializers.BooleanField()
    rules = serializers.IntegerField(help_text="The version of the rules.")
    steps = Step(many=True)
    origin = serializers.IntegerField(allow_null=True, help_text="Its number before a mend replaced it.")
    mended_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(
        allow_blank=True, help_text="Why it was mended; empty if only an earlier entry was."
    )
    marks = serializers.ListField(
        child=serializers.ChoiceField(choices=MARKS), help_text="Special properties of the entry."
    )


class Standing(serializers.Serializer):
    round = serializers.IntegerField()
    faction = serializers.CharField()
    points = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())


class Broken(serializers.Serializer):
    number = serializers.IntegerField()
    text = serializers.CharField(help_text="Why it is no longer valid.")
    rule = serializers.CharField(allow_null=True)


class Planned(serializers.Serializer):
    version = serializers.IntegerField(help_text="The version to send with the mend.")
    hidden = serializers.BooleanField(
        help_text="Whether the effects are withheld, because they depend on secrets."
    )
    holds = serializers.ListField(
        child=serializers.IntegerField(), help_text="The later entries that remain valid."
    )
    broken = Broken(many=True, help_text="The later entries that become invalid.")
    standings = Standing(many=True, help_text="The resulting standings.")


class Mended(serializers.Serializer):
    version = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The new entry, or the removed one.")
    dropped = serializers.ListField(
        child=serializers.IntegerField(), help_text="The later entries that became invalid."
    )


class Preview(serializers.Serializer):
    steps = Step(many=True)
    standings = Standing(many=True)


@extend_schema_field({"type": "array", "items": OBJECT})
class Lines(serializers.ListField):
    """List of objects that the service parses."""


class Document(serializers.Serializer):
    """A whole game, as written by `export`."""

    format = serializers.CharField()
    game = serializers.CharField()
    status = serializers.ChoiceField(choices=Status.choices)
    closed = serializers.BooleanField()
    locked = serializers.BooleanField()
    version = serializers.IntegerField()
    options = serializers.DictField()
    setup = serializers.DictField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    seats = Lines()
    entries = Lines()
    ticks = Lines()
    notices = Lines()
    breaks = Lines()
    standings = Lines()


# Boards


class BoardDocument(serializers.Serializer):
    """The printed figures of a custom board, as exported."""

    format = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    figures = serializers.DictField()
    confirmed = serializers.ListField(
        child=serializers.CharField(),
        help_text="Paths of the figures a player has checked, such as `provinces.holland.limit`.",
    )


class BoardCopy(BoardDocument):
    code = serializers.CharField(help_text="Anyone with this code may correct the figures.")
    version = serializers.IntegerField()
    wrong = serializers.ListField(
        child=serializers.CharField(),
        help_text="Inconsistencies; empty if the board is playable.",
    )


class ShippedBoard(serializers.Serializer):
    game = serializers.CharField()
    figures = serializers.DictField()
    sources = serializers.DictField(
        child=serializers.ChoiceField(choices=SOURCES), help_text="The source of each figure, by its path."
    )


class Root(serializers.Serializer):
    """The URL of each resource, by name."""

    games = serializers.CharField()
    boards = serializers.CharField()
    tables = serializers.CharField()
    table = serializers.CharField()
    stats = serializers.CharField()
    circles = serializers.CharField()
    circle = serializers.CharField()
    schema = serializers.CharField()
    docs = serializers.CharField()
