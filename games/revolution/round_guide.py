"""Rules reference for rounds 1 to 5, except armies (rulebook 6.1, 6.2, 6.10 to 6.14 and 6.16 to 6.20)."""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text

_COUNTERS: Guides = {
    "6.1": Guide(
        text(
            "The taxes of your province cards are added up and rounded down once. Each of your cities pays the "
            "same rate, 1, 2 or 3, as you choose. The coins come from your supply: rate 2 or 3 is open to you "
            "only if the supply covers all of it, and at rate 1 you collect what there is. The cards of the "
            "last allocation count."
        ),
        text("Section 6.1"),
        readings=(
            Reading(
                question=text("May you choose a rate that your supply does not cover?"),
                ruling=text(
                    "No. First come the provinces and 1 from each city; 1 or 2 more from each city only if the "
                    "supply is enough for all of them."
                ),
                alternatives=text(
                    "The Italian rulebook only says that the counters you have limit the sum, so one could "
                    "take whatever is left."
                ),
                option="tax_partial_extra",
                held_by=(
                    "tests/revolution/test_readings.py::test_q_13_partial_tax_option_takes_the_whole_supply",
                    "tests/revolution/test_vectors.py::test_q_13_partial_tax_takes_the_whole_supply",
                    "tests/revolution/test_rounds_bad_input.py::test_19_tax_rate_above_the_supply_is_refused",
                ),
            ),
            Reading(
                question=text("May you decline taxes or new counters?"),
                ruling=text(
                    "No: taxes are collected at rate 1 at least, and new counters are placed where they can."
                ),
                alternatives=text(
                    "Neither rulebook says it; a full treasury and a full board can be unwelcome."
                ),
                held_by=(
                    "tests/revolution/test_rounds_bad_input.py::test_18_tax_rate_outside_1_to_3_is_refused",
                    "tests/revolution/test_rounds_bad_input.py::test_10_to_12_and_43_to_45_invalid_new_units_are_refused",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_t1_half_coins_are_summed_before_rounding_down",
            "tests/revolution/test_rounds.py::test_d_t2_taxes_of_provinces_and_three_cities",
            "tests/revolution/test_rounds.py::test_d_t3_and_t4_supply_bounds_the_rate",
        ),
    ),
    "6.2.1": Guide(
        text(
            "In play order you may move counters out of support boxes, as many as you like. From a light cell "
            "a counter goes to the countryside of a province printed on the box, from a coloured cell to your "
            "treasury, from a half-coloured one to either. You need not be in that province, and its limit "
            "does not matter now. Nothing goes to a town, a city or another cell, and a Huguenot counter that "
            "lies face down stays."
        ),
        text("Section 6.2.1"),
        held_by=(
            "tests/revolution/test_rounds.py::test_support_moves_to_countryside_and_treasury",
            "tests/revolution/test_rounds_bad_input.py::test_13_to_15_invalid_support_movement_is_refused",
            "tests/revolution/test_rounds_bad_input.py::test_16_moving_a_used_huguenot_is_refused",
        ),
    ),
    "6.2.2": Guide(
        text(
            "When Catholics or Habsburgs move counters from the Spanish Treasury to their treasury, the faction "
            "in the Huguenots box may intercept some, at most as many as it has Huguenot counters face up and "
            "counters in supply. "
            "Intercepted counters go to their owner’s supply, and the interceptor takes as many coins from its "
            "own supply. As many Huguenot counters are turned face down: until the end of the round they "
            "cannot intercept, move or bring new counters."
        ),
        text("Section 6.2.2"),
        readings=(
            Reading(
                question=text("Where does the coin of the interceptor come from?"),
                ruling=text(
                    "From its own supply, so that the supply limits how many can be intercepted; the Huguenot "
                    "counter is turned face down and stays in its box."
                ),
                alternatives=text(
                    "A note in the Italian rulebook says that it is the Huguenot counter itself, which goes "
                    "from the box to the treasury."
                ),
                option="huguenot_coin_source",
                held_by=(
                    "tests/revolution/test_rounds.py::test_r07b_intercepted_coin_comes_from_supply_or_box",
                    "tests/revolution/test_rounds.py::test_r07a_one_of_five_is_intercepted",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_r07a_one_of_five_is_intercepted",
            "tests/revolution/test_rounds.py::test_r07c_used_huguenot_cannot_intercept_again",
            "tests/revolution/test_rounds_gaps.py::test_used_huguenot_brings_no_new_unit",
        ),
    ),
    "6.10": Guide(
        text(
            "You get 1 for each city card and 1 for each place named on it that you control, 1 for each town, "
            "1 for every 5 counters in all countryside together, and 1 for each support counter that is not "
            "face down; at least 7, and no more than your supply. In a province where you have a counter you "
            "place any number if you hold its card, else as many as lay in its countryside and towns before. "
            "The others go to empty support cells open to you. Map counters go to the countryside; only what "
            "fits nowhere goes to your treasury."
        ),
        text("Section 6.10"),
        held_by=(
            "tests/revolution/test_rounds.py::test_r11_allowance_of_eight_new_units",
            "tests/revolution/test_rounds.py::test_d_u1_to_u3_minimum_and_supply_bound_the_allowance",
            "tests/revolution/test_rounds.py::test_d_u4_unplaceable_units_go_to_the_treasury",
            "tests/revolution/test_rounds.py::test_holder_of_a_province_card_places_any_number",
        ),
    ),
    "6.11": Guide(
        text(
            "A province with more counters than its limit, of at least two factions, has a conflict; neutral "
            "counters are a faction, and besieged cities do not count. From the fewest counters to the most "
            "each faction loses one, level ones at the same moment; then the next pass begins. It stops as "
            "soon as the limit is not exceeded or one faction is alone. Who is alone keeps everything for now: "
            "the surplus overflows later."
        ),
        text("Section 6.11"),
        readings=(
            Reading(
                question=text("Which counters of a faction leave the board in a conflict?"),
                ruling=text(
                    "The owner chooses, and is asked where it matters: where a town on a river may be left empty "
                    "and somebody’s surplus could pass. Elsewhere the app takes them from the countryside, then "
                    "from towns, then from cities."
                ),
                alternatives=text(
                    "Neither rulebook says it. Elsewhere it makes no difference, as counters move inside "
                    "provinces later."
                ),
                held_by=(
                    "tests/revolution/test_rounds.py::test_losses_take_countryside_then_towns_then_cities",
                    "tests/revolution/test_losses.py::test_q_35_owner_chooses_whether_to_leave_a_river_town",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_c_conflicts",
            "tests/revolution/test_rounds_gaps.py::test_besieged_counters_take_no_part_in_conflicts",
            "tests/revolution/test_second.py::test_conflict",
        ),
    ),
    "6.12": Guide(
        text(
            "Neutral counters fill every province up to its limit; they go to the countryside. Counters in "
            "besieged cities do not count. If there are too few, every province in need gets one, then a "
            "second one, and so on; the first player in play order chooses which provinces get the last few, "
            "one each."
        ),
        text("Section 6.12"),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_n_neutrals_without_a_choice",
            "tests/revolution/test_rounds.py::test_d_n2_and_r19_first_player_distributes_the_last_layer",
            "tests/revolution/test_rounds_gaps.py::test_first_player_of_the_round_resolves_a_shortage",
            "tests/revolution/test_rounds_gaps.py::test_besieged_counters_do_not_reduce_the_need_for_neutrals",
        ),
    ),
    "6.13": Guide(
        text(
            "Counters that a faction has above a province’s limit may move to a neighbouring province, or to "
            "one on the same river. Going by river you may not pass a town or city that another faction "
            "controls; one free branch is enough. There is room while all players’ counters together are below "
            "the limit there; neutral counters take up none. What you do not move returns to supply."
        ),
        text("Section 6.13"),
        readings=(
            Reading(
                question=text("Do neutral counters leave a full province that others overflow into?"),
                ruling=text("No, they stay; the province may be above its limit until the next conflict."),
                alternatives=text(
                    "Both rulebooks are silent. One neutral counter could leave for each that arrives, while "
                    "the province is above its limit."
                ),
                option="overflow_displaces_neutrals",
                held_by=(
                    "tests/revolution/test_rounds.py::test_overflow_displaces_neutrals_option",
                    "tests/revolution/test_rounds.py::test_unmoved_surplus_returns_to_supply",
                ),
            ),
            Reading(
                question=text("With two players: does your ally block a river?"),
                ruling=text("Yes, it is another faction that is not neutral."),
                alternatives=text("Allies could let each other pass."),
                option="ally_blocks_river",
                held_by=("tests/revolution/test_rounds.py::test_ally_blocks_river_option",),
            ),
            Reading(
                question=text("When is a province full?"),
                ruling=text("When the counters of all players together reach its limit."),
                alternatives=text("The Italian rulebook: when counters of one single player fill it."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_18_counters_of_all_players_count_towards_the_limit",
                ),
            ),
            Reading(
                question=text("Does the river lead past the city of Köln to Trier?"),
                ruling=text("Yes, unless a rival holds the city."),
                alternatives=text("The example in the Italian rulebook leaves this out; look at your board."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_24_rhine_continues_past_koeln_to_trier",
                    "tests/revolution/test_rounds.py::test_r12_overflow_reach_from_gelderland",
                ),
            ),
            Reading(
                question=text("What of neutral counters that are alone above a limit?"),
                ruling=text("They do not overflow; the excess returns to supply at the end of the phase."),
                alternatives=text("Neither rulebook says it; they could also stay."),
                held_by=(
                    "tests/revolution/test_rounds.py::test_neutrals_alone_above_the_limit_return_to_supply",
                    "tests/revolution/test_rounds_gaps.py::test_neutrals_that_are_not_alone_stay_above_the_limit",
                ),
            ),
            Reading(
                question=text(
                    "Does a rival’s town or city block where you start or arrive, and may you change rivers?"
                ),
                ruling=text(
                    "You may leave and enter any province; only passing through is tested. A route stays on "
                    "one river."
                ),
                alternatives=text("A rival could already bar the province in which the place stands."),
                held_by=(
                    "tests/revolution/test_rounds.py::test_r12_overflow_reach_from_gelderland",
                    "tests/revolution/test_rounds.py::test_r13_overflow_reach_from_holland_to_koeln",
                    "tests/revolution/test_rounds.py::test_overflow_reach_matches_brute_force",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_r12_overflow_reach_from_gelderland",
            "tests/revolution/test_rounds.py::test_r13_overflow_reach_from_holland_to_koeln",
            "tests/revolution/test_rounds.py::test_unmoved_surplus_returns_to_supply",
            "tests/revolution/test_rounds_bad_input.py::test_46_and_47_invalid_overflow_is_refused",
        ),
    ),
    "6.14": Guide(
        text(
            "Counters move inside their province: between countryside, towns (one counter each) and cities "
            "(any number), but not into or out of a besieged city. Who has the most there moves first, level "
            "ones in play order. A mover places its own counters, moves neutral ones, and may push counters of "
            "those who have not moved to the countryside. Then neutral counters of the countryside fill empty "
            "cities with 2 and empty towns with 1. Enter how all lie in the end, or move one after the other "
            "where you do not agree."
        ),
        text("Section 6.14"),
        readings=(
            Reading(
                question=text("Where may others be pushed to?"),
                ruling=text("Only to the countryside of the same province."),
                alternatives=text("The Hungarian rulebook says in 5.6 that they may be moved freely."),
                held_by=(
                    "tests/revolution/test_rounds_bad_input.py::test_displacing_counters_into_a_town_is_refused",
                ),
            ),
            Reading(
                question=text("In which order do provinces move?"),
                ruling=text(
                    "As the first player decides. Provinces do not depend on each other, so the app takes them "
                    "in any order, and the first player says when all are settled."
                ),
                alternatives=text("The Italian rulebook says that the order does not matter."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_25_first_player_declares_movement_settled",
                ),
            ),
            Reading(
                question=text("What if neutral counters are too few for all empty cities and towns?"),
                ruling=text(
                    "Cities come first, then towns, each by name. The first player may choose otherwise: "
                    "enter how they lie before all is settled, or set it right under Board."
                ),
                alternatives=text("Both rulebooks only say “if possible”."),
                held_by=("tests/revolution/test_rounds.py::test_settled_fills_places_from_the_countryside",),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_neutrals_fill_empty_cities_after_an_agreed_layout",
            "tests/revolution/test_rounds.py::test_displaced_counters_may_move_back_into_a_city",
            "tests/revolution/test_rounds_gaps.py::test_tied_factions_move_in_play_order",
            "tests/revolution/test_rounds_bad_input.py::test_49_movement_into_a_besieged_city_is_refused",
        ),
    ),
}

_CARDS: Guides = {
    "6.16": Guide(
        text(
            "In play order everybody lays coins beside cities, openly. Each coin moves the city’s marker one "
            "column: Catholics and Habsburgs towards 1, Burghers and Reformers towards 7, the Nobility, always "
            "last, towards 4. The marker ends at most 3 columns from where it stood, and all coins return to "
            "supply. Then every city feels its column. In 1 and 2 a Reformer leaves, else a Burgher, and in 1 "
            "a Catholic comes, else a Habsburg; in 6 and 7 a Reformer comes, and in 7 Reformers also replace all others."
        ),
        text("Section 6.16; the Hungarian rulebook prints its table just before the heading"),
        readings=(
            Reading(
                question=text("Who comes in columns 6 and 7 if the Reformers have no counter in supply?"),
                ruling=text(
                    "A Burgher; with three players then one of the Nobility. If none of them can, a neutral "
                    "counter comes."
                ),
                alternatives=text("The Italian rulebook names the Nobility as the first substitute."),
                option="reformer_substitute",
                held_by=(
                    "tests/revolution/test_readings.py::test_q_08_reformer_substitute_option",
                    "tests/revolution/test_vectors.py::test_q_08_nobility_substitutes_for_reformers",
                ),
            ),
            Reading(
                question=text("Where does the marker end in the example of Köln?"),
                ruling=text(
                    "As the rule gives it: in column 5 with the coins of the Hungarian rulebook, in column 4 "
                    "with those of the Italian one."
                ),
                alternatives=text(
                    "The two examples have different coins, and both tell a step wrongly: the Hungarian one "
                    "that of the Burghers, the Italian one that of the Nobility."
                ),
                held_by=(
                    "tests/revolution/test_vectors.py::test_r_14_influence_in_the_hungarian_rules",
                    "tests/revolution/test_vectors.py::test_r_15_influence_in_the_italian_rules",
                ),
            ),
            Reading(
                question=text("What do the three columns limit?"),
                ruling=text(
                    "The whole way from where the marker stood, measured once when all coins have worked. In "
                    "between it may go farther."
                ),
                alternatives=text(
                    "The Italian rulebook says that movement is limited to 3: each faction’s, perhaps."
                ),
                held_by=(
                    "tests/revolution/test_vectors.py::test_r_14_influence_without_the_nobility",
                    "tests/revolution/test_rounds.py::test_influence",
                ),
            ),
            Reading(
                question=text("In which order do cities change, if counters run short?"),
                ruling=text(
                    "In the order of the chart, after all markers have moved and all coins are back."
                ),
                alternatives=text("Neither rulebook says it."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_36_cities_change_in_chart_order",
                    "tests/revolution/test_rounds_gaps.py::test_coins_return_to_supply_before_cities_change",
                ),
            ),
            Reading(
                question=text("Does any column remove a Catholic counter?"),
                ruling=text(
                    "None but column 7, which replaces everybody. Compare it with the pictures on your chart."
                ),
                alternatives=text(
                    "The Italian rulebook speaks of adding or removing a Catholic counter, and refers to the "
                    "pictures."
                ),
                held_by=(
                    "tests/revolution/test_rounds.py::test_d_a_allegiance",
                    "tests/revolution/test_vectors.py::test_allegiance",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_influence",
            "tests/revolution/test_rounds.py::test_d_a_allegiance",
            "tests/revolution/test_second.py::test_influence",
        ),
    ),
    "6.17": Guide(
        text(
            "City and province cards go to whoever has more counters there than all others together; neutral "
            "counters are among the others. For a province only countryside and towns count. Without such a "
            "majority, or with one of neutral counters, the card lies beside the board, even if somebody held "
            "it before."
        ),
        text("Section 6.17; the majority is explained in 5.7"),
        readings=(
            Reading(
                question=text("Do counters in cities count for the province?"),
                ruling=text("Never."),
                alternatives=text(
                    "5.7 says it of its own phase, and 6.17 does not repeat it, so they could count from round "
                    "1 on."
                ),
                option="province_majority_scope",
                held_by=("tests/revolution/test_rounds.py::test_cities_do_not_count_for_province_control",),
            ),
            Reading(
                question=text("When do allegiance markers change their colour after round 0?"),
                ruling=text("Together with the city cards, in this phase."),
                alternatives=text(
                    "Only 5.7 speaks of their colour; it could also stay as it was in round 0."
                ),
                held_by=("tests/revolution/test_readings.py::test_q_48_markers_follow_the_holders_of_cards",),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_r04_half_of_the_counters_is_no_majority",
            "tests/revolution/test_rounds_gaps.py::test_card_is_lost_without_a_majority",
        ),
    ),
    "6.18": Guide(
        text(
            "Each bishopric’s marker moves at most one column, towards that of whoever controls the province: "
            "Catholics strongly Catholic, Habsburgs and nobody Catholic, Burghers reformed, Reformers strongly "
            "reformed. Under the Nobility it stays. So a strongly Catholic one becomes Catholic under the "
            "Habsburgs."
        ),
        text("Section 6.18"),
        readings=(
            Reading(
                question=text("What of the bishopric of a province that nobody controls?"),
                ruling=text("Its marker moves one column towards Catholic, like under the Habsburgs."),
                alternatives=text("The Italian rulebook reads as if it were put on Catholic at once."),
                option="bishop_uncontrolled",
                held_by=("tests/revolution/test_rounds.py::test_bishop_uncontrolled_option",),
            ),
            Reading(
                question=text("What of a bishopric under the Nobility?"),
                ruling=text("Nothing changes."),
                alternatives=text("Only the Hungarian rulebook says so; the Italian one is silent in 6.18."),
                held_by=("tests/revolution/test_rounds.py::test_d_p1_bishoprics_move_one_column",),
            ),
            Reading(
                question=text("How long is the way from strongly Catholic to strongly reformed?"),
                ruling=text("Three rounds, one column each."),
                alternatives=text(
                    "The Italian rulebook says that it takes no less than 2 rounds; the Hungarian one says 2 "
                    "of changing sides alone, which fits."
                ),
                held_by=(
                    "tests/revolution/test_rounds.py::test_r18_three_rounds_from_strongly_catholic_to_strongly_reformed",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_p1_bishoprics_move_one_column",
            "tests/revolution/test_rounds_properties.py::test_20_bishoprics_move_at_most_one_column",
        ),
    ),
    "6.19": Guide(
        text(
            "Where the Reformers hold the place, a university is reformed; one that was not there is founded. "
            "Köln and Leuven become Catholic again if Catholics, Habsburgs or nobody holds them. The five "
            "others are closed under Catholics or Habsburgs. In all other cases nothing changes. A city is "
            "held by its card, a town by the counter on it."
        ),
        text("Section 6.19"),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_p3_universities",
            "tests/revolution/test_rounds_gaps.py::test_round_0_rules_do_not_apply_to_later_rounds",
        ),
    ),
    "6.20": Guide(
        text(
            "Released armies leave the board, Huguenot counters are turned face up, and points are counted "
            "from zero. Provinces with limit 1 score only at the end of round 5. In rounds 1 to 4 the next "
            "play order is laid: from the most points to the fewest, level ones in the current play order, "
            "each faction puts its card before, after or between those that lie there."
        ),
        text("Section 6.20; more of it in 5.8"),
        readings=(
            Reading(
                question=text("What is tidied up at the end of a round?"),
                ruling=text(
                    "Released armies leave first, so that they earn the Habsburgs nothing; Huguenot counters "
                    "are turned up; point markers go back to Score when the play order lies."
                ),
                alternatives=text("Only the Hungarian rulebook says so; the Italian one is silent."),
                held_by=("tests/revolution/test_rounds.py::test_end_of_round_resets_markers_and_armies",),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_small_provinces_count_in_the_last_round_only",
            "tests/revolution/test_rounds.py::test_d_v2_tied_factions_lay_in_the_current_order",
            "tests/revolution/test_vectors.py::test_invariant_24_every_order_is_attainable",
        ),
    ),
}

GUIDE: Guides = {**_COUNTERS, **_CARDS}
