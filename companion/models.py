"""Tables, seats, the journal, and data derived from the journal for fast reads.

The journal (`Entry`) is the source of truth. `Holding`, `Standing` and the derived columns of `Table`
(status, round, phase, order, waiting_for, winners) are a mirror: they can be rebuilt from the journal at any
time, and the rules never read them.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from companion.fields import OrderedJSONField


class Board(models.Model):
    """The printed figures of a group's own copy of a game. Anybody who knows the code may correct them."""

    code = models.CharField(max_length=10, unique=True)
    game = models.SlugField(max_length=20)
    name = models.CharField(max_length=40)  # given by the group
    figures = OrderedJSONField()
    confirmed = models.JSONField(default=list)  # paths of the figures that were compared with the real board
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.game} {self.name}"


class Circle(models.Model):
    """A group of people who play together. No accounts: the link grants access and can be renewed."""

    name = models.CharField(max_length=40)
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Status(models.TextChoices):
    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Table(models.Model):
    """A table at which one game is played. `version` is the compare-and-set column of every change."""

    code = models.CharField(max_length=6, unique=True)
    game = models.SlugField(max_length=20)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    locked = models.BooleanField(default=False)  # nobody may join
    ended_by_host = models.BooleanField(default=False)  # finished early, or abandoned
    options = OrderedJSONField(default=dict)  # as chosen before the start
    setup = OrderedJSONField(null=True, default=None)  # fixed at the start of the game
    board = models.ForeignKey(  # figures to start the game with; None: the shipped ones
        Board, null=True, default=None, on_delete=models.SET_NULL, related_name="tables"
    )
    circle = models.ForeignKey(  # the circle in whose statistics the game counts
        Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="tables"
    )

    version = models.PositiveIntegerField(default=1)  # incremented by every visible change
    head = models.PositiveIntegerField(default=0)  # newest entry that is not undone; 0: the start
    latest = models.PositiveIntegerField(default=0)  # number of the newest entry, undone or not

    host_hash = models.CharField(max_length=64)
    host = models.ForeignKey("Seat", null=True, default=None, on_delete=models.SET_NULL, related_name="+")
    host_seen_at = models.DateTimeField(default=timezone.now)

    round = models.PositiveSmallIntegerField(default=0)
    phase = models.CharField(max_length=40, default="")
    order = models.JSONField(default=list)
    waiting_for = models.JSONField(default=list)
    winners = models.JSONField(default=list)

    rematch_of = models.ForeignKey(
        "self", null=True, default=None, on_delete=models.SET_NULL, related_name="rematches"
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, default=None)
    ended_at = models.DateTimeField(null=True, default=None)
    changed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.game} {self.code}"


