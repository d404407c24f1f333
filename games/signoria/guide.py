"""The rules guide: each rule in a few sentences, and the app's readings of open questions (digest 8).

Headings are those of the rulebook; "reference sheet" is the extra sheet that comes with it.
"""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text

GUIDE: Guides = {
    # Set-up and rounds
    "3.1": Guide(
        text(
            "Fewer players use less: as many dice of each colour as there are players, with three players one "
            "tile fewer of each house and one city fewer, with two players two of each fewer. Which cities "
            "are left out is drawn once, for the whole game."
        ),
        text("Setting up the game, the boxes for 2 and 3 players at 4., 8. and phase 1"),
        (
            #
            Reading(
                text("Can a city that is left out still take a mission or a marriage?"),
                text("No. It is not used at all, with neither tiles nor figures."),
                text("Only its tiles are left out."),
                held_by=("tests/signoria/test_game_bad_input.py::test_wrong_rank_space_or_city_is_rejected",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_bad_input.py::test_invalid_set_up_entry_is_rejected",
            "tests/signoria/test_game_bad_input.py::test_wrong_number_of_action_dice_is_rejected",
            "tests/signoria/test_game_invariants.py::test_alliance_tiles_are_conserved_and_fit",
        ),
    ),
    "3.2": Guide(
        text(
            "Everybody takes 5 florins, 4 men and 3 women; the other 8 men and 8 women go to the general "
            "supply. The order is drawn: the first player gets 1 florin more, the second and third 2, the "
            "fourth 3. The initiative discs are stacked on the lowest space, the first player’s on top. Five "
            "bonus tiles and two point tiles are laid out for the seven rounds."
        ),
        text("Setting up the game, 1. to 10."),
        (
            #
            Reading(
                text("Is it 4 men and 3 women at the start? One review swaps them."),
                text("4 men and 3 women, as the rulebook says."),
                text("3 men and 4 women."),
                held_by=(
                    "tests/signoria/test_readings.py::test_players_start_with_four_men_and_three_women",
                ),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_drawn_order_sets_stack_and_florins",
            "tests/signoria/test_game_bad_input.py::test_invalid_set_up_entry_is_rejected",
        ),
    ),
    "4": Guide(
        text(
            "A game has seven rounds of three phases. First empty tile spaces are filled, all dice are rolled "
            "and the ten tasks are dealt anew. Then the players take turns in order, until all have passed. "
            "Then come initiative, the new order and the rewards."
        ),
        text("Rounds; Phase 1, preparing the round"),
        held_by=(
            "tests/signoria/test_game_bad_input.py::test_duplicate_or_missing_task_is_rejected",
            "tests/signoria/test_game_bad_input.py::test_wrong_number_of_action_dice_is_rejected",
            "tests/signoria/test_game_invariants.py::test_game_has_seven_rounds_and_a_strict_ranking",
        ),
    ),
    # A turn
    "5.1": Guide(
        text(
            "In your turn take a die and put it on your action space of its colour, or pass. If the die shows "
            "less than the space, pay the difference in florins; then do one of the space’s three actions, "
            "which must be possible with what you have left. Each colour once a round, four dice at most. Who "
            "has passed is out until the next round."
        ),
        text("Phase 2, performing actions; Taking an action die; Passing"),
        (
            #
            Reading(
                text("Must all dice and tasks of a round be entered?"),
                text("Yes; then the app offers only what is there and can be done."),
                text(
                    "Only the die taken and the task chosen are entered, and what lies open is not checked."
                ),
                "light_entry",
                (
                    "tests/signoria/test_game_options.py::test_light_entry_accepts_any_die_and_task",
                    "tests/signoria/test_game_options.py::test_light_entry_preparation_needs_only_tiles",
                ),
            ),
            #
            Reading(
                text("Who has taken a fourth die must pass: at once, or in the next turn?"),
                text("At once, after the action and its helpers. It comes to the same."),
                text("In the next turn."),
                held_by=("tests/signoria/test_readings.py::test_fourth_die_counts_as_a_pass",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_die_prices_on_space_five",
            "tests/signoria/test_game_vectors.py::test_die_that_leaves_too_few_florins_is_not_offered",
            "tests/signoria/test_game_vectors.py::test_pass_is_final_for_the_round",
            "tests/signoria/test_game_bad_input.py::test_second_die_of_a_colour_is_rejected",
            "tests/signoria/test_game_second.py::test_offered_takes_match_the_slow_rules",
        ),
    ),
    "5.2": Guide(
        text(
            "Pay the price and put a helper on an empty helper space of your board. The ring at the die’s "
            "hire icon says which spaces: those with a ring of the same colour, in whatever column. The "
            "helper does nothing yet and stays there for good."
        ),
        text("Actions to choose from, Hiring a helper"),
        (
            #
            Reading(
                text("A helper hired into the column of the die just placed: does it work at once?"),
                text("No, not in the turn in which it is hired."),
                text("Yes, it is asked with the others of its column."),
                "new_helper_at_once",
                ("tests/signoria/test_game_options.py::test_new_helper_at_once_activates_a_hired_helper",),
            ),
            #
            Reading(
                text("What if all 48 helpers are on the boards?"),
                text("Nobody can hire any more. The app warns when four are left."),
                text("Helpers are not limited; use something else for one."),
                "helpers_unlimited",
                (
                    "tests/signoria/test_game_options.py::test_helpers_run_out_unless_unlimited",
                    "tests/signoria/test_game_options.py::test_few_helpers_left_are_announced",
                ),
            ),
            #
            Reading(
                text("Is the price of a helper that of the hire icon or of the helper space?"),
                text(
                    "That of the icon, unless your board shows one at the space; set it among the printed figures."
                ),
                text("Always the icon’s, or always the space’s."),
                held_by=("tests/signoria/test_readings.py::test_price_at_the_helper_space_takes_precedence",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_red_die_hires_for_yellow_rings",
            "tests/signoria/test_game_vectors.py::test_hiring_without_a_free_ring_is_rejected",
            "tests/signoria/test_game_bad_input.py::test_hiring_for_a_wrong_space_is_rejected",
        ),
    ),
    "5.3": Guide(
        text(
            "Choose one of the two tasks of the die’s colour and spend as many members as its tile says: "
            "women for the upper row, men for the lower. They go to the general supply before the tile has "
            "its effect, so who was spent cannot also marry or start a career. Members spent to raise the "
            "limit go to the threshold space. The tile stays for everybody."
        ),
        text("Actions to choose from, Performing a task; reference sheet, Task tiles"),
        (
            #
            Reading(
                text("Members go to the threshold space for “+3 initiative”, but no tile brings that."),
                text("A slip: meant is the tile that raises the limit by 3 for each member."),
                text("Members spent on initiative go there too."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_members_raise_the_limit",
                    "tests/signoria/test_game_vectors.py::test_three_men_give_six_initiative_points",
                ),
            ),
            #
            Reading(
                text("Can a limit rise above 22, with the task and a helper that repeats it?"),
                text("No: at most three of your members on the threshold space, so 22 at most."),
                text("Every further member raises it by 3."),
                "threshold_above_22",
                (
                    "tests/signoria/test_game_options.py::test_threshold_above_22_allows_more_members",
                    "tests/signoria/test_game_vectors.py::test_fourth_threshold_member_is_rejected",
                ),
            ),
            #
            Reading(
                text("Can members on tracks or in cities be spent?"),
                text("No, only available ones, in front of you."),
                text("Any of your figures."),
                held_by=(
                    "tests/signoria/test_game_bad_input.py::test_spending_unavailable_members_is_rejected",
                ),
            ),
            #
            Reading(
                text("The task that brings members: one gender for all, or each as you like?"),
                text("Each as you like; those just spent may come back."),
                text("All of one gender."),
                held_by=("tests/signoria/test_game_vectors.py::test_spent_members_can_be_gained_again",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_bad_input.py::test_members_of_the_wrong_row_are_rejected",
            "tests/signoria/test_game_vectors.py::test_marriage_task_needs_a_third_woman",
            "tests/signoria/test_game_vectors.py::test_marriage_task_costs_two_men",
        ),
    ),
    "5.5": Guide(
        text(
            "Each progress point is one step: an available man enters the first space of a career, a man on a "
            "track goes one up, or your initiative disc goes one up and on top of the discs there. The tracks "
            "action gives 4 points to split as you like. A man who reaches the 4th space of a career brings 2 "
            "florins, at the 6th your disc rises by one."
        ),
        text("Tracks; General rules of the initiative and career tracks"),
        (
            #
            Reading(
                text("The tracks action gives “1 to 4 points”. How many?"),
                text("Four, of which at least one is used; unused ones are lost."),
                text("A number that depends on something the rulebook does not say."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_four_points_are_split_among_tracks",
                    "tests/signoria/test_game_bad_input.py::test_using_too_many_or_no_points_is_rejected",
                ),
            ),
            #
            Reading(
                text("What do initiative points bring when the disc is at the top?"),
                text("Nothing; they are lost, and a source of such points alone cannot be chosen."),
                text("The disc goes on top of the others there."),
                held_by=("tests/signoria/test_game_vectors.py::test_disc_at_the_top_cannot_move",),
            ),
            #
            Reading(
                text("Must all points of a task, helper or reward be used?"),
                text("At least one; the rest may be used and is lost otherwise."),
                text("All of them, as far as possible."),
                held_by=("tests/signoria/test_readings.py::test_reward_points_may_be_used_in_part",),
            ),
            #
            Reading(
                text("Must the disc rise when a man reaches the 6th space?"),
                text("It does so by itself; you may decline when you enter your points."),
                text("It always rises."),
                held_by=(
                    "tests/signoria/test_game_options.py::test_sixth_space_is_optional_descendants_are_not",
                ),
            ),
            #
            Reading(
                text("Does a man bring the bonus of a space that he only passes?"),
                text("Yes, each step reaches its space."),
                text("Only where he stops."),
                held_by=("tests/signoria/test_game_vectors.py::test_climb_collects_both_track_bonuses",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_disc_moves_out_of_its_stack",
            "tests/signoria/test_game_bad_input.py::test_points_for_one_track_are_rejected_on_others",
            "tests/signoria/test_game_second.py::test_progress_matches_the_slow_rules",
        ),
    ),
    "5.6": Guide(
        text(
            "A man goes from a career track to the lowest free number below a city; his rank must be at least "
            "that number. You score the number of the space he leaves. If the tile above the city for "
            "missions fits your field of his career, you take it; if not, it stays, and he goes all the same."
        ),
        text("Diplomatic missions"),
        (
            #
            Reading(
                text("What if all spaces below a city are taken?"),
                text("The city is closed, to men and to women."),
                text("Further figures stand beside the last space."),
                held_by=(
                    "tests/signoria/test_game_bad_input.py::test_wrong_rank_space_or_city_is_rejected",
                    "tests/signoria/test_readings.py::test_marriage_in_a_full_city_is_rejected",
                ),
            ),
            #
            Reading(
                text("Do men and women share the spaces below a city?"),
                text(
                    "Yes, so each figure raises the bar for both. A copy with two rows is set among the printed figures."
                ),
                text("Men and women have spaces of their own."),
                held_by=("tests/signoria/test_readings.py::test_men_and_women_share_city_spaces",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_mission_scores_and_takes_the_tile",
            "tests/signoria/test_game_vectors.py::test_mission_scores_without_a_tile",
            "tests/signoria/test_game_vectors.py::test_mission_needs_the_rank_of_the_lowest_space",
        ),
    ),
    "5.7": Guide(
        text(
            "An available woman goes to the lowest free number below a city. Pay a dowry of at least that "
            "number and at most 4 florins; each florin scores 2 points. If the tile above the city for "
            "marriages fits your marriage field, you take it; if not, it stays."
        ),
        text("Marriage"),
        (
            #
            Reading(
                text("Do missions and marriages from tasks, helpers and rewards cost the same?"),
                text("Yes, rank and dowry as ever; but no die is paid, and no helpers work for them."),
                text("They are free."),
                held_by=(
                    "tests/signoria/test_readings.py::test_bonus_marriage_costs_its_dowry_and_uses_no_helper",
                    "tests/signoria/test_game_vectors.py::test_marriage_task_costs_two_men",
                ),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_marriage_scores_two_points_per_florin",
            "tests/signoria/test_game_vectors.py::test_dowry_starts_at_the_lowest_free_number",
            "tests/signoria/test_game_bad_input.py::test_dowry_out_of_range_is_rejected",
        ),
    ),
    "5.8": Guide(
        text(
            "Roll one white die for the head of the family and one for each bride. A 1 to 3 brings a woman, a "
            "4 to 6 a man, from your part of the general supply to you. Where a gender has run out, its dice "
            "bring nothing."
        ),
        text("Descendants"),
        (
            #
            Reading(
                text("Can the action be chosen when nobody of yours is left in the supply?"),
                text("No, it would bring nothing."),
                text("Yes, without an effect."),
                held_by=("tests/signoria/test_readings.py::test_descendants_need_a_figure_in_the_supply",),
            ),
            #
            Reading(
                text("May you leave a member that the dice bring?"),
                text("All of them are taken."),
                text("You take as many as you like."),
                held_by=(
                    "tests/signoria/test_game_options.py::test_sixth_space_is_optional_descendants_are_not",
                ),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_descendants_are_limited_by_the_supply",
            "tests/signoria/test_game_bad_input.py::test_wrong_number_of_descendant_dice_is_rejected",
        ),
    ),
    "5.9": Guide(
        text(
            "The florins action brings 3 florins. It is always possible, but they come after the die is paid "
            "for, so they cannot pay for it. Florins never run out."
        ),
        text("Florins; Setting up the game, 9."),
        held_by=("tests/signoria/test_readings.py::test_florins_are_gained_after_paying_for_the_die",),
    ),
    "5.10": Guide(
        text(
            "After the action of a die the helpers in its column work, whatever their ring. You are asked "
            "from top to bottom and use or skip each one; a skipped one cannot work later in this turn. A "
            "helper that can bring nothing is passed over. Nothing but a die wakes helpers."
        ),
        text("Reference sheet, Activating helpers"),
        (
            #
            Reading(
                text("The helper for a mission with a face-down tile: by which career field does it go?"),
                text("By any of the three, as you like."),
                text("By that of the career the man came from."),
                "blind_tile_bound",
                ("tests/signoria/test_game_options.py::test_blind_tile_bound_restricts_the_field",),
            ),
            #
            Reading(
                text("On which tracks do the progress points of a helper count?"),
                text("On those that its space shows; they can be set among the printed figures."),
                held_by=(
                    "tests/signoria/test_readings.py::test_helper_points_are_for_the_tracks_of_its_space",
                ),
            ),
            #
            Reading(
                text("May you skip a helper and come back to it?"),
                text("No, you decide from top to bottom."),
                text("Yes, within the same turn."),
                held_by=(
                    "tests/signoria/test_game_bad_input.py::test_using_helpers_out_of_order_is_rejected",
                ),
            ),
            #
            Reading(
                text("Is the helper for a city action with a face-down tile one kind or two?"),
                text(
                    "Two, one for missions and one for marriages; a space for either is set among the printed figures."
                ),
                text("One, and you choose each time."),
                held_by=(
                    "tests/signoria/test_readings.py::test_either_blind_helper_offers_mission_or_marriage",
                ),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_helpers_work_from_top_to_bottom",
            "tests/signoria/test_game_vectors.py::test_helper_gives_points_equal_to_the_die",
            "tests/signoria/test_game_bad_input.py::test_errand_on_a_two_member_task_is_rejected",
        ),
    ),
    "5.11": Guide(
        text(
            "A tile fits beside a field if the field shows its house on a shield that no face-up tile uses "
            "yet. A career field takes four, one house twice and two once; the marriage field takes each "
            "house once. Face-down tiles go by any field, without limit, and use no shield. A placed tile is "
            "never moved or exchanged."
        ),
        text("General rules of alliance tiles and player plans, page 8"),
        (
            #
            Reading(
                text("Must a tile that fits be taken?"),
                text("Yes."),
                text("You may leave it above the city."),
                "tile_optional",
                (
                    "tests/signoria/test_game_options.py::test_tile_optional_allows_leaving_a_fitting_tile",
                    "tests/signoria/test_game_bad_input.py::test_wrong_tile_choice_on_a_mission_is_rejected",
                ),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_face_down_tiles_use_no_shield",
            "tests/signoria/test_game_vectors.py::test_second_tile_of_a_house_stays",
            "tests/signoria/test_readings.py::test_face_down_tile_goes_to_any_field",
        ),
    ),
    # Rewards
    "5.12": Guide(
        text(
            "First everybody scores the number beside their initiative disc; then the discs are stacked by "
            "height, and that is the new order. Who has a dice total of 13 or less, 3 more for each member on "
            "the threshold space, is rewarded. In rounds 1 to 5 that is the bonus tile or 3 florins, with a "
            "bride and from round 2 on 2 florins; in rounds 6 and 7 the points of the tile, and 5 points for "
            "5 florins if you like."
        ),
        text("Phase 3, rewards, 1. to 3., page 11; reference sheet, Reward tiles"),
        (
            #
            Reading(
                text("Which comes first, the bonus tile or the bride and the florins above it?"),
                text("As you like; it matters for a dowry and for descendants."),
                text("The tile first."),
                held_by=("tests/signoria/test_readings.py::test_round_florins_may_come_before_the_tile",),
            ),
            #
            Reading(
                text("Which weddings score?"),
                text("The third scores 2 points and the fourth 5."),
                text("What is printed on your board, if it differs; set it among the printed figures."),
                held_by=("tests/signoria/test_game_vectors.py::test_wedding_points_by_portrait",),
            ),
            #
            Reading(
                text("Who has married all four descendants: do the 2 florins still come?"),
                text("Yes, only the bride does not."),
                text("No, both stand or fall together."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_all_married_still_gives_florins_in_round_five",
                ),
            ),
            #
            Reading(
                text("Where do your dice go before you take the bonus die?"),
                text("They are set aside, and nobody can take them."),
                text("Back to the dice areas, where they can be taken."),
                "bonus_dice_return",
                (
                    "tests/signoria/test_game_options.py::test_bonus_dice_return_puts_dice_back",
                    "tests/signoria/test_game_vectors.py::test_bonus_die_is_free_and_clears_the_board",
                ),
            ),
            #
            Reading(
                text("May you take a bonus tile that brings you nothing?"),
                text("No, only the 3 florins are offered then."),
                text("Yes, without an effect."),
                held_by=(
                    "tests/signoria/test_game_bad_input.py::test_reward_out_of_order_or_repeated_is_rejected",
                ),
            ),
            #
            Reading(
                text("Are 5 points bought once in a round or once in a game?"),
                text("Once in round 6 and once in round 7."),
                text("Once in the whole game."),
                "buy_once_a_game",
                (
                    "tests/signoria/test_game_options.py::test_buy_once_a_game_remembers_the_buyer",
                    "tests/signoria/test_readings.py::test_buy_once_a_game_prompts_a_buyer_only_once",
                ),
            ),
            #
            Reading(
                text("In which order are rewards taken, bonus dice among them?"),
                text("In the new order, just found."),
                text("In the order of the round that ends."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_initiative_reward_counts_for_the_next_round",
                ),
            ),
            #
            Reading(
                text("Do discs score again that rise during the rewards?"),
                text("No, that counts for the next round."),
                text("They score at once."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_initiative_reward_counts_for_the_next_round",
                ),
            ),
            #
            Reading(
                text("What do members bring that reach the threshold space by a bonus die?"),
                text("Nothing: who is rewarded is settled before. They go home with the others."),
                text("They stay for the next round."),
                held_by=("tests/signoria/test_readings.py::test_bonus_die_threshold_members_have_no_effect",),
            ),
            #
            Reading(
                text("May you decline a wedding?"),
                text("It happens by itself, since it never harms."),
                text("Yes."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_round_one_florin_reward_includes_a_bride",
                ),
            ),
            #
            Reading(
                text("Where is the threshold space? The rulebook never says."),
                text("Wherever your board shows it; the app counts each player’s members there."),
                held_by=(
                    "tests/signoria/test_game_vectors.py::test_total_of_fourteen_needs_a_threshold_member",
                ),
            ),
            #
            Reading(
                text("What if the portraits with points lie elsewhere?"),
                text(
                    "The portraits of your board count, from the top down; set them among the printed figures."
                ),
                held_by=("tests/signoria/test_readings.py::test_wedding_points_come_from_the_board",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_initiative_sets_the_next_order",
            "tests/signoria/test_game_vectors.py::test_total_of_thirteen_is_within_the_limit",
            "tests/signoria/test_game_vectors.py::test_rewards_of_round_one",
            "tests/signoria/test_game_vectors.py::test_helper_tile_and_buying_in_round_six",
            "tests/signoria/test_game_bad_input.py::test_reward_above_the_limit_is_rejected",
        ),
    ),
    "5.13": Guide(
        text(
            "At the start of a round every empty tile space above a city that is used gets one alliance tile, "
            "face up. A tile left from earlier rounds stays. A tile shows one of six houses and a value from "
            "2 to 5."
        ),
        text("Phase 1, preparing the round, Alliance tiles"),
        (
            #
            Reading(
                text("What if the alliance tiles run out?"),
                text(
                    "The table says which spaces get the last ones. After that nobody draws a face-down tile, "
                    "and a task or reward that brings only one cannot be chosen."
                ),
                text("Spaces are filled from the left."),
                held_by=("tests/signoria/test_readings.py::test_alliance_tiles_can_run_out",),
            ),
        ),
        held_by=("tests/signoria/test_game_bad_input.py::test_impossible_alliance_tiles_are_rejected",),
    ),
    # The end
    "6.1": Guide(
        text(
            "Points come on the way from missions, marriages, initiative, weddings, helpers and the rewards. "
            "At the end each man on a career track scores half the number of his space, rounded down man by "
            "man. A field with three tiles or more scores their values, face-down ones 1 each; with fewer it "
            "scores nothing. Florins, helpers and brides are worth nothing then."
        ),
        text("The end of the game, 1. and 2.; Overview of victory points"),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_end_points_of_the_rulebook_example",
            "tests/signoria/test_game_vectors.py::test_two_tiles_score_only_with_a_third",
            "tests/signoria/test_game_vectors.py::test_men_score_half_their_number_rounded_down",
        ),
    ),
    "6.2": Guide(
        text(
            "Most points win. Among equals the player wins whose disc lies higher in the stack on the "
            "initiative track, so nobody shares a place."
        ),
        text("The end of the game, the last paragraph"),
        (
            #
            Reading(
                text("The rulebook breaks ties by the stack on the “last” space. Which one is that?"),
                text("The only stack there is: that of the new order, on the lowest space."),
                text("The space farthest up."),
                held_by=("tests/signoria/test_game_vectors.py::test_higher_disc_wins_a_tie",),
            ),
        ),
        held_by=(
            "tests/signoria/test_game_vectors.py::test_higher_disc_wins_a_tie",
            "tests/signoria/test_calculators.py::test_ranking_matches_the_slow_rules",
        ),
    ),
}
