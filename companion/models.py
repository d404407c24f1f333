"""Tables, seats and the journal; and what is kept beside the journal to be read quickly.

The journal (``Entry``) is the truth. ``Holding``, ``Standing`` and the columns of a
``Table`` that say where the game stands are a mirror: they are rebuilt from the journal
at any time and nothing about the rules is decided from them.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from companion.fields import OrderedJSONField


class Board(models.Model):
    """The printed figures of a group's own copy of a game. Whoever knows the code may correct them."""

    code = models.CharField(max_length=10, unique=True)
    game = models.SlugField(max_length=20)
    name = models.CharField(max_length=40)  # what the group calls it
    figures = OrderedJSONField()
    confirmed = models.JSONField(default=list)  # the figures somebody has compared, by their path
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.game} {self.name}"


class Circle(models.Model):
    """People who play together. No accounts: whoever has the link sees it, and the link can be renewed."""

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
    """A table at which one game is played."""

    code = models.CharField(max_length=6, unique=True)
    game = models.SlugField(max_length=20)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    locked = models.BooleanField(default=False)  # nobody may join
    ended_by_host = models.BooleanField(default=False)  # finished early, or abandoned
    options = OrderedJSONField(default=dict)  # as asked for when the table was opened
    setup = OrderedJSONField(null=True, default=None)  # as it was settled when the game began
    board = models.ForeignKey(  # whose figures are taken when the game begins; none: those that ship
        Board, null=True, default=None, on_delete=models.SET_NULL, related_name="tables"
    )
    circle = models.ForeignKey(  # whose game it is
        Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="tables"
    )

    version = models.PositiveIntegerField(default=1)  # grows with every visible change
    head = models.PositiveIntegerField(default=0)  # the newest entry that counts; 0: the start
    latest = models.PositiveIntegerField(default=0)  # the newest entry, undone or not

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
    """A place at a table: a name, a faction, and the token of the phone that holds it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()  # clockwise
    name = models.CharField(max_length=20)
    faction = models.SlugField(max_length=20, blank=True)  # empty: drawn when the game begins
    token_hash = models.CharField(max_length=64, blank=True, db_index=True)  # empty: the seat is free
    seen_at = models.DateTimeField(default=timezone.now)
    # The newest entry when another phone took the seat over; up to there its hidden entries stay masked. None: never.
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
    """An accepted entry. Never changed but for ``undone``; numbers are never used again."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField()  # the entry it was made on; 0: the start
    faction = models.SlugField(max_length=20)
    action = OrderedJSONField()
    steps = OrderedJSONField()
    rules = models.PositiveSmallIntegerField()  # version of the rules
    version = models.PositiveIntegerField()  # of the table, once it was accepted
    seat = models.ForeignKey(Seat, null=True, default=None, on_delete=models.SET_NULL, related_name="entries")
    undone = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    # An entry that a mend wrote again: the number it had before, when that was, and why it is another one.
    origin = models.PositiveIntegerField(null=True, default=None)
    mended_at = models.DateTimeField(null=True, default=None)
    reason = models.CharField(
        max_length=200, blank=True, default=""
    )  # empty: only what came before it changed

    class Meta:
        ordering = ["table", "number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="entry_number")]

    def __str__(self) -> str:
        return f"{self.number}: {self.faction} {self.action.get('type')}"


class IdempotencyKey(models.Model):
    """An accepted submission by its key, so that sent twice it counts once."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="idempotency_keys")
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)  # of what was sent
    number = models.PositiveIntegerField()  # of the entry it made, undid or redid
    version = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "key"], name="idempotency_key")]

    def __str__(self) -> str:
        return self.key


class Tick(models.Model):
    """A line of the hands list that somebody has done."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="ticks")
    number = models.PositiveIntegerField()  # the entry; 0: setting up
    line = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number", "line"], name="tick_line")]

    def __str__(self) -> str:
        return f"{self.number}.{self.line}"


class Holding(models.Model):
    """A line of the ledger as it stands now."""

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
    """A faction's points at the end of a round (or now, in the round under way)."""

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
    """Something that happened around the game and that all should know: a new host, a freed seat."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="notices")
    code = models.CharField(max_length=40)
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["table", "id"]

    def __str__(self) -> str:
        return self.code


class Break(models.Model):
    """A time in which nobody plays, since somebody said so; the one that runs has no end yet."""

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


# Statistics across games: a mirror too, of tables whose game has ended


class Member(models.Model):
    """A name of a circle, as long as a result there has it."""

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="members")
    name = models.CharField(max_length=20)  # as it was written last
    normal = models.CharField(max_length=60)  # the same for all ways of writing it

    class Meta:
        constraints = [models.UniqueConstraint(fields=["circle", "normal"], name="member_name")]

    def __str__(self) -> str:
        return self.name


class Result(models.Model):
    """How a game ended. One that several tables tell of, as after an import, counts once."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="result")
    circle = models.ForeignKey(
        Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="results"
    )
    # Where it counts; not where the same game is counted already.
    on_server = models.BooleanField(default=False)
    in_circle = models.BooleanField(default=False)
    game = models.SlugField(max_length=20)
    mode = models.CharField(max_length=4)
    players = models.PositiveSmallIntegerField()
    options = models.TextField()  # those that differ from the default, as ``|name=value|…|``
    is_clean = models.BooleanField()  # played to its end, without corrections
    early = models.BooleanField()  # ended by hand
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField()
    seconds = models.PositiveIntegerField(null=True)  # played, without pauses; none for a score pad
    margin = models.DecimalField(max_digits=9, decimal_places=3, null=True)  # none: nobody lost

    class Meta:
        ordering = ["ended_at", "table_id"]
        # Each ends with what orders equals, so that the first few are found without sorting them all.
        # A condition is no column: Django asks for truth without comparing, which finds no column of an index.
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
    """How a faction came off."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="scores")
    faction = models.SlugField(max_length=20)
    seat = models.PositiveSmallIntegerField()  # in the play order at the start, from 1
    points = models.DecimalField(max_digits=9, decimal_places=3)
    place = models.PositiveSmallIntegerField()
    won = models.BooleanField()
    half_points = models.DecimalField(max_digits=9, decimal_places=3, null=True)  # at half-time
    half_parts = models.JSONField(null=True)  # in thousandths
    # Of a result that counts in a circle, so that records are found without looking at all results.
    circle = models.ForeignKey(Circle, null=True, default=None, on_delete=models.SET_NULL, related_name="+")
    game = models.SlugField(max_length=20)
    member = models.ForeignKey(
        Member, null=True, default=None, on_delete=models.SET_NULL, related_name="scores"
    )
    ended_at = models.DateTimeField()
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="+")
    mu = models.FloatField(null=True, default=None)  # the member's rating afterwards
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
    """What is counted over the results of one kind, kept up as games end.

    A result is in several: of the server and its circle; of all time, its year and its month; whatever
    the options, and of each that differs. Modes, numbers of players, and games with and without
    corrections are apart: who wants them together adds them up.
    """

    key = models.CharField(max_length=200, unique=True)
    circle = models.ForeignKey(Circle, null=True, on_delete=models.CASCADE, related_name="tallies")
    game = models.SlugField(max_length=20)
    mode = models.CharField(max_length=4)
    players = models.PositiveSmallIntegerField()
    is_clean = models.BooleanField()
    span = models.CharField(max_length=5)  # all, year, month
    period = models.CharField(max_length=7, blank=True)  # which year or month
    option = models.CharField(max_length=100, blank=True)  # ``name=value``; empty: whatever they are
    counts = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "tallies"
        indexes = [models.Index(fields=["circle", "game", "option", "span", "period"], name="tally_kind")]

    def __str__(self) -> str:
        return self.key


class Skill(models.Model):
    """A member's rating at a game, and how often they played and won it."""

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
    """How often a member came off better, worse, or as well as another."""

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
    """How much of something that must not be tried too often is left to an address."""

    name = models.CharField(max_length=80, unique=True)
    level = models.FloatField()  # 1.0 is full
    filled_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
