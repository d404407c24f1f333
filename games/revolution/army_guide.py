"""Rules reference for armies, sieges and Water Beggars (rulebook 6.3 to 6.9 and 6.15)."""

from __future__ import annotations

from games.core.guide import Guide, Guides, Reading
from games.core.messages import text

_ARMIES: Guides = {
    "6.3": Guide(
        text(
            "Decide for every army. Maintaining it costs 1 coin, for the Catholics 2; disbanding it costs 1 "
            "coin, and it may be recruited again at once; releasing it is free, and who cannot pay must. A "
            "released army pillages and lies face down in its box until the end of the round. It pillages a "
            "town of its region (a neutral counter comes into the countryside there) or replaces a counter in "
            "countryside or a town by a neutral one; never one in a city."
        ),
        text("Section 6.3"),
        readings=(
            Reading(
                question=text("What does a released army still do?"),
                ruling=text(
                    "It must pillage, even without neutral counters in supply: then a counter is removed and "
                    "nothing replaces it. It keeps its box and cannot be recruited again this round; otherwise "
                    "it has no effect, not in battles, sieges, influence or points."
                ),
                alternatives=text(
                    "The Italian rulebook only says that it is turned over, and leaves the board at the end of "
                    "the round."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_pillage_without_neutrals_removes_a_counter",
                    "tests/revolution/test_campaign.py::test_d_b11_released_armies_do_not_fight",
                    "tests/revolution/test_campaign_bad_input.py::test_24_to_27_invalid_recruiting_is_refused",
                ),
            ),
            Reading(
                question=text("Whose counters may a released army pillage?"),
                ruling=text(
                    "Anybody’s outside cities, even your own. A neutral counter only if there is nothing else "
                    "and none is left in supply to replace it; if that leaves nothing, nothing happens."
                ),
                alternatives=text("Neither rulebook rules out replacing a neutral counter by another one."),
                held_by=(
                    "tests/revolution/test_campaign.py::test_released_army_may_replace_a_counter_of_its_own_faction",
                    "tests/revolution/test_campaign_bad_input.py::test_23_pillage_of_a_neutral_is_refused",
                    "tests/revolution/test_campaign.py::test_pillage_may_remove_a_neutral_if_nothing_else_is_left",
                ),
            ),
            Reading(
                question=text(
                    "Does a released army count against Water Beggars, or as presence for recruiting?"
                ),
                ruling=text("No, neither."),
                alternatives=text(
                    "The Hungarian rulebook lists the few effects that it has, without these; the Italian one "
                    "is silent."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_beggars_destroy_the_most_catholic_army",
                    "tests/revolution/test_campaign.py::test_recruiting_needs_presence_and_a_free_box",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_d_m1_catholics_maintain_two_and_disband_one",
            "tests/revolution/test_campaign.py::test_faction_without_coins_releases_all_armies",
            "tests/revolution/test_campaign.py::test_released_army_pillages_a_town",
            "tests/revolution/test_campaign_bad_input.py::test_22_pillage_of_a_city_or_elsewhere_is_refused",
        ),
    ),
    "6.4": Guide(
        text(
            "You may recruit up to 3 new armies a round. One, two or three cost together: Catholics 3, 7, 11; "
            "Habsburgs 3, 6, 10; Nobility 2, 5, 8; Burghers 2, 4, 7; Reformers 2, 4, 6. They come to regions "
            "where you have a counter or an army, into free boxes from the left; besieging and released armies "
            "keep their boxes. They need no maintenance this round."
        ),
        text("Section 6.4"),
        readings=(
            Reading(
                question=text("Is a counter inside a city enough to recruit in its region?"),
                ruling=text("Yes; countryside, towns and cities all count."),
                alternatives=text("Both rulebooks only ask for at least one counter in the region."),
                held_by=("tests/revolution/test_campaign.py::test_recruiting_needs_presence_and_a_free_box",),
            ),
        ),
        held_by=(
            "tests/revolution/test_vectors.py::test_recruiting_costs_of_a16",
            "tests/revolution/test_campaign_bad_input.py::test_24_to_27_invalid_recruiting_is_refused",
        ),
    ),
    "6.5": Guide(
        text(
            "Armies in one strip fight, and nobody decides anything. Of all factions there the two farthest "
            "apart in the row Catholics, Habsburgs, Nobility, Burghers, Reformers lose an army each. This is "
            "repeated until one faction is left, or just two armies of two factions: a stand-off. Allied "
            "factions do not fight each other; released armies do not take part. Survivors slide to the left."
        ),
        text("Section 6.5"),
        readings=(
            Reading(
                question=text("When do just two factions fight?"),
                ruling=text("As soon as they have three armies or more together; 2 against 1 fight."),
                alternatives=text(
                    "A loose sentence of the Hungarian rulebook asks that one of them has more than 2 armies."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_battles",
                    "tests/revolution/test_vectors.py::test_battle",
                ),
            ),
            Reading(
                question=text("Who is left in the second example: 1 Catholic, 2 Habsburg, 2 Burgher armies?"),
                ruling=text("1 Habsburg army, as the Hungarian rulebook says and the rule gives."),
                alternatives=text(
                    "The Italian rulebook ends with a Burgher army, but it has removed both Burgher armies "
                    "before."
                ),
                held_by=("tests/revolution/test_vectors.py::test_r_09_battle_2",),
            ),
            Reading(
                question=text("With two players: are 2 armies of one ally and 1 of the other a stand-off?"),
                ruling=text(
                    "No, a stand-off is exactly two armies. These three may lay sieges, but exert no military "
                    "influence while the ally’s army is in the strip. One army of each is a stand-off."
                ),
                alternatives=text("One could see a stand-off wherever two factions stay in one strip."),
                held_by=(
                    "tests/revolution/test_campaign.py::test_three_allied_armies_are_no_standoff",
                    "tests/revolution/test_campaign.py::test_another_army_in_the_strip_blocks_influence",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_battles",
            "tests/revolution/test_second.py::test_battle",
        ),
    ),
    "6.6": Guide(
        text(
            "Any of your armies may be laid on a city of its own region, unless it is in a stand-off. Not on a "
            "city that you or your ally controls, nor on one where only you have counters; towns are not "
            "besieged. The army keeps its box. Until sieges are completed nothing enters or leaves the city, "
            "and its counters count for nothing in conflict, overflow and movement."
        ),
        text("Section 6.6"),
        readings=(
            Reading(
                question=text("Do Water Beggars lay sieges or relieve cities from them?"),
                ruling=text("Both, as 6.7 says."),
                alternatives=text(
                    "In 6.6 the Hungarian rulebook says that they relieve cities, the Italian one that they "
                    "besiege them, which is a slip of translation there."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_d_w2_one_beggar_relieves_a_city",
                    "tests/revolution/test_campaign.py::test_two_beggars_besiege_a_city",
                ),
            ),
            Reading(
                question=text("May a besieging army move, or exert military influence?"),
                ruling=text("Neither; it is bound until sieges are completed."),
                alternatives=text(
                    "The Hungarian rulebook says of influence alone that it is out of the strip; the Italian "
                    "one is silent."
                ),
                held_by=(
                    "tests/revolution/test_campaign_bad_input.py::test_38_and_39_invalid_moves_are_refused",
                    "tests/revolution/test_readings.py::test_q_44_besieging_army_exerts_no_influence",
                ),
            ),
            Reading(
                question=text("May several armies besiege one city?"),
                ruling=text("Yes, but it has no more effect than one army."),
                alternatives=text("Neither rulebook speaks of it."),
                held_by=(
                    "tests/revolution/test_campaign.py::test_besiegeable_cities",
                    "tests/revolution/test_campaign.py::test_several_besieging_armies_have_the_effect_of_one",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_besieging_army_moves_from_strip_to_siege",
            "tests/revolution/test_campaign_bad_input.py::test_28_to_31_invalid_siege_is_refused",
            "tests/revolution/test_campaign_games.py::test_15_no_counter_enters_or_leaves_a_besieged_city",
        ),
    ),
    "6.8": Guide(
        text(
            "Each of your armies may move once, free, along an arrow to a strip with a free box; stand-offs may "
            "be left. Besieging and released armies do not move. No battle follows: armies that meet now fight "
            "next round. Water Beggars that stay in a region stop Catholic, Habsburg and Nobility armies that "
            "try to leave it."
        ),
        text("Section 6.8"),
        readings=(
            Reading(
                question=text("How many armies do several Water Beggars stop?"),
                ruling=text("One each: the first hostile armies that try to leave."),
                alternatives=text(
                    "6.8 speaks of the first army only; 6.7.4 says that each Water Beggar stops an army."
                ),
                held_by=("tests/revolution/test_campaign.py::test_each_beggar_stops_one_hostile_army",),
            ),
            Reading(
                question=text(
                    "May an army try again that was stopped, and may a besieger move that was driven back?"
                ),
                ruling=text(
                    "A stopped army has spent its move. A besieger driven back by Water Beggars may move, but "
                    "exerts no influence this round, wherever it goes."
                ),
                alternatives=text("Neither rulebook says it."),
                held_by=(
                    "tests/revolution/test_campaign_bad_input.py::test_38_and_39_invalid_moves_are_refused",
                    "tests/revolution/test_campaign.py::test_army_driven_back_may_move_but_has_no_influence",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_armies_move_once_along_arrows_in_given_order",
            "tests/revolution/test_campaign_bad_input.py::test_38_and_39_invalid_moves_are_refused",
        ),
    ),
    "6.9": Guide(
        text(
            "Each of your armies in a strip without an army of anybody else, not even an ally’s, may replace "
            "one counter of another faction or a neutral one by one of yours from supply. The counter may lie "
            "in countryside or a town anywhere in the region, never in a city. Besieging and released armies "
            "are not in the strip. Each Water Beggar that stays there blocks one Catholic, Habsburg or "
            "Nobility army and goes home."
        ),
        text("Section 6.9"),
        readings=(
            Reading(
                question=text("What of a besieging army that Water Beggars have driven back?"),
                ruling=text(
                    "It exerts no influence this round, but it is back in the strip and keeps others from "
                    "exerting theirs."
                ),
                alternatives=text("Only the Hungarian rulebook says so; the Italian one is silent."),
                held_by=(
                    "tests/revolution/test_campaign.py::test_army_driven_back_blocks_influence_of_others",
                    "tests/revolution/test_campaign.py::test_army_driven_back_may_move_but_has_no_influence",
                ),
            ),
            Reading(
                question=text("May you take a counter away if you have none in supply to replace it?"),
                ruling=text("No, without a counter of your own there is no military influence."),
                alternatives=text(
                    "Neither rulebook says it; one could let the other counter go and leave the place empty."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_influence_needs_counters_in_supply",
                    "tests/revolution/test_campaign_bad_input.py::test_42_influence_with_too_few_counters_is_refused",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_armies_alone_in_a_strip_replace_counters",
            "tests/revolution/test_campaign.py::test_besieging_and_released_armies_do_not_block_influence",
            "tests/revolution/test_campaign_bad_input.py::test_40_and_41_invalid_influence_is_refused",
        ),
    ),
    "6.15": Guide(
        text(
            "In play order every siege is completed. Up to two counters change sides to the besieger, those of "
            "other factions first, then neutral ones; all other foreign counters become neutral, while your "
            "own and your ally’s stay. Where supplies are short, counters leave all the same, and nothing "
            "replaces them. Water Beggars turn every counter neutral. Then armies go back to their strips and "
            "all Water Beggars to their box."
        ),
        text("Section 6.15"),
        readings=(
            Reading(
                question=text("Are neutral counters among the two that change sides?"),
                ruling=text("Yes, when fewer than two counters of other factions are in the city."),
                alternatives=text(
                    "The Hungarian rulebook speaks of foreign counters that are not neutral when it comes to "
                    "the rest, so one can leave neutral counters alone."
                ),
                option="siege_converts_neutrals",
                held_by=(
                    "tests/revolution/test_campaign.py::test_siege_converts_neutrals_option",
                    "tests/revolution/test_vectors.py::test_q_19_neutrals_are_not_converted",
                    "tests/revolution/test_campaign.py::test_sieges",
                ),
            ),
            Reading(
                question=text("With two players: what of an ally’s counters in the city?"),
                ruling=text("They stay as they are."),
                alternatives=text("Only the Hungarian rulebook says so; the Italian one is silent."),
                held_by=("tests/revolution/test_campaign.py::test_d_s10_allied_counters_stay",),
            ),
            Reading(
                question=text("What if neutral counters run out when an army completes a siege?"),
                ruling=text("The other counters leave anyway, and nothing comes in their place."),
                alternatives=text(
                    "Both rulebooks say it of Water Beggars alone; the counters could also stay."
                ),
                held_by=(
                    "tests/revolution/test_campaign.py::test_sieges",
                    "tests/revolution/test_vectors.py::test_siege",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_sieges",
            "tests/revolution/test_campaign.py::test_d_s11_siege_of_beggars",
            "tests/revolution/test_campaign.py::test_beggars_return_after_sieges",
        ),
    ),
}

_BEGGARS: Guides = {
    "6.7": Guide(
        text(
            "The first of Burghers and Reformers in play order that pays has the Water Beggars this round; if "
            "the first declines, the other may. Each of the three costs 2 coins and is sent to a region with "
            "one of Gelderland, Holland, Overijssel, Utrecht, Zeeland and Generality. There they destroy an "
            "army, relieve a city, pillage a town, besiege a city, or stay and block. Who has acted goes home; "
            "the others do after sieges are completed."
        ),
        text("Section 6.7"),
        readings=(
            Reading(
                question=text("Their provinces are listed, but they act in regions: where may they attack?"),
                ruling=text(
                    "They go to any region that holds a listed province, and count armies of the whole region. "
                    "Towns and cities they attack must lie in a listed province."
                ),
                alternatives=text("They could attack every town and city of such a region."),
                option="beggar_target_scope",
                held_by=(
                    "tests/revolution/test_campaign.py::test_beggar_target_scope_option_widens_targets",
                    "tests/revolution/test_campaign_bad_input.py::test_34_beggars_outside_their_provinces_are_refused",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_one_faction_hires_beggars_in_play_order",
            "tests/revolution/test_campaign_bad_input.py::test_33_hiring_by_a_second_faction_is_refused",
            "tests/revolution/test_campaign_second.py::test_uses_of_beggars_match_brute_force",
        ),
    ),
    "6.7.1": Guide(
        text(
            "More Water Beggars than armies in the region destroy one army: the most Catholic, that is one of "
            "the Catholics, else of the Habsburgs, else of the Nobility. All armies in the strip and besieging "
            "count, whoever they belong to; released ones do not. Burghers and Reformers are never attacked."
        ),
        text("Section 6.7.1"),
        readings=(
            Reading(
                question=text("How many Water Beggars take part in destroying or relieving, and go home?"),
                ruling=text(
                    "As many as the hirer says, if they are enough. The others can still act: of three against "
                    "one army two destroy it, and the third may pillage."
                ),
                alternatives=text("All Water Beggars of the region could have to take part."),
                option="beggar_commitment",
                held_by=(
                    "tests/revolution/test_campaign.py::test_beggar_commitment_option_requires_all_beggars",
                    "tests/revolution/test_campaign.py::test_d_w1_two_of_three_beggars_destroy_a_catholic_army",
                ),
            ),
            Reading(
                question=text(
                    "Which army dies if the faction has several, what if it was besieging, and when does a "
                    "siege of Water Beggars end?"
                ),
                ruling=text(
                    "The hirer chooses the army. If it was besieging alone, that siege is over. A siege of "
                    "Water Beggars is completed when it is their hirer’s turn."
                ),
                alternatives=text("Neither rulebook says any of it."),
                held_by=(
                    "tests/revolution/test_readings.py::test_q_52_hirer_chooses_which_army_is_destroyed",
                    "tests/revolution/test_campaign.py::test_beggars_destroy_the_most_catholic_army",
                    "tests/revolution/test_campaign.py::test_sieges_complete_in_play_order_of_besieger_or_hirer",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_d_w3_two_beggars_against_two_armies",
            "tests/revolution/test_campaign.py::test_beggars_do_not_attack_burghers_and_reformers",
        ),
    ),
    "6.7.2": Guide(
        text(
            "At least as many Water Beggars as armies in the region relieve a besieged city, whoever besieges "
            "it. All armies on that city go back to the strip, and the city stays as it is. Armies driven back "
            "exert no military influence this round."
        ),
        text("Section 6.7.2"),
        readings=(
            Reading(
                question=text("Do they relieve one city or all of the region?"),
                ruling=text("One city each time."),
                alternatives=text("The Italian rulebook speaks of all sieges in the region."),
                option="beggar_relief_scope",
                held_by=(
                    "tests/revolution/test_campaign.py::test_beggar_relief_scope_option_lifts_all_sieges",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_d_w2_one_beggar_relieves_a_city",
            "tests/revolution/test_campaign_bad_input.py::test_35_to_37_invalid_use_of_beggars_is_refused",
        ),
    ),
    "6.7.3": Guide(
        text(
            "Only where no army is in the region, in the strip or besieging. A Water Beggar pillages a town: a "
            "neutral counter comes into the countryside there, and the town’s own counter stays; without "
            "neutral counters in supply it cannot. Two Water Beggars besiege a city that nobody besieges, "
            "whoever holds it, until sieges are completed."
        ),
        text("Section 6.7.3"),
        readings=(
            Reading(
                question=text("Do they pillage towns or cities?"),
                ruling=text("Towns only; cities they besiege."),
                alternatives=text(
                    "The Italian rulebook once says city, but town in the heading and in the next sentence."
                ),
                held_by=(
                    "tests/revolution/test_campaign_bad_input.py::test_35_to_37_invalid_use_of_beggars_is_refused",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_each_beggar_pillages_one_town",
            "tests/revolution/test_campaign.py::test_beggars_cannot_pillage_without_neutrals",
            "tests/revolution/test_campaign.py::test_two_beggars_besiege_a_city",
        ),
    ),
    "6.7.4": Guide(
        text(
            "Water Beggars that do nothing else stay in their region. Each of them stops one army of "
            "Catholics, Habsburgs or Nobility that tries to leave, and blocks one army’s military influence, "
            "for which it goes home. They never hinder Burghers and Reformers. Those left go home after "
            "sieges are completed."
        ),
        text("Section 6.7.4; how they block is in 6.8 and 6.9"),
        readings=(
            Reading(
                question=text("May a Water Beggar that stopped a move also block influence?"),
                ruling=text("Yes; only blocking influence sends it home."),
                alternatives=text("6.7.4 says “or”, so it could do just one of the two in a round."),
                option="beggar_double_block",
                held_by=("tests/revolution/test_campaign.py::test_beggar_double_block_option",),
            ),
            Reading(
                question=text("Do Water Beggars that besiege a city also stop armies or block influence?"),
                ruling=text("No, the siege binds them."),
                alternatives=text("6.9 speaks of every Water Beggar in the region."),
                held_by=(
                    "tests/revolution/test_campaign.py::test_besieging_beggars_stop_no_army",
                    "tests/revolution/test_readings.py::test_q_56_besieging_beggars_block_no_influence",
                ),
            ),
        ),
        held_by=(
            "tests/revolution/test_campaign.py::test_beggars_do_not_stop_burghers_and_reformers",
            "tests/revolution/test_campaign.py::test_each_beggar_blocks_influence_of_one_army",
        ),
    ),
}

GUIDE: Guides = {**_ARMIES, **_BEGGARS}
