"""Serializers of statistics, which read the results of `companion.statistics.queries`."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from companion.api.serializers import Document, StrictCharField, StrictSerializer


class Seconds(serializers.IntegerField):
    """Duration in whole seconds, from a `timedelta`."""

    def to_representation(self, value: Any) -> int:
        return int(value.total_seconds())


class Bins(serializers.ListField):
    """Histogram: pairs of a bin's lower bound and its number of games."""

    child = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


# Requests


class NewCircle(StrictSerializer):
    name = StrictCharField()


class CircleOfTable(StrictSerializer):
    circle = StrictCharField(
        allow_null=True, help_text="The key of a circle; null removes the table from its circle."
    )


# Responses


class OpenedCircle(serializers.Serializer):
    name = serializers.CharField()
    key = serializers.CharField(help_text="Grants access to the circle. Shown only once.")


class Circle(serializers.Serializer):
    name = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), help_text="Names of the players.")
    games = serializers.DictField(child=serializers.IntegerField(), help_text="Number of games by game.")


class Interval(serializers.Serializer):
    low = serializers.FloatField()
    high = serializers.FloatField()


class Record(serializers.Serializer):
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True, help_text="Null if there are too few games.")
    interval = Interval(allow_null=True, help_text="90 % Wilson score interval.")


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
    lower = serializers.IntegerField(help_text="Lower quartile.")
    median = serializers.IntegerField()
    upper = serializers.IntegerField()
    most = serializers.IntegerField()
    bins = Bins()


class Lengths(serializers.Serializer):
    games = serializers.IntegerField()
    mean = Seconds()
    median = Seconds()
    bins = Bins(help_text="In bins of 10 minutes.")


class Had(serializers.Serializer):
    scores = serializers.IntegerField()
    points = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())


class HalfTime(serializers.Serializer):
    games = serializers.IntegerField()
    winners = Had(allow_null=True)
    others = Had(allow_null=True)
    leaders = Record(help_text="Games with a leader at half time; won if a leader won.")


class GameStatistics(serializers.Serializer):
    game = serializers.CharField(source="filter.game")
    query = serializers.CharField(source="filter.query", help_text="The filter as a query string.")
    games = serializers.IntegerField()
    factions = Share(many=True)
    players = Among(many=True)
    points = Distribution(many=True)
    lengths = Lengths(allow_null=True, help_text="Null for score pads, which record no times.")
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
        allow_blank=True, help_text="`after` of the next page; empty on the last page."
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
    left_out = LeftOut(many=True, help_text="Games that still contain secrets.")


class PlayLink(serializers.Serializer):
    url = serializers.CharField()
    play = serializers.JSONField(help_text="The play that the link transfers, in the app's format.")
