"""The form of what is sent, checked here, and of what is answered, for the schema.

Only the form: whether a name is free or a move allowed is decided by the services. What is
sent is read strictly: a number is no text, and a field nobody knows is a slip worth telling.
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
            "description": "Number of people; as many as there are seats if not given.",
        },
        "first_player": {
            "type": "string",
            "description": "A faction, or `random`; the first seat if not given.",
        },
    },
    "additionalProperties": {"description": "The table options of the game."},
}


# What is sent


class Sent(serializers.Serializer):
    """Refuses fields it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(name for name in data if name not in self.fields)
            if unknown:
                raise serializers.ValidationError({unknown[0][:40]: [_("There is no such field here.")]})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A text, exactly as it was sent; the framework would make one of a number and trim it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number; the framework would make one of a text."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(ACTION)
class Action(serializers.JSONField):
    """Read by the rules of the game, which say best what is wrong with it."""


@extend_schema_field(OPTIONS)
class Options(serializers.DictField):
    """Read by the game."""


class NewSeat(Sent):
    name = Text(help_text="At most 20 characters.")
    faction = Text(help_text="One of the game's `factions`.")


class NewTable(Sent):
    game = Text(help_text="The slug of a game.")
    seats = NewSeat(many=True, required=False, default=list, help_text="Clockwise. Others may join later.")
    options = Options(required=False, default=dict)
    board = Text(
        required=False, allow_null=True, default=None, help_text="The code of a group's copy of the board."
    )
    circle = Text(
        required=False, allow_null=True, default=None, help_text="The key of the circle whose game it is."
    )


class Entering(Sent):
    action = Action(
        allow_null=True, help_text="As the prompts describe it; `correct` and `option` at any time."
    )
    faction = Text()
    key = Text(
        required=False,
        allow_null=True,
        default=None,
        help_text=f"Up to {LONGEST_KEY} characters that name this submission: sent twice it counts once.",
    )


class MendPlan(Sent):
    number = Whole(help_text="The entry that is changed or left out.")
    action = Action(
        allow_null=True, help_text="What it should have been, rulings included; null: it is left out."
    )
    faction = Text(
        required=False, allow_null=True, default=None, help_text="Whose entry it is; that cannot change."
    )


class Mending(MendPlan):
    reason = Text(
        max_length=LONGEST_REASON,
        help_text=f"{', '.join(f'`{code}`' for code in MEND_REASONS)}, or the table's own words.",
    )
    version = Whole(help_text="Of the table when it was shown what would change.")
    key = Text(required=False, allow_null=True, default=None)


class Naming(Sent):
    number = Whole(required=False, allow_null=True, default=None, help_text="The entry that is meant.")
    key = Text(required=False, allow_null=True, default=None)


class Nothing(Sent):
    """Nothing need be sent."""


# What is answered


class Error(serializers.Serializer):
    code = serializers.ChoiceField(choices=list(STATUS))
    message = serializers.CharField(help_text="A sentence in the reader's language.")
    rule = serializers.CharField(allow_null=True, help_text="The section of the rules that says so.")


class GameOption(serializers.Serializer):
    name = serializers.CharField()
    default = serializers.JSONField()
    values = serializers.ListField(allow_null=True, help_text="Null: a number for each key of the default.")
    fixed = serializers.BooleanField(help_text="Whether it is settled once the game has begun.")


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
    token = serializers.CharField(help_text="For `Authorization: Seat …`. Told only now.")


class Opened(serializers.Serializer):
    code = serializers.CharField()
    host_token = serializers.CharField(help_text="Acts for every seat. Told only now.")
    version = serializers.IntegerField()
    seats = SeatTaken(many=True)


class Seat(serializers.Serializer):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    faction = serializers.CharField(allow_blank=True)
    free = serializers.BooleanField(help_text="Given up by whoever had it.")


class Table(serializers.Serializer):
    code = serializers.CharField()
    game = serializers.CharField()
    version = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The newest entry that counts; 0: the start.")
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
    facts = serializers.DictField(help_text="What stands beside the pieces: frames, order, round.")


class Prompt(serializers.Serializer):
    faction = serializers.CharField()
    action = serializers.CharField(help_text="The type of the action.")
    title = serializers.CharField()
    rule = serializers.CharField()
    choices = serializers.DictField(
        help_text="The bounds of each field; fields that depend on each other are joined with `+`."
    )
    example = Action(help_text="An action that would be accepted now.")


