"""The table options: where the two rulebooks differ or are silent (digest part 8)."""

from __future__ import annotations

from games.core.options import AnyOption, Option
from games.revolution.factions import NEUTRALS

OPTIONS: tuple[AnyOption, ...] = (
    Option("placement_counts_cities", "Q-02", default=False, values=(False, True)),
    Option(
        "province_majority_scope", "Q-03", "never_cities", ("never_cities", "cities_excluded_round0_only")
    ),
    Option("bishop_uncontrolled", "Q-04", "step", ("step", "snap_to_catholic")),
    Option("huguenot_coin_source", "Q-07", "supply", ("supply", "box_counter")),
    Option("reformer_substitute", "Q-08", "B_then_N3p", ("B_then_N3p", "N")),
    Option("overflow_displaces_neutrals", "Q-10", default=False, values=(False, True)),
    Option("ally_blocks_river", "Q-11", default=True, values=(True, False)),
    Option("tax_partial_extra", "Q-13", default=False, values=(False, True)),
    Option("beggar_relief_scope", "Q-14", "one_city", ("one_city", "all_in_region")),
    Option("beggar_target_scope", "Q-15", "listed_provinces", ("listed_provinces", "whole_region")),
    Option("beggar_commitment", "Q-16", "declared", ("declared", "all_in_region")),
    Option("beggar_double_block", "Q-17", default=True, values=(True, False)),
    Option("siege_converts_neutrals", "Q-19", default=True, values=(True, False)),
    Option("neutral_pool", "6.13", NEUTRALS, values=tuple(range(NEUTRALS + 1)), fixed=True),
)
