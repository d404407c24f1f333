"""Career tracks and the initiative track."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from companion.titles.signoria.board import svg
from companion.titles.signoria.names import title
from games.signoria.pieces import CAREERS, INITIATIVE, MAN, TRACKS, initiative_place, track_place
from games.signoria.progress import FLORIN_SPACE, INITIATIVE_SPACE
from games.signoria.state import State, discs, printed

HEAD, ROW, COLUMN, GAP = 30, 30, 76, 3
WIDTH = COLUMN * len(TRACKS)
MARGIN = 2
LONG_NAME, NAME_WIDTH = 9, 54  # longer names (characters) are squeezed into the width
TOKEN, DIGIT = 14, 9  # width of a token on a track, and of the digit beside it
CAREER_TOKENS, INITIATIVE_TOKENS = 22, 15  # x position of the first token, right of the numbers


@dataclass(frozen=True, slots=True)
class Token:
    """A number of men of an owner, or a disc."""

    owner: str
    x: int
    height: int  # of the space
    count: int = 1

    @property
    def shape(self) -> SafeString:
        return svg.token(self.owner, TOKEN, x=self.x, y=(self.height - GAP - TOKEN) // 2)

    @property
    def count_at(self) -> SafeString:
        return svg.at(self.x + TOKEN, _baseline(self.height))


@dataclass(frozen=True, slots=True)
class Step:
    """A space of a track."""

    place: str
    y: int
    height: int
    number: int
    rank: int = 0
    symbol: str = ""  # reward for reaching it
    tokens: tuple[Token, ...] = ()

    @property
    def moved(self) -> SafeString:
        return svg.moved(0, self.y)

    @property
    def box(self) -> SafeString:
        return svg.box(COLUMN - GAP, self.height - GAP, 4)

    @property
    def number_at(self) -> SafeString:
        return svg.at(4, _baseline(self.height))

    @property
    def reward(self) -> SafeString:
        return svg.symbol(self.symbol, 13, x=57, y=7)


@dataclass(frozen=True, slots=True)
class Track:
    """A career track or the initiative track, spaces from the top down."""

    slug: str
    x: int
    steps: tuple[Step, ...]

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, 0)

    @property
    def name(self) -> str:
        return title("track", self.slug)

    @property
    def name_at(self) -> SafeString:
        return svg.squeezed(19, 19, NAME_WIDTH) if len(self.name) > LONG_NAME else svg.at(19, 19)

    @property
    def symbol(self) -> SafeString:
        return svg.symbol(self.slug, 16, y=6)


def _baseline(height: int) -> int:
    """Return the y position of numbers in a space."""
    return height // 2 + 3


def career_tracks(state: State) -> list[Track]:
    return [_career(state, career, i) for i, career in enumerate(CAREERS)]


def _career(state: State, career: str, index: int) -> Track:
    figures, rows = printed(state), _rows(state)
    symbols = {FLORIN_SPACE: "florins", INITIATIVE_SPACE: INITIATIVE}
    steps = []
    for space in range(figures.spaces(career), 0, -1):
        place = track_place(career, space)
        steps.append(
            Step(
                place,
                HEAD + ROW * (rows - space),
                ROW,
                figures.number(career, space),
                figures.rank(career, space),
                symbols.get(space, ""),
                _men(state, place),
            )
        )
    return Track(career, COLUMN * index, tuple(steps))


def _rows(state: State) -> int:
    """Return the number of spaces of the longest career."""
    return max(printed(state).spaces(career) for career in CAREERS)


def _men(state: State, place: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    x = CAREER_TOKENS
    for faction in state.order:
        if count := state.ledger.count(faction, MAN, place):
            tokens.append(Token(faction, x, ROW, count))
            x += TOKEN if count == 1 else TOKEN + DIGIT
    return tuple(tokens)


def initiative_track(state: State) -> Track:
    """Return the initiative track; stacks are shown from the left, the top disc at the right end."""
    figures, stacks = printed(state), discs(state)
    height = ROW * _rows(state) // (figures.top + 1)
    steps = [
        Step(
            initiative_place(space),
            HEAD + height * (figures.top - space),
            height,
            figures.initiative_points(space),
            tokens=tuple(
                Token(owner, INITIATIVE_TOKENS + TOKEN * i, height)
                for i, owner in enumerate(stacks.get(space, ()))
            ),
        )
        for space in range(figures.top, -1, -1)
    ]
    return Track(INITIATIVE, COLUMN * len(CAREERS), tuple(steps))


def view_box(state: State) -> str:
    return f"{-MARGIN} 0 {WIDTH} {HEAD + ROW * _rows(state)}"


def rank_texts(state: State) -> list[str]:
    """Return the space numbers of each rank as text (the picture has only shades), equal tracks merged."""
    figures = printed(state)
    by_text: dict[str, list[str]] = {}
    for career in CAREERS:
        numbers: dict[int, list[int]] = {}
        for space in range(1, figures.spaces(career) + 1):
            numbers.setdefault(figures.rank(career, space), []).append(figures.number(career, space))
        text = " · ".join(
            f"{_('rank %(rank)d') % {'rank': rank}}: {_span(spaces[0], spaces[-1])}"
            for rank, spaces in numbers.items()
        )
        by_text.setdefault(text, []).append(title("track", career))
    all_equal = len(by_text) == 1
    return [text if all_equal else f"{', '.join(names)}: {text}" for text, names in by_text.items()]


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)
