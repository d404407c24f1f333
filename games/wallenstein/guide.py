"""Rules guide: each rule in a few sentences, with the app's reading where the rulebook is silent (8).

Headings are those of the rulebook; additions of its translators are marked as such.
"""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text

GUIDE: Guides = {
    # Pieces, the board, the cards
    "1.1": Guide(
        text(
            "One cube is one army; each player has 62 in one colour, one of which marks the grain and never "
            "fights. The 20 green cubes are the peasants’ armies, so nobody plays green. Buildings are "
            "limited to 28 palaces, 26 churches and 26 trading houses; gold is not limited."
        ),
        text("Contents of the game"),
        (
            #
            Reading(
                text("How much gold is in the bank? Lists of the pieces differ."),
                text("The bank never runs out; note with something else what the chests do not cover."),
                text("Only the chests in the box: 160 gold, or 135 in other lists."),
                held_by=("tests/wallenstein/test_readings.py::test_the_bank_never_runs_out",),
            ),
            #
            Reading(
                text("What if all 42 unrest markers lie on the board, or all buildings of a kind?"),
                text(
                    "Unrest is counted on; use something else as a marker. A building of which no tile is "
                    "left cannot be built, and the action is cancelled."
                ),
                text("Without a marker no unrest is added."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_unrest_is_counted_beyond_the_markers",
                    "tests/wallenstein/test_table_bad_input.py::test_building_without_a_tile_is_cancelled",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_invalid_colours_and_player_counts_are_rejected",
            "tests/wallenstein/test_table_invariants.py::test_cubes_are_conserved",
        ),
    ),
    "2.1": Guide(
        text(
            "The map has 45 provinces, and each has one card. Two provinces are neighbours if they share a "
            "border. With three players the eight provinces with a light border are left out; with two, the "
            "regions Brandenburg and Kurpfalz."
        ),
        text("Contents of the game; Preparations; neighbours under Actions, Recruiting"),
        (
            #
            Reading(
                text("Are provinces that are left out still neighbours?"),
                text("They do not exist: nobody moves there, and nothing can be attacked across them."),
                text("They could be crossed or occupied like others."),
                held_by=("tests/wallenstein/test_readings.py::test_unused_provinces_are_no_neighbours",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_the_neighbours_of_konstanz",
            "tests/wallenstein/test_table_bad_input.py::test_invalid_moves_are_rejected",
        ),
    ),
    "2.2": Guide(
        text(
            "The map has five regions of nine provinces each: Brandenburg, Kurpfalz, Bayern, Österreich and "
            "Sachsen. Regions matter for the majorities of a winter and for the events that name one. "
            "Which province belongs where is printed on your board; compare it once among the printed figures."
        ),
        text("Contents of the game; Winter, c. Victory points"),
        held_by=(
            "tests/wallenstein/test_table_invariants.py::test_map_matches_the_digest",
            "tests/wallenstein/test_table_bad_input.py::test_impossible_figures_are_rejected",
        ),
    ),
    "2.3": Guide(
        text(
            "There are ten actions, each on one card and once in every season: three kinds of building, "
            "collecting gold, collecting grain, recruiting five, three or one, Movement A and Movement B. "
            "What building and recruiting cost is printed on your planning board."
        ),
        text("Actions; Spring, a. Laying out the action cards"),
        held_by=("tests/wallenstein/test_table_bad_input.py::test_invalid_action_rows_are_rejected",),
    ),
    "2.4": Guide(
        text(
            "Four of the 25 event cards lie open in a year. In each season one of them is drawn, and its "
            "text holds for that season only. The fourth card’s text never counts: in winter its number "
            "says how much grain everybody loses."
        ),
        text("Beginning of the year, a. Event cards; card descriptions in the translator’s appendix"),
        (
            #
            Reading(
                text(
                    "Do events of the season change revolts? Do palace guards fight where two or more "
                    "unrest markers lie?"
                ),
                text(
                    "Events leave revolts alone. A palace guard is always thrown in, but with two or more "
                    "markers the peasants fight for nobody, the guard among them, and stay in the cup."
                ),
                text("The guard fights for the defender whatever the unrest."),
                "guards_fight",
                (
                    "tests/wallenstein/test_table_vectors.py::test_palace_guard_throws_one_peasant_cube",
                    "tests/wallenstein/test_readings.py::test_events_do_not_affect_revolts",
                ),
            ),
            #
            Reading(
                text("Battle-weary peasants: is an empty province won without a throw?"),
                text(
                    "There is a throw, only without a fresh peasant army. Green cubes that fall out of the "
                    "tower still defend."
                ),
                text("The province is taken at once, with all armies that moved."),
                "weary_conquest",
                (
                    "tests/wallenstein/test_table_vectors.py::test_weary_peasants_throw_no_cube",
                    "tests/wallenstein/test_table_play.py::test_weary_conquest_option_conquers_without_a_throw",
                ),
            ),
            #
            Reading(
                text("Can the event cards of the first year come again in the second?"),
                text("No, they are set aside."),
                text("All cards are shuffled again."),
                "reshuffle_events",
                (
                    "tests/wallenstein/test_table_bad_input.py::test_invalid_event_cards_are_rejected",
                    "tests/wallenstein/test_readings.py::test_reshuffle_option_returns_drawn_events_to_the_deck",
                ),
            ),
            #
            Reading(
                text("Numbers and card names are misprinted here and there. Which ones count?"),
                text("The eight events and 25 cards of the card list, each under one name."),
                held_by=("tests/wallenstein/test_readings.py::test_there_are_25_event_cards_of_8_names",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_invalid_event_cards_are_rejected",
            "tests/wallenstein/test_table_play.py::test_a_good_harvest_counts_in_its_region_only",
        ),
    ),
    "2.5": Guide(
        text(
            "The table at the top of the board turns missing grain into revolts: 1 missing is one province "
            "with 1 peasant army more, 2 missing one with 2 more, 3 or 4 two with 2 more each, 5 or 6 two "
            "with 3 more each, 7 and over three with 3 more each. The extra peasants join those of the "
            "province’s unrest markers."
        ),
        text("Battles and revolts, 4. Revolts and hunger revolts, the table"),
        (
            #
            Reading(
                text("What if the table asks for more revolts than a player has provinces?"),
                text("Then all of the player’s provinces revolt, and no more."),
                held_by=("tests/wallenstein/test_hunger.py::test_never_more_revolts_than_provinces",),
            ),
        ),
        held_by=("tests/wallenstein/test_vectors.py::test_hunger_table_matches_the_board",),
    ),
    "2.6": Guide(
        text(
            "Everybody starts with 18 gold with two or three players, 15 with four, 13 with five. With two or "
            "three players each has nine groups of 5, 4, 4, 3, 3, 2, 2, 2 and 2 armies; with four the last "
            "group is left out, with five the last two."
        ),
        text("Preparations; Distributing the provinces"),
        (
            #
            Reading(
                text("How much gold is there at the start with five players?"),
                text("13 each, as the rulebook says twice."),
                text("12 each, as another list has it."),
                "gold_with_five",
                (
                    "tests/wallenstein/test_table_play.py::test_gold_with_five_option_sets_the_starting_gold",
                    "tests/wallenstein/test_table_play.py::test_supplies_after_the_first_game_tables",
                ),
            ),
        ),
        held_by=("tests/wallenstein/test_table_play.py::test_supplies_after_the_first_game_tables",),
    ),
    "2.7": Guide(
        text(
            "For a first game there is a table with a letter for each player. Who takes a letter gets all "
            "provinces listed there, with the armies beside each name. What nobody has is neutral. There is "
            "no such table for two players."
        ),
        text("Overview, Distributing the provinces, with the lists for 3, 4 and 5 players"),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_first_game_tables_are_complete",
            "tests/wallenstein/test_table_bad_input.py::test_invalid_letters_are_rejected",
        ),
    ),
    # The course of the game
    "3": Guide(
        text(
            "The tower is filled first: 7 cubes of every player and 10 green ones, all at once; what falls "
            "out goes home. Then the provinces are distributed, from the table or by draft. In a draft you "
            "take an open card or the top of the deck and put one whole group there; you may replace both "
            "open cards only if they are the same two as on your last turn."
        ),
        text("Preparations; Distributing the provinces"),
        (
            Reading(
                text("Are the provinces taken from the table for a first game, or drafted?"),
                text("From the table, unless you choose the draft. Two players always draft."),
                text("By draft, as the rulebook has it for those who know the map."),
                "distribution",
                (
                    "tests/wallenstein/test_table_bad_input.py::test_invalid_letters_are_rejected",
                    "tests/wallenstein/test_table_bad_input.py::test_invalid_draft_actions_are_rejected",
                ),
            ),
            #
            Reading(
                text("Who begins the draft, and which way round does it go?"),
                text("The player named first when the table was opened; then clockwise."),
                text("Any other player, by lot."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_the_draft_goes_round_from_the_first_player",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_more_cubes_than_thrown_in_are_rejected",
            "tests/wallenstein/test_table_bad_input.py::test_invalid_draft_actions_are_rejected",
            "tests/wallenstein/test_table_bad_input.py::test_the_same_open_cards_can_be_replaced",
        ),
    ),
    "4": Guide(
        text(
            "A game is two years of spring, summer, autumn and winter. In each of the first three: lay out "
            "the action cards, five of them open; plan; shuffle the general cards for the play order; draw "
            "the event; carry out the ten actions from left to right, each by everybody in play order. After "
            "each of the first five actions the next hidden card is turned up."
        ),
        text("The course of the game, 1. to 6.; Overview"),
        (
            #
            Reading(
                text("Step c, the play order, is missing in the text. When and how is it found?"),
                text(
                    "After planning and before the event, by shuffling the general cards; enter them as they lie."
                ),
                text("The app shuffles instead of the cards."),
                "player_order",
                (
                    "tests/wallenstein/test_table_vectors.py::test_turn_order_is_entered_before_the_event",
                    "tests/titles/test_wallenstein.py::test_order_form_offers_shuffling_if_the_option_is_set",
                ),
            ),
            Reading(
                text("Where do people plan?"),
                text("On their phones, where nobody else sees it; the cards turn over by themselves."),
                text("On the planning boards; each card is entered when it is turned over."),
                "planning",
                ("tests/wallenstein/test_table_bad_input.py::test_invalid_reveals_are_rejected",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_turn_order_is_entered_before_the_event",
            "tests/wallenstein/test_table_invariants.py::test_every_player_turns_over_ten_cards_each_season",
            "tests/wallenstein/test_table_invariants.py::test_the_event_row_shrinks_to_one",
        ),
    ),
    "5.1": Guide(
        text(
            "Everybody lays one card on each of the ten actions at the same time, face down: a province card "
            "does the action in that province, a blank one skips it. You have five blank cards, so at least "
            "five provinces must act. Only who holds fewer than five provinces leaves spaces empty, and says "
            "which, in the play order of the season before. A province won during the season can be planned "
            "only in the next."
        ),
        text("Spring, b. Planning the actions"),
        (
            #
            Reading(
                text("What becomes of a player without provinces?"),
                text(
                    "They stay in the game without actions, score nothing in that winter and keep the points "
                    "they have."
                ),
                text("They are out of the game."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_player_without_provinces_stays_in_the_game",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_invalid_plans_are_rejected",
            "tests/wallenstein/test_table_vectors.py::test_three_cards_leave_two_spaces_empty",
            "tests/wallenstein/test_table_play.py::test_plan_is_accepted_exactly_within_its_bounds",
        ),
    ),
    "5.2": Guide(
        text(
            "What is planned and possible must be done; nobody may skip it. What cannot be done in full, for "
            "want of gold, cubes, a city or a target, is cancelled at once and changes nothing. A province "
            "that was lost since planning does nothing, not even if it was won back."
        ),
        text("Spring, e. Carrying out the actions"),
        (
            #
            Reading(
                text("Is the action of a province that was destroyed cancelled too?"),
                text("Yes, like that of a conquered one."),
                text("The rulebook speaks of conquest only."),
                held_by=("tests/wallenstein/test_readings.py::test_destroyed_province_cannot_act",),
            ),
            #
            Reading(
                text("Are blank cards turned over one by one too?"),
                text("Yes, every card in its turn, blank or not."),
                text("Those without an action say so all at once."),
                held_by=("tests/wallenstein/test_table_bad_input.py::test_invalid_reveals_are_rejected",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_a_cancelled_action_says_why",
            "tests/wallenstein/test_table_vectors.py::test_conquered_province_cannot_act_for_its_former_owner",
            "tests/wallenstein/test_table_vectors.py::test_province_won_back_cannot_act_this_season",
        ),
    ),
    # The actions
    "5.3": Guide(
        text(
            "Pay the price and put the tile on a free city of the province. A city holds one building, and a "
            "province at most one of each kind. Without a free city, a tile or the gold the action is "
            "cancelled."
        ),
        text("Actions, 1. Building"),
        (
            #
            Reading(
                text("Several players build at once, but there are too few tiles. Who gets them?"),
                text("Who comes first in play order."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_last_tile_goes_to_the_first_in_turn_order",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_a_cancelled_action_says_why",
            "tests/wallenstein/test_table_vectors.py::test_trade_bonus_pays_for_a_trading_house",
        ),
    ),
    "5.4": Guide(
        text(
            "First you take the gold or grain that the province card shows; it is yours even if the province "
            "is lost right after. Then the province revolts if any unrest marker lies there, with one peasant "
            "army for each. If it is still yours, it gets one unrest marker more."
        ),
        text("Actions, 2. Gold and grain"),
        (
            #
            Reading(
                text("Is the new unrest marker added after a revolt too?"),
                text("One more is added if the province is still yours; if the peasants won, none."),
                text("A marker is added in any case. (The translator’s note agrees with our reading.)"),
                held_by=(
                    "tests/wallenstein/test_table_vectors.py::test_a_revolt_is_put_down",
                    "tests/wallenstein/test_table_vectors.py::test_a_level_revolt_is_lost",
                ),
            ),
            #
            Reading(
                text("Where does the grain track end?"),
                text("Grain is counted on without an end."),
                text("What goes beyond the last space is lost."),
                held_by=("tests/wallenstein/test_readings.py::test_the_bank_never_runs_out",),
            ),
            #
            Reading(
                text("What if a bad harvest takes more than the card shows?"),
                text("The yield is 0, never less; the action happens, with revolt and unrest marker."),
                text("The action is cancelled."),
                held_by=("tests/wallenstein/test_table_vectors.py::test_bad_harvest_reduces_grain",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_a_revolt_is_put_down",
            "tests/wallenstein/test_table_play.py::test_a_good_harvest_counts_in_its_region_only",
        ),
    ),
    "5.5": Guide(
        text(
            "Pay the gold and put five or three armies into the province: all of them or none. Recruiting one "
            "lets you place an army for 1 gold, or move armies into one neighbouring province of yours, or "
            "both; one army must stay behind. If only one half is possible, that half is done."
        ),
        text("Actions, Recruiting (numbered 2. a second time)"),
        (
            #
            Reading(
                text("Recruiting one: which comes first, and may the new army move along?"),
                text("Either order; the new army may move, as long as one army stays."),
                text("First move, then place."),
                held_by=("tests/wallenstein/test_table_play.py::test_recruit_1_may_move_the_new_army",),
            ),
            #
            Reading(
                text("Does a troop shortage touch recruiting one?"),
                text("No, only the two dearer actions bring fewer armies."),
                text("It brings none in that region."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_troop_shortage_does_not_affect_recruit_1",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_troop_shortage_reduces_recruits",
            "tests/wallenstein/test_table_vectors.py::test_recruiting_without_gold_is_cancelled",
            "tests/wallenstein/test_table_vectors.py::test_one_half_of_recruit_1_is_enough",
            "tests/wallenstein/test_table_bad_input.py::test_invalid_recruit_1_is_rejected",
        ),
    ),
    "5.6": Guide(
        text(
            "You choose one neighbouring province and how many armies go: at least one goes, at least one "
            "stays. Into a province of your own they walk; into any other they fight. Under church peace a "
            "foreign province with a church cannot be entered. With a single army, or nowhere to go, the "
            "action is cancelled."
        ),
        text("Actions, 4. Movements and battles"),
        held_by=(
            "tests/wallenstein/test_table_bad_input.py::test_invalid_moves_are_rejected",
            "tests/wallenstein/test_table_vectors.py::test_church_peace_may_leave_no_target",
            "tests/wallenstein/test_table_play.py::test_church_peace_does_not_restrict_peaceful_moves",
        ),
    ),
    # Battles
    "5.7": Guide(
        text(
            "All armies that moved, those the defender commits, the peasants and everything in the cup go "
            "into the tower at once; only what falls out counts. With no or one unrest marker the green cubes "
            "fight for the defender, with two or more for nobody; an empty province is theirs. The winner "
            "loses as many as the loser had in the cup, peasants first, and keeps the rest on the province. "
            "Level strength destroys the province."
        ),
        text("Battles and revolts, 1. to 3. and 5."),
        (
            #
            Reading(
                text("Where do peasants go that are left over on the side of a winning defender?"),
                text("Home to the green supply, like those that were lost."),
                text("They stay in the cup. (Both translators’ notes agree with our reading.)"),
                held_by=("tests/wallenstein/test_table_vectors.py::test_peasants_absorb_all_losses",),
            ),
            #
            Reading(
                text("Where do green cubes go that fought for nobody?"),
                text("With two or more unrest markers they stay in the cup until the next throw."),
                text("All green cubes go home, as the English translator’s note could be read."),
                held_by=("tests/wallenstein/test_table_vectors.py::test_with_two_markers_peasants_watch",),
            ),
            #
            Reading(
                text("May a defender commit no army at all?"),
                text("Yes, any number from none to all."),
                text("At least one, if any stands there."),
                "least_defenders",
                (
                    "tests/wallenstein/test_readings.py::test_defender_may_commit_no_army",
                    "tests/wallenstein/test_table_bad_input.py::test_least_defenders_option_requires_one_army",
                ),
            ),
            #
            Reading(
                text("The peasants alone saved the province, and no army of its owner is left. What then?"),
                text("The owner keeps it without an army."),
                text("The owner puts one army there from the supply; or the province is destroyed."),
                "saved_by_peasants",
                (
                    "tests/wallenstein/test_table_vectors.py::test_saved_by_peasants_alone",
                    "tests/wallenstein/test_table_vectors.py::test_saved_by_peasants_alone_with_other_readings",
                ),
            ),
            #
            Reading(
                text("What if no cube of either side falls out?"),
                text("0 to 0 is level, so the province is destroyed."),
                text("The attack simply fails."),
                "nothing_fell",
                (
                    "tests/wallenstein/test_table_play.py::test_battle_in_which_no_cube_falls",
                    "tests/wallenstein/test_battle.py::test_attack_fails_option_applies_when_no_cube_fell",
                ),
            ),
            #
            Reading(
                text("A level battle: what becomes of defenders that were not committed?"),
                text("They go to the supply, since the province is neutral now."),
                text("The translator’s note speaks of a lost battle only."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_level_battle_returns_all_armies_to_the_supply",
                ),
            ),
            #
            Reading(
                text("What if there are fewer green cubes in the supply than must be thrown in?"),
                text("Those that are there are thrown in, and the app says so."),
                held_by=("tests/wallenstein/test_table_play.py::test_missing_peasant_armies_are_reported",),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_battle.py::test_battle_matches_slow_implementation",
            "tests/wallenstein/test_table_vectors.py::test_peasants_from_the_tower_help_red",
            "tests/wallenstein/test_table_vectors.py::test_a_level_battle_destroys_the_province",
            "tests/wallenstein/test_table_vectors.py::test_a_cube_in_the_cup_counts",
            "tests/wallenstein/test_table_bad_input.py::test_more_cubes_than_can_have_fallen_are_rejected",
        ),
    ),
    "5.8": Guide(
        text(
            "In a revolt the peasants attack with one army for each unrest marker; in winter those of the "
            "hunger table join them. The owner commits as many armies as they like, and all of it goes into "
            "the tower with the content of the cup. The owner must have more cubes in the cup than the "
            "peasants; otherwise the province is destroyed and becomes neutral."
        ),
        text("Battles and revolts, 4. Revolts and hunger revolts"),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_a_revolt_is_put_down",
            "tests/wallenstein/test_table_vectors.py::test_a_level_revolt_is_lost",
            "tests/wallenstein/test_battle.py::test_peasants_with_more_cubes_win_a_revolt",
        ),
    ),
    # Winter, points
    "5.9": Guide(
        text(
            "Everybody loses as much grain as the last event card says. Who then has less grain than "
            "provinces draws province cards at random, in autumn’s play order, and those provinces revolt. "
            "After that points are noted and all unrest markers come off. Grain is not spent; it goes back to "
            "0 when the next year begins."
        ),
        text("5. Winter, a. to d."),
        (
            #
            Reading(
                text("Can grain fall below 0 when it is lost?"),
                text("No, the marker stops at 0."),
                text("What is lost below 0 adds to the shortage."),
                "grain_below_zero",
                (
                    "tests/wallenstein/test_table_vectors.py::test_grain_stops_at_0",
                    "tests/wallenstein/test_hunger.py::test_grain_below_zero_matters_only_when_grain_runs_out",
                ),
            ),
            #
            Reading(
                text("In which order are several hunger revolts of one player fought?"),
                text("As the player likes: in the order in which the drawn provinces are entered."),
                text("In the order in which they were drawn."),
                held_by=(
                    "tests/wallenstein/test_readings.py::test_hunger_revolts_come_in_the_order_entered",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_table_vectors.py::test_four_grain_for_nine_provinces",
            "tests/wallenstein/test_table_bad_input.py::test_invalid_hunger_cards_are_rejected",
            "tests/wallenstein/test_table_invariants.py::test_unrest_is_removed_only_by_destruction_and_winter",
        ),
    ),
    "5.11": Guide(
        text(
            "With two players Brandenburg and Kurpfalz are not used, so 27 provinces and three regions are "
            "left. Both start with 18 gold and draft nine provinces each. Everything else is as with more "
            "players."
        ),
        text("Variant for 2 players, in the translator’s appendix"),
        (
            #
            Reading(
                text("Which cards of the two unused regions are taken out?"),
                text("Their 18 province cards and their 6 event cards."),
                text("The province cards only; events of these regions can be drawn and do nothing."),
                "all_events_with_two",
                (
                    "tests/wallenstein/test_table_bad_input.py::test_two_players_do_not_draw_events_of_unused_regions",
                ),
            ),
            #
            Reading(
                text("Which groups of armies do two players have, and are more provinces left out?"),
                text("The nine groups of three players; no other province is left out."),
                text("The eight light-bordered provinces are left out as well."),
                held_by=("tests/wallenstein/test_table_play.py::test_two_players_draft_from_27_provinces",),
            ),
        ),
        held_by=("tests/wallenstein/test_table_play.py::test_two_players_draft_from_27_provinces",),
    ),
    "6": Guide(
        text(
            "In each winter a province is worth 1 point and a building 1 point. In every region, who has most "
            "palaces gets 3 points, most churches 2, most trading houses 1; those who share the lead get one "
            "point less each. Buildings count for who owns their province. After two winters most points win; "
            "among equals most palaces, then churches, then trading houses."
        ),
        text("5. Winter, c. Victory points; The end of the game"),
        (
            #
            Reading(
                text("The rulebook once says “per province” for the points of majorities. Is that meant?"),
                text("No, majorities are counted in each region, as the sentence before says."),
                text("In each province, where nobody could lead with more than one building."),
                held_by=("tests/wallenstein/test_table_vectors.py::test_the_points_of_three_players",),
            ),
            #
            Reading(
                text("Which buildings decide a tie?"),
                text("Those on the board when the game ends."),
                text("All that a player ever built."),
                held_by=(
                    "tests/wallenstein/test_table_vectors.py::test_level_points_and_palaces_are_decided_by_churches",
                ),
            ),
        ),
        held_by=(
            "tests/wallenstein/test_scoring.py::test_score_matches_slow_implementation",
            "tests/wallenstein/test_scoring.py::test_tie_breaks_apply_in_order",
            "tests/wallenstein/test_table_vectors.py::test_the_points_of_three_players",
        ),
    ),
}
