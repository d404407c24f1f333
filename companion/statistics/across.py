"""Sections about all games of one title: wins by faction, players and seat, points, length, half-time.

Where there are too few games, a section has a sentence that says so and no chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Series
from companion.charts.plots import Spread, WinShare, half_time_plot, lengths_plot, spreads_plot, wins_plot
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


def sections_of_game(statistics: GameStatistics) -> list[Section]:
    """Return the sections for the statistics of a game; none if no game was played."""
    if not statistics.games:
        return []
    if statistics.is_few:
        return [_too_few_section(statistics.games)]
    game = rules_of(statistics.filter.game)[0]
    sections = [
        _factions_section(game, statistics.factions),
        _players_section(game, statistics.players),
        _seats_section(statistics.players),
    ]
    sections.append(_points_section(game, statistics.points))
    if statistics.lengths:
        sections.append(_lengths_section(statistics.lengths))
    if statistics.half_time:
        sections.append(_half_time_section(game, statistics.half_time))
    return [section for section in sections if section]


def _too_few_section(games: int) -> Section:
    sentence = ngettext(
        "Too few games to tell anything yet: %(count)d. Charts are drawn from %(fewest)d on.",
        "Too few games to tell anything yet: %(count)d. Charts are drawn from %(fewest)d on.",
        games,
    )
    return Section("few", _("Too few games"), [sentence % {"count": games, "fewest": FEWEST_GAMES}])


# Shares of wins


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def interval_text(share: Share) -> str:
    """Format the interval of a share, or say that there are too few games."""
    if share.interval is None:
        return _("too few games")
    return f"{percent(share.interval.low)}–{percent(share.interval.high)}"


def few_games_sentences(shares: Sequence[Share], name_of: Callable[[str], str]) -> list[str]:
    """Return a sentence that lists the shares with too few games, or nothing."""
    few = [f"{name_of(share.of)} ({share.games})" for share in shares if share.is_few]
    if not few:
        return []
    return [
        _("Too few games, fewer than %(fewest)d: %(few)s.") % {"fewest": FEWEST_GAMES, "few": ", ".join(few)}
    ]


def best_share_sentence(shares: Sequence[Share], name_of: Callable[[str], str]) -> str | None:
    """Return a sentence about the highest share of wins; None if every share has too few games."""
    best = _best(shares)
    if not best:
        return None
    if any(share.games and share.is_few for share in shares):
        template = _("Of those with enough games: %(name)s won most often, %(share)s (%(between)s).")
    elif len(best) > 1:
        template = _("%(name)s won most often: %(share)s each.")
    else:
        template = _("%(name)s won most often: %(share)s of %(games)d games (%(between)s).")
    return template % _best_values(best, name_of)


def _best(shares: Sequence[Share]) -> list[Share]:
    """Return the highest share, or all that are equal to it."""
    most = max((share.share for share in shares if share.share), default=None)
    return [share for share in shares if share.share is not None and share.share == most]


def _best_values(best: Sequence[Share], name_of: Callable[[str], str]) -> dict[str, object]:
    first = best[0]
    return {
        "name": ", ".join(name_of(share.of) for share in best),
        "share": percent(first.share or 0),
        "games": first.games,
        "between": interval_text(first),
    }


def shares_chart(
    slug: str,
    shares: Sequence[Share],
    name_of: Callable[[str], str],
    *,
    head: str,
    title: str = "",
    more: Sequence[tuple[str, Callable[[Share], str]]] = (),
) -> Chart | None:
    """Return the chart of win shares with intervals; None if every share has too few games."""
    win_shares = [
        WinShare(
            name_of(share.of), share.of, share.share, share.interval.low, share.interval.high, share.games
        )
        for share in shares
        if share.share is not None and share.interval is not None
    ]
    if not win_shares:
        return None
    played = [share for share in shares if share.games]
    even = sum(share.wins for share in played) / sum(share.games for share in played)
    titles = {"x": _("Won"), "hover": _("Games:")}
    columns = (_("Games"), _("Wins"), _("Share"), _("Surely between"), *(name for name, _text in more))
    rows = [
        [
            Cell(name_of(share.of), share.of if share.of.isalpha() else ""),
            Cell(str(share.games)),
            Cell(str(share.wins)),
            Cell(percent(share.share) if share.share is not None else "–"),
            Cell(interval_text(share)),
            *(Cell(text_of(share)) for _name, text_of in more),
        ]
        for share in shares
    ]
    description = _("Share of wins with its interval. The table below has the same numbers.")
    grid = Grid([Cell(head), *map(Cell, columns)], rows)
    return Chart(slug, description, wins_plot(win_shares, even, titles=titles), grid, title)


def interval_note() -> str:
    return _(
        "The line through a mark is Wilson’s interval: in 9 of 10 cases the true share lies within. "
        "Dashed: where it would lie if all won equally often."
    )


def _faction_namer(game: AnyGame) -> Callable[[str], str]:
    return lambda faction: wording.name(game, "faction", faction)


def _factions_section(game: AnyGame, shares: Sequence[Share]) -> Section:
    name_of = _faction_namer(game)
    chart = shares_chart("factions", shares, name_of, head=_("Faction"))
    best = best_share_sentence(shares, name_of)
    sentences = [*([best] if best else []), *few_games_sentences(shares, name_of)]
    notes = [interval_note()] if chart else []
    return Section("factions", _("Who wins"), sentences, [chart] if chart else [], notes=notes)


def _players_section(game: AnyGame, players: Sequence[Among]) -> Section | None:
    """Build the section of wins by number of players, if there are several such numbers."""
    if len(players) < 2:  # noqa: PLR2004 - with one number it would repeat the section of factions
        return None
    name_of = _faction_namer(game)
    charts = [
        shares_chart(
            f"factions-{among.players}",
            among.factions,
            name_of,
            head=_("Faction"),
            title=players_text(among.players),
        )
        for among in players
    ]
    sentences = [_best_among_sentence(among, among.factions, name_of) for among in players]
    return _choice("players", _("Who wins, by number of players"), sentences, charts)


def _seats_section(players: Sequence[Among]) -> Section | None:
    """Build the section of wins by place in the initial play order."""
    charts = [
        shares_chart(
            f"seats-{among.players}",
            among.seats,
            _place_name,
            head=_("Place"),
            title=players_text(among.players),
        )
        for among in players
    ]
    sentences = [_best_among_sentence(among, among.seats, _place_name) for among in players]
    return _choice("seats", _("Who wins, by place in the play order"), sentences, charts)


def _choice(slug: str, title: str, sentences: Sequence[str], charts: Sequence[Chart | None]) -> Section:
    existing = [chart for chart in charts if chart]
    return Section(slug, title, sentences, existing, choice=len(existing) > 1)


def players_text(players: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def _place_name(seat: str) -> str:
    return _("Place %(place)s") % {"place": seat}


def _best_among_sentence(among: Among, shares: Sequence[Share], name_of: Callable[[str], str]) -> str:
    best = _best(shares)
    if not best:
        template = ngettext(
            "%(players)s: too few games (%(count)d).", "%(players)s: too few games (%(count)d).", among.games
        )
        return template % {"players": players_text(among.players), "count": among.games}
    if any(share.is_few for share in shares):
        template = _("%(players)s, of those with enough games: %(name)s most often, %(share)s (%(between)s).")
    elif len(best) > 1:
        template = _("%(players)s: %(name)s most often, %(share)s each.")
    else:
        template = _("%(players)s: %(name)s most often, %(share)s of %(games)d games (%(between)s).")
    return template % {"players": players_text(among.players), **_best_values(best, name_of)}


# Points


def _points_section(game: AnyGame, points: Sequence[Distribution]) -> Section:
    name_of = _faction_namer(game)
    enough = [row for row in points if not row.is_few]
    sentences = few_games_sentences([Share(row.faction, row.games, 0) for row in points], name_of)
    charts = []
    if enough:
        most = max(enough, key=lambda row: row.median)
        template = _(
            "%(name)s ended highest as a rule: with %(median)d points, half of the time between "
            "%(lower)d and %(upper)d."
        )
        if len(enough) < len(points):
            template = _(
                "Of those with enough games %(name)s ended highest as a rule: with %(median)d points, half of "
                "the time between %(lower)d and %(upper)d."
            )
        values = {"median": most.median, "lower": most.lower, "upper": most.upper}
        sentences.insert(0, template % {"name": name_of(most.faction), **values})
        charts.append(_points_chart(enough, name_of))
    notes = [
        _("The box holds the middle half of the games, the line in it is the median, the symbol the mean.")
    ]
    return Section("points", _("Points at the end"), sentences, charts, notes=notes if charts else [])


def _points_chart(points: Sequence[Distribution], name_of: Callable[[str], str]) -> Chart:
    spreads = [
        Spread(
            Series(row.faction, name_of(row.faction)),
            *(row.least, row.lower, row.median, row.upper, row.most),
            float(row.mean),
        )
        for row in points
    ]
    head = (_("Faction"), _("Games"), _("Least"), _("A quarter"), _("Half"), _("Three quarters"), _("Most"))
    rows = [
        [
            Cell(name_of(row.faction), row.faction),
            *map(_number_cell, (row.games, row.least, row.lower, row.median, row.upper, row.most)),
            Cell(tenths(row.mean)),
        ]
        for row in points
    ]
    description = _("How points at the end are spread. The table below has the same numbers.")
    plot = spreads_plot(spreads, titles={"x": _("Points"), "mean": _("Mean")})
    return Chart("points", description, plot, Grid([*map(Cell, head), Cell(_("Mean"))], rows))


def _number_cell(number: int) -> Cell:
    return Cell(str(number))


def tenths(value: Fraction) -> str:
    return wording.localized(f"{float(value):.1f}")


# Length


def _lengths_section(lengths: Lengths) -> Section:
    title = _("How long it takes")
    if lengths.is_few:
        template = ngettext(
            "Too few games were timed: %(count)d.", "Too few games were timed: %(count)d.", lengths.games
        )
        return Section("lengths", title, [template % {"count": lengths.games}])
    template = _("%(games)d games took %(mean)s on average; half of them less than %(median)s.")
    sentence = template % {
        "games": lengths.games,
        "mean": length_text(lengths.mean),
        "median": length_text(lengths.median + timedelta(minutes=MINUTES)),
    }
    titles = {"x": _("Minutes"), "y": _("Games")}
    rows = [[Cell(f"{minutes}–{minutes + MINUTES}"), Cell(str(games))] for minutes, games in lengths.bins]
    chart = Chart(
        "lengths",
        _("How many games took how many minutes. The table below has the same numbers."),
        lengths_plot(lengths.bins, MINUTES, titles=titles),
        Grid([Cell(_("Minutes")), Cell(_("Games"))], rows),
    )
    note = _("Pauses of more than 20 minutes are left out, and so are score pads, which do not tell.")
    return Section("lengths", title, [sentence], [chart], notes=[note])


def length_text(time: timedelta) -> str:
    """Format a duration in hours and minutes."""
    hours, minutes = divmod(round(time.total_seconds() / 60), 60)
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)d min") % {"minutes": minutes}


# Half-time


def _half_time_section(game: AnyGame, half: HalfTime) -> Section:
    title = _("What winners had at half-time")
    if half.is_few or half.winners is None or half.others is None:
        template = ngettext(
            "Too few games with a half-time: %(count)d.",
            "Too few games with a half-time: %(count)d.",
            half.games,
        )
        return Section("half-time", title, [template % {"count": half.games}])
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
    plot = half_time_plot(
        names, [float(w) for _n, w, _o in values], [float(o) for _n, _w, o in values], titles=titles
    )
    grid = Grid(
        [Cell(_("Part")), Cell(titles["winners"]), Cell(titles["others"])],
        [[Cell(name), Cell(tenths(won)), Cell(tenths(lost))] for name, won, lost in values],
    )
    description = _(
        "Points of winners and others at half-time, by part. The table below has the same numbers."
    )
    note = _("Half-time is the end of the middle round.")
    sentences = [_half_time_sentence(half, winners.points, others.points)]
    return Section("half-time", title, sentences, [Chart("half-time", description, plot, grid)], notes=[note])


def _half_time_sentence(half: HalfTime, winners: Fraction, others: Fraction) -> str:
    template = _("Later winners had %(winners)s points at half-time, the others %(others)s.")
    sentence = template % {"winners": tenths(winners), "others": tenths(others)}
    if half.leaders.share is None:
        return sentence
    led = _("Who led then won %(share)s of %(games)d games (%(between)s).") % {
        "share": percent(half.leaders.share),
        "games": half.leaders.games,
        "between": interval_text(half.leaders),
    }
    return f"{sentence} {led}"
