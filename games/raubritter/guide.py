"""Rules at hand: every rule in a few sentences, and how this app reads it where it is silent (digest 8).

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
                    "tests/raubritter/test_options.py::test_a_02_another_set_has_other_tiles",
                    "tests/raubritter/test_options.py::test_a_02_a_set_has_24_tiles",
                    "tests/raubritter/test_options.py::test_the_defaults_are_those_of_the_digest",
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
            "tests/raubritter/test_bad_input.py::test_a_seventh_plain_castle",
            "tests/raubritter/test_bad_input.py::test_a_type_that_is_used_up",
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
                held_by=("tests/raubritter/test_turn.py::test_everybody_prepares_their_set",),
            ),
            #
            Reading(
                text("What if a castle is among the starting tiles?"),
                text("It brings no knights and stays empty until somebody enters it."),
                text("Its owner sends knights from it."),
                held_by=(
                    "tests/raubritter/test_turn.py::test_a_05_a_castle_of_the_starting_layout_brings_no_knights",
                ),
            ),
            #
            Reading(
                text("Which shape has the starting rectangle? The picture is missing."),
                text("Two rows: 2 by 2, 2 by 3 or 2 by 4."),
                text("One row of all tiles."),
                "start_rows",
                (
                    "tests/raubritter/test_options.py::test_a_10_the_starting_rectangle",
                    "tests/raubritter/test_options.py::test_the_defaults_are_those_of_the_digest",
                ),
            ),
            #
            Reading(
                text("Who is “the older player” that begins?"),
                text("The oldest at the table; say who when you open the table."),
                text("Anybody you agree on."),
                held_by=("tests/raubritter/test_options.py::test_a_12_any_player_begins",),
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
            "tests/raubritter/test_vectors.py::test_the_starting_layout",
            "tests/raubritter/test_bad_input.py::test_a_starting_layout_that_is_no_rectangle_of_two_each",
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
            "tests/raubritter/test_turn.py::test_turns_go_clockwise_and_a_round_begins_with_the_first",
            "tests/raubritter/test_bad_input.py::test_placing_or_ending_out_of_turn",
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
                held_by=("tests/raubritter/test_vectors.py::test_a_gap_in_a_row_counts",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_a_tile_at_a_corner_is_illegal",
            "tests/raubritter/test_vectors.py::test_the_area",
            "tests/raubritter/test_second_opinion.py::test_legal_cells_of_any_land",
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
                held_by=("tests/raubritter/test_turn.py::test_a_09_knights_march_before_a_tile_is_drawn",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_turn.py::test_a_turn_ends_after_three_tiles_or_when_its_player_says_so",
            "tests/raubritter/test_bad_input.py::test_ending_the_turn_without_placing",
            "tests/raubritter/test_bad_input.py::test_a_fourth_placement_in_a_turn",
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
                    "tests/raubritter/test_options.py::test_a_03_by_default_all_may_stay",
                    "tests/raubritter/test_options.py::test_a_03_at_least_one_knight_must_move_if_it_can",
                    "tests/raubritter/test_options.py::test_a_03_who_cannot_move_may_stay",
                ),
            ),
            #
            Reading(
                text("May a single knight stay on a forest castle?"),
                text("No, a forest needs two there as well, or nobody."),
                text("Yes, if it is the only one and does not move."),
                "lone_knight",
                (
                    "tests/raubritter/test_vectors.py::test_one_knight_does_not_stay_on_a_forest_castle",
                    "tests/raubritter/test_options.py::test_a_04_a_single_knight_may_stay_on_a_forest_castle",
                    "tests/raubritter/test_options.py::test_a_04_but_two_knights_do_not_leave_one_there",
                ),
            ),
            #
            Reading(
                text("Must as many knights stay on the last tile of a march too?"),
                text("Yes: two must arrive in a forest, three on a mountain."),
                text("On the last tile one is enough."),
                held_by=(
                    "tests/raubritter/test_vectors.py::test_one_knight_cannot_enter_a_forest",
                    "tests/raubritter/test_vectors.py::test_the_ways_onto_a_mountain",
                ),
            ),
            #
            Reading(
                text("Is the limit of four knights for a tile or for a player?"),
                text("For the tile, all colours together."),
                text("Four of each colour."),
                held_by=(
                    "tests/raubritter/test_vectors.py::test_five_knights_take_four_tiles_and_close_the_village",
                    "tests/raubritter/test_vectors.py::test_a_fourth_knight_on_top_takes_and_closes_a_town",
                ),
            ),
            #
            Reading(
                text("May you send fewer than five knights, or none?"),
                text("Any number from 0 to 5, as far as you have them."),
                text("Always as many as possible."),
                held_by=("tests/raubritter/test_turn.py::test_a_15_any_number_up_to_five_enters",),
            ),
            #
            Reading(
                text("May the knights of a castle split into two directions?"),
                text("No, all go one way."),
                text("Yes, in several straight lines."),
                held_by=("tests/raubritter/test_turn.py::test_a_16_knights_do_not_split",),
            ),
            #
            Reading(
                text("Can knights that stayed on a castle march later?"),
                text("No, knights move only in the turn in which they come into play."),
                text("Yes, with a later tile."),
                held_by=("tests/raubritter/test_bad_input.py::test_moving_knights_of_an_earlier_turn",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_four_knights_over_a_forest_village_to_a_town",
            "tests/raubritter/test_vectors.py::test_a_lake_is_neither_entered_nor_jumped",
            "tests/raubritter/test_vectors.py::test_a_gap_is_not_jumped",
            "tests/raubritter/test_second_opinion.py::test_legal_marches_of_any_board",
        ),
    ),
    "5.4": Guide(
        text(
            "A tile is controlled by the owner of the topmost knight, however many lie below. New knights go on "
            "top of those already there. Whose coat of arms the tile has on its back does not matter."
        ),
        text("Moving knights; The end of the game and scoring"),
        held_by=(
            "tests/raubritter/test_vectors.py::test_the_topmost_knight_scores",
            "tests/raubritter/test_turn.py::test_own_and_foreign_tiles_are_passed_alike",
            "tests/raubritter/test_invariants.py::test_only_the_topmost_knight_matters",
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
            "tests/raubritter/test_turn.py::test_the_knights_of_the_last_castle_still_march",
            "tests/raubritter/test_vectors.py::test_the_last_tile_is_compulsory_and_ends_the_turn",
            "tests/raubritter/test_bad_input.py::test_scoring_before_all_tiles_are_laid",
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
                held_by=("tests/raubritter/test_turn.py::test_a_14_knights_left_decide_among_three",),
            ),
        ),
        held_by=(
            "tests/raubritter/test_vectors.py::test_the_topmost_knight_scores",
            "tests/raubritter/test_vectors.py::test_unplaced_knights_break_a_tie",
            "tests/raubritter/test_second_opinion.py::test_rankings",
        ),
    ),
}
