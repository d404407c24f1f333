"""Sections about all games of one kind: who wins, by seat and by number of players, points, length, half-time.

Where too few games were played to tell something, words say so, and no chart pretends otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Series
from companion.charts.plots import Spread, Won, halves_figure, lengths_figure, spreads_figure, wins_figure
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.results.counts import MINUTES
from companion.results.filters import rules_of
from companion.results.intervals import FEWEST_GAMES
from companion.statistics.queries import (
    Among,
    Distribution,
    GameStatistics,
    HalfTime,
    Lengths,
    Share,
)
from games.core.game import AnyGame


def sections_of_game(told: GameStatistics) -> list[Section]:
    """All that is told of a game, for one filter; nothing where no game was played."""
    if not told.games:
        return []
    if told.is_few:
        return [_few(told.games)]
    game = rules_of(told.filter.game)[0]
    sections = [_factions(game, told.factions), _by_players(game, told.players), _seats(told.players)]
    sections.append(_points(game, told.points))
    if told.lengths:
        sections.append(_lengths(told.lengths))
    if told.half_time:
        sections.append(_half_time(game, told.half_time))
    return [section for section in sections if section]


def _few(games: int) -> Section:
    sentence = ngettext(
        "Too few games to tell anything yet: %(count)d. Charts are drawn from %(fewest)d on.",
        "Too few games to tell anything yet: %(count)d. Charts are drawn from %(fewest)d on.",
        games,
    )
    return Section("few", _("Too few games"), [sentence % {"count": games, "fewest": FEWEST_GAMES}])


# Shares of wins


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def between(share: Share) -> str:
    """The interval of a share; words where there is none."""
    if share.interval is None:
        return _("too few games")
    return f"{percent(share.interval.low)}–{percent(share.interval.high)}"


def few_told(shares: Sequence[Share], named: Callable[[str], str]) -> list[str]:
    """Which shares are not told, and how many games there are of each."""
    few = [f"{named(share.of)} ({share.games})" for share in shares if share.is_few]
    if not few:
        return []
    return [
        _("Too few games, fewer than %(fewest)d: %(few)s.") % {"fewest": FEWEST_GAMES, "few": ", ".join(few)}
    ]


def best_told(shares: Sequence[Share], named: Callable[[str], str]) -> str | None:
    """Who won most often, of those whose share is told; nobody while there are too few games of each."""
    best = _best(shares)
    if not best:
        return None
    if any(share.games and share.is_few for share in shares):
        told = _("Of those with enough games: %(name)s won most often, %(share)s (%(between)s).")
    elif len(best) > 1:
        told = _("%(name)s won most often: %(share)s each.")
    else:
        told = _("%(name)s won most often: %(share)s of %(games)d games (%(between)s).")
    return told % _best_values(best, named)


def _best(shares: Sequence[Share]) -> list[Share]:
    """One, or those that are level."""
    most = max((share.share for share in shares if share.share), default=None)
    return [share for share in shares if share.share is not None and share.share == most]


def _best_values(best: Sequence[Share], named: Callable[[str], str]) -> dict[str, object]:
    first = best[0]
    return {
        "name": ", ".join(named(share.of) for share in best),
        "share": percent(first.share or 0),
        "games": first.games,
        "between": between(first),
    }


def shares_chart(
    slug: str,
    shares: Sequence[Share],
    named: Callable[[str], str],
    *,
    head: str,
    title: str = "",
    more: Sequence[tuple[str, Callable[[Share], str]]] = (),
) -> Chart | None:
    """Shares of wins with their intervals; None while there are too few games of each."""
    won = [
        Won(named(one.of), one.of, one.share, one.interval.low, one.interval.high, one.games)
        for one in shares
        if one.share is not None and one.interval is not None
    ]
    if not won:
        return None
    played = [share for share in shares if share.games]
    even = sum(share.wins for share in played) / sum(share.games for share in played)
    titles = {"x": _("Won"), "hover": _("Games:")}
    columns = (_("Games"), _("Wins"), _("Share"), _("Surely between"), *(name for name, _told in more))
    rows = [
        [
            Cell(named(share.of), share.of if share.of.isalpha() else ""),
            Cell(str(share.games)),
            Cell(str(share.wins)),
            Cell(percent(share.share) if share.share is not None else "–"),
            Cell(between(share)),
            *(Cell(told(share)) for _name, told in more),
        ]
        for share in shares
    ]
    said = _("Share of wins with its interval. The table below has the same numbers.")
    grid = Grid([Cell(head), *map(Cell, columns)], rows)
    return Chart(slug, said, wins_figure(won, even, titles=titles), grid, title)


def interval_note() -> str:
    return _(
        "The line through a mark is Wilson’s interval: in 9 of 10 cases the true share lies within. "
        "Dashed: where it would lie if all won equally often."
    )


def _named(game: AnyGame) -> Callable[[str], str]:
    return lambda faction: wording.name(game, "faction", faction)


def _factions(game: AnyGame, shares: Sequence[Share]) -> Section:
    named = _named(game)
    chart = shares_chart("factions", shares, named, head=_("Faction"))
    best = best_told(shares, named)
    sentences = [*([best] if best else []), *few_told(shares, named)]
    notes = [interval_note()] if chart else []
    return Section("factions", _("Who wins"), sentences, [chart] if chart else [], notes=notes)


def _by_players(game: AnyGame, players: Sequence[Among]) -> Section | None:
    """Apart for each number of people, where there are several."""
    if len(players) < 2:  # noqa: PLR2004 - else it would say what was said
        return None
    named = _named(game)
    charts = [
        shares_chart(
            f"factions-{one.players}", one.factions, named, head=_("Faction"), title=players_told(one.players)
        )
        for one in players
    ]
    sentences = [_among_told(one, one.factions, named) for one in players]
    return _choice("players", _("Who wins, by number of players"), sentences, charts)


def _seats(players: Sequence[Among]) -> Section | None:
    """By the place in the play order at the start."""
    charts = [
        shares_chart(
            f"seats-{one.players}", one.seats, _place, head=_("Place"), title=players_told(one.players)
        )
        for one in players
    ]
    sentences = [_among_told(one, one.seats, _place) for one in players]
    return _choice("seats", _("Who wins, by place in the play order"), sentences, charts)


def _choice(slug: str, title: str, sentences: Sequence[str], charts: Sequence[Chart | None]) -> Section:
    drawn = [chart for chart in charts if chart]
    return Section(slug, title, sentences, drawn, choice=len(drawn) > 1)


def players_told(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def _place(seat: str) -> str:
    return _("Place %(place)s") % {"place": seat}


def _among_told(one: Among, shares: Sequence[Share], named: Callable[[str], str]) -> str:
    best = _best(shares)
    if not best:
        told = ngettext(
            "%(players)s: too few games (%(count)d).", "%(players)s: too few games (%(count)d).", one.games
        )
        return told % {"players": players_told(one.players), "count": one.games}
    if any(share.is_few for share in shares):
        told = _("%(players)s, of those with enough games: %(name)s most often, %(share)s (%(between)s).")
    elif len(best) > 1:
        told = _("%(players)s: %(name)s most often, %(share)s each.")
    else:
        told = _("%(players)s: %(name)s most often, %(share)s of %(games)d games (%(between)s).")
    return told % {"players": players_told(one.players), **_best_values(best, named)}


# Points


def _points(game: AnyGame, points: Sequence[Distribution]) -> Section:
    named = _named(game)
    enough = [one for one in points if not one.is_few]
    sentences = few_told([Share(one.faction, one.games, 0) for one in points], named)
    charts = []
    if enough:
        most = max(enough, key=lambda one: one.median)
        told = _(
            "%(name)s ended highest as a rule: with %(median)d points, half of the time between "
            "%(lower)d and %(upper)d."
        )
        if len(enough) < len(points):
            told = _(
                "Of those with enough games %(name)s ended highest as a rule: with %(median)d points, half of "
                "the time between %(lower)d and %(upper)d."
            )
        values = {"median": most.median, "lower": most.lower, "upper": most.upper}
        sentences.insert(0, told % {"name": named(most.faction), **values})
        charts.append(_points_chart(enough, named))
    notes = [
        _("The box holds the middle half of the games, the line in it is the median, the symbol the mean.")
    ]
    return Section("points", _("Points at the end"), sentences, charts, notes=notes if charts else [])


def _points_chart(points: Sequence[Distribution], named: Callable[[str], str]) -> Chart:
    spreads = [
        Spread(
            Series(one.faction, named(one.faction)),
            *(one.least, one.lower, one.median, one.upper, one.most),
            float(one.mean),
        )
        for one in points
    ]
    head = (_("Faction"), _("Games"), _("Least"), _("A quarter"), _("Half"), _("Three quarters"), _("Most"))
    rows = [
        [
            Cell(named(one.faction), one.faction),
            *map(_number, (one.games, one.least, one.lower, one.median, one.upper, one.most)),
            Cell(tenths(one.mean)),
        ]
        for one in points
    ]
    said = _("How points at the end are spread. The table below has the same numbers.")
    figure = spreads_figure(spreads, titles={"x": _("Points"), "mean": _("Mean")})
    return Chart("points", said, figure, Grid([*map(Cell, head), Cell(_("Mean"))], rows))


def _number(number: int) -> Cell:
    return Cell(str(number))


def tenths(value: Fraction) -> str:
    return wording.written(f"{float(value):.1f}")


# Length


def _lengths(lengths: Lengths) -> Section:
    title = _("How long it takes")
    if lengths.is_few:
        told = ngettext(
            "Too few games were timed: %(count)d.", "Too few games were timed: %(count)d.", lengths.games
        )
        return Section("lengths", title, [told % {"count": lengths.games}])
    told = _("%(games)d games took %(mean)s on average; half of them less than %(median)s.")
    sentence = told % {
        "games": lengths.games,
        "mean": length_told(lengths.mean),
        "median": length_told(lengths.median + timedelta(minutes=MINUTES)),
    }
    titles = {"x": _("Minutes"), "y": _("Games")}
    rows = [[Cell(f"{minutes}–{minutes + MINUTES}"), Cell(str(games))] for minutes, games in lengths.bins]
    chart = Chart(
        "lengths",
        _("How many games took how many minutes. The table below has the same numbers."),
        lengths_figure(lengths.bins, MINUTES, titles=titles),
        Grid([Cell(_("Minutes")), Cell(_("Games"))], rows),
    )
    note = _("Pauses of more than 20 minutes are left out, and so are score pads, which do not tell.")
    return Section("lengths", title, [sentence], [chart], notes=[note])


def length_told(time: timedelta) -> str:
    """How long a game took, to the minute."""
    hours, minutes = divmod(round(time.total_seconds() / 60), 60)
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)d min") % {"minutes": minutes}


# Half-time


def _half_time(game: AnyGame, half: HalfTime) -> Section:
    title = _("What winners had at half-time")
    if half.is_few or half.winners is None or half.others is None:
        told = ngettext(
            "Too few games with a half-time: %(count)d.",
            "Too few games with a half-time: %(count)d.",
            half.games,
        )
        return Section("half-time", title, [told % {"count": half.games}])
    winners, others = half.winners, half.others
    parts = [
        part
        for part in {**winners.parts, **others.parts}
        if winners.parts.get(part) or others.parts.get(part)
    ]
    none = Fraction(0)
    values = [(_("In all"), winners.points, others.points)]
    values += [
        (
            wording.capital(wording.name(game, "part", part)),
            winners.parts.get(part, none),
            others.parts.get(part, none),
        )
        for part in parts
    ]
    titles = {"x": _("Points on average"), "winners": _("Winners"), "others": _("Others")}
    names = [name for name, _winners, _others in values]
    figure = halves_figure(
        names, [float(w) for _n, w, _o in values], [float(o) for _n, _w, o in values], titles=titles
    )
    grid = Grid(
        [Cell(_("Part")), Cell(titles["winners"]), Cell(titles["others"])],
        [[Cell(name), Cell(tenths(one)), Cell(tenths(other))] for name, one, other in values],
    )
    said = _("Points of winners and others at half-time, by part. The table below has the same numbers.")
    note = _("Half-time is the end of the middle round.")
    sentences = [_half_told(half, winners.points, others.points)]
    return Section("half-time", title, sentences, [Chart("half-time", said, figure, grid)], notes=[note])


def _half_told(half: HalfTime, winners: Fraction, others: Fraction) -> str:
    told = _("Later winners had %(winners)s points at half-time, the others %(others)s.")
    sentence = told % {"winners": tenths(winners), "others": tenths(others)}
    if half.leaders.share is None:
        return sentence
    led = _("Who led then won %(share)s of %(games)d games (%(between)s).") % {
        "share": percent(half.leaders.share),
        "games": half.leaders.games,
        "between": between(half.leaders),
    }
    return f"{sentence} {led}"
