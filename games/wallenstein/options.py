"""The open questions of the rules on which battles and hunger depend (digest 8)."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.codec import Json
from games.core.options import Option, read_options

# what becomes of a province that the peasants alone have saved
KEEP = "keep"
PLACE_ONE = "place-one"
DESTROY = "destroy"

# what becomes of a province for which no cube fell on either side
ATTACK_FAILS = "attack-fails"

OPTIONS = (
    Option("grain_below_zero", "A-09", default=False, values=(False, True)),
    Option("saved_by_peasants", "A-14", default=KEEP, values=(KEEP, PLACE_ONE, DESTROY)),
    Option("nothing_fell", "A-15", default=DESTROY, values=(DESTROY, ATTACK_FAILS)),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How this table reads them."""

    grain_below_zero: bool = False
    saved_by_peasants: str = KEEP
    nothing_fell: str = DESTROY


DIGEST = Reading()  # its defaults


def read_reading(options: Json) -> Reading:
    """A reading from a table's options. Raises ``BadInput``."""
    return Reading(**read_options(OPTIONS, options))
