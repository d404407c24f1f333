"""The English wording of Wallenstein: messages, names, rule sections."""

from __future__ import annotations

from games.core.game import Texts
from games.core.messages import plural, text

TEXTS = Texts(
    messages={
        # Rejected entries (1.1, 2.2, 5.7, 5.8)
        "green": text("Green is the peasants’ colour. Please choose another."),
        "unknown-colour": text("There is no colour “{name}” here; there are {known}."),
        "unknown-region": text("There is no region “{name}”; there are {known}."),
        "not-a-chance": text("A chance is a number from 0 to 1."),
        "no-defender": plural(
            "Nobody but the peasants defends an empty province; {count} army of a defender is entered.",
            "Nobody but the peasants defends an empty province; {count} armies of a defender are entered.",
        ),
        "no-attacker": plural(
            "In a revolt only the peasants attack; {count} army of an attacker is entered.",
            "In a revolt only the peasants attack; {count} armies of an attacker are entered.",
        ),
        "against-oneself": text("{faction} cannot attack a province of their own."),
        "bystander": plural(
            "{faction} does not fight here: {count} cube can only come from the cup.",
            "{faction} does not fight here: {count} cubes can only come from the cup.",
        ),
        "too-many-cubes": text("{faction}: {count} cubes are entered, but no colour has more than {most}."),
        "nobody-plays": text("Please enter the points of at least one player."),
        # Strengths (5.7, 5.8)
        "peasants-attack": text("The peasants revolt against {defender}."),
        "peasants-defend": text("The peasants defend the empty province."),
        "peasants-help": plural(
            "With {count} unrest marker on the province the peasants fight for {defender}.",
            "With {count} unrest markers on the province the peasants fight for {defender}.",
        ),
        "peasants-watch": plural(
            "With {count} unrest marker on the province the peasants fight for nobody.",
            "With {count} unrest markers on the province the peasants fight for nobody.",
        ),
        "strengths": text("{attacker} {attack} against {defender} {defence}."),
        "strengths-helped": text(
            "{attacker} {attack} against {defender} {own} and {helpers} of the peasants, {defence} together."
        ),
        # Results (5.7, 5.8)
        "conquered": plural(
            "{attacker} wins {attack} to {defence}, conquers the province and puts {count} army on it.",
            "{attacker} wins {attack} to {defence}, conquers the province and puts {count} armies on it.",
        ),
        "held": plural(
            "{defender} wins {defence} to {attack} and puts {count} army back on the province.",
            "{defender} wins {defence} to {attack} and puts {count} armies back on the province.",
        ),
        "losses": plural(
            "{defender}’s side loses {count}, the peasants first: {helpers} of them, then armies: {own}.",
            "{defender}’s side loses {count}, the peasants first: {helpers} of them, then armies: {own}.",
        ),
        "saved": text(
            "The peasants alone save the province {defence} to {attack}; {defender} keeps it without an army."
        ),
        "saved-with-one": text(
            "The peasants alone save the province {defence} to {attack}; "
            "{defender} puts 1 army from the supply on it."
        ),
        "saved-in-vain": text(
            "The peasants alone win {defence} to {attack}; without an army the province is destroyed."
        ),
        "level": text("{attack} to {defence}: nobody wins, and the province is destroyed."),
        "nothing-fell": text("No cube fell on either side: the attack fails, {defender} keeps the province."),
        "revolt-won": text("The peasants win {attack} to {defence}: the province is lost and destroyed."),
        "still-empty": text(
            "The peasants win {defence} to {attack}: the attack fails, the province stays empty."
        ),
        "still-level": text("{attack} to {defence}: nobody wins, the province stays empty."),
        "uncommitted": plural(
            "The {count} army {defender} kept out of the battle goes to the supply as well.",
            "The {count} armies {defender} kept out of the battle go to the supply as well.",
        ),
        "stay-in-cup": plural(
            "{count} peasant army stays in the cup until the next battle.",
            "{count} peasant armies stay in the cup until the next battle.",
        ),
        "take-card": text("Take the province card."),
        "add-marker": text("Put 1 unrest marker on the province."),
        "destroy": text(
            "Take the buildings and unrest markers off the province; its card goes to those nobody owns."
        ),
        # The tower (5.7)
        "may-fall": text(
            "{faction}: {fresh} thrown in, of which {fresh_falls} in 100 fall out; "
            "{stuck} inside, of which {stuck_falls} in 100 fall out."
        ),
        "odds": text(
            "Of 100 such battles about {attack} go to {attacker}, {defence} to {defender}, {none} to nobody."
        ),
        "left-over": text(
            "In 100 such battles about {attack} cubes of {attacker} and {defence} of {defender} are left in all."
        ),
        # Hunger (2.5, 5.9)
        "grain-loss": text("Grain {grain} minus {loss} leaves {left}."),
        "grain-gone": text("Grain {grain} minus {loss} leaves {left}; the track ends there."),
        "move-grain": text("Move the grain marker to {left}."),
        "shortage": plural(
            "Provinces {provinces}, grain {grain}: {count} is missing.",
            "Provinces {provinces}, grain {grain}: {count} are missing.",
        ),
        "shortage-below-zero": plural(
            "Provinces {provinces}, grain {missing} below 0: {count} is missing.",
            "Provinces {provinces}, grain {missing} below 0: {count} are missing.",
        ),
        "no-shortage": text("Provinces {provinces}, grain {grain}: nobody revolts."),
        "revolts": plural(
            "Shortage {shortage}: {count} province revolts, with {extra} than it has unrest markers.",
            "Shortage {shortage}: {count} provinces revolt, each with {extra} than it has unrest markers.",
        ),
        "more-peasants": plural("{count} peasant army more", "{count} peasant armies more"),
        "draw-provinces": plural(
            "Shuffle your province cards without the blank ones and draw {count}.",
            "Shuffle your province cards without the blank ones and draw {count}.",
        ),
        # Scoring (6)
        "region": text("Majorities in {region}"),
        "region-without-buildings": text("No majorities in {region}: nobody has a building there."),
        "no-majority": text("{buildings}: nobody has one, no points."),
        "majority": plural(
            "{buildings}: {factions} alone has most, {most}: {count} point.",
            "{buildings}: {factions} alone has most, {most}: {count} points.",
        ),
        "majority-shared": plural(
            "{buildings}: {factions} have most, {most} each: {count} point each.",
            "{buildings}: {factions} have most, {most} each: {count} points each.",
        ),
        "too-many-provinces": text(
            "{region}: {owned} provinces are entered. Please check: a region has exactly nine provinces."
        ),
        "too-many-buildings": text(
            "{region}, {buildings}: {faction} has {built}, but only {owned} of the provinces. "
            "Please check: a province has at most one of each kind."
        ),
        "scored": plural(
            "{faction} has {count} point: {provinces} from provinces, {buildings} from buildings, "
            "{majorities} from majorities.",
            "{faction} has {count} points: {provinces} from provinces, {buildings} from buildings, "
            "{majorities} from majorities.",
        ),
        "nobody-scores": text("Nobody owns a province or a building: no points."),
        "wins": text("{faction} wins: most {what}, {most}."),
        "level-at": text("Most {what}, {most} each: {factions}."),
        "shared-victory": text("{factions} are level in everything and share the victory."),
        # Places
        "place": text("{place}"),
        # Calculators
        "calculator.battle": text("Battle"),
        "calculator.tower": text("Odds of the tower"),
        "calculator.hunger": text("Hunger"),
        "calculator.majorities": text("Majorities of a region"),
        "calculator.score": text("Points of a winter"),
        "calculator.winner": text("The winner"),
        "input.kind": text("Kind of battle"),
        "input.attacker": text("Attacker"),
        "input.defender": text("Defender"),
        "input.peasants": text("Peasants"),
        "input.unrest": text("Unrest markers"),
        "input.uncommitted": text("Defenders kept out"),
        "input.thrown": text("Thrown in"),
        "input.cup": text("In the cup"),
        "input.in_tower": text("In the tower"),
        "input.retention": text("Chance of a cube to stay inside"),
        "input.fresh": text("Just thrown in"),
        "input.stuck": text("Stuck before"),
        "input.grain": text("Grain"),
        "input.loss": text("Grain loss"),
        "input.provinces": text("Provinces"),
        "input.palace": text("Palaces"),
        "input.church": text("Churches"),
        "input.trading_house": text("Trading houses"),
        "input.regions": text("Regions"),
        "input.brandenburg": text("Brandenburg"),
        "input.kurpfalz": text("Kurpfalz"),
        "input.bayern": text("Bayern"),
        "input.oesterreich": text("Österreich"),
        "input.sachsen": text("Sachsen"),
        "input.points": text("Points in all"),
        "input.palaces": text("Palaces"),
        "input.churches": text("Churches"),
        "input.trading_houses": text("Trading houses"),
        "answer.winner": text("Winner"),
        "answer.survivors": text("Armies left"),
        "answer.back_to_supply": text("Back to supply"),
        "answer.stay_in_cup": text("Stay in the cup"),
        "answer.province": text("Province"),
        "answer.grain": text("Grain left"),
        "answer.shortage": text("Shortage"),
        "answer.revolts": text("Provinces that revolt"),
        "answer.extra_rebels": text("Extra rebels in each"),
        "answer.points": text("Points"),
        "answer.parts": text("Parts"),
        "answer.win": text("Chance to win"),
        "answer.expected_survivors": text("Armies left on average"),
        "answer.winners": text("Winner"),
        # Options
        "option.grain_below_zero": text("Grain lost below 0 counts as shortage too"),
        "option.saved_by_peasants": text("A province that the peasants alone have saved"),
        "option.saved_by_peasants.keep": text("stays without an army"),
        "option.saved_by_peasants.place-one": text("gets one army from the supply"),
        "option.saved_by_peasants.destroy": text("is destroyed"),
        "option.nothing_fell": text("When no cube falls on either side"),
        "option.nothing_fell.destroy": text("the province is destroyed"),
        "option.nothing_fell.attack-fails": text("the attack fails"),
    },
    names={
        "faction:red": text("Red", "Wallenstein"),
        "faction:blue": text("Blue"),
        "faction:yellow": text("Yellow"),
        "faction:purple": text("Purple"),
        "faction:black": text("Black"),
        "faction:peasants": text("Peasants"),
        "faction:attacker": text("Attacker"),
        "faction:defender": text("Defender"),
        "word:none": text("Nobody"),
        "word:held": text("held"),
        "word:conquered": text("conquered"),
        "word:destroyed": text("destroyed"),
        "word:neutral": text("stays empty"),
        "kind:player": text("against a player"),
        "kind:neutral": text("for an empty province"),
        "kind:revolt": text("revolt"),
        "region:brandenburg": text("Brandenburg"),
        "region:kurpfalz": text("Kurpfalz"),
        "region:bayern": text("Bayern"),
        "region:oesterreich": text("Österreich"),
        "region:sachsen": text("Sachsen"),
        "piece:army": text("armies"),
        "place:cup": text("cup"),
        "place:here": text("province"),
        "buildings:palace": text("Palaces"),
        "buildings:church": text("Churches"),
        "buildings:trading_house": text("Trading houses"),
        "criterion:points": text("points"),
        "criterion:palaces": text("palaces"),
        "criterion:churches": text("churches"),
        "criterion:trading_houses": text("trading houses"),
        "part:provinces": text("Provinces"),
        "part:buildings": text("Buildings"),
        "part:majorities": text("Majorities"),
    },
    rules={
        "1.1": text("Pieces"),
        "2.2": text("Regions"),
        "2.5": text("Hunger table"),
        "5.3": text("Building"),
        "5.7": text("Battle"),
        "5.8": text("Revolt"),
        "5.9": text("Winter"),
        "6": text("Scoring and tie-breaks"),
    },
)
