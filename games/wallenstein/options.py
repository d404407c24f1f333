"""Table options: questions that the rulebook leaves open (8)."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.codec import Json
from games.core.options import Option, read_options

# Province saved by the peasants alone
KEEP = "keep"
PLACE_ONE = "place-one"
DESTROY = "destroy"

# Province for which no cube fell on either side
ATTACK_FAILS = "attack-fails"

# Distribution of the provinces (3.5)
TABLES = "tables"
DRAFT = "draft"

# Planning on phones or on planning boards (4)
PHONES = "phones"
BOARDS = "boards"

# Turn order entered by the table or shuffled by the app
ENTERED = "entered"
SHUFFLED = "shuffled"

# Options that affect battles and hunger; calculators accept them too.
OPTIONS = (
    Option("grain_below_zero", "A-09", default=False, values=(False, True)),
    Option("saved_by_peasants", "A-14", default=KEEP, values=(KEEP, PLACE_ONE, DESTROY)),
    Option("nothing_fell", "A-15", default=DESTROY, values=(DESTROY, ATTACK_FAILS)),
)

TABLE_OPTIONS = (
    Option("distribution", "3", default=TABLES, values=(TABLES, DRAFT), fixed=True),
    Option("planning", "4", default=PHONES, values=(PHONES, BOARDS)),
    Option("player_order", "A-05", default=ENTERED, values=(ENTERED, SHUFFLED)),
    Option(
        "gold_with_five",
        "A-07",
        default=13,
        values=tuple(range(31)),
        fixed=True,
        figure=("start", "gold", "5"),
    ),
    *OPTIONS,
    Option("least_defenders", "A-13", default=0, values=(0, 1)),
    Option("guards_fight", "A-19", default=False, values=(False, True)),
    Option("weary_conquest", "A-20", default=False, values=(False, True)),
    Option("reshuffle_events", "A-23", default=False, values=(False, True)),
    Option("all_events_with_two", "A-24", default=False, values=(False, True), fixed=True),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """Values of the options that affect battles and hunger."""

    grain_below_zero: bool = False
    saved_by_peasants: str = KEEP
    nothing_fell: str = DESTROY


DIGEST = Reading()  # defaults of the rules digest


def read_reading(options: Json) -> Reading:
    """Parse and validate a `Reading` from options in JSON. Raise `BadInput`."""
    return Reading(**read_options(OPTIONS, options))


def reading_of(options: Json) -> Reading:
    """Return the `Reading` contained in a table's validated options."""
    return Reading(**{option.name: options[option.name] for option in OPTIONS})
