"""Report data of a game of Signoria: leaders in cities and careers, florins, and the family."""

from __future__ import annotations

from games.core.annals import Annals, Coin, Control, most
from games.core.messages import Name
from games.signoria.pieces import CAREERS, FLORIN, MAN, MEMBERS, RESERVE, THRESHOLD, WOMAN
from games.signoria.state import State, in_city, men_on


def control(state: State) -> Control:
    """Return the leaders: most figures below each city (5.6, 5.7), highest man in each career (5.5)."""
    return {
        Name("group", "cities"): {
            Name("city", city): most(
                {f: sum(in_city(state, f, city, member) for member in MEMBERS) for f in state.order}
            )
            for city in state.cities
        },
        Name("group", "careers"): {
            Name("field", career): most({f: max(men_on(state, f, career), default=0) for f in state.order})
            for career in CAREERS
        },
    }


IN_PLAY = frozenset({RESERVE, THRESHOLD, "track", "city"})

ANNALS: Annals[State] = Annals(
    control=control,
    money=(Coin(FLORIN, RESERVE, Name("piece", FLORIN)),),
    board={MAN: IN_PLAY, WOMAN: IN_PLAY},
    causes={
        "task-men": "tasks",
        "task-women": "tasks",
        "5.3": "task-rewards",
        "5.6": "missions",
        "5.7": "marriages",
        "5.8": "descendants",
        "clean-up": "threshold",
        "5.12": "rewards",
    },
)
