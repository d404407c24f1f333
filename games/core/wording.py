"""English wording of the core's messages, names and rules, shared by all games."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import Wording, plural, text

MESSAGES: Mapping[str, Wording] = {
    # Malformed entries
    "core.not-a-whole-number": text("Please enter a whole number."),
    "core.not-a-count": text("Please enter a whole number, 0 or more."),
    "core.too-large": text("A number here can be at most {most}."),
    "core.not-a-number": text("“{field}” must be a number."),
    "core.not-a-text": text("“{field}” must be a text."),
    "core.not-yes-or-no": text("“{field}” must be yes or no."),
    "core.not-empty": text("“{field}” must be empty."),
    "core.not-one-of": text("“{field}” must be one of {allowed}."),
    "core.not-a-list": text("“{field}” must be a list of the right length."),
    "core.not-a-table": text("“{field}” must be a table of names and values."),
    "core.unknown-field": text("There is no field “{field}” here."),
    "core.missing-field": text("The field “{field}” is missing."),
    "core.not-an-action": text("An entry must be a table of names and values with a “type”."),
    "core.unknown-action": text("There is no entry of type “{type}”; there are {known}."),
    # Options
    "core.unknown-option": text("There is no table option “{option}”; there are {known}."),
    "core.option-value": text("The table option “{option}” must be one of {allowed}."),
    "core.option-numbers": text(
        "The table option “{option}” needs a number for each of {keys}, {count} in all."
    ),
    "core.option-fixed": text("The table option “{option}” cannot change once the game has begun."),
    "core.option-set": text("The table now plays “{option}”: {value}. {reason}"),
    # Hands
    "core.as-played": text("As this table plays"),
    "core.hand": text("Move {count} {piece} from {source} to {target}"),
    # Seats and turns
    "core.one-each": text("{players} people need {players} seats; {count} are taken."),
    "core.factions": text("Each player needs a colour of their own out of {known}."),
    "core.first-not-seated": text("The first player must sit at the table."),
    "core.not-seated": text("Nobody at this table plays “{faction}”."),
    "core.turn-of": text("It is {faction}’s turn."),
    "core.not-now": text("“{action}” cannot be entered now."),
    "core.not-finished": text(
        "“{action}” cannot be entered now. Not finished: {phase}; waiting for {factions}."
    ),
    # Corrections
    "core.corrected": text("{owner}: {piece} at {place} corrected from {before} to {after}. {reason}"),
    "core.ruling-reason": text("Please say in a word why the table rules differently."),
    "core.ruling-unheard": text("This entry decides nothing called “{key}”; there is nothing to rule on."),
    "core.position": text("The game goes on from what lies on the table: round {round}, {phase}."),
    "core.position-order": text("The play order must name each of {known} once."),
    "core.position-phase": text("A game cannot be taken up in phase “{phase}”; it can in {known}."),
    "core.impossible-total": text("{owner}: {count} {piece} in all, but there must be {expected}."),
    "core.impossible-points": text("{owner}: {count} {piece} at {place}, where none can lie."),
    "core.position-too-many": plural(
        "{owner}: there is only {count} {piece} in the box, but {named} are named. Please recount.",
        "{owner}: there are only {count} {piece} in the box, but {named} are named. Please recount.",
    ),
    "core.unknown-figure": text("The board has no figure “{figure}”."),
    "core.figure-place": text("Pieces lie on a place that would be gone: {place}. Correct that first."),
    "core.figure-same": text("The figure “{figure}” is that already."),
    "core.figure-value": text("This cannot stand for the figure “{figure}”."),
    "core.figure-set": text("The figure “{figure}” on this copy is {after}, not {before}. {reason}"),
    "core.unknown-owner": text("There are no pieces of “{owner}” at this table."),
    "core.unknown-piece": text("There is no piece “{piece}” in this game; there are {known}."),
    "core.unknown-place": text("There is no place “{place}” on this table."),
    "core.reason-missing": text("Please say in a word why the count is corrected."),
    "core.piece-unseen": text("Pieces at {place} lie unseen; correct them by their back."),
    "core.piece-seen": text("Pieces at {place} lie face up; say what they show."),
    "core.against-missing": text("Say where pieces at {place} came from or went to."),
    "core.correct-too-many": plural(
        "{owner}: only {count} {piece} at {place}, but {needed} would have to come from there.",
        "{owner}: only {count} {piece} at {place}, but {needed} would have to come from there.",
    ),
}

NAMES: Mapping[str, str] = {
    "place:supply": text("supply"),
    "place:bank": text("bank"),
    "phase:finished": text("The end"),
    "word:yes": text("yes"),
    "word:no": text("no"),
    "part:ruling": text("Ruling"),
    # Causes of pieces coming onto the board or leaving it
    "cause:setup": text("Set-up"),
    "cause:correction": text("Correction"),
    "cause:other": text("Other"),
    "cause:recruiting": text("Recruiting"),
    "cause:battle": text("Battle"),
    "cause:siege": text("Siege"),
    "cause:revolt": text("Revolt"),
    "reason:miscounted": text("It was miscounted."),
    "reason:compared": text("Compared with the real table."),
    "reason:accident": text("It was an accident."),
    "reason:house-rule": text("House rule."),
    "reason:app-wrong": text("The app is wrong."),
    "reason:misplayed": text("We misplayed."),
}

RULES: Mapping[str, str] = {
    "correction": text("Correction: the real table wins"),
    "option": text("Table option"),
    "figure": text("The printed figures of your own copy"),
    "position": text("Taking up a game in mid-course"),
}
