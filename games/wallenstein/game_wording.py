"""English wording of the full game of Wallenstein, added to the wording of the calculators."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.game import Texts
from games.core.messages import Wording, plural, text
from games.wallenstein.wording import TEXTS as CALCULATOR_TEXTS

MESSAGES: Mapping[str, Wording] = {
    # Violated invariants (9)
    "impossible-owners": text(
        "{province}: only one faction’s armies can stand there, not those of {factions}."
    ),
    "impossible-peasants": text("{province}: peasants’ armies never stay in a province."),
    "impossible-buildings": text("{province}: more buildings than cities, or two of one kind."),
    "impossible-not-empty": text(
        "{province} is nobody’s, so neither buildings nor unrest markers can lie there."
    ),
    "impossible-keeper": text("{faction} keeps a province, but does not play."),
    "impossible-row": text("An action card lies in the row twice."),
    "impossible-turned": text("{faction}: cards are turned over that are not there."),
    "impossible-events": plural(
        "{count} event card lies in the row, but there must be {expected}.",
        "{count} event cards lie in the row, but there must be {expected}.",
    ),
    # Set-up (3)
    "players": text("Wallenstein is for 3 to {most} players ({least} with the variant)."),
    "start-gold": plural("Everybody takes {count} gold.", "Everybody takes {count} gold."),
    "start-pieces": text(
        "Everybody has 62 cubes; one of them marks the grain, at 0, and is no army from now on."
    ),
    "take-pieces": text(
        "Take your cubes, five blank cards, your general and your planning board; "
        "put one cube on 0 of the grain track."
    ),
    "provinces-all": text("All {count} provinces are used."),
    "provinces-unused": text("These provinces are not used: {provinces}."),
    "regions-unused": text("With two players Brandenburg and Kurpfalz are not used: {provinces}."),
    "fill-tower": text("The tower is filled: throw all these cubes in at once."),
    "fell-out": plural("{count} cube falls into the cup.", "{count} cubes fall into the cup."),
    "empty-the-cup": text("What fell out goes back to the supplies. Empty the cup gently."),
    "fill-too-many": plural(
        "Only {count} {colour} cube was thrown in; {fallen} cannot have come out.",
        "Only {count} {colour} cubes were thrown in; {fallen} cannot have come out.",
    ),
    "letters-begin": text("Everybody takes the provinces of a letter: {letters}."),
    "letter-taken-already": text("You have taken letter {letter} already."),
    "letter-of": text("{faction} has taken letter {letter}."),
    "unknown-letter": text("There is no letter “{letter}” with so many players; there are {known}."),
    "takes-letter": plural(
        "{faction} takes letter {letter}, with {count} province.",
        "{faction} takes letter {letter}, with {count} provinces.",
    ),
    "take-cards": text("Take the cards of your provinces."),
    "draft-begins": text("The provinces are drafted, clockwise from the first player."),
    "shuffle-provinces": text("Shuffle the province cards in play and lay two face up beside the deck."),
    "opened": text("{cards} lie open."),
    "replaced": text("{faction} puts {before} under the deck; {cards} lie open now."),
    "two-new-cards": text("Name cards that come from the deck, each once."),
    "same-two-cards": text(
        "You can replace the two open cards only if they are the same two as on your last turn."
    ),
    "drafts": plural(
        "{faction} takes {province} and puts {count} army there.",
        "{faction} takes {province} and puts {count} armies there.",
    ),
    "turn-up": text("Turn up the next province card: {province}."),
    "nothing-to-turn": text("The card comes from the deck; no other card is turned up."),
    "turn-one-up": text("Say which card was turned up in the place of the one you took."),
    "whole-group": plural(
        "All {count} cubes of this group go to the same province.",
        "All {count} cubes of this group go to the same province.",
    ),
    "no-such-group": text("You have no group of {count} armies."),
    "no-group-left": text("{faction} has no group left to place."),
    "unknown-province": text("There is no province “{name}”."),
    "not-used": text("{province} is not used with {number} players."),
    "belongs-to": text("{province} already belongs to {faction}."),
    "neutral-provinces": plural(
        "{count} province belongs to nobody: {provinces}.",
        "{count} provinces belong to nobody: {provinces}.",
    ),
    # A year and its seasons (4)
    "four-events": text("Enter the four event cards of the year."),
    "event-in": text("{event} in {region}"),
    "event-with-loss": text("{event} ({loss})"),
    "event-copies": plural("There is only one {event} card.", "There are only {count} {event} cards."),
    "event-none-left": text("There is no {event} card left in the deck."),
    "loss-too-large": text("No event card shows a number above {most}. Please check."),
    "unknown-card": text("There is no card “{card}”; there are {known}."),
    "year-begins": text("Year {year} begins. The event cards: {events}."),
    "grain-reset": text("All grain markers go to 0."),
    "season-begins": text("{season} of year {year} begins."),
    "shuffle-actions": text("Shuffle the ten action cards; lay five face up and five face down in a row."),
    "row-laid": text("The open action cards: {actions}."),
    "plan-now": text("Everybody covers the ten spaces of the planning board."),
    "plan-on-phones": text("Everybody plans on the phone, unseen by the others."),
    "five-actions": text("Enter the five open action cards in their order."),
    "action-twice": text("{action} is already in the row at position {place}."),
    "order-of-all": text("The play order must name each of {known} once."),
    "order-laid": text("This season’s play order: {factions}."),
    "no-such-event": plural(
        "There is only {count} event card left in the row.",
        "There are only {count} event cards left in the row.",
    ),
    "event-drawn": text("{event} is in force in {season}."),
    "lay-event": text("Lay the event on the field of the current event; put the others back."),
    "turned-up": text("Action card {place} is {action}."),
    "turn-card": text("Turn the action card just done face down and the next one face up."),
    "next-action": text("Action {place}: {action}."),
    "actions-done": text("All ten actions are done."),
    "year-ends": text("Year {year} is over."),
    # Planning (5.1)
    "announces": text("{faction} is short of cards: nothing lies on {actions}."),
    "enough-cards": text("You hold enough cards: every space must be covered."),
    "announced-already": text("You have no empty space to announce."),
    "announce-exactly": plural(
        "You can cover all but {count} space: name exactly that one.",
        "You can cover all but {count} spaces: name exactly those, each once.",
    ),
    "announce-first": text("First say which spaces stay empty."),
    "acts-before": text("{first} acts before {faction} this season."),
    "planned": text("{faction} has planned."),
    "planned-already": text("You have planned this season already."),
    "planned-on-boards": text("At this table people plan on their boards."),
    "all-planned": text("Everybody has planned."),
    "space-announced": text("You have announced that {action} stays empty."),
    "one-action-each": text("{province} can carry only one action in a season."),
    "five-blanks": text("You have only five blank cards."),
    "not-in-hand": text("You did not have {province}’s card when planning."),
    "has-acted": text("{province} has already acted this season."),
    # Actions (5.2)
    "turns-over": text("{faction} turns over {province} for {action}."),
    "blank-card": text("{faction} has a blank card on {action}."),
    "empty-space": text("{faction} has nothing on {action}."),
    "lost-province": text("{faction}: {action} is not done, {province} was lost after planning."),
    "cancelled": text("{faction}: {action} in {province}. {reason} The action is cancelled."),
    "not-done": text("{action} in {province} is cancelled. {reason}"),
    "not-done-lost": text("{action} in {province} is not done: the province was lost after planning."),
    "cancelled-by-ruling": text("The table decided so."),
    "must-be-done": text("This action is possible, so it must be carried out."),
    "event-bites": text("{event}: {effect}"),
    "no-gold": text("You need {count} gold, you have {gold}."),
    "no-cubes": plural("You have only {count} cube left.", "You have only {count} cubes left."),
    "ruling-deed": text("No hand could carry out this ruling: gold, grain or cubes are missing."),
    # Building (5.3)
    "builds": plural(
        "{faction} pays {count} gold and builds a {building} in {province}.",
        "{faction} pays {count} gold and builds a {building} in {province}.",
    ),
    "builds-with-bonus": plural(
        "{faction} builds a {building} in {province} and takes {count} gold.",
        "{faction} builds a {building} in {province} and takes {count} gold.",
    ),
    "bonus": plural(
        "the trading house is free and brings {count} gold.",
        "the trading house is free and brings {count} gold.",
    ),
    "same-building": text("{province} already has a {building}."),
    "no-free-city": text("No free city left in {province}."),
    "no-tile": text("All {buildings} are on the board."),
    # Gold and grain (5.4)
    "collects-gold": plural(
        "{faction} collects {count} gold in {province}.", "{faction} collects {count} gold in {province}."
    ),
    "collects-grain": plural(
        "{faction} collects {count} grain in {province} and has {now}.",
        "{faction} collects {count} grain in {province} and has {now}.",
    ),
    "harvest-more": text("{count} grain more."),
    "harvest-less": text("{count} grain less, but not below 0."),
    "more-unrest": plural(
        "{province} becomes unquiet: {count} unrest marker.",
        "{province} becomes more unquiet: {count} unrest markers.",
    ),
    # Recruiting and movement (5.5, 5.6)
    "recruits": plural(
        "{faction} pays {gold} gold and puts {count} army into {province}, now {now}.",
        "{faction} pays {gold} gold and puts {count} armies into {province}, now {now}.",
    ),
    "troops-short": plural("only {count} army comes.", "only {count} armies come."),
    "neither-half": text(
        "{first} No armies of {province} can move into a neighbouring province of its owner."
    ),
    "where-to": text("Say where the armies go."),
    "own-only": text("With this action you may only move into a province of your own."),
    "move-between": plural(
        "Move between 1 and {count} armies: at least one must stay.",
        "Move between 1 and {count} armies: at least one must stay.",
    ),
    "no-border": text("{province} and {target} do not share a border."),
    "church-peace": text("Church peace: provinces with a church cannot be attacked this season."),
    "one-army-only": plural(
        "Only {count} army stands in {province}, and one must stay.",
        "Only {count} armies stand in {province}, and one must stay.",
    ),
    "no-target": text("There is no neighbouring province to move into."),
    "no-target-peace": text("There is no neighbouring province to move into: church peace."),
    "moves": plural(
        "{faction} moves {count} army from {province} to {target}.",
        "{faction} moves {count} armies from {province} to {target}.",
    ),
    "unopposed": plural(
        "{faction} takes {province} without a battle, with {count} army; it gets an unrest marker.",
        "{faction} takes {province} without a battle, with {count} armies; it gets an unrest marker.",
    ),
    # Battles at the table (5.7, 5.8)
    "attacks": plural(
        "{attacker} attacks {defender} in {province} with {count} army.",
        "{attacker} attacks {defender} in {province} with {count} armies.",
    ),
    "attacks-empty": plural(
        "{attacker} attacks the empty province {province} with {count} army.",
        "{attacker} attacks the empty province {province} with {count} armies.",
    ),
    "revolts-against": plural(
        "{province} revolts against {defender}, with {count} peasant army.",
        "{province} revolts against {defender}, with {count} peasant armies.",
    ),
    "guards-thrown": plural(
        "{count} peasant army more is thrown in.", "{count} peasant armies more are thrown in."
    ),
    "peasants-thrown": plural("{count} peasant army is thrown in.", "{count} peasant armies are thrown in."),
    "no-peasants-thrown": text("no peasant army is thrown in."),
    "few-peasants": plural(
        "Only {count} of {wanted} peasant armies is left to be thrown in.",
        "Only {count} of {wanted} peasant armies are left to be thrown in.",
    ),
    "few-armies-there": plural(
        "There is only {count} {colour} army in {province}.",
        "There are only {count} {colour} armies in {province}.",
    ),
    "defend-with-one": text("At this table at least one army must defend."),
    "called-off": text("There are no armies left to attack {province} with."),
    "thrown": plural(
        "For {province} {count} cube is thrown into the tower, with all that lay in the cup.",
        "For {province} {count} cubes are thrown into the tower at once, with all that lay in the cup.",
    ),
    "nobody-plays-colour": text("Nobody plays {colour}."),
    "fell-too-many": plural(
        "At most {count} {colour} cube can have come out ({thrown} thrown in + {inside} inside). "
        "Please recount.",
        "At most {count} {colour} cubes can have come out ({thrown} thrown in + {inside} inside). "
        "Please recount.",
    ),
    "two-results": text("{province}: Two different results were entered. Please agree and confirm one."),
    "result-entered": text("{province}: this result has been entered already."),
    "ruled-battle": text("The table decides for {province}: {fate}"),
    "fate-held": plural(
        "it is held, and {count} army goes back on it.", "it is held, and {count} armies go back on it."
    ),
    "fate-conquered": plural(
        "it is conquered, and {count} army goes on it.", "it is conquered, and {count} armies go on it."
    ),
    "fate-destroyed": plural("it is destroyed.", "it is destroyed."),
    "fate-neutral": plural("it stays empty.", "it stays empty."),
    "ruling-fate": text("This cannot become of {province} in such a battle."),
    "ruling-armies": text("From {least} to {most} of the cubes that fell can go onto the province."),
    "unquiet": text("{province} gets an unrest marker."),
    "take-card-of": text("Take the card of {province}."),
    "card-lost": text("{defender} gives the card of {province} to {attacker}, even off the planning board."),
    "destroyed": text("{province} is destroyed: buildings taken off: {buildings}, unrest markers: {unrest}."),
    "card-unowned": text("Put the card of {province} to those nobody owns."),
    # Winter at the table (5.9)
    "last-event": text("Winter: the last event card shows a grain loss of {loss}."),
    "hunger-of": text("{faction} in winter"),
    "own-cards-once": text("Draw from your own province cards; each only once."),
    "draw-exactly": plural("Draw exactly {count} province card.", "Draw exactly {count} province cards."),
    "drew": plural(
        "{faction} draws {count} card: {provinces}.", "{faction} draws {count} cards: {provinces}."
    ),
    "no-longer-owned": text("{province} has another owner by now; no revolt."),
    "ruling-hunger": text("No table could play this ruling: grain or provinces are missing."),
    "ruling-score": text("Points are never below 0."),
    "unrest-cleared": plural(
        "All unrest markers are taken off: {count}.", "All unrest markers are taken off: {count}."
    ),
    "clear-unrest": plural(
        "Take {count} unrest marker off the board: {provinces}.",
        "Take all {count} unrest markers off the board: {provinces}.",
    ),
    "unrest-at": text("{province} {count}"),
    "provisional": text("If winter {year} were scored now."),
    "provisional-year": text("The points after winter {year}."),
    "game-over": text("The game is over; both winters are scored."),
    # Resuming a game, and the board
    "position-round": text(
        "Round {round} does not fit: seasons are 1 to 3 and 5 to 7, winters 4 and 8; "
        "a year begins after round 0 or 4."
    ),
    "position-events": plural(
        "Name the {count} event card that still lies in the row.",
        "Name the {count} event cards that still lie in the row.",
    ),
    "board-region": text(
        "{region} has {count} provinces. Please check: a region has exactly nine provinces."
    ),
    "board-yield": text("{province}: no card shows more than {most}."),
    "board-cities": text("{province}: a province has one to three cities."),
    "board-border": text("{province} and {other} must both have each other as neighbours."),
    "board-lonely": text("{province} has no neighbour."),
    "board-cubes": text("{count} cubes are placed at the start, but there are only {most}."),
    "board-group": text("Each group has at least one army."),
    # Acts
    "score-of": text("points for {part}"),
    "hand:army": plural(
        "Move {count} {colour} cube from {source} to {target}",
        "Move {count} {colour} cubes from {source} to {target}",
    ),
    "hand:army:supply:tower": plural(
        "Throw {count} {colour} cube from the supply into the tower",
        "Throw {count} {colour} cubes from the supply into the tower",
    ),
    "hand:army:province:tower": plural(
        "Throw {count} {colour} cube from {source} into the tower",
        "Throw {count} {colour} cubes from {source} into the tower",
    ),
    "hand:army:cup:tower": plural(
        "Throw {count} {colour} cube from the cup into the tower",
        "Throw {count} {colour} cubes from the cup into the tower",
    ),
    "hand:army:cup:supply": plural(
        "Take {count} {colour} cube from the cup to the supply",
        "Take {count} {colour} cubes from the cup to the supply",
    ),
    "hand:army:cup:province": plural(
        "Put {count} {colour} cube from the cup on {target}",
        "Put {count} {colour} cubes from the cup on {target}",
    ),
    "hand:army:supply:province": plural(
        "Put {count} {colour} cube from the supply on {target}",
        "Put {count} {colour} cubes from the supply on {target}",
    ),
    "hand:army:province:supply": plural(
        "Take {count} {colour} cube from {source} to the supply",
        "Take {count} {colour} cubes from {source} to the supply",
    ),
    "hand:unrest:province": plural(
        "Put {count} unrest marker on {target}",
        "Put {count} unrest markers on {target}",
    ),
    "hand:unrest:bank": plural(
        "Take {count} unrest marker off {source}",
        "Take {count} unrest markers off {source}",
    ),
    "hand:palace:province": plural(
        "Put {count} palace on a free city of {target}",
        "Put {count} palaces on free cities of {target}",
    ),
    "hand:palace:supply": plural(
        "Take {count} palace off {source}",
        "Take {count} palaces off {source}",
    ),
    "hand:church:province": plural(
        "Put {count} church on a free city of {target}",
        "Put {count} churches on free cities of {target}",
    ),
    "hand:church:supply": plural(
        "Take {count} church off {source}",
        "Take {count} churches off {source}",
    ),
    "hand:trading-house:province": plural(
        "Put {count} trading house on a free city of {target}",
        "Put {count} trading houses on free cities of {target}",
    ),
    "hand:trading-house:supply": plural(
        "Take {count} trading house off {source}",
        "Take {count} trading houses off {source}",
    ),
    "hand:gold:supply": plural(
        "Take {count} gold from the bank",
        "Take {count} gold from the bank",
    ),
    "hand:gold:bank": plural(
        "Pay {count} gold to the bank",
        "Pay {count} gold to the bank",
    ),
    "hand:grain:supply": plural(
        "Move the grain marker {count} space forward",
        "Move the grain marker {count} spaces forward",
    ),
    "hand:grain:bank": plural(
        "Move the grain marker {count} space back",
        "Move the grain marker {count} spaces back",
    ),
    "hand:point": plural(
        "Note {count} point: {target}",
        "Note {count} points: {target}",
    ),
    # Prompts
    "prompt-fill": text("What fell out when the tower was filled?"),
    "prompt-take": text("Which letter do you take?"),
    "prompt-open": text("Which two province cards lie open?"),
    "prompt-replace": text("Replace both open cards"),
    "prompt-draft": plural(
        "Take a province; {count} group is left", "Take a province; {count} groups are left"
    ),
    "prompt-events": text("Which four event cards were drawn?"),
    "prompt-row": text("Which action cards lie open, in order?"),
    "prompt-announce": plural("Which space do you leave empty?", "Which {count} spaces do you leave empty?"),
    "prompt-plan": text("Plan your ten actions"),
    "prompt-order": text("In which order do people play?"),
    "prompt-event": text("Which event was drawn for the season?"),
    "prompt-turn": text("Which action card was turned up?"),
    "prompt-reveal": text("{action}: which card lay there?"),
    "prompt-recruit": text("{province}: recruit one army, move, or both?"),
    "prompt-move": text("{action}: where do armies of {province} go?"),
    "prompt-defend": text("{province}: how many armies fight?"),
    "prompt-throw": text("{province}: what lies in the cup?"),
    "prompt-hunger": plural(
        "Which province card did you draw?", "Which {count} province cards did you draw, in your order?"
    ),
    "option.distribution": text("How provinces are distributed"),
    "option.distribution.tables": text("by the table for a first game"),
    "option.distribution.draft": text("by draft"),
    "option.planning": text("Where people plan"),
    "option.planning.phones": text("secretly on the phones"),
    "option.planning.boards": text("on their boards; cards are entered when revealed"),
    "option.player_order": text("The play order of a season"),
    "option.player_order.entered": text("is entered from the general cards"),
    "option.player_order.shuffled": text("is shuffled by the app"),
    "option.gold_with_five": text("Gold at the start with five players"),
    "option.least_defenders": text("Armies that must defend at least, if there are any"),
    "option.guards_fight": text("Palace guards fight for the defender whatever the unrest"),
    "option.weary_conquest": text("With battle-weary peasants an empty province is taken without a throw"),
    "option.reshuffle_events": text("All event cards are shuffled again for the second year"),
    "option.all_events_with_two": text("With two players all event cards are used"),
}

NAMES: Mapping[str, str] = {
    "province:altmark": text("Altmark"),
    "province:anhalt": text("Anhalt"),
    "province:augsburg": text("Augsburg"),
    "province:baden": text("Baden"),
    "province:bayern": text("Fm. Bayern"),
    "province:boehmen": text("Böhmen"),
    "province:breisgau": text("Breisgau"),
    "province:bremen": text("Bremen"),
    "province:burgund": text("Burgund"),
    "province:hessen-darmstadt": text("Hessen-Darmstadt"),
    "province:hessen-kassel": text("Hessen-Kassel"),
    "province:holstein": text("Holstein"),
    "province:kaernten": text("Kärnten"),
    "province:koeln": text("Erzbm. Köln"),
    "province:konstanz": text("Bm. Konstanz"),
    "province:kursachsen": text("Kursachsen"),
    "province:lausitz": text("Lausitz"),
    "province:lothringen": text("Lothringen"),
    "province:lueneburg": text("Lüneburg"),
    "province:luettich": text("Bm. Lüttich"),
    "province:maehren": text("Mähren"),
    "province:mark": text("Gft. Mark"),
    "province:mecklenburg": text("Mecklenburg"),
    "province:mittelmark": text("Mittelmark"),
    "province:neumark": text("Neumark"),
    "province:niederoesterreich": text("Niederösterreich"),
    "province:oberoesterreich": text("Oberösterreich"),
    "province:oberpfalz": text("Oberpfalz"),
    "province:osnabrueck": text("Osnabrück"),
    "province:paderborn": text("Hm. Paderborn"),
    "province:passau": text("Passau"),
    "province:regensburg": text("Regensburg"),
    "province:saechs-lande": text("Sächs. Lande"),
    "province:salzburg": text("Salzburg"),
    "province:schlesien": text("Schlesien"),
    "province:steiermark": text("Steiermark"),
    "province:strassburg": text("Strassburg"),
    "province:tirol": text("Tirol"),
    "province:trier": text("Erzbm. Trier"),
    "province:vogtland": text("Vogtland"),
    "province:vorpommern": text("Vorpommern"),
    "province:wolfenbuettel": text("Wolfenbüttel"),
    "province:wuerttemberg": text("Württemberg"),
    "province:wuerzburg": text("Würzburg"),
    "province:zweibruecken": text("Bm. Zweibrücken"),
    "figure:provinces": text("Provinces"),
    "figure:region": text("Region"),
    "figure:gold": text("Gold"),
    "figure:grain": text("Grain"),
    "figure:light_border": text("Light border: not used with three players"),
    "figure:cities": text("Cities"),
    "figure:neighbours": text("Neighbours"),
    "figure:prices": text("Prices"),
    "figure:start": text("At the start"),
    "figure:tower": text("Cubes of each player thrown into the tower"),
    "figure:peasants": text("Green cubes thrown into the tower"),
    "figure:groups": text("Numbered fields of a planning board"),
    "figure:tables": text("Tables for a first game"),
    "figure:2": text("With 2 players"),
    "figure:3": text("With 3 players"),
    "figure:4": text("With 4 players"),
    "figure:5": text("With 5 players"),
    "figure:A": text("letter A"),
    "figure:B": text("letter B"),
    "figure:C": text("letter C"),
    "figure:D": text("letter D"),
    "figure:E": text("letter E"),
    "colour:red": text("red", "Wallenstein"),
    "colour:blue": text("blue"),
    "colour:yellow": text("yellow"),
    "colour:purple": text("purple"),
    "colour:black": text("black"),
    "colour:peasants": text("green"),
    "action:build-palace": text("Build a palace"),
    "action:build-church": text("Build a church"),
    "action:build-trading-house": text("Build a trading house"),
    "action:collect-gold": text("Collect gold"),
    "action:collect-grain": text("Collect grain"),
    "action:recruit-5": text("Recruit 5"),
    "action:recruit-3": text("Recruit 3"),
    "action:recruit-1": text("Recruit 1 and/or move"),
    "action:movement-a": text("Movement A"),
    "action:movement-b": text("Movement B"),
    "event:trade-bonus": text("Trade Bonus"),
    "event:good-harvest": text("Good Harvest"),
    "event:bad-harvest": text("Bad Harvest"),
    "event:troop-shortage": text("Troop Shortage"),
    "event:church-peace": text("Church Peace"),
    "event:angry-peasants": text("Angry Peasants"),
    "event:battle-weary-peasants": text("Battle-Weary Peasants"),
    "event:palace-guards": text("Palace Guards"),
    "effect:trade-bonus": text("a trading house is free and brings 1 gold."),
    "effect:good-harvest": text("collecting grain brings 2 more there."),
    "effect:bad-harvest": text("collecting grain brings 2 less there."),
    "effect:troop-shortage": text("Recruit 5 brings only 3 armies there, Recruit 3 only 2."),
    "effect:church-peace": text("provinces with a church cannot be attacked."),
    "effect:angry-peasants": text("2 green cubes defend an empty province."),
    "effect:battle-weary-peasants": text("no green cube defends an empty province."),
    "effect:palace-guards": text("1 green cube more defends a province with a palace."),
    "season:spring": text("Spring"),
    "season:summer": text("Summer"),
    "season:autumn": text("Autumn"),
    "season:winter": text("Winter"),
    "round:1": text("Spring of year 1"),
    "round:2": text("Summer of year 1"),
    "round:3": text("Autumn of year 1"),
    "round:4": text("Winter of year 1"),
    "round:5": text("Spring of year 2"),
    "round:6": text("Summer of year 2"),
    "round:7": text("Autumn of year 2"),
    "round:8": text("Winter of year 2"),
    "number:2": text("two"),
    "number:3": text("three"),
    "building:palace": text("palace"),
    "building:church": text("church", "building"),
    "building:trading_house": text("trading house"),
    "all-buildings:palace": text("palaces"),
    "all-buildings:church": text("churches"),
    "all-buildings:trading_house": text("trading houses"),
    "phase:setup": text("Set-up"),
    "phase:events": text("Event cards of the year"),
    "phase:row": text("Action cards"),
    "phase:planning": text("Planning"),
    "phase:order": text("Play order"),
    "phase:event": text("Current event"),
    "phase:actions": text("Actions"),
    "phase:recruit": text("Recruiting"),
    "phase:move": text("Movement"),
    "phase:battle": text("Battle"),
    "phase:throw": text("Throw"),
    "phase:winter": text("Hunger revolts"),
    "piece:gold": text("gold"),
    "piece:grain": text("grain"),
    "piece:unrest": text("unrest markers"),
    "piece:point": text("points"),
    "piece:palace": text("palaces"),
    "piece:church": text("churches"),
    "piece:trading-house": text("trading houses"),
    "place:tower": text("tower"),
}

RULES: Mapping[str, str] = {
    "2.1": text("The provinces"),
    "2.3": text("The action cards"),
    "2.4": text("The event cards"),
    "2.6": text("Starting numbers"),
    "2.7": text("Fixed starting set-ups"),
    "3": text("Set-up"),
    "4": text("Turn and phase structure"),
    "5.1": text("Planning limits"),
    "5.2": text("Executing an action"),
    "5.4": text("Collecting gold and grain"),
    "5.5": text("Recruiting"),
    "5.6": text("Movement"),
    "5.11": text("Two-player variant"),
}

TEXTS = Texts(
    messages={**CALCULATOR_TEXTS.messages, **MESSAGES},
    names={**NAMES, **CALCULATOR_TEXTS.names},
    rules={**CALCULATOR_TEXTS.rules, **RULES},
)