class Move(serializers.Serializer):
    owner = serializers.CharField()
    piece = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment] # a field of the answer
    target = serializers.CharField()
    count = serializers.IntegerField()
    becomes = serializers.CharField(
        allow_null=True, help_text="What the piece is at the target, if it was turned."
    )
    reported = serializers.BooleanField(help_text="It has happened already; nobody need do it.")


class Act(serializers.Serializer):
    hand = serializers.CharField(allow_null=True, help_text="A faction; null: anyone.")
    text = serializers.CharField()


@extend_schema_field({"type": "array", "items": {"$ref": "#/components/schemas/Step"}})
class FinerSteps(serializers.ListField):
    """Steps within a step."""


class Step(serializers.Serializer):
    rule = serializers.CharField(
        allow_null=True, help_text="The section of the rules; null for what the table settled itself."
    )
    text = serializers.CharField()
    moves = Move(many=True, help_text="All moves of this step, those of its finer steps included.")
    acts = Act(many=True, help_text="What hands do without moving a piece.")
    steps = FinerSteps(help_text="The finer reasons. Their moves are among `moves` above.")
    key = serializers.CharField(allow_null=True, help_text="Under which the result can be overruled.")
    result = serializers.JSONField(allow_null=True, help_text="What was decided under the key.")
    ruling = serializers.CharField(
        allow_null=True, help_text="Why the table decided it, if it was not the rules."
    )
    options = serializers.ListField(
        child=serializers.CharField(), help_text="The table options it depended on."
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
    parent = serializers.IntegerField(  # type: ignore[assignment] # a field of the answer
        help_text="The entry it was made on; 0: the start."
    )
    faction = serializers.CharField()
    action = Action()
    at = serializers.DateTimeField()
    undone = serializers.BooleanField()
    rules = serializers.IntegerField(help_text="The version of the rules.")
    steps = Step(many=True)
    origin = serializers.IntegerField(
        allow_null=True, help_text="The number it had before a mend wrote it again."
    )
    mended_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(
        allow_blank=True, help_text="Why it was mended; empty if only what came before it was."
    )
    marks = serializers.ListField(
        child=serializers.ChoiceField(choices=MARKS), help_text="What is out of the ordinary about it."
    )


class Standing(serializers.Serializer):
    round = serializers.IntegerField()
    faction = serializers.CharField()
    points = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())


class Broken(serializers.Serializer):
    number = serializers.IntegerField()
    text = serializers.CharField(help_text="Why it no longer holds.")
    rule = serializers.CharField(allow_null=True)


class Planned(serializers.Serializer):
    version = serializers.IntegerField(help_text="To be sent with the mend.")
    hidden = serializers.BooleanField(
        help_text="What would follow is not told, since it depends on what is still hidden."
    )
    holds = serializers.ListField(
        child=serializers.IntegerField(), help_text="The later entries that still hold."
    )
    broken = Broken(many=True, help_text="The later entries that no longer hold.")
    standings = Standing(many=True, help_text="As they would be now.")


class Mended(serializers.Serializer):
    version = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The new entry, or the one that was left out.")
    dropped = serializers.ListField(
        child=serializers.IntegerField(), help_text="The later entries that no longer held."
    )


class Preview(serializers.Serializer):
    steps = Step(many=True)
    standings = Standing(many=True)


@extend_schema_field({"type": "array", "items": OBJECT})
class Lines(serializers.ListField):
    """Read by the service."""


class Document(serializers.Serializer):
    """A whole game, as `export` writes it."""

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
    """The printed figures of a group's own copy, as it is exported."""

    format = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    figures = serializers.DictField()
    confirmed = serializers.ListField(
        child=serializers.CharField(),
        help_text="The figures somebody has compared: `provinces.holland.limit`.",
    )


class BoardCopy(BoardDocument):
    code = serializers.CharField(help_text="Whoever knows it may correct the figures.")
    version = serializers.IntegerField()
    wrong = serializers.ListField(
        child=serializers.CharField(),
        help_text="Why no board can look like this; empty: it can be played with.",
    )


class ShippedBoard(serializers.Serializer):
    game = serializers.CharField()
    figures = serializers.DictField()
    sources = serializers.DictField(
        child=serializers.ChoiceField(choices=SOURCES), help_text="Where each figure comes from, by its path."
    )


class Root(serializers.Serializer):
    """The address of everything, by name."""

    games = serializers.CharField()
    boards = serializers.CharField()
    tables = serializers.CharField()
    table = serializers.CharField()
    stats = serializers.CharField()
    circles = serializers.CharField()
    circle = serializers.CharField()
    schema = serializers.CharField()
    docs = serializers.CharField()
