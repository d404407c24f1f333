"""English wording of Robber Knights: messages, names, rule sections."""

from __future__ import annotations

from games.core.game import Texts
from games.core.messages import plural, text

TEXTS = Texts(
    messages={
        # Set-up (3)
        "players": text("Robber Knights is for {least} to {most} players."),
        "set-up-take": text("Take your 24 landscape tiles and 30 knights."),
        "set-up-take-why": text("Each player has a set of 24 tiles and 30 knights in one colour."),
        "set-up-sort": text("Sort your tiles by the letter on the back and shuffle each letter."),
        "set-up-sort-why": text("The letters decide when a tile comes into play."),
        "set-up-stack": text("Build your stack face down: E at the bottom, then D, C, and B on top."),
        "set-up-stack-why": text("The four A tiles are not part of the stack."),
        "set-up-hand": text("Of your four A tiles take one castle and one other tile into your hand."),
        "set-up-hand-why": text("The other two go to the middle and are turned up together."),
        "laid": text("{faction} lays a {tile} at {cell}."),
        "laid-already": text("You have laid your two starting tiles already."),
        "not-a-rectangle": text("The starting tiles must form one rectangle, two from each player."),
        "set-has-fewer": plural(
            "Your set has only {count} {tile}. Please check the tile type.",
            "Your set has only {count} {tiles}. Please check the tile type.",
        ),
        "first-player": text("The land is laid. {faction} begins."),
        # Placing (4, 5.1, 5.2)
        "unknown-tile": text("There is no tile “{tile}”; there are {known}."),
        "occupied": text("There is already a tile here."),
        "no-edge": text("The tile must share a whole edge with a tile on the table."),
        "too-wide": text("With {players} players the land may be at most {most} tiles wide and high."),
        "type-used-up": text(
            "You have already laid all {number} of your {tiles}. Please check the tile type."
        ),
        "no-label": text("The map of the table ends here; the land must grow the other way."),
        "three-placed": text("You have placed three tiles; your turn ends."),
        "must-place": text("You must place at least one tile."),
        "placed": text("{faction} places a {tile} at {cell}."),
        "draw": text("Draw the top tile of your stack."),
        "draws": plural(
            "{faction} draws a tile; {count} is left in the stack.",
            "{faction} draws a tile; {count} are left in the stack.",
        ),
        "stack-empty": text("{faction}’s stack is empty; there is nothing to draw."),
        "turn-ended": plural(
            "{faction} ends the turn after {count} tile.", "{faction} ends the turn after {count} tiles."
        ),
        "turn-begins": text("It is {faction}’s turn."),
        # Violations of invariants (9)
        "impossible-tiles": text(
            "{faction}: {laid} tiles on the table and {left} unseen, but a set has {all}."
        ),
        "impossible-type": text("{faction}: more tiles “{tile}” on the table than there are."),
        "impossible-land": text("The land is not in one piece."),
        "impossible-pile": text("{count} tiles lie at {place}, but there must be one."),
        "impossible-height": plural(
            "{cell}: {count} knight cannot stand on a {terrain}.",
            "{cell}: {count} knights cannot stand on a {terrain}.",
        ),
        # Knights (5.3, 5.4)
        "only-new-castle": text("Knights enter only on the castle you have just placed."),
        "knights-stay": text("Knights on the board do not move again."),
        "knights-first": text("First say what the knights of your new castle do."),
        "no-knights-left": text("{faction} has no knights left; the castle is laid without any."),
        "too-many-knights": text("You may place at most {most} knights."),
        "few-knights-left": plural(
            "You have only {count} knight left.", "You have only {count} knights left."
        ),
        "knights": plural("{count} knight", "{count} knights"),
        "knight-missing": text("You placed {knights} but left {left}. Where is the {missing}?"),
        "knights-differ": text("You placed {knights} but left {left}."),
        "left-nothing": text("Without knights there is nothing to leave behind."),
        "not-straight": text("Knights move in one straight line, not diagonally."),
        "lake": text("Knights cannot enter the lake."),
        "no-tile": text("There is no tile here; knights cannot jump."),
        "leave-more": plural(
            "A {terrain} needs {count} knight, you leave only {left}.",
            "A {terrain} needs {count} knights, you leave only {left}.",
        ),
        "cannot-enter": plural(
            "You need {count} knight to enter the {terrain}, only {arriving} would arrive.",
            "You need {count} knights to enter the {terrain}, only {arriving} would arrive.",
        ),
        "tile-full": plural(
            "This tile already has {knights}; only {count} more fits.",
            "This tile already has {knights}; only {count} more fit.",
        ),
        "tile-closed": text("This tile already has {knights}; nobody can enter it."),
        "one-must-move": text("At most {most} knights can stay on a tile; move at least one."),
        "must-move": text("At this table at least one knight must move on if it can."),
        "no-march": text("{faction} sends no knights from {cell}."),
        "stayed": plural(
            "{faction} puts {count} knight on the castle at {cell}.",
            "{faction} puts {count} knights on the castle at {cell}.",
        ),
        "marched": plural(
            "{faction} sends {count} knight {direction} from {cell}.",
            "{faction} sends {count} knights {direction} from {cell}.",
        ),
        "left-on": plural(
            "{count} knight stays on the {tile} at {cell}; {faction} controls it.",
            "{count} knights stay on the {tile} at {cell}; {faction} controls it.",
        ),
        "taken-from": plural(
            "{count} knight stays on the {tile} at {cell}; {faction} takes it from {held}.",
            "{count} knights stay on the {tile} at {cell}; {faction} takes it from {held}.",
        ),
        # The end (5.5, 6)
        "game-over": text("The game is over; all tiles are laid."),
        "board-set": text("A set has {needed} tiles; this one adds up to {count}."),
        "board-letters": text("{tile}: the set has {needed}, but {count} bear a letter."),
        "board-rows": text("The starting rectangle has one or two rows."),
        "position-no-tiles": text("{faction} has no tile left to lay; it is somebody else’s turn."),
        "provisional": plural(
            "{count} tile is still to be placed; this is only the current standing.",
            "{count} tiles are still to be placed; this is only the current standing.",
        ),
        "provisional-knights": text(
            "The knights of the last castle are still to be placed; this is only the current standing."
        ),
        "scored": plural(
            "{faction} has {count} point: {castles} from castles, {villages} from villages, {towns} from towns.",
            "{faction} has {count} points: {castles} from castles, {villages} from villages, {towns} from towns.",
        ),
        "tie-break": plural(
            "Level at {count} point; {faction} has {knights} left, more than the others.",
            "Level at {count} points; {faction} has {knights} left, more than the others.",
        ),
        "drawn": plural(
            "Level at {count} point and {knights} left: the game is a draw.",
            "Level at {count} points and {knights} left: the game is a draw.",
        ),
        "won": plural("{faction} wins with {count} point.", "{faction} wins with {count} points."),
        # Instructions for hands
        "cell": text("{cell}"),
        "hand:tile": text("Lay a {becomes} at {target}"),
        "hand:knight": plural("Put {count} knight on {target}", "Put {count} knights on {target}"),
        # Prompts
        "prompt-lay": text("Lay your two starting tiles"),
        "prompt-place": plural(
            "Place a tile ({count} more this turn)", "Place a tile (up to {count} this turn)"
        ),
        "prompt-end": text("End your turn"),
        "prompt-march": plural(
            "Castle {cell}: send up to {count} knight", "Castle {cell}: send up to {count} knights"
        ),
        # Options
        "option.tile_set": text("Tiles of one player’s set"),
        "option.must_move": text("At least one knight of a new castle must move on if it can"),
        "option.lone_knight": text("A single knight may stay on a forest castle"),
        "option.start_rows": text("Rows of the starting rectangle"),
    },
    names={
        "faction:blue": text("Blue"),
        "faction:yellow": text("Yellow"),
        "faction:green": text("Green"),
        "faction:red": text("Red"),
        "phase:setup": text("Set-up"),
        "phase:turn": text("Placing tiles"),
        "phase:knights": text("Knights"),
        "piece:knight": text("knights"),
        "piece:tile": text("unseen tiles"),
        "piece:lake": text("lake"),
        "piece:mountain": text("mountain"),
        "piece:plain": text("plain"),
        "piece:plain-village": text("plain village"),
        "piece:plain-castle": text("plain castle"),
        "piece:plain-town": text("plain town"),
        "piece:forest-village": text("forest village"),
        "piece:forest-castle": text("forest castle"),
        "piece:forest-town": text("forest town"),
        "tile:lake": text("lake"),
        "tile:mountain": text("mountain"),
        "tile:plain": text("plain"),
        "tile:plain-village": text("plain village"),
        "tile:plain-castle": text("plain castle"),
        "tile:plain-town": text("plain town"),
        "tile:forest-village": text("forest village"),
        "tile:forest-castle": text("forest castle"),
        "tile:forest-town": text("forest town"),
        "tiles:lake": text("lakes"),
        "tiles:mountain": text("mountains"),
        "tiles:plain": text("plains"),
        "tiles:plain-village": text("plain villages"),
        "tiles:plain-castle": text("plain castles"),
        "tiles:plain-town": text("plain towns"),
        "tiles:forest-village": text("forest villages"),
        "tiles:forest-castle": text("forest castles"),
        "tiles:forest-town": text("forest towns"),
        "terrain:plain": text("plain"),
        "terrain:forest": text("forest"),
        "terrain:mountain": text("mountain"),
        "terrain:lake": text("lake"),
        "direction:north": text("north"),
        "direction:east": text("east"),
        "direction:south": text("south"),
        "direction:west": text("west"),
        "figure:tile_set": text("Tiles of one player’s set"),
        "figure:letters": text("Letters on the backs"),
        "figure:A": text("Letter A"),
        "figure:B": text("Letter B"),
        "figure:C": text("Letter C"),
        "figure:D": text("Letter D"),
        "figure:E": text("Letter E"),
        "figure:start": text("Starting rectangle"),
        "figure:rows": text("Rows"),
        "number:1": text("one"),
        "number:2": text("two"),
        "number:3": text("three"),
        "number:4": text("four"),
        "number:5": text("five"),
        "number:6": text("six"),
        "number:7": text("seven"),
        "number:8": text("eight"),
        "ordinal:1": text("first"),
        "ordinal:2": text("second"),
        "ordinal:3": text("third"),
        "ordinal:4": text("fourth"),
        "ordinal:5": text("fifth"),
        "part:castles": text("Castles"),
        "part:villages": text("Villages"),
        "part:towns": text("Towns"),
    },
    rules={
        "2.1": text("The tiles of one player"),
        "3": text("Set-up"),
        "4": text("Turn structure"),
        "5.1": text("Where a tile may be laid"),
        "5.2": text("One turn"),
        "5.3": text("Castles and their knights"),
        "5.4": text("Control"),
        "5.5": text("The end of the game"),
        "6": text("Scoring and tie-breaks"),
    },
)
