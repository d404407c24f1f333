"""Table options: open questions of the digest, part 8, that a table may decide differently."""

from __future__ import annotations

from games.core.options import Option

YES_OR_NO = (False, True)

LIGHT_ENTRY = Option("light_entry", "R-00", default=False, values=YES_OR_NO, fixed=True)
THRESHOLD_ABOVE_22 = Option("threshold_above_22", "R-03", default=False, values=YES_OR_NO)
NEW_HELPER_AT_ONCE = Option("new_helper_at_once", "R-04", default=False, values=YES_OR_NO)
BLIND_TILE_BOUND = Option("blind_tile_bound", "R-05", default=False, values=YES_OR_NO)
TILE_OPTIONAL = Option("tile_optional", "R-07", default=False, values=YES_OR_NO)
BONUS_DICE_RETURN = Option("bonus_dice_return", "R-13", default=False, values=YES_OR_NO)
HELPERS_UNLIMITED = Option("helpers_unlimited", "R-21", default=False, values=YES_OR_NO)
BUY_ONCE_A_GAME = Option("buy_once_a_game", "R-27", default=False, values=YES_OR_NO)

OPTIONS = (THRESHOLD_ABOVE_22,)  # options of the calculators

TABLE_OPTIONS = (
    LIGHT_ENTRY,
    THRESHOLD_ABOVE_22,
    NEW_HELPER_AT_ONCE,
    BLIND_TILE_BOUND,
    TILE_OPTIONAL,
    BONUS_DICE_RETURN,
    HELPERS_UNLIMITED,
    BUY_ONCE_A_GAME,
)
