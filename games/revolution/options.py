"""Table options: points where the two rulebooks differ or are silent (digest part 8)."""

from __future__ import annotations

from games.core.codec import Json
from games.core.options import AnyOption, Option
from games.revolution.factions import NEUTRALS

NO_OR_YES = (False, True)
YES_OR_NO = (True, False)


def _fixed_option(name: str, question: str, values: tuple[Json, ...]) -> Option:
    """Return an option that is fixed before the game begins; its first value is the default."""
    return Option(name, question, values[0], values, fixed=True)


OPTIONS: tuple[AnyOption, ...] = (
    _fixed_option("placement_counts_cities", "Q-02", NO_OR_YES),
    _fixed_option("province_majority_scope", "Q-03", ("never_cities", "cities_excluded_round0_only")),
    _fixed_option("bishop_uncontrolled", "Q-04", ("step", "snap_to_catholic")),
    _fixed_option("huguenot_coin_source", "Q-07", ("supply", "box_counter")),
    _fixed_option("reformer_substitute", "Q-08", ("B_then_N3p", "N")),
    _fixed_option("overflow_displaces_neutrals", "Q-10", NO_OR_YES),
    _fixed_option("ally_blocks_river", "Q-11", YES_OR_NO),
    _fixed_option("tax_partial_extra", "Q-13", NO_OR_YES),
    _fixed_option("beggar_relief_scope", "Q-14", ("one_city", "all_in_region")),
    _fixed_option("beggar_target_scope", "Q-15", ("listed_provinces", "whole_region")),
    _fixed_option("beggar_commitment", "Q-16", ("declared", "all_in_region")),
    _fixed_option("beggar_double_block", "Q-17", YES_OR_NO),
    _fixed_option("siege_converts_neutrals", "Q-19", YES_OR_NO),
    Option("neutral_pool", "6.13", NEUTRALS, values=tuple(range(NEUTRALS + 1)), fixed=True),
)