class Seat(models.Model):
    """A seat at a table: a name, a faction, and the hashed token of the phone that holds it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()  # in clockwise order
    name = models.CharField(max_length=20)
    faction = models.SlugField(max_length=20, blank=True)  # empty: drawn at the start of the game
    token_hash = models.CharField(max_length=64, blank=True, db_index=True)  # empty: the seat is free
    seen_at = models.DateTimeField(default=timezone.now)
    # `Table.latest` when another phone took the seat over: its hidden entries up to there stay masked.
    taken_over_after = models.PositiveIntegerField(null=True, default=None)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number"),
            models.UniqueConstraint(
                fields=["table", "faction"], condition=~models.Q(faction=""), name="seat_faction"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.faction or '?'})"


class Entry(models.Model):
    """An accepted entry. Immutable except for `undone`; numbers are never reused."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField()  # number of the entry it was made on; 0: the start
    faction = models.SlugField(max_length=20)
    action = OrderedJSONField()
    steps = OrderedJSONField()
    rules = models.PositiveSmallIntegerField()  # version of the rules
    version = models.PositiveIntegerField()  # version of the table after this entry
    seat = models.ForeignKey(Seat, null=True, default=None, on_delete=models.SET_NULL, related_name="entries")
    undone = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    # Set if a mend rewrote the entry: the number of the entry it replaces, the time of the mend, and its reason.
    origin = models.PositiveIntegerField(null=True, default=None)
    mended_at = models.DateTimeField(null=True, default=None)
    reason = models.CharField(
        max_length=200, blank=True, default=""
    )  # empty: rewritten because an earlier entry changed

    class Meta:
        ordering = ["table", "number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="entry_number")]

    def __str__(self) -> str:
        return f"{self.number}: {self.faction} {self.action.get('type')}"


class IdempotencyKey(models.Model):
    """Idempotency key of an accepted submission: a repeated request gets the same result."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="idempotency_keys")
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)  # hash of the request
    number = models.PositiveIntegerField()  # number of the entry that was made, undone or redone
    version = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "key"], name="idempotency_key")]

    def __str__(self) -> str:
        return self.key


class Tick(models.Model):
    """A completed line of the hands list (the moves to make on the real board)."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="ticks")
    number = models.PositiveIntegerField()  # of the entry; 0: setup
    line = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number", "line"], name="tick_line")]

    def __str__(self) -> str:
        return f"{self.number}.{self.line}"


class Holding(models.Model):
    """A line of the current ledger (mirror)."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="holdings")
    owner = models.CharField(max_length=20)
    piece = models.CharField(max_length=40)
    place = models.CharField(max_length=60)
    count = models.PositiveIntegerField()

    class Meta:
        ordering = ["table", "place", "owner", "piece"]
        constraints = [
            models.UniqueConstraint(fields=["table", "owner", "piece", "place"], name="holding_line")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.piece} {self.place}: {self.count}"


class Standing(models.Model):
    """Points of a faction at the end of a round, or now in the current round (mirror)."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="standings")
    round = models.PositiveSmallIntegerField()
    faction = models.CharField(max_length=20)
    points = models.DecimalField(max_digits=9, decimal_places=3)
    parts = OrderedJSONField()

    class Meta:
        ordering = ["table", "round", "id"]
        constraints = [models.UniqueConstraint(fields=["table", "round", "faction"], name="standing_round")]

    def __str__(self) -> str:
        return f"{self.round}: {self.faction} {self.points}"


class Notice(models.Model):
    """An announcement about the table, not the game: a new host, a freed seat."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="notices")
    code = models.CharField(max_length=40)
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["table", "id"]

    def __str__(self) -> str:
        return self.code


class Break(models.Model):
    """A break in the game, excluded from playing time; the current one has no end yet."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="breaks")
    began_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, default=None)

    class Meta:
        ordering = ["table", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(ended_at=None), name="break_under_way"
            )
        ]

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at or '?'}"


# Statistics across games: also a mirror, of finished games


class Member(models.Model):
    """A player's name in a circle; exists while a result of the circle has it."""

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="members")
    name = models.CharField(max_length=20)  # as last spelled
    normal = models.CharField(max_length=60)  # normalised spelling

    class Meta:
        constraints = [models.UniqueConstraint(fields=["circle", "normal"], name="member_name")]

    def __str__(self) -> str:
        return self.name


