"""Rules reference of Revolution: set-up, course of the game, round 0. Later rounds have their own modules.

The Hungarian and the Italian rulebook share section numbers. Readings are those of digest part 8.
"""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text
from games.revolution import army_guide, round_guide

_BEFORE: Guides = {
    # 2 Contents of the box
    "2.2.3": Guide(
        text(
            "There are 47 grey neutral counters. They belong to nobody, but they take up room, count when "
            "majorities are counted, and fight in conflicts as if they were one more faction. They lie only in "
            "countryside, towns and cities, never in a support box. When none are left in supply, none come."
        ),
        text("Section 2.2.3; what they do is in 6.11 to 6.15"),
        readings=(
            Reading(
                question=text("With how many neutral counters is it played?"),
                ruling=text("With all 47."),
                alternatives=text(
                    "The Hungarian rulebook (in 6.13) lets a table play with fewer, so that more counters "
                    "overflow; it advises no fewer than one faction has counters."
                ),
                option="neutral_pool",
                held_by=("tests/revolution/test_readings.py::test_neutral_pool_option_limits_the_supply",),
            ),
        ),
        held_by=(
            "tests/revolution/test_bad_input.py::test_digest_row_is_refused",
            "tests/revolution/test_rounds_gaps.py::test_violated_invariants_are_reported",
        ),
    ),
    "2.3.1": Guide(
        text(
            "A province’s limit is the number in the shield on the board; its tax and its points are on its "
            "card. Whoever holds the card collects the tax and scores the points. A province with limit 1 is "
            "small: it pays no tax and scores only at the end of the game. The app needs these figures from "
            "your own copy where they differ."
        ),
        text("Section 2.3.1; the limit is in 2.1"),
        held_by=(
            "tests/revolution/test_rounds_bad_input.py::test_56_to_58_invalid_figures_are_reported",
            "tests/revolution/test_rounds_gaps.py::test_only_provinces_with_limit_1_score_minor_points",
        ),
    ),
    # 3 Players and set-up
    "3.0": Guide(
        text(
            "Two to five people play. The youngest chooses a faction first and the others follow, or the "
            "faction cards are dealt at random. Each faction is in play once at most; with three, four or five "
            "people everybody has one."
        ),
        text("Section 3.0; which factions play is in 3.1 to 3.4"),
        held_by=(
            "tests/revolution/test_rounds_bad_input.py::test_invalid_players_or_factions_are_refused",
            "tests/pads/test_revolution.py::test_invalid_seating_is_rejected",
        ),
    ),
    "3.1": Guide(
        text(
            "One person plays Catholics and Habsburgs, the other Burghers and Reformers; the Nobility is not "
            "used. Your two factions are allied: they do not fight each other, do not besiege each other’s "
            "cities, and spare each other’s counters in a siege. Everything else is separate for each: "
            "supply, treasury, cards, place in the play order, points. At the end the sum of both decides."
        ),
        text("Section 3.1"),
        held_by=(
            "tests/pads/test_revolution.py::test_invalid_seating_is_rejected",
            "tests/revolution/test_rounds.py::test_two_player_result_sums_allied_factions",
            "tests/revolution/test_campaign_bad_input.py::test_28_besieging_an_ally_is_refused",
        ),
    ),
    "3.2": Guide(
        text(
            "The Catholics must play; the other two choose any of the four other factions. If you cannot "
            "decide, take Catholics, Nobility and Reformers. Places of factions that do not play begin with "
            "neutral counters."
        ),
        text("Section 3.2"),
        held_by=("tests/revolution/test_rounds_bad_input.py::test_invalid_players_or_factions_are_refused",),
    ),
    "3.3": Guide(
        text("Catholics, Habsburgs, Burghers and Reformers play, one each. The Nobility is not used."),
        text("Section 3.3"),
        held_by=(
            "tests/revolution/test_rounds_bad_input.py::test_invalid_players_or_factions_are_refused",
            "tests/revolution/test_bad_input.py::test_digest_row_is_refused",
        ),
    ),
    "3.5": Guide(
        text(
            "Each faction has 40 counters and 6 armies with two or four players, 56 and 8 with three, 32 and 6 "
            "with five; the rest stays in the box. The same counters are people and money: coins in your "
            "treasury are counters that cannot lie on the map. What is not on the board or in the treasury is "
            "your supply, and nobody can place more than that."
        ),
        text("Section 3.5"),
        held_by=(
            "tests/revolution/test_rounds.py::test_supplies_after_setup",
            "tests/revolution/test_bad_input.py::test_digest_row_is_refused",
            "tests/revolution/test_campaign_bad_input.py::test_25_recruiting_without_armies_in_supply_is_refused",
        ),
    ),
    "3.6": Guide(
        text(
            "Each faction in play puts its first counters in the cities, towns and support boxes listed in the "
            "rulebook; the Catholics also take 4 coins. The Habsburgs put 2 armies on orange boxes of the "
            "command strips, one to a box. Then every empty city gets 2 neutral counters and every empty town "
            "1. Countryside begins empty, and nobody holds cards yet."
        ),
        text("Section 3.6"),
        readings=(
            Reading(
                question=text("Is any place free with five players?"),
                ruling=text(
                    "The app looks at your board: a town or city in which nobody begins is free and gets "
                    "neutral counters."
                ),
                alternatives=text(
                    "The Hungarian rulebook says that no towns are free, the Italian one that no cities are. "
                    "Both are true of a board with the sixteen towns named in the rulebook."
                ),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_01_neutrals_fill_places_that_are_empty_on_the_board",
                    "tests/revolution/test_rounds.py::test_r17_five_players_leave_no_place_for_neutrals",
                ),
            ),
            Reading(
                question=text("May both of the Habsburgs’ first armies stand in one region?"),
                ruling=text(
                    "Yes, on two orange boxes. The app warns, as the region counts once: 1 point in round 0 "
                    "instead of 2."
                ),
                alternatives=text(
                    "Both rulebooks promise the Habsburgs 2 points in round 0, as if the armies had to stand "
                    "in two regions."
                ),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_20_both_starting_armies_may_share_a_region",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds.py::test_supplies_after_setup",
            "tests/revolution/test_rounds.py::test_reformers_start_on_split_cells",
            "tests/revolution/test_rounds_bad_input.py::test_7_invalid_starting_armies_are_refused",
        ),
    ),
    # 4 The course of the game
    "4.0": Guide(
        text(
            "The game has a short round 0 with eight phases, then rounds 1 to 5 with twenty phases each. "
            "Every round ends with points and a new play order; the points of round 5 decide. The app passes "
            "over phases, and people, with nothing to decide."
        ),
        text("Sections 4.0 and 4.2"),
        held_by=("tests/revolution/test_rounds_properties.py::test_game_has_six_rounds",),
    ),
    "4.1": Guide(
        text(
            "In a phase each faction finishes before the next one begins, in play order; the next phase begins "
            "when all have finished. Round 0 goes in the fixed order Catholics, Habsburgs, Nobility, Burghers, "
            "Reformers; later rounds in the order of the faction cards. Only taxes, "
            "and how counters lie in provinces, are entered in any order, as nothing depends on it. If the app "
            "waits for somebody else, it is not your turn yet."
        ),
        text("Sections 4.1 and 4.2"),
        held_by=(
            "tests/revolution/test_rounds_bad_input.py::test_53_action_out_of_turn_is_refused",
            "tests/revolution/test_campaign_bad_input.py::test_53_action_out_of_turn_is_refused",
        ),
    ),
    "4.2.1": Guide(
        text(
            "Round 0 is played in the fixed order Catholics, Habsburgs, Nobility, Burghers, Reformers, without "
            "those that are not in play. At its end level factions lay their cards in that order too. From "
            "round 1 on the row of faction cards is the play order."
        ),
        text("Section 4.2.1"),
        held_by=("tests/pads/test_revolution.py::test_draft_with_a_tie",),
    ),
    "4.3": Guide(
        text(
            "Every city card is worth 1 point, a province card what it shows: 0, 0.5 or 1. Each faction has a "
            "goal of its own. Catholics score 1 for each bishopric that is Catholic or strongly Catholic, "
            "Habsburgs for each region with an army of theirs that is not released, Burghers for each commercial "
            "town they control, Reformers for each reformed university. The Nobility divides its counters in "
            "countryside and towns by 3, with three players by 5, and rounds up."
        ),
        text("Section 4.3 with its subsections; how to count is in 5.8"),
        readings=(
            Reading(
                question=text("How are the Nobility’s counters turned into points?"),
                ruling=text(
                    "Counters in countryside and towns, without cities and support boxes, are divided and "
                    "rounded up: with five players 10 counters make 4 points."
                ),
                alternatives=text(
                    "4.3 speaks of a point for every third or fifth counter, which could mean rounding down; "
                    "5.8 says to round up. The Italian sentence about cities in 5.8 is garbled."
                ),
                held_by=(
                    "tests/revolution/test_rounds.py::test_d_v1_objective_of_the_nobility",
                    "tests/revolution/test_vectors.py::test_objective_of_the_nobility_rounds_up",
                    "tests/revolution/test_readings.py::test_q_09_support_does_not_count_for_the_nobility",
                ),
            ),
            Reading(
                question=text("Are the seven commercial towns towns or cities?"),
                ruling=text(
                    "Either: the seven places with their name in white on your board. A town is controlled by "
                    "whose counter stands on it, a city by who holds its card."
                ),
                alternatives=text(
                    "The Hungarian rulebook calls them towns; the Italian one heads them as towns, then calls "
                    "them cities. Neither names them, so compare the list with your board."
                ),
                held_by=(
                    "tests/revolution/test_rounds_gaps.py::test_burghers_count_commercial_towns_and_cities",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds_gaps.py::test_catholics_count_catholic_and_strongly_catholic_bishoprics",
            "tests/revolution/test_rounds_gaps.py::test_habsburgs_count_regions_with_active_armies",
        ),
    ),
    "4.5": Guide(
        text(
            "Whoever has the most points at the end of round 5 wins; points of earlier rounds do not count. "
            "Equal points share the victory. With two players the points of both factions are added up."
        ),
        text("Section 4.5; for two players 3.1"),
        held_by=(
            "tests/revolution/test_rounds.py::test_tied_factions_share_the_victory",
            "tests/revolution/test_rounds.py::test_two_player_result_sums_allied_factions",
            "tests/pads/test_revolution.py::test_tied_factions_share_the_victory",
        ),
    ),
}

_ROUND_0: Guides = {
    "5.1": Guide(
        text(
            "In fixed order you may move counters out of support boxes, as many as you like. From a light "
            "cell a counter goes to the countryside of a province printed on the box, from a coloured cell to "
            "your treasury, from a half-coloured one to either. You need not be in that province, and its "
            "limit does not matter now. Nothing goes straight into a town or city."
        ),
        text("Section 5.1"),
        held_by=(
            "tests/revolution/test_rounds.py::test_support_moves_to_countryside_and_treasury",
            "tests/revolution/test_rounds.py::test_first_prompt_depends_on_habsburgs_in_play",
        ),
    ),
    "5.2": Guide(
        text(
            "New counters in round 0: Catholics 7, Habsburgs 6, Nobility 5, Burghers 4, Reformers 3. In a "
            "province you place at most twice as many as you had in its countryside and towns before; they go "
            "to the countryside. The others go to empty cells of support boxes open to you, one to a cell; "
            "Burghers and Reformers never share the Huguenots. You must place all you can."
        ),
        text("Section 5.2"),
        readings=(
            Reading(
                question=text("Do your counters in cities count for how many you may place in a province?"),
                ruling=text(
                    "No, only countryside and towns count, in round 0 as in later rounds. With counters in "
                    "the city alone you place nothing, unless you hold the card of the province later."
                ),
                alternatives=text(
                    "The Italian rulebook speaks of all pieces already in the province, and the example with "
                    "Jülich fits that better."
                ),
                option="placement_counts_cities",
                held_by=(
                    "tests/revolution/test_rounds.py::test_r02_round_0_allows_twice_the_counters_present",
                ),
            ),
            Reading(
                question=text("What becomes of new counters that cannot be placed in round 0?"),
                ruling=text("They go to your treasury as coins, as in later rounds."),
                alternatives=text("Neither rulebook says it; they could also stay in supply."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_46_unplaceable_units_go_to_the_treasury_in_round_0",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_rounds_gaps.py::test_round_0_new_units_by_faction",
            "tests/revolution/test_rounds.py::test_r02_round_0_allows_twice_the_counters_present",
        ),
    ),
    "5.3": Guide(
        text(
            "A province with more counters than its limit, of at least two factions, has a conflict; neutral "
            "counters are a faction. From the fewest counters to the most each faction loses one, level ones "
            "at the same moment, pass after pass. After every loss it is tested whether the limit is kept or "
            "one faction is alone; then it stops. As level ones go together, fewer than the limit can be left."
        ),
        text("Section 5.3; in full in 6.11"),
        readings=(
            Reading(
                question=text("When does a conflict stop?"),
                ruling=text(
                    "As soon as there are no more counters than the limit; the limit itself is fine."
                ),
                alternatives=text(
                    "The Italian rulebook says “below the limit” in 5.3, but in 6.11, like the Hungarian one, "
                    "that the limit is no longer exceeded."
                ),
                held_by=(
                    "tests/revolution/test_rounds.py::test_d_c_conflicts",
                    "tests/revolution/test_vectors.py::test_conflict",
                ),
            ),
        ),
        held_by=("tests/revolution/test_rounds.py::test_d_c_conflicts",),
    ),
    "5.4": Guide(
        text(
            "In round 0 neutral counters fill every province up to one below its limit; towns, cities and "
            "neutral counters that lie there count. They go to the countryside. If they run out, each province "
            "in need gets one in turn, and the Catholics choose where the last few go."
        ),
        text("Section 5.4"),
        held_by=(
            "tests/revolution/test_rounds.py::test_d_n5_to_n7_neutrals_fill_to_the_limit_or_one_below",
            "tests/revolution/test_bad_input.py::test_digest_row_is_refused",
        ),
    ),
    "5.5": Guide(
        text(
            "A faction that is alone in a province and above its limit may move the surplus to other provinces, "
            "by land or along a river, as in later rounds. What it does not move returns to supply. Factions "
            "act in fixed order."
        ),
        text("Section 5.5; in full in 6.13"),
        readings=(
            Reading(
                question=text("Must surplus move in round 0 if it can?"),
                ruling=text("No, you may let it return to supply, as in later rounds."),
                alternatives=text("The Italian rulebook says in 5.5 that it moves where possible."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_55_unmoved_surplus_returns_to_supply_in_round_0",
                ),
            ),
            Reading(
                question=text("Do cities block rivers in round 0, before any card is dealt?"),
                ruling=text(
                    "No: a city is controlled by who holds its card, and nobody does yet. Towns block, as they "
                    "are controlled by whose counter stands on them."
                ),
                alternatives=text("One could count the majority in the city as if cards had been dealt."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_57_towns_but_not_cities_block_rivers_in_round_0",
                    "tests/revolution/test_rounds_gaps.py::test_position_in_round_0_has_no_cards",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_readings.py::test_q_55_unmoved_surplus_returns_to_supply_in_round_0",
        ),
    ),
    "5.6": Guide(
        text(
            "Counters move inside their province: between countryside, towns (one counter each) and cities "
            "(any number). Who has the most there moves first, level ones in fixed order, and may push out "
            "those who have not moved yet. Then neutral counters of the countryside fill what is empty: 2 to a "
            "city, 1 to a town. Enter how all lie in the end, or move one after the other where you do not "
            "agree."
        ),
        text("Section 5.6; more of it in 6.14"),
        held_by=(
            "tests/revolution/test_rounds.py::test_r03_disputed_movement_in_brabant",
            "tests/revolution/test_rounds_bad_input.py::test_8_two_counters_in_a_town_are_refused",
        ),
    ),
    "5.7": Guide(
        text(
            "City and province cards go to whoever has more counters there than all others together, neutral "
            "ones included; for a province only countryside and towns count. Bishoprics begin by who controls "
            "the province: Catholics strongly Catholic, Burghers reformed, Reformers strongly reformed, all "
            "others Catholic. The universities of Köln and Leuven begin reformed with Burghers or Reformers, "
            "else Catholic; the five others exist only where the Reformers hold the place. The allegiance "
            "markers go to their first columns."
        ),
        text("Section 5.7"),
        held_by=(
            "tests/revolution/test_rounds.py::test_r04_half_of_the_counters_is_no_majority",
            "tests/revolution/test_rounds.py::test_round_0_places_the_allegiance_markers",
            "tests/revolution/test_rounds.py::test_d_p2_bishoprics_in_round_0",
            "tests/revolution/test_rounds.py::test_universities_in_round_0",
        ),
    ),
    "5.8": Guide(
        text(
            "Points are counted from zero every round, never added to earlier ones: cities 1 each, province "
            "cards what they show, and each faction’s own goal. Then the next play order is laid: from the "
            "most points to the fewest each faction puts its card before, after or between those that lie "
            "there. Level factions lay in the fixed order in round 0, later in the current play order."
        ),
        text("Section 5.8; the goals are in 4.3"),
        held_by=(
            "tests/revolution/test_rounds.py::test_r01_points_are_not_cumulative",
            "tests/revolution/test_rounds.py::test_r05_draft_with_a_tie",
            "tests/revolution/test_rounds.py::test_r06_starting_armies_in_two_regions_score_two_points",
        ),
    ),
}

GUIDE: Guides = {**_BEFORE, **_ROUND_0, **round_guide.GUIDE, **army_guide.GUIDE}
