"""English wording of Revolution: messages, names, rule sections."""

from __future__ import annotations

from games.core.game import Texts
from games.core.messages import plural, text

# Own context, as some languages use another word for a round than in other games.
ROUNDS = (
    text("Round 0", "Revolution"),
    text("Round 1", "Revolution"),
    text("Round 2", "Revolution"),
    text("Round 3", "Revolution"),
    text("Round 4", "Revolution"),
    text("Round 5", "Revolution"),
)

TEXTS = Texts(
    messages={
        # Entries
        "players": text("Revolution is for {least} to {most} players."),
        "two-each": text(
            "Two people need four seats: one plays Catholics and Habsburgs, the other Burghers and "
            "Reformers; {count} are taken."
        ),
        "catholics-missing": text("The Catholics must be in a three-player game."),
        "no-nobility": text("The Nobility is not used with 2 or 4 players."),
        "recount": text("{colour} has {count} counters; you entered {entered}. Please recount."),
        "recount-armies": text("No faction has more than {most} armies. Please recount."),
        "only-neutrals": text("There are only {count} neutral counters."),
        "unknown-key": text("There is no “{key}” here; there are {known}."),
        "not-an-order": text("The play order names each faction once, out of {known}."),
        "not-in-order": text("{faction}: not in the play order."),
        "no-alliance": text(
            "Only the two factions of one player are allied: Catholics with Habsburgs, Burghers with Reformers."
        ),
        "not-a-decimal": text("“{field}” must be a number of 0 or more with at most two decimals."),
        "columns": text("The chart has columns {least} to {most}."),
        "rounds": text("Rounds go from 0 to {last}."),
        # Impossible positions (digest part 9)
        "impossible-not-in-play": text("{owner}: not in play, but {count} {piece} lie at {place}."),
        "impossible-place": text("{owner}: {piece} cannot lie at {place}."),
        "impossible-neutrals": text("Neutral counters never lie at {place}."),
        "impossible-crowd": text("{count} counters lie at {place}, but there is room for 1."),
        "impossible-both-faces": text("At {place} a counter lies face up or face down, not both."),
        "impossible-huguenots": text("Burghers and Reformers cannot both be with the Huguenots."),
        "impossible-strip": text(
            "{region}: {count} armies for {boxes} boxes, besieging and released ones included."
        ),
        "impossible-siege": text("No siege is under way in this phase, but one is marked: {place}."),
        "impossible-region": text("Water Beggars are in their box in this phase, but some are out: {place}."),
        "impossible-influence": text("No coins lie beside cities in this phase, but some do: {place}."),
        "impossible-used": text("No Huguenots lie face down in this phase, but some do: {place}."),
        "impossible-released": text("No army is released in this phase, but one is: {place}."),
        "impossible-cards": text("Some cards are missing, or are not of this board."),
        "impossible-holder": text("{holder} cannot hold the card {card}."),
        "impossible-bishopric": text("The bishopric {province} cannot be “{column}”."),
        "impossible-university": text("The university {place} cannot be “{university}”."),
        "impossible-column": text("The marker of {city} cannot be in column {column}."),
        "limit-missing": text("Enter the limit printed in the shield of {province}."),
        # Conflict (5.3, 6.11)
        "conflict-none": plural(
            "{count} counter, limit {limit}: no conflict.", "{count} counters, limit {limit}: no conflict."
        ),
        "conflict-none-alone": text("{faction} alone, limit {limit}: no conflict. {then}"),
        "conflict": plural(
            "{count} counter, limit {limit}: conflict between {factions}.",
            "{count} counters, limit {limit}: conflict between {factions}.",
        ),
        "conflict-pass": text("Pass {number}: from the fewest to the most, each loses 1."),
        "conflict-fewest": text("Fewest: {factions} {had} → {left}, {before} → {after}."),
        "conflict-fewest-level": text(
            "Fewest and level: {factions} {had} → {left} each, {before} → {after}."
        ),
        "conflict-next": text("Next: {factions} {had} → {left}, {before} → {after}."),
        "conflict-next-level": text("Next and level: {factions} {had} → {left} each, {before} → {after}."),
        "conflict-limit": plural(
            "{count} counter is not above the limit of {limit}: the conflict ends.",
            "{count} counters are not above the limit of {limit}: the conflict ends.",
        ),
        "conflict-alone": text("{faction} alone, limit {limit}: the conflict ends. {then}"),
        "conflict-nobody": text("Nobody is left: the conflict ends."),
        "surplus": plural("{count} counter overflows.", "{count} counters overflow."),
        "surplus-neutral": plural(
            "{count} counter goes back to supply when others overflow.",
            "{count} counters go back to supply when others overflow.",
        ),
        # Battles (6.5)
        "clash": text("{one} and {other} are the most hostile: 1 army of each goes."),
        "battle-nobody": text("No army is left."),
        "battle-clear": plural(
            "{faction} alone: {count} army stays.", "{faction} alone: {count} armies stay."
        ),
        "battle-standoff": text("Two armies, of {factions}: a stand-off, nobody fights."),
        "battle-allied": text("{factions} are allied: nobody fights."),
        # Influence (6.16)
        "coins": text("Enter a whole number of coins, 0 or more."),
        "pulled": plural(
            "{faction}: {count} coin, {start} → {end}.", "{faction}: {count} coins, {start} → {end}."
        ),
        "pulled-wasted": plural(
            "{faction}: {count} coin, {start} → {end}; {wasted} wasted.",
            "{faction}: {count} coins, {start} → {end}; {wasted} wasted.",
        ),
        "nobody-pays": text("Nobody pays: the marker stays in column {space}."),
        "marker-stays": text("The marker stays in column {space}."),
        "marker-moves": text("The marker moves from column {start} to {end}."),
        "marker-held": text(
            "From column {start} towards {temporary} the marker moves {most} columns at most: it ends in {end}."
        ),
        "coins-return": plural(
            "{count} coin goes back to supply, useful or not.",
            "{count} coins go back to supply, useful or not.",
        ),
        # Allegiance (6.16)
        "column-calm": text("Column {space} changes nothing in the city."),
        "no-anti-catholic": text("No Reformers and no Burghers are here: nobody goes."),
        "anti-catholic-goes": text("{faction}: 1 counter goes."),
        "comes": text("{faction}: 1 counter comes."),
        "comes-instead": text("{without}: none in supply. {faction}: 1 counter comes instead."),
        "nobody-to-add": text("No counter is left in supply, not even a neutral one: nothing comes."),
        "only-reformers": text("Only Reformers are here: nobody is replaced."),
        "replaced": plural(
            "{count} counter that is not of the Reformers is replaced.",
            "{count} counters that are not of the Reformers are replaced.",
        ),
        "others-go": plural(
            "{factions}: {count} counter goes home.", "{factions}: {count} counters go home."
        ),
        "so-many": text("{faction} {count}"),
        "come": text("In their place: {coming}."),
        "come-short": text("In their place: {coming}; {missing} missing, as the supplies are empty."),
        # Control (5.7, 6.17)
        "control": text("{faction} {count}, all others together {others}: a true majority."),
        "control-neutral": text("{faction} {count}, all others together {others}: nobody gets the card."),
        "control-nobody": text(
            "Most: {faction} {count}, all others together {others}. Nobody has a true majority."
        ),
        "control-empty": text("No counters are here: nobody gets the card."),
        # New units (6.10)
        "units": plural("{count} new counter by the count.", "{count} new counters by the count."),
        "units-cities": text("Cities: cards {cards}, places named on them {links}, {count} in all."),
        "units-towns": text("Towns: {count}."),
        "units-countryside": plural(
            "Countryside: {counters} counter, 1 for every 5, rounded down: {count}.",
            "Countryside: {counters} counters, 1 for every 5, rounded down: {count}.",
            "counters",
        ),
        "units-support": text("Support: {count}."),
        "units-least": text("Nobody gets fewer than {least}."),
        "units-supply": text("Only {count} in supply: no more can come."),
        # Armies (6.4)
        "three-armies": text("At most {most} new armies per round."),
        "recruit": plural(
            "{faction}: {count} new army costs {cost} coins.",
            "{faction}: {count} new armies cost {cost} coins.",
        ),
        # Taxes (6.1)
        "rates": text("Choose one rate from {least} to {most} for all your cities."),
        "rate-too-high": text("Rate {rate} needs {needed} counters; you have {count} in supply."),
        "taxes": plural("{count} coin is collected.", "{count} coins are collected."),
        "taxes-short": text("Coins due: {due}. The supply has only {count}; these are collected."),
        "tax-provinces": text("Provinces: {total}, rounded down once to {count}."),
        "tax-cities": text("Cities: {cities} at rate {rate}, {count} in all."),
        # Sieges (6.15)
        "rivals-go": plural(
            "{factions}: {count} counter goes back to supply.",
            "{factions}: {count} counters go back to supply.",
        ),
        "neutrals-go": plural(
            "{count} neutral counter goes back to supply.", "{count} neutral counters go back to supply."
        ),
        "siege-won": plural(
            "{count} counter changes sides to {faction}.", "{count} counters change sides to {faction}."
        ),
        "siege-losses": plural(
            "{count} counter should change sides to {faction}; {missing} missing in supply: losses of the siege.",
            "{count} counters should change sides to {faction}; {missing} missing in supply: losses of the siege.",
        ),
        "siege-idle": text("No counter changes sides to {faction}."),
        "become-neutral": plural("{count} counter becomes neutral.", "{count} counters become neutral."),
        "neutral-losses": plural(
            "{count} counter should become neutral; {missing} missing in supply: nothing replaces what was removed.",
            "{count} counters should become neutral; {missing} missing in supply: nothing replaces what was removed.",
        ),
        "army-home": text("{faction}: the army goes back to its strip."),
        "army-home-hand": text("Put the besieging army back on its strip"),
        "beggars-home": text("The Water Beggars scatter."),
        "beggars-home-hand": text("Put the Water Beggars back in their box"),
        # Neutrals (5.4, 6.12)
        "choose-provinces": plural(
            "Choose exactly {count} province.", "Choose exactly {count} different provinces."
        ),
        "no-neutrals-needed": text("No province needs neutrals."),
        "neutrals-enough": plural(
            "{count} neutral counter is needed, {supply} in supply: every province is filled.",
            "{count} neutral counters are needed, {supply} in supply: every province is filled.",
        ),
        "neutrals-short": plural(
            "{count} neutral counter is needed, only {supply} in supply.",
            "{count} neutral counters are needed, only {supply} in supply: one to each in turn.",
        ),
        "province-gets": text("{province} gets {count}."),
        "province-needs": text("{province} needs {count}."),
        "layer": text("Layer {number}, one each: {provinces}."),
        "layer-chosen": plural(
            "{count} is left, which does not go round; {chooser} chose: {provinces}.",
            "{count} are left, which do not go round; {chooser} chose: {provinces}.",
        ),
        "first-player": text("the first player"),
        # Play order (5.8, 6.20)
        "one-place-each": plural(
            "Choose {count} place, one for each card after the first.",
            "Choose {count} places, one for each card after the first.",
        ),
        "place-in-row": text("Choose a place from 1 to {most}."),
        "laying": text(
            "Cards are laid from the most points to the fewest, level ones in the current play order."
        ),
        "lays": plural(
            "{number}. {faction}, {points} point.", "{number}. {faction}, {points} points.", "points"
        ),
        "lays-level": plural(
            "{number}. {faction}, {points} point; level with the one before, and later in the current play order.",
            "{number}. {faction}, {points} points; level with the one before, and later in the current play order.",
            "points",
        ),
        "laid": text("{faction}: place {place}. The row is {row}."),
        "order": text("The next round’s play order: {row}."),
        # Scoring (4.3, 5.8, 6.20)
        "province-card": text("A province card shows 0, 0.5 or 1."),
        "score": plural("{faction}: {points} point.", "{faction}: {points} points.", "points"),
        "score-cities": text("Cities: {points}."),
        "score-provinces": text("Provinces: {points}."),
        "score-small": text("Small provinces: {points}."),
        "score-small-later": text("Small provinces count only at the end of the game."),
        "score-objective": text("{objective}: {points}."),
        "score-nobility": plural(
            "{count} counter in countryside and towns, divided by {share} and rounded up: {points}.",
            "{count} counters in countryside and towns, divided by {share} and rounded up: {points}.",
        ),
        # Places
        "countryside": text("the countryside of {province}"),
        "place": text("{place}"),
        # Calculators
        "calculator.conflict": text("Conflict in a province"),
        "calculator.battle": text("Battle in a strip"),
        "calculator.influence": text("Influence on a city’s people"),
        "calculator.allegiance": text("What allegiance does to a city"),
        "calculator.control": text("Who controls it"),
        "calculator.new-units": text("How many new units"),
        "calculator.recruit-cost": text("What new armies cost"),
        "calculator.taxes": text("Taxes"),
        "calculator.siege": text("A siege is completed"),
        "calculator.neutrals": text("Where neutrals go"),
        "calculator.turn-order": text("The next play order"),
        "calculator.score": text("Victory points"),
        "input.limit": text("Limit"),
        "input.counters": text("Counters"),
        "input.armies": text("Armies"),
        "input.allies": text("Allied"),
        "input.space": text("Column, 1 is the Catholic end"),
        "input.order": text("Current play order"),
        "input.spent": text("Coins paid"),
        "input.supply": text("In supply"),
        "input.players": text("Players"),
        "input.cities": text("City cards"),
        "input.links_held": text("for each, how many places named on it you control"),
        "input.towns": text("Towns", "Revolution"),
        "input.countryside": text("Counters in countryside"),
        "input.support": text("Counters in support boxes"),
        "input.faction": text("Faction"),
        "input.provinces": text("Province cards"),
        "input.rate": text("Rate for all cities"),
        "input.besieger": text("Besieger"),
        "input.round": text("Round", "Revolution"),
        "input.neutrals.supply": text("Neutrals in supply"),
        "input.neutrals.provinces.one": text("Province"),
        "input.neutrals.provinces": text("Provinces, the last neutrals go to the topmost"),
        "input.points": text("Points"),
        "input.choices.one": text("Card"),
        "input.choices": text("Places of the next cards, 0 is the left end"),
        "input.minor_provinces.one": text("Small provinces"),
        "input.minor_provinces": text("Small provinces, at the end only"),
        "input.final": text("End of the game"),
        "input.objective": text(
            "Bishoprics, garrisoned regions, counters outside cities, commercial towns or universities"
        ),
        "input.catholics": text("Catholics"),
        "input.habsburgs": text("Habsburgs"),
        "input.nobility": text("Nobility"),
        "input.burghers": text("Burghers"),
        "input.reformers": text("Reformers"),
        "answer.left": text("Left"),
        "answer.removed": text("Removed"),
        "answer.lost": text("Lost"),
        "answer.standoff": text("Stand-off"),
        "answer.space": text("Column"),
        "answer.counters": text("In the city"),
        "answer.supply": text("In supply"),
        "answer.holder": text("Holder of the card"),
        "answer.allowance": text("New counters"),
        "answer.parts": text("Parts"),
        "answer.cost": text("Coins"),
        "answer.collected": text("Coins collected"),
        "answer.placed": text("Neutrals placed"),
        "answer.laying": text("Who lays when"),
        "answer.order": text("Next play order"),
        "answer.points": text("Points"),
        # Options
        "option.placement_counts_cities": text("Counters in cities count for where new units may be placed"),
        "option.province_majority_scope": text("Counters in cities and the majority in a province"),
        "option.bishop_uncontrolled": text("The bishopric of a province nobody controls"),
        "option.huguenot_coin_source": text("Where the coin of an intercepted counter comes from"),
        "option.reformer_substitute": text("Who comes in place of a missing Reformer"),
        "option.overflow_displaces_neutrals": text("Overflow into a full province pushes neutrals out"),
        "option.ally_blocks_river": text("An ally’s town or city blocks a river"),
        "option.tax_partial_extra": text("A higher tax rate may take whatever supply is left"),
        "option.beggar_relief_scope": text("Which sieges Water Beggars lift"),
        "option.beggar_target_scope": text("Where Water Beggars may attack"),
        "option.beggar_commitment": text("How many Water Beggars take part"),
        "option.beggar_double_block": text("A Water Beggar that stopped a move may also stop influence"),
        "option.siege_converts_neutrals": text(
            "Neutrals are among the two counters that change sides in a siege"
        ),
        "option.province_majority_scope.never_cities": text("never count"),
        "option.province_majority_scope.cities_excluded_round0_only": text("do not count in round 0 only"),
        "option.bishop_uncontrolled.step": text("goes one step towards Catholic"),
        "option.bishop_uncontrolled.snap_to_catholic": text("is put on Catholic"),
        "option.huguenot_coin_source.supply": text("from the supply"),
        "option.huguenot_coin_source.box_counter": text("it is the Huguenot counter"),
        "option.reformer_substitute.B_then_N3p": text("Burghers; with three players then Nobility"),
        "option.reformer_substitute.N": text("Nobility"),
        "option.beggar_relief_scope.one_city": text("one besieged city"),
        "option.beggar_relief_scope.all_in_region": text("all in the region"),
        "option.beggar_target_scope.listed_provinces": text("in the provinces listed"),
        "option.beggar_target_scope.whole_region": text("in the whole region"),
        "option.beggar_commitment.declared": text("as many as are declared"),
        "option.beggar_commitment.all_in_region": text("all in the region"),
        "option.neutral_pool": text("Neutral counters in play"),
    },
    names={
        "faction:catholics": text("Catholics"),
        "faction:habsburgs": text("Habsburgs"),
        "faction:nobility": text("Nobility"),
        "faction:burghers": text("Burghers"),
        "faction:reformers": text("Reformers"),
        "faction:neutral": text("Neutrals"),
        "faction:water-beggars": text("Water Beggars"),
        "colour:catholics": text("Yellow"),
        "colour:habsburgs": text("Red", "Revolution"),
        "colour:nobility": text("Green"),
        "colour:burghers": text("Blue"),
        "colour:reformers": text("Orange"),
        "colour:neutral": text("Grey"),
        "objective:catholics": text("Bishoprics that are Catholic"),
        "objective:habsburgs": text("Regions with a Habsburg army"),
        "objective:nobility": text("Counters in countryside and towns"),
        "objective:burghers": text("Commercial towns"),
        "objective:reformers": text("Reformed universities"),
        "part:cities": text("Cities", "Revolution"),
        "part:provinces": text("Provinces"),
        "part:minor_provinces": text("Small provinces"),
        "part:objective": text("Objective"),
        "part:towns": text("Towns", "Revolution"),
        "part:countryside": text("Countryside"),
        "part:support": text("Support"),
        **{f"round:{number}": told for number, told in enumerate(ROUNDS)},
        "piece:counter": text("counters"),
        "piece:army": text("armies"),
        "place:here": text("here"),
        "allies:[]": text("Nobody"),
        "allies:[['catholics', 'habsburgs'], ['burghers', 'reformers']]": text("2 players"),
        "province:artois": text("Artois"),
        "province:brabant": text("Brabant"),
        "province:cleve": text("Cleve"),
        "province:drenthe": text("Drenthe"),
        "province:flanders": text("Flanders"),
        "province:friesland": text("Friesland"),
        "province:gelderland": text("Gelderland"),
        "province:geldern": text("Geldern"),
        "province:generality": text("Generality"),
        "province:groningen": text("Groningen"),
        "province:hainaut": text("Hainaut"),
        "province:holland": text("Holland"),
        "province:juelich": text("Jülich"),
        "province:koeln": text("Köln"),
        "province:liege": text("Liège"),
        "province:limburg": text("Limburg"),
        "province:luxembourg": text("Luxembourg"),
        "province:maastricht": text("Maastricht"),
        "province:namur": text("Namur"),
        "province:overijssel": text("Overijssel"),
        "province:trier": text("Trier"),
        "province:utrecht": text("Utrecht"),
        "province:venlo": text("Venlo"),
        "province:zeeland": text("Zeeland"),
    },
    rules={
        "2.2.3": text("Neutral counters"),
        "2.3.1": text("Province cards"),
        "3.0": text("Players and factions"),
        "3.1": text("Two players"),
        "3.2": text("Three players"),
        "3.3": text("Four players"),
        "3.5": text("Number of counters"),
        "4.0": text("Course of the game"),
        "5.3": text("Conflict in round 0"),
        "5.4": text("Neutral units in round 0"),
        "5.7": text("Allocation in round 0"),
        "5.8": text("Victory points and the end of the round"),
        "6.1": text("Taxes"),
        "6.4": text("Recruiting armies"),
        "6.5": text("Battles"),
        "6.10": text("New units"),
        "6.11": text("Conflict"),
        "6.12": text("Neutral units"),
        "6.13": text("Overflow"),
        "6.15": text("Completing sieges"),
        "6.16": text("Influence and allegiance"),
        "6.17": text("Control of provinces and cities"),
        "6.20": text("Status, small provinces and play order"),
    },
)
