"""The table options: where the two rulebooks differ or are silent (digest part 8)."""

from __future__ import annotations

from games.core.codec import Json
from games.core.options import AnyOption, Option
from games.revolution.factions import NEUTRALS

NO_OR_YES = (False, True)
YES_OR_NO = (True, False)


def _settled(name: str, question: str, values: tuple[Json, ...]) -> Option:
    """An option, its default first; all are agreed on before the game begins."""
    return Option(name, question, values[0], values, fixed=True)


OPTIONS: tuple[AnyOption, ...] = (
    _settled("placement_counts_cities", "Q-02", NO_OR_YES),
    _settled("province_majority_scope", "Q-03", ("never_cities", "cities_excluded_round0_only")),
    _settled("bishop_uncontrolled", "Q-04", ("step", "snap_to_catholic")),
    _settled("huguenot_coin_source", "Q-07", ("supply", "box_counter")),
    _settled("reformer_substitute", "Q-08", ("B_then_N3p", "N")),
    _settled("overflow_displaces_neutrals", "Q-10", NO_OR_YES),
    _settled("ally_blocks_river", "Q-11", YES_OR_NO),
    _settled("tax_partial_extra", "Q-13", NO_OR_YES),
    _settled("beggar_relief_scope", "Q-14", ("one_city", "all_in_region")),
    _settled("beggar_target_scope", "Q-15", ("listed_provinces", "whole_region")),
    _settled("beggar_commitment", "Q-16", ("declared", "all_in_region")),
    _settled("beggar_double_block", "Q-17", YES_OR_NO),
    _settled("siege_converts_neutrals", "Q-19", YES_OR_NO),
    Option("neutral_pool", "6.13", NEUTRALS, values=tuple(range(NEUTRALS + 1)), fixed=True),
)
