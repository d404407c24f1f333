"""The form of what is told about many games, read off ``companion.statistics.queries``."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from companion.api.serializers import Document, Sent, Text


class Seconds(serializers.IntegerField):
    """A length of time."""

    def to_representation(self, value: Any) -> int:
        return int(value.total_seconds())  # of a ``timedelta``


class Bins(serializers.ListField):
    """How many games there are of each: pairs of where a bin begins and its number of games."""

    child = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


# What is sent


class NewCircle(Sent):
    name = Text()


class CircleOfTable(Sent):
    circle = Text(allow_null=True, help_text="The key of a circle; null takes the table out of its circle.")


# What is answered


class OpenedCircle(serializers.Serializer):
    name = serializers.CharField()
    key = serializers.CharField(help_text="Whoever has it sees the circle. Told only now.")


class Circle(serializers.Serializer):
    name = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), help_text="Who has played here.")
    games = serializers.DictField(child=serializers.IntegerField(), help_text="How many games of each.")


class Interval(serializers.Serializer):
    low = serializers.FloatField()
    high = serializers.FloatField()


class Record(serializers.Serializer):
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True, help_text="Null: too few games.")
    interval = Interval(allow_null=True, help_text="Wilson's, of 90 %.")


class Share(Record):
    of = serializers.CharField(help_text="A faction, or a seat in the play order at the start.")


class Among(serializers.Serializer):
    players = serializers.IntegerField()
    games = serializers.IntegerField()
    factions = Share(many=True)
    seats = Share(many=True)


class Distribution(serializers.Serializer):
    faction = serializers.CharField()
    games = serializers.IntegerField()
    mean = serializers.FloatField()
    least = serializers.IntegerField()
    lower = serializers.IntegerField(help_text="A quarter of the games has at most this.")
    median = serializers.IntegerField()
    upper = serializers.IntegerField()
    most = serializers.IntegerField()
    bins = Bins()


class Lengths(serializers.Serializer):
    games = serializers.IntegerField()
    mean = Seconds()
    median = Seconds()
    bins = Bins(help_text="By tens of minutes.")


class Had(serializers.Serializer):
    scores = serializers.IntegerField()
    points = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())


class HalfTime(serializers.Serializer):
    games = serializers.IntegerField()
    winners = Had(allow_null=True)
    others = Had(allow_null=True)
    leaders = Record(help_text="The games in which somebody led then; won: one of those who did.")


class GameStatistics(serializers.Serializer):
    game = serializers.CharField(source="filter.game")
    query = serializers.CharField(source="filter.query", help_text="The filter, as it stands in an address.")
    games = serializers.IntegerField()
    factions = Share(many=True)
    players = Among(many=True)
    points = Distribution(many=True)
    lengths = Lengths(allow_null=True, help_text="Score pads do not tell.")
    half_time = HalfTime(allow_null=True)


class Rating(serializers.Serializer):
    mu = serializers.FloatField()
    sigma = serializers.FloatField()
    ordinal = serializers.FloatField()


class Member(serializers.Serializer):
    member = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    rating = Rating()
    record = Record()
    favourite = serializers.CharField(allow_null=True)
    best = serializers.CharField(allow_null=True)


class RatingPoint(serializers.Serializer):
    at = serializers.DateTimeField()
    code = serializers.CharField()
    rating = Rating()
    place = serializers.IntegerField()
    won = serializers.BooleanField()
    faction = serializers.CharField()


class FactionRecord(serializers.Serializer):
    share = Share()
    points = serializers.FloatField()


class Against(serializers.Serializer):
    member = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    ties = serializers.IntegerField()


class MemberStatistics(serializers.Serializer):
    line = Member()
    course = RatingPoint(many=True)
    factions = FactionRecord(many=True)
    against = Against(many=True)


class GameScore(serializers.Serializer):
    faction = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    member = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField()
    place = serializers.IntegerField()
    won = serializers.BooleanField()


class GameLine(serializers.Serializer):
    code = serializers.CharField()
    game = serializers.CharField()
    mode = serializers.CharField()
    players = serializers.IntegerField()
    ended_at = serializers.DateTimeField()
    length = Seconds(allow_null=True)
    margin = serializers.FloatField(allow_null=True)
    clean = serializers.BooleanField()
    early = serializers.BooleanField()
    scores = GameScore(many=True)


class GamesPage(serializers.Serializer):
    games = GameLine(many=True)
    following = serializers.CharField(
        allow_blank=True, help_text="`after` of the next page; empty: there is none."
    )


class BestScore(serializers.Serializer):
    score = GameScore()
    game = GameLine()


class Records(serializers.Serializer):
    points = BestScore(many=True)
    narrowest = GameLine(many=True)
    clearest = GameLine(many=True)
    longest = GameLine(many=True)
    shortest = GameLine(many=True)
    games = Member(many=True)
    wins = Member(many=True)


# Files


class LeftOut(serializers.Serializer):
    table = serializers.CharField()
    why = serializers.CharField()


class GamesDocument(serializers.Serializer):
    format = serializers.CharField()
    circle = serializers.CharField()
    games = Document(many=True)
    left_out = LeftOut(many=True, help_text="Games in which something is still hidden.")


class PlayLink(serializers.Serializer):
    url = serializers.CharField()
    play = serializers.JSONField(help_text="What the link carries, as the app reads it.")
