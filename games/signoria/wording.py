"""English wording of Signoria: messages, names, rule sections."""

from __future__ import annotations

from games.core.game import Texts
from games.core.messages import plural, text

TEXTS = Texts(
    messages={
        "players": text("Signoria is for {least} to {most} players."),
        # Dice (5.1)
        "space-number": text("An action space shows {least} to {most}."),
        "die-face": text("A die shows {least} to {most}."),
        "four-dice": text("You have taken {count} dice. You have to pass."),
        "die-paid": plural(
            "The space shows {space}, the die {die}: pay {space} − {die} = {count} florin.",
            "The space shows {space}, the die {die}: pay {space} − {die} = {count} florins.",
        ),
        "die-free": text("The space shows {space}, the die {die}: a die that is not lower is free."),
        # The initiative track (5.5, 5.12)
        "not-a-space": text("“{space}” is not a space of the initiative track; the bottom one is 0."),
        "above-the-top": text("The last space of the track is {top}; there is no space {space}."),
        "disc-twice": text("{faction}’s disc is on the track twice."),
        "no-disc": text("{faction}’s disc is not on the initiative track."),
        "nobody": text("Name at least one player."),
        "disc-moved": plural(
            "{faction} has {count} progress point: the disc moves from space {source} to {target}.",
            "{faction} has {count} progress points: the disc moves from space {source} to {target}.",
        ),
        "disc-on-top": text("On space {space} {faction}’s disc lies on top of {below}."),
        "points-lost": plural(
            "Space {space} is the top; {faction} loses {count} progress point.",
            "Space {space} is the top; {faction} loses {count} progress points.",
        ),
        "disc-at-top": plural(
            "{faction}’s disc is already at the top, on space {space}: {count} progress point is lost.",
            "{faction}’s disc is already at the top, on space {space}: {count} progress points are lost.",
        ),
        "disc-stays": text("{faction} has no progress point: the disc stays on space {space}."),
        "next-order": text("A higher space plays first, on one space the upper disc: {order}."),
        "discs-on-space": text("Space {space}, from the top: {discs}."),
        "stack-anew": text(
            "Stack the discs on the bottom space, from the bottom: {stack}. Order track: {order}."
        ),
        "initiative-space": text("initiative space {space}"),
        "here": text("here"),
        # The threshold (5.12)
        "threshold-full": text(
            "At most {most} of your members raise the threshold; the limit is never above {limit}."
        ),
        "dice-total": text("The dice show {dice}: {total} in all."),
        "no-dice": text("No dice were taken: 0 in all."),
        "limit": plural(
            "The limit is {base} and {each} more for {count} member on the threshold space: {limit}.",
            "The limit is {base} and {each} more for each of {count} members on the threshold space: {limit}.",
        ),
        "rewarded": text("Your dice total {total}; your limit is {limit}. You get the reward of this round."),
        "not-rewarded": text("Your dice total {total}; your limit is {limit}. No reward this round."),
        # The end (6)
        "career-number": text("A career space shows {least} to {most}."),
        "tile-value": text("A face-up tile shows {least} to {most}."),
        "too-many-men": text("A player has {most} men in all; here are {count}. Please check."),
        "too-many-tiles": text(
            "The {field} field has {most} shields, but {count} tiles lie face up. Please check."
        ),
        "man-scores": plural(
            "A man on {number} is worth half of it, rounded down: {count} point.",
            "A man on {number} is worth half of it, rounded down: {count} points.",
        ),
        "men-score": plural(
            "The men on career tracks are worth {count} point together.",
            "The men on career tracks are worth {count} points together.",
        ),
        "field-scores": plural(
            "The {field} field has {tiles} tiles: {up} face up + {down} face down = {count} point.",
            "The {field} field has {tiles} tiles: {up} face up + {down} face down = {count} points.",
        ),
        "field-empty": plural(
            "The {field} field has {count} tile; it takes {least} to score, so 0 points.",
            "The {field} field has {count} tiles; it takes {least} to score, so 0 points.",
        ),
        "end-total": plural(
            "Men, political, church, military, marriage: {parts}; {count} point in all.",
            "Men, political, church, military, marriage: {parts}; {count} points in all.",
        ),
        "stack-twice": text("{faction}’s disc is in the stack twice."),
        "stack-misses": text("{faction}’s disc is missing from the stack."),
        "ranked": plural(
            "{faction} is {place} with {count} point.", "{faction} is {place} with {count} points."
        ),
        "tie-break": plural(
            "Level at {count} point; the higher disc in the stack is ahead: {factions}.",
            "Level at {count} points; the higher disc in the stack is ahead: {factions}.",
        ),
        # Options
        "option.threshold_above_22": text("More than three members may raise the threshold, above 22"),
        # Calculators
        "calculator.die-cost": text("Price of a die"),
        "calculator.initiative": text("Initiative and the next order"),
        "calculator.threshold": text("Threshold and reward"),
        "calculator.end-score": text("Points at the end"),
        "calculator.winner": text("Ranking"),
        "input.space": text("Number on the action space"),
        "input.die": text("Die"),
        "input.track": text("Discs by space, from the bottom up"),
        "input.moves.one": text("Move"),
        "input.moves": text("Moves, in their order"),
        "input.moves.0": text("disc"),
        "input.moves.1": text("progress points"),
        "input.top": text("Last space of the track"),
        "input.dice": text("Dice on your board"),
        "input.members": text("Your members on the threshold space"),
        "input.men": text("Numbers your men stand on"),
        "input.fields": text("Alliance tiles"),
        "input.political": text("Political"),
        "input.church": text("Church"),
        "input.military": text("Military"),
        "input.marriage": text("Marriage"),
        "input.face_up": text("Values face up"),
        "input.face_down": text("Face down"),
        "input.points": text("Victory points"),
        "input.stack": text("Discs in the stack, from the bottom up"),
        "answer.florins": text("Florins"),
        "answer.track": text("Discs on each space"),
        "answer.order": text("Next order"),
        "answer.total": text("Sum of the dice"),
        "answer.limit": text("Limit"),
        "answer.rewarded": text("Reward"),
        "answer.points": text("Points"),
        "answer.parts": text("Parts"),
        "answer.ranking": text("Ranking"),
    },
    names={
        "faction:yellow": text("Yellow"),
        "faction:red": text("Red"),
        "faction:blue": text("Blue"),
        "faction:purple": text("Purple"),
        "field:political": text("political"),
        "field:church": text("church"),
        "field:military": text("military"),
        "field:marriage": text("marriage"),
        "ordinal:1": text("first"),
        "ordinal:2": text("second"),
        "ordinal:3": text("third"),
        "ordinal:4": text("fourth"),
        "part:men": text("Men on career tracks"),
        "part:political": text("Political field"),
        "part:church": text("Church field"),
        "part:military": text("Military field"),
        "part:marriage": text("Marriage field"),
        "piece:disc": text("discs"),
        "place:here": text("here"),
    },
    rules={
        "5.1": text("Taking a die"),
        "5.5": text("Steps on the tracks"),
        "5.11": text("Alliance tiles and the plan"),
        "5.12": text("Rewards at the end of a round"),
        "6.1": text("Scoring"),
        "6.2": text("Tie-break"),
    },
)
