"""English wording for armies, sieges and Water Beggars: messages, names, rule sections."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Wording, plural, text

MESSAGES: Mapping[str, Wording] = {
    # Armies in general
    "armies-there": plural(
        "Only {count} of your armies is ready in {region}.",
        "Only {count} of your armies are ready in {region}.",
    ),
    "no-army-there": text("You have no army in the strip of {region}."),
    "no-free-box": text("No free box there (besieging and released armies keep theirs)."),
    # Maintenance (6.3)
    "prompt-maintain": plural(
        "Pay for your army, disband it, or release it",
        "Pay for your {count} armies, disband or release them",
    ),
    "every-army": text("Decide for every army: maintain, disband or release."),
    "maintained": plural(
        "{faction}: {count} army is maintained, {disbanded} disbanded; coins paid: {cost}.",
        "{faction}: {count} armies are maintained, {disbanded} disbanded; coins paid: {cost}.",
    ),
    "disbanded": plural(
        "{faction}: {count} army in {region} is disbanded.",
        "{faction}: {count} armies in {region} are disbanded.",
    ),
    "cannot-pay": plural(
        "{faction}: no coins; the army is released.",
        "{faction}: no coins; all {count} armies are released.",
    ),
    "released": plural(
        "{faction}: {count} army in {region} is released and lies face down in its box.",
        "{faction}: {count} armies in {region} are released and lie face down in their boxes.",
    ),
    "prompt-pillage": text("What does your released army in {region} pillage?"),
    "pillage-where": text(
        "A released army can pillage only towns and counters outside cities in its own region."
    ),
    "pillage-no-neutrals": text("No neutral counters are left: choose a counter to remove."),
    "pillage-neutral": text("Replacing a neutral counter would change nothing: choose another target."),
    "pillage-nobody": text("There is no such counter: choose one that lies there."),
    "pillages": text(
        "{faction}: the released army pillages {town}; 1 neutral counter comes into its province."
    ),
    "pillages-counter": text(
        "{faction}: the released army pillages {place}; a neutral counter replaces 1 of {owner}."
    ),
    "pillages-counter-bare": text(
        "{faction}: the released army pillages {place}; 1 of {owner} goes, and no neutral is left to replace it."
    ),
    "nothing-to-pillage": text("{faction}: the released army finds nothing to pillage in {region}."),
    # Recruiting (6.4)
    "prompt-recruit": plural(
        "Recruit {count} new army, or none", "Recruit up to {count} new armies, or none"
    ),
    "recruits-none": text("{faction}: no army is recruited."),
    "recruited": plural(
        "{faction}: {count} new army in the leftmost free box of {region}.",
        "{faction}: {count} new armies in the leftmost free boxes of {region}.",
    ),
    "no-army-left": text("All your armies are on the board."),
    "armies-left": plural("Only {count} of your armies is left.", "Only {count} of your armies are left."),
    "not-present": text("You need a counter or an army in that region."),
    # Battles (6.5)
    "battle": text("Battle in {region}: {factions}."),
    "no-battle": text("{factions} face each other in {region}."),
    "slide-left": text("Slide the armies of {region} to the left"),
    # Laying sieges (6.6)
    "prompt-besiege": plural(
        "Lay siege to a city with your army, or not",
        "Lay siege to cities with up to {count} armies, or not",
    ),
    "besieges-none": text("{faction}: no siege is laid."),
    "besieges": plural(
        "{faction}: {count} army besieges {city}; nothing enters or leaves it.",
        "{faction}: {count} armies besiege {city}; nothing enters or leaves it.",
    ),
    "siege-own": text("You control this city."),
    "siege-ally": text("Your ally controls this city."),
    "siege-alone": text("Nobody but you has a counter in {city}."),
    "siege-town": text("Towns are not besieged; use military influence."),
    "siege-standoff": text("Armies in a stand-off cannot besiege."),
    "siege-elsewhere": text("That city is not in this army’s region."),
    # Water Beggars (6.7)
    "prompt-hire": plural(
        "Hire a Water Beggar for {price} coins, or not",
        "Hire up to {count} Water Beggars for {price} coins each, or not",
    ),
    "hirers": text("Only Burghers or Reformers hire Water Beggars."),
    "hired-already": text("The {faction} already use the Water Beggars this round."),
    "beggars-few": text("There are only three Water Beggars."),
    "beggars-where": text("Water Beggars act only in {provinces}."),
    "hires-none": text("{faction}: no Water Beggars are hired."),
    "hires": plural(
        "{faction}: {count} Water Beggar is hired for {cost} coins.",
        "{faction}: {count} Water Beggars are hired for {cost} coins.",
    ),
    "beggars-come": plural(
        "{count} Water Beggar comes to {region}.", "{count} Water Beggars come to {region}."
    ),
    "prompt-beggars": text("What do the Water Beggars do?"),
    "beggars-there": plural(
        "Only {count} Water Beggar is in {region}.", "Only {count} Water Beggars are in {region}."
    ),
    "beggars-settled": text("The Water Beggars in {region} stay where they are."),
    "beggars-no-enemy": text("Water Beggars destroy only armies of Catholics, Habsburgs and Nobility."),
    "beggars-more": text("You need more beggars than armies ({needed} needed)."),
    "beggars-victim": text("The most Catholic army dies: say where the one of {faction} is."),
    "beggars-all": text("All {count} Water Beggars of the region take part."),
    "beggars-destroy": plural(
        "{count} Water Beggar in {region} destroys an army of {faction} and goes home.",
        "{count} Water Beggars in {region} destroy an army of {faction} and go home.",
    ),
    "beggars-destroy-besieger": plural(
        "{count} Water Beggar in {region} destroys the army of {faction} that besieged {city}, and goes home.",
        "{count} Water Beggars in {region} destroy the army of {faction} that besieged {city}, and go home.",
    ),
    "beggars-no-siege": text("No army besieges a city in {region}."),
    "beggars-as-many": text("You need at least as many beggars as armies ({needed} needed)."),
    "beggars-which-siege": text("Choose a city that armies besiege, as this table plays relief."),
    "beggars-relieve": plural(
        "{count} Water Beggar relieves {cities} and goes home; the army driven back exerts no influence.",
        "{count} Water Beggars relieve {cities} and go home; armies driven back exert no influence.",
    ),
    "beggars-army": text("Not while an army is in the region."),
    "beggars-one-town": text("Each Water Beggar pillages one town: enter one at a time."),
    "beggars-no-neutrals": text("No neutral counters are left: a town cannot be pillaged."),
    "beggars-target": text("Choose a town to pillage, or a city to besiege that nobody besieges."),
    "beggars-pillage": text(
        "A Water Beggar pillages {town} and goes home; 1 neutral counter comes into its province."
    ),
    "beggars-two": text("A siege needs two Water Beggars."),
    "beggars-besiege": text("Two Water Beggars besiege {city}; nothing enters or leaves it."),
    "beggars-stay": plural(
        "{count} Water Beggar stays in {region}, in the way of a hostile army.",
        "{count} Water Beggars stay in {region}, each in the way of a hostile army.",
    ),
    "beggars-stay-all": plural(
        "{count} Water Beggar stays there, at no place in particular.",
        "All {count} Water Beggars that are left there stay, at no place in particular.",
    ),
    # Army movement (6.8)
    "prompt-march": plural(
        "Move your army along an arrow, or not", "Move your {count} armies along arrows, or not"
    ),
    "marches-none": text("{faction}: no army moves."),
    "marches": text("{faction}: an army moves from {source} to {target}."),
    "march-stopped": text(
        "A Water Beggar stops an army of {faction} in {region}: it stays, and its move is spent."
    ),
    "no-arrow": text("No arrow leads there."),
    "army-moved": text("This army has moved."),
    "army-besieging": text("This army is besieging."),
    "army-released": text("This army was released."),
    # Military influence (6.9)
    "prompt-convert": plural(
        "Replace a counter by military influence, or not",
        "Replace up to {count} counters by military influence, or not",
    ),
    "converts-none": text("{faction}: no military influence."),
    "converts": text("{faction}: 1 counter takes the place of {owner} at {place}."),
    "converts-without-supply": text("{faction}: no counter left to place, so no military influence."),
    "influence-blocked": plural(
        "{count} Water Beggar blocks the influence of an army of {faction} in {region} and goes home.",
        "{count} Water Beggars block the influence of as many armies of {faction} in {region} and go home.",
    ),
    "foreign-army": text("Another faction’s army stands in this strip."),
    "convert-where": text("Only counters in the countryside or towns of this region."),
    "convert-own": text("That counter is yours already."),
    "no-counter-there": text("There are not so many counters of that kind in {place}."),
    "convert-armies": plural(
        "{region}: each army replaces one counter, so {count} at most.",
        "{region}: each army replaces one counter, so {count} at most.",
    ),
    "convert-blocked": plural(
        "{region}: Water Beggars block your armies; {count} counter can be replaced.",
        "{region}: Water Beggars block your armies; {count} counters can be replaced.",
    ),
    "convert-driven-back": plural(
        "{region}: an army driven back by Water Beggars exerts no influence; {count} counter can be replaced.",
        "{region}: an army driven back by Water Beggars exerts no influence; {count} counters can be replaced.",
    ),
    "supply-empty": text("You have no counter left to place."),
    "supply-short": plural(
        "You have only {count} counter left to place.", "You have only {count} counters left to place."
    ),
    # Completing sieges (6.15)
    "prompt-complete": text("In which order are your {count} sieges completed?"),
    "complete-each": text("Name each of your sieges once: {cities}."),
    "siege-ends": text("{besieger}: the siege of {city} is completed."),
}
NAMES: Mapping[str, str] = {
    "phase:pillage": text("Pillage"),
    "use:destroy": text("Destroy an army"),
    "use:relieve": text("Relieve a city"),
    "use:pillage": text("Pillage a town"),
    "use:besiege": text("Besiege a city"),
    "use:stay": text("Stay and block"),
}
RULES: Mapping[str, str] = {
    "6.7.1": text("Water Beggars destroy an army"),
    "6.7.2": text("Water Beggars relieve a city"),
    "6.7.3": text("Water Beggars pillage or besiege"),
    "6.7.4": text("Water Beggars stay and block"),
}
