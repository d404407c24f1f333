"""Rules reference: a summary of each rule section, and the readings of its open questions (digest 8).

Headings are those of the rulebook.
"""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text

GUIDE: Guides = {
    # Pieces and set-up
    "2.1": Guide(
        text(
            "Everybody has the same 24 tiles: 1 lake, 2 mountains, 3 plains without a building; on plains 3 "
            "villages, 6 castles and 3 towns; in forests 3 villages, 2 castles and 1 town. The app counts what "
            "you have laid and never asks what you hold."
        ),
        text("Components"),
        (
            #
            Reading(
                text("How many forest villages, castles and towns are there? The picture is missing."),
                text("3 villages, 2 castles and 1 town, in the order of the caption."),
                text("Another split, as your own tiles show; 24 tiles in all."),
                "tile_set",
                (
                    "tests/raubritter/test_options.py::test_a_02_tile_set_option_changes_the_tiles_left",
                    "tests/raubritter/test_options.py::test_a_02_tile_set_must_have_24_known_tiles",
                    "tests/raubritter/test_options.py::test_defaults_match_the_digest",
                ),
            ),
            #
            Reading(
                text("Which terrain carries buildings? A word of that sentence is misprinted."),
                text("Plains and forests. Mountains and the lake never do."),
                text("Mountains too, if the word is read so."),
                held_by=(
                    "tests/raubritter/test_options.py::test_a_11_only_plains_and_forests_have_buildings",
                ),
            ),
        ),
        held_by=(
            "tests/raubritter/test_bad_input.py::test_seventh_plain_castle_is_refused",
            "tests/raubritter/test_bad_input.py::test_placing_a_used_up_type_is_refused",
        ),
    ),
    "3": Guide(
        text(
            "Sort your tiles by letter and build a stack with B on top and E at the bottom. Of the four A "
            "tiles take a castle and one other into your hand; the other two of each player make one rectangle "
            "in the middle. The oldest player begins, then it goes clockwise."
        ),
        text("Preparations"),
        (
            #
            Reading(
                text("Are the starting tiles and the stack face down or face up?"),
                text("The starting tiles are laid face down, then turned up; the stack stays face down."),
                text("Face up from the start."),
                held_by=("tests/raubritter/test_turn.py::test_setup_instructions_for_each_player",),
            ),
            #
            Reading(
                text("What if a castle is among the starting tiles?"),
                text("It brings no knights and stays empty until somebody enters it."),
                text("Its owner sends knights from it."),
                held_by=(
                    "tests/raubritter/test_turn.py::test_a_05_castle_in_the_starting_layout_sends_no_knights",
                ),
            ),
            #
            Reading(
                text("Which shape has the starting rectangle? The picture is missing."),
                text("Two rows: 2 by 2, 2 by 3 or 2 by 4."),
                text("One row of all tiles."),
                "start_rows",
                (
                    "tests/raubritter/test_options.py::test_a_10_start_rows_option_shapes_the_rectangle",
                    "tests/raubritter/test_options.py::test_defaults_match_the_digest",
                ),
            ),
            #
            Reading(
                text("Who is “the older player” that begins?"),
                text("The oldest at the table; say who when you open the table."),
                text("Anybody you agree on."),
                held_by=("tests/raubritter/test_options.py::test_a_12_any_player_may_begin",),
            ),
            #
            Reading(
                text("Does anybody choose their hand knowing what others took?"),
                text("No, all at the same time and in secret."),
                text("One after the other, from the first player on."),
                held_by=("tests/raubritter/test_turn.py::test_starting_tiles_are_entered_in_any_order",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_starting_layout",
            "tests/raubritter/test_bad_input.py::test_starting_tiles_outside_the_rectangle_are_refused",
        ),
    ),
    # Turns
    "4": Guide(
        text(
            "Turns go clockwise from the first player. A player who has no tiles left is skipped. Points count "
            "only at the end; until then the app shows what everybody would have now."
        ),
        text("The course of the game"),
        held_by=(
            "tests/raubritter/test_turn.py::test_turns_go_clockwise_and_rounds_start_at_first_player",
            "tests/raubritter/test_bad_input.py::test_placing_or_ending_out_of_turn_is_refused",
        ),
    ),
    "5.1": Guide(
        text(
            "A tile goes on a free space and must share a whole edge with a tile that lies there; a corner is "
            "not enough, and terrain need not match. The land may be at most 7 tiles wide and high with two "
            "players, 9 with three, 10 with four. Its frame is not fixed: it closes on a side only when the "
            "land has its full width or height."
        ),
        text("Laying 1 to 3 tiles; The size of the playing area"),
        (
            #
            Reading(
                text("“A row has at most 7 tiles”: are tiles counted, or the width with its gaps?"),
                text("The width: gaps count, so the whole land fits a square."),
                text("Only tiles, so that a row with gaps may be longer."),
                held_by=("tests/raubritter/test_vectors.py::test_gaps_count_towards_the_width",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_placing_at_a_corner_is_refused",
            "tests/raubritter/test_vectors.py::test_area_limit_per_player_count",
            "tests/raubritter/test_second_opinion.py::test_legal_cells_of_random_lands_match_brute_force",
        ),
    ),
    "5.2": Guide(
        text(
            "In your turn lay a tile and draw the next one from your stack. The first is compulsory; you may do "
            "the same a second and a third time, and see each drawn tile before you decide. Your turn ends by "
            "itself after three tiles or with your last one."
        ),
        text("Laying 1 to 3 tiles"),
        (
            #
            Reading(
                text("Is the next tile drawn before or after the knights of a castle march?"),
                text("After: first the knights, then the tile."),
                text("Before, so that you see it when you send them."),
                held_by=(
                    "tests/raubritter/test_turn.py::test_a_09_knights_march_before_the_next_tile_is_drawn",
                ),
            ),
        ),
        held_by=(
            "tests/raubritter/test_turn.py::test_turn_ends_after_three_tiles_or_on_request",
            "tests/raubritter/test_bad_input.py::test_ending_the_turn_without_placing_is_refused",
            "tests/raubritter/test_bad_input.py::test_fourth_placement_in_a_turn_is_refused",
        ),
    ),
    "5.3": Guide(
        text(
            "On a castle you have just laid you may put up to 5 knights and march at once, in one straight "
            "line, tile by tile, without jumping. On every tile you touch, the castle and the last one "
            "included, at least 1 must stay on a plain, 2 in a forest, 3 on a mountain; nobody enters a lake. "
            "No tile holds more than 4 knights, and a tile that cannot be entered blocks what lies behind it."
        ),
        text("Laying castles and moving knights"),
        (
            #
            Reading(
                text("Must knights move on from the castle?"),
                text("No, up to four may stay there."),
                text("At least one must move if it can."),
                "must_move",
                (
                    "tests/raubritter/test_options.py::test_a_03_all_knights_may_stay_by_default",
                    "tests/raubritter/test_options.py::test_a_03_must_move_forbids_staying_if_a_march_exists",
                    "tests/raubritter/test_options.py::test_a_03_knights_that_cannot_move_may_stay",
                ),
            ),
            #
            Reading(
                text("May a single knight stay on a forest castle?"),
                text("No, a forest needs two there as well, or nobody."),
                text("Yes, if it is the only one and does not move."),
                "lone_knight",
                (
                    "tests/raubritter/test_vectors.py::test_one_knight_cannot_stay_on_a_forest_castle",
                    "tests/raubritter/test_options.py::test_a_04_a_single_knight_may_stay_on_a_forest_castle",
                    "tests/raubritter/test_options.py::test_a_04_marching_knights_cannot_leave_one_on_a_forest",
                ),
            ),
            #
            Reading(
                text("Must as many knights stay on the last tile of a march too?"),
                text("Yes: two must arrive in a forest, three on a mountain."),
                text("On the last tile one is enough."),
                held_by=(
                    "tests/raubritter/test_vectors.py::test_one_knight_cannot_enter_a_forest",
                    "tests/raubritter/test_vectors.py::test_marches_onto_a_mountain",
                ),
            ),
            #
            Reading(
                text("Is the limit of four knights for a tile or for a player?"),
                text("For the tile, all colours together."),
                text("Four of each colour."),
                held_by=(
                    "tests/raubritter/test_vectors.py::test_five_knights_take_four_tiles_and_fill_the_village",
                    "tests/raubritter/test_vectors.py::test_fourth_knight_takes_and_fills_a_town",
                ),
            ),
            #
            Reading(
                text("May you send fewer than five knights, or none?"),
                text("Any number from 0 to 5, as far as you have them."),
                text("Always as many as possible."),
                held_by=("tests/raubritter/test_turn.py::test_a_15_zero_to_five_knights_may_be_sent",),
            ),
            #
            Reading(
                text("May the knights of a castle split into two directions?"),
                text("No, all go one way."),
                text("Yes, in several straight lines."),
                held_by=("tests/raubritter/test_turn.py::test_a_16_knights_march_in_one_direction",),
            ),
            #
            Reading(
                text("Can knights that stayed on a castle march later?"),
                text("No, knights move only in the turn in which they come into play."),
                text("Yes, with a later tile."),
                held_by=(
                    "tests/raubritter/test_bad_input.py::test_moving_knights_of_an_earlier_turn_is_refused",
                ),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_four_knights_over_a_forest_village_to_a_town",
            "tests/raubritter/test_vectors.py::test_lake_cannot_be_entered_or_jumped",
            "tests/raubritter/test_vectors.py::test_gap_cannot_be_jumped",
            "tests/raubritter/test_second_opinion.py::test_legal_marches_on_random_boards_match_brute_force",
        ),
    ),
    "5.4": Guide(
        text(
            "A tile is controlled by the owner of the topmost knight, however many lie below. New knights go on "
            "top of those already there. Whose coat of arms the tile has on its back does not matter."
        ),
        text("Moving knights; The end of the game and scoring"),
        held_by=(
            "tests/raubritter/test_vectors.py::test_topmost_knight_scores",
            "tests/raubritter/test_turn.py::test_march_passes_own_and_foreign_knights_alike",
            "tests/raubritter/test_invariants.py::test_only_the_topmost_knight_scores",
        ),
    ),
    # The end
    "5.5": Guide(
        text(
            "The game ends when all tiles are laid and the knights of the last castle have marched. Players may "
            "run out of tiles in different rounds; the others go on."
        ),
        text("The size of the playing area; The end of the game and scoring"),
        held_by=(
            "tests/raubritter/test_turn.py::test_knights_of_the_last_castle_still_march",
            "tests/raubritter/test_vectors.py::test_last_tile_is_compulsory_and_ends_the_turn",
            "tests/raubritter/test_bad_input.py::test_standings_are_provisional_while_tiles_are_left",
        ),
    ),
    "6": Guide(
        text(
            "A castle you control is worth 1 point, a village 2, a town 3; tiles without a building nothing. "
            "Most points win; among equals who has more knights left in front of them. If that is level too, "
            "the victory is shared."
        ),
        text("The end of the game and scoring"),
        (
            #
            Reading(
                text("The tie-break speaks of two players. What if more are level?"),
                text("The same for all of them: whoever has most knights left wins."),
                text("Three or more simply share the victory."),
                held_by=("tests/raubritter/test_turn.py::test_a_14_knights_left_break_a_tie_of_three",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_topmost_knight_scores",
            "tests/raubritter/test_vectors.py::test_unplaced_knights_break_a_tie",
            "tests/raubritter/test_second_opinion.py::test_rankings_match_brute_force",
        ),
    ),
}