class Result(models.Model):
    """The result of a finished game. A game held by several tables (after an import) counts once."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="result")
    circle = models.ForeignKey(
        Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="results"
    )
    # False where the same game is counted already.
    on_server = models.BooleanField(default=False)
    in_circle = models.BooleanField(default=False)
    game = models.SlugField(max_length=20)
    mode = models.CharField(max_length=4)
    players = models.PositiveSmallIntegerField()
    options = models.TextField()  # those that differ from the default, as `|name=value|name=value|`
    is_clean = models.BooleanField()  # played to its end, without corrections
    early = models.BooleanField()  # ended by hand
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField()
    seconds = models.PositiveIntegerField(null=True)  # playing time without breaks; None for a score pad
    margin = models.DecimalField(max_digits=9, decimal_places=3, null=True)  # None: nobody lost

    class Meta:
        ordering = ["ended_at", "table_id"]
        # Each index ends with the tie-breaking columns, so that LIMIT queries need no sort. Booleans are
        # conditions, not columns: Django filters them as `WHERE in_circle`, which matches no index column.
        indexes = [
            models.Index(
                fields=["circle", "game", "ended_at", "table"],
                condition=models.Q(in_circle=True),
                name="result_order",
            ),
            models.Index(
                fields=["circle", "ended_at", "table"],
                condition=models.Q(in_circle=True),
                name="result_newest",
            ),
            models.Index(
                fields=["circle", "game", "seconds", "ended_at", "table"],
                condition=models.Q(in_circle=True, early=False),
                name="result_seconds",
            ),
            models.Index(
                fields=["circle", "game", "margin", "ended_at", "table"],
                condition=models.Q(in_circle=True, early=False),
                name="result_margin",
            ),
            models.Index(fields=["game", "mode", "started_at"], name="result_twins"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.ended_at}"


class Score(models.Model):
    """The result of a faction."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="scores")
    faction = models.SlugField(max_length=20)
    seat = models.PositiveSmallIntegerField()  # position in the initial play order, from 1
    points = models.DecimalField(max_digits=9, decimal_places=3)
    place = models.PositiveSmallIntegerField()
    won = models.BooleanField()
    half_points = models.DecimalField(max_digits=9, decimal_places=3, null=True)  # at half-time
    half_parts = models.JSONField(null=True)  # in thousandths
    # Copied from results that count in a circle, so that queries for records need no join.
    circle = models.ForeignKey(Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="+")
    game = models.SlugField(max_length=20)
    member = models.ForeignKey(
        Member, null=True, default=None, on_delete=models.SET_NULL, related_name="scores"
    )
    ended_at = models.DateTimeField()
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    mu = models.FloatField(null=True, default=None)  # the member's rating after this game
    sigma = models.FloatField(null=True, default=None)

    class Meta:
        ordering = ["result", "seat"]
        constraints = [models.UniqueConstraint(fields=["result", "faction"], name="score_faction")]
        indexes = [
            models.Index(
                fields=["circle", "game", "points", "ended_at", "table", "seat"], name="score_points"
            ),
            models.Index(fields=["member", "game", "ended_at", "table"], name="score_order"),
        ]

    def __str__(self) -> str:
        return f"{self.faction} {self.points}"


class Tally(models.Model):
    """Counts over all results of one kind, updated when a game ends.

    A result is counted in several rows: for the server and its circle; for all time, its year and its month;
    for any options and for each changed option. Modes, player counts, and clean and corrected games have
    separate rows; queries add them up.
    """

    key = models.CharField(max_length=200, unique=True)
    circle = models.ForeignKey(Circle, null=True, on_delete=models.CASCADE, related_name="tallies")
    game = models.SlugField(max_length=20)
    mode = models.CharField(max_length=4)
    players = models.PositiveSmallIntegerField()
    is_clean = models.BooleanField()
    span = models.CharField(max_length=5)  # all, year, month
    period = models.CharField(max_length=7, blank=True)  # the year or month
    option = models.CharField(max_length=100, blank=True)  # `name=value`; empty: any options
    counts = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "tallies"
        indexes = [models.Index(fields=["circle", "game", "option", "span", "period"], name="tally_kind")]

    def __str__(self) -> str:
        return self.key


class Skill(models.Model):
    """Rating and win counts of a member in one game."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="skills")
    game = models.SlugField(max_length=20)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    factions = models.JSONField(default=dict)  # faction -> games, wins, points in thousandths

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member", "game"], name="skill_game")]

    def __str__(self) -> str:
        return f"{self.member_id} {self.game}"


class Encounter(models.Model):
    """Wins, losses and ties of a member against another."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="encounters")
    other = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    game = models.SlugField(max_length=20)
    wins = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    ties = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member", "game", "other"], name="encounter_pair")]

    def __str__(self) -> str:
        return f"{self.member_id} {self.other_id} {self.game}"


class Bucket(models.Model):
    """Token bucket of a rate limit for one client address."""

    name = models.CharField(max_length=80, unique=True)
    level = models.FloatField()  # 1.0 is full
    filled_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
