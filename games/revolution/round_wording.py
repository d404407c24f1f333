"""English wording for the phases of a game without armies: messages, names, rule sections."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Wording, plural, text

MESSAGES: Mapping[str, Wording] = {
    # Turns (4.1)
    "waiting-for": text("Waiting for the {faction}."),
    "treasury-short": plural(
        "That costs {cost} coin; you have {count}.", "That costs {cost} coins; you have {count}.", "cost"
    ),
    "round-begins": text("Round {round} begins.", "Revolution"),
    "unknown-province": text("There is no province “{province}” on this board."),
    # Set-up (3.5, 3.6)
    "set-up-take": text("Take {count} counters and {armies} armies of your colour."),
    "set-up-counters": text(
        "Each faction has {count} counters and {armies} armies; the rest stays in the box."
    ),
    "set-up-places": text("{faction}: these counters are on the board at the start."),
    "set-up-beggars": text("The {count} Water Beggars lie in their box."),
    "set-up-neutrals": plural(
        "{count} neutral counter goes to the empty cities and towns: two to a city, one to a town.",
        "{count} neutral counters go to the empty cities and towns: two to a city, one to a town.",
    ),
    "set-up-no-neutrals": text("No neutral counters come to the board."),
    "set-up-markers": text("Put the round marker on 0 and all point markers on Score."),
    "set-up-markers-why": text("Nobody has points or cards yet."),
    "prompt-start-armies": plural(
        "Put {count} army on an orange box.", "Put {count} armies on orange boxes, one to a box."
    ),
    "orange-boxes": text("Start armies go on orange boxes, one per box."),
    "start-armies-count": plural("Put down exactly {count} army.", "Put down exactly {count} armies."),
    "start-armies": plural(
        "{faction}: {count} army begins in {regions}.", "{faction}: {count} armies begin in {regions}."
    ),
    "start-armies-together": text(
        "Both armies stand in one region: it counts once, for one point instead of two."
    ),
    # Taxes (6.1)
    "prompt-tax": plural(
        "Choose a tax rate for your {count} city.", "Choose one tax rate for your {count} cities."
    ),
    "taxed-already": text("You have collected your taxes already."),
    "tax-of": plural("{faction}: {count} coin in taxes.", "{faction}: {count} coins in taxes."),
    "tax-none": text("{faction}: no taxes."),
    # Support movement (5.1, 6.2)
    "prompt-support": text("Move your support counters, or let them lie."),
    "support-none": text("{faction}: no support counter can move."),
    "support-stays": text("{faction}: all support counters stay."),
    "support-moves": plural(
        "{faction}: {count} support counter moves: {moves}.",
        "{faction}: {count} support counters move: {moves}.",
    ),
    "support-move": text("{box} to {target}"),
    "unknown-cell": text("There is no support cell “{cell}” on this board."),
    "cell-empty": text("You have no counter at {place}."),
    "cell-map-only": text("Counters on this cell may only go to the map."),
    "cell-treasury-only": text("Counters on this cell may only go to your treasury."),
    "box-serves-not": text("This box does not serve {province}."),
    "support-countryside": text(
        "Place it in the countryside; you can move it into the town in the movement phase."
    ),
    "huguenot-used": text("This counter has already intercepted this round."),
    "fleet": plural(
        "{faction}: {count} counter leaves the Spanish Treasury.",
        "{faction}: {count} counters leave the Spanish Treasury.",
    ),
    "prompt-intercept": plural(
        "{faction}: {count} counter of the Spanish Treasury is under way. How many do you intercept?",
        "{faction}: {count} counters of the Spanish Treasury are under way. How many do you intercept?",
    ),
    "intercept-supply": plural(
        "You can intercept at most {count}: you have {count} counter in supply.",
        "You can intercept at most {count}: you have {count} counters in supply.",
    ),
    "intercept-fleet": plural(
        "You can intercept at most {count}: no more counter is under way.",
        "You can intercept at most {count}: no more counters are under way.",
    ),
    "intercept-huguenots": plural(
        "You can intercept at most {count}: you have {count} Huguenot counter face up.",
        "You can intercept at most {count}: you have {count} Huguenot counters face up.",
    ),
    "intercept-none": text("{faction}: nothing is intercepted."),
    "intercepted": plural(
        "{faction}: the Huguenots intercept {count} counter of {mover}.",
        "{faction}: the Huguenots intercept {count} counters of {mover}.",
    ),
    "huguenots-turn": plural(
        "Turn {count} Huguenot counter face down", "Turn {count} Huguenot counters face down"
    ),
    "fleet-arrives": plural(
        "{faction}: {count} counter reaches the treasury.", "{faction}: {count} counters reach the treasury."
    ),
    # New units (5.2, 6.10)
    "prompt-place": plural("Place {count} new counter.", "Place {count} new counters."),
    "units-of": plural("{faction}: {count} new counter.", "{faction}: {count} new counters."),
    "units-round-0": text("In round 0 the number is fixed: {count}."),
    "units-placed": plural(
        "{faction}: {count} counter is placed.", "{faction}: {count} counters are placed."
    ),
    "units-treasury": plural(
        "{faction}: {count} counter cannot be placed anywhere and goes to the treasury.",
        "{faction}: {count} counters cannot be placed anywhere and go to the treasury.",
    ),
    "units-more-than": plural(
        "You have {count} new counter; you placed {placed}.",
        "You have {count} new counters; you placed {placed}.",
    ),
    "units-still": plural(
        "{count} more can still be placed on the map or in support.",
        "{count} more can still be placed on the map or in support.",
    ),
    "units-countryside-only": text(
        "New counters go to the countryside; they can move into towns and cities in the movement phase."
    ),
    "no-counter-in": text("You have no counter in {province}."),
    "units-no-control": text("At most {count} here: you do not control the province."),
    "units-most": text("At most {count} here."),
    "box-foreign": text("{colour} cannot use the {box} box."),
    "box-in-use": text("The {box} box is in use by the {faction}."),
    "cell-taken": text("That cell is taken. Choose an empty one."),
    "cell-one": text("A cell holds one counter."),
    # Conflict (5.3, 6.11)
    "conflict-in": text("Conflict in {province}."),
    "no-conflicts": text("No province has a conflict."),
    "ruling-more": text("{faction}: there are only {count} here; more cannot be left."),
    "ruling-supply": text("{faction}: there are only {count} in supply; more cannot come."),
    "ruling-neutrals": plural(
        "There is only {count} neutral counter in supply.",
        "There are only {count} neutral counters in supply.",
    ),
    "prompt-losses": plural(
        "You lose {count} counter in conflicts: which one?",
        "You lose {count} counters in conflicts: which ones?",
    ),
    "losses-count": text("{province}: choose exactly {count} of your counters."),
    "losses-chosen": text("{faction}: chosen which counters go in conflicts."),
    # Neutrals (5.4, 6.12)
    "prompt-shortage": plural(
        "Neutrals run out: choose the {count} province that gets the last one.",
        "Neutrals run out: choose the {count} provinces that get one more.",
    ),
    "neutrals-placed": plural(
        "{count} neutral counter comes to the map.", "{count} neutral counters come to the map."
    ),
    "needs-no-more": text("{province} needs no more neutrals."),
    # Overflow (5.5, 6.13)
    "prompt-overflow": plural(
        "{count} counter is above the limit: where does it go?",
        "{count} counters are above the limit: where do they go?",
    ),
    "above-the-limit": plural(
        "Only {count} counter is above the limit.", "Only {count} counters are above the limit."
    ),
    "not-reached": text("{province} cannot be reached."),
    "reach-blocked": text("{province} cannot be reached: {place} is held by the {faction}."),
    "province-full": text("{province} is full."),
    "room-for": plural(
        "{province} has room for {count} counter.", "{province} has room for {count} counters."
    ),
    "overflows": plural(
        "{faction}: {count} counter overflows from {source} to {target}.",
        "{faction}: {count} counters overflow from {source} to {target}.",
    ),
    "displaced": plural(
        "{count} neutral counter leaves {province}, which is above its limit.",
        "{count} neutral counters leave {province}, which is above its limit.",
    ),
    "surplus-home": plural(
        "{faction}: {count} counter above the limit of {province} returns to supply.",
        "{faction}: {count} counters above the limit of {province} return to supply.",
    ),
    "neutrals-home": plural(
        "{count} neutral counter above the limit of {province} returns to supply.",
        "{count} neutral counters above the limit of {province} return to supply.",
    ),
    # Movement inside provinces (5.6, 6.14)
    "prompt-settled": plural(
        "Is everything settled? {count} province stays as it lies.",
        "Is everything settled? {count} provinces stay as they lie.",
    ),
    "prompt-layout": plural(
        "How do counters lie in your {count} province?", "How do counters lie in your {count} provinces?"
    ),
    "prompt-dispute": text("You do not agree about a province? There you move one after the other."),
    "prompt-step": text("Move your counters in {province}."),
    "laid-out-already": text("How counters lie in {province} has been entered already."),
    "nothing-to-lay-out": text("In {province} counters can only lie as they do."),
    "disputed": text("In {province} factions move one after the other."),
    "not-disputed": text("In {province} nobody has asked to move one after the other; enter how all lie."),
    "nobody-to-dispute": text("In {province} nobody else moves."),
    "under-siege": text("{place} is under siege."),
    "totals-stay": text("Totals in {province} must stay: {totals}."),
    "town-one": text("A town holds one counter. Move one to the countryside."),
    "has-moved": text("{colour} has already moved in this province."),
    "push-countryside": text(
        "{faction}: counters that have not moved may only be pushed to the countryside."
    ),
    "dispute-open": text("Phase 14 is not finished: {faction} has not moved in {province}."),
    "laid-out": text("Counters in {province} lie as agreed."),
    "dispute": text("In {province} factions move one after the other: {order}."),
    "moves-inside": text("{faction}: counters move inside {province}."),
    "neutrals-fill": text("{province}: neutrals move from the countryside to what is empty: {places}."),
    "settled": plural(
        "All have moved; {count} province stays as it lies.",
        "All have moved; {count} provinces stay as they lie.",
    ),
    # Influence (6.16)
    "prompt-influence": plural(
        "Lay coins beside cities; you have {count}.", "Lay coins beside cities; you have {count}."
    ),
    "no-coins": text("{faction}: no coins to lay."),
    "lays-coins": plural(
        "{faction}: {count} coin is laid beside cities.", "{faction}: {count} coins are laid beside cities."
    ),
    "lays-no-coins": text("{faction}: no coins are laid."),
    "nobody-paid": text("Nobody has laid coins: all markers stay."),
    "influence-on": text("{city}: the marker was in column {start} and is now in column {end}."),
    "marker-move": text("Put the marker of {city} in column {column}"),
    "allegiance-of": text("{city}: its people are in column {column}."),
    # Allocation (5.7, 6.17)
    "city-cards": text("City cards go to whoever has a true majority in the city."),
    "province-cards": text("Province cards go to whoever has a true majority in countryside and towns."),
    "card-of": text("{card}: the card belongs to {faction}."),
    "card-nobody": text("{card}: nobody holds the card."),
    "card-take": text("Take the card of {card}"),
    "card-back": text("Lay the card of {card} beside the board"),
    "markers-put": text("The allegiance markers are put in their first columns."),
    "marker-put": text("Put a marker for {city} in column {column}: {colour}"),
    "markers-swap": plural(
        "{count} allegiance marker changes its colour.", "{count} allegiance markers change their colour."
    ),
    "marker-swap": text("Swap the marker of {city}; the new one is {colour}"),
    # Bishoprics and universities (6.18, 6.19)
    "hand:counter": plural(
        "Move 1 counter from {source} to {target}", "Move {count} counters from {source} to {target}"
    ),
    "hand:army": plural(
        "Move 1 army from {source} to {target}", "Move {count} armies from {source} to {target}"
    ),
    "hand:beggar": plural(
        "Move 1 Water Beggar from {source} to {target}",
        "Move {count} Water Beggars from {source} to {target}",
    ),
    "bishoprics": text("Each bishopric follows whoever controls its province."),
    "bishopric": text("{province}: the bishopric becomes {column} ({colour} marker)."),
    "bishopric-stays": text("{province}: the bishopric stays {column} ({colour} marker)."),
    "bishopric-hand": text("Bishopric of {province}: {colour} marker on {column}"),
    "universities": text("Each university follows whoever holds its place."),
    "university": text("{place}: the university is now {university}."),
    "university-stays": text("{place}: the university stays {university}."),
    "university-hand": text("University of {place}: set its marker to {university}"),
    # End of a round (5.8, 6.20)
    "released-go": plural(
        "{count} released army leaves {region}.", "{count} released armies leave {region}."
    ),
    "huguenots-up": plural(
        "{count} Huguenot counter is turned face up.", "{count} Huguenot counters are turned face up."
    ),
    "points-of": plural(
        "{faction}: {points} point in round {round}.",
        "{faction}: {points} points in round {round}.",
        "points",
    ),
    "points-hand": text("Put your point marker on {points}"),
    "prompt-draft": text("Where do you lay your card? The row is {row}."),
    "card-lay": text("Lay your faction card at place {place} of the row"),
    "round-hand": text("Put the point markers back on Score and the round marker on {round}"),
    "provisional": text("If round {round} of {last} were scored now."),
    "provisional-scored": text("Points of round {round} of {last}; every round counts from zero."),
    "won": text("{factions}: you have won."),
    "shared": text("Level with {points} points: the victory is shared."),
    "sum-decides": text("The sum of both factions decides: {factions} together have {points} points."),
    "game-over": text("The game is over."),
    # Impossible boards
    "board-negative": text("{province}: tax and points are 0 or more."),
    "board-not-small": text(
        "{province} has limit {limit}; only provinces with limit 1 score at the end alone."
    ),
    "board-bishoprics": text("Mark exactly {needed} bishoprics (you marked {count})."),
    "board-universities": text("Mark exactly {needed} universities (you marked {count})."),
    "board-commercial": text("Mark exactly {needed} commercial towns (you marked {count})."),
    "board-cities": text(
        "There are exactly {needed} cities, those of the allegiance chart (you marked {count})."
    ),
    "board-two-provinces": text("{place} lies in more than one province."),
    "board-no-province": text("{place} lies in no province."),
    "board-neighbours": text("{province} names {other} as a neighbour, but not the other way round."),
    "board-region": text("{province} lies in no region."),
    "board-alone": text("{province} is a region of its own."),
    "board-not-alone": text("{province} shares its region with other provinces."),
    "board-region-empty": text("No province lies in {region}."),
    "board-strip": text("Enter how many boxes the command strip of {region} has."),
    "board-orange": text("{region} has more orange boxes than boxes."),
    "board-arrow": text("An arrow from {region} leads nowhere."),
    "board-river": text("{river}: a river touches each province once."),
    "board-beside": text("{place} stands on a river in {province}, but does not lie there."),
    "board-cells": text("{box} needs at least {count} cells."),
    "board-cell-kind": text("{box}: a cell is one of {known}."),
    "board-serves": text("{box} serves a province that is not on the board."),
    "board-no-such-province": text("There is no province “{province}” on this board."),
    # Places
    "settlement": text("{name}"),
    "at-siege": text("the siege of {city}"),
    "at-influence": text("beside {city}"),
    "at-strip": text("the strip of {region}"),
    "at-released": text("{region}, released"),
    "at-region": text("{region}"),
    "at-support": text("{box}, cell {cell}"),
    "at-used": text("{box}, cell {cell}, face down"),
}

NAMES: Mapping[str, str] = {
    "place:treasury": text("treasury"),
    "place:beggars": text("the Water Beggars’ box"),
    "money:coins": text("Coins in the treasury"),
    "cause:support": text("Support"),
    "cause:maintenance": text("Army maintenance"),
    "cause:pillage": text("Pillage"),
    "cause:beggars": text("Water Beggars"),
    "cause:military-influence": text("Military influence"),
    "cause:new-units": text("New units"),
    "cause:conflict": text("Conflict"),
    "cause:neutrals": text("Neutral units"),
    "cause:overflow": text("Overflow"),
    "cause:influence": text("Influence on citizens"),
    "piece:beggar": text("Water Beggars"),
    "city:aachen": text("Aachen"),
    "city:amsterdam": text("Amsterdam"),
    "city:antwerpen": text("Antwerpen"),
    "city:brugge": text("Brugge"),
    "city:brussels": text("Brussels"),
    "city:gent": text("Gent"),
    "city:haarlem": text("Haarlem"),
    "city:koeln": text("Köln"),
    "city:leiden": text("Leiden"),
    "city:liege": text("Liège"),
    "city:luxembourg": text("Luxembourg"),
    "city:utrecht": text("Utrecht"),
    "town:alkmaar": text("Alkmaar"),
    "town:arnhem": text("Arnhem"),
    "town:arras": text("Arras"),
    "town:breda": text("Breda"),
    "town:cleve": text("Cleve"),
    "town:delft": text("Delft"),
    "town:dordrecht": text("Dordrecht"),
    "town:duinkerken": text("Duinkerken"),
    "town:franeker": text("Franeker"),
    "town:groningen": text("Groningen"),
    "town:harderwijk": text("Harderwijk"),
    "town:leeuwarden": text("Leeuwarden"),
    "town:leuven": text("Leuven"),
    "town:middelburg": text("Middelburg"),
    "town:mons": text("Mons"),
    "town:nijmegen": text("Nijmegen"),
    "town:rotterdam": text("Rotterdam"),
    "town:tournai": text("Tournai"),
    "town:trier": text("Trier"),
    "town:valenciennes": text("Valenciennes"),
    "region:brabant": text("Brabant region"),
    "region:flanders": text("Flanders region"),
    "region:gelderland": text("Gelderland region"),
    "region:holland": text("Holland region"),
    "region:liege": text("Liège region"),
    "region:luxembourg-trier": text("Luxembourg and Trier"),
    "region:north": text("the North"),
    "region:rhineland": text("Rhineland"),
    "region:utrecht": text("Utrecht region"),
    "region:zeeland-generality": text("Zeeland and Generality"),
    "river:rhine": text("Rhine"),
    "river:maas": text("Maas"),
    "river:schelde": text("Schelde"),
    "box:calvinists": text("Calvinists"),
    "box:french-support": text("French Support"),
    "box:huguenots": text("Huguenots"),
    "box:jesuits": text("Jesuits"),
    "box:london-merchants": text("London Merchants"),
    "box:spanish-treasury": text("Spanish Treasury"),
    "box:support-from-the-emperor": text("Support from the Emperor"),
    "column:strongly-catholic": text("strongly Catholic"),
    "column:catholic": text("Catholic"),
    "column:reformed": text("reformed"),
    "column:strongly-reformed": text("strongly reformed"),
    "university:catholic": text("Catholic", "university"),
    "university:reformed": text("reformed", "university"),
    "university:absent": text("not there"),
    "marker:catholics": text("yellow"),
    "marker:habsburgs": text("red", "Revolution"),
    "marker:nobility": text("green"),
    "marker:burghers": text("blue"),
    "marker:reformers": text("orange"),
    "marker:nobody": text("black"),
    "phase:setup": text("Set-up"),
    "phase:taxes": text("Taxes"),
    "phase:support": text("Support movement"),
    "phase:interception": text("Interception"),
    "phase:maintenance": text("Army maintenance"),
    "phase:recruiting": text("Recruiting armies"),
    "phase:battles": text("Battles"),
    "phase:sieges": text("Laying sieges"),
    "phase:beggars": text("Water Beggars"),
    "phase:army-movement": text("Army movement"),
    "phase:military-influence": text("Military influence"),
    "phase:new-units": text("New units"),
    "phase:conflict": text("Conflict"),
    "phase:neutrals": text("Neutral units"),
    "phase:overflow": text("Overflow"),
    "phase:movement": text("Movement inside provinces"),
    "phase:completing": text("Completing sieges"),
    "phase:influence": text("Influence on citizens"),
    "phase:allocation": text("Allocation"),
    "phase:bishoprics": text("Bishoprics"),
    "phase:universities": text("Universities"),
    "phase:status": text("Status"),
    "phase:draft": text("Play order"),
}

RULES: Mapping[str, str] = {
    "3.6": text("Set-up of the board"),
    "4.1": text("Order of play"),
    "4.3": text("Victory points"),
    "4.5": text("Victory"),
    "5.1": text("Support movement in round 0"),
    "5.2": text("New units in round 0"),
    "5.5": text("Overflow in round 0"),
    "5.6": text("Movement inside provinces in round 0"),
    "6.2.1": text("Support movement"),
    "6.2.2": text("Spanish Treasury and Huguenots"),
    "6.3": text("Army maintenance"),
    "6.6": text("Laying sieges"),
    "6.7": text("Water Beggars"),
    "6.8": text("Army movement"),
    "6.9": text("Military influence"),
    "6.14": text("Movement inside provinces"),
    "6.18": text("Bishoprics"),
    "6.19": text("Universities"),
}
