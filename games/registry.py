"""Registry of games, score pads, calculators and guides. A new game is a package and a line in each list."""

from __future__ import annotations

from games import revolution, signoria, wallenstein
from games.core.calculators import Calculators
from games.core.game import AnyGame
from games.core.guide import Guides
from games.raubritter import RAUBRITTER
from games.raubritter import calculators as raubritter
from games.raubritter import guide as raubritter_guide
from games.raubritter import pad as raubritter_pad
from games.revolution import REVOLUTION
from games.revolution import guide as revolution_guide
from games.revolution import pad as revolution_pad
from games.signoria import guide as signoria_guide
from games.signoria import pad as signoria_pad
from games.signoria.game import SIGNORIA
from games.wallenstein import guide as wallenstein_guide
from games.wallenstein import pad as wallenstein_pad
from games.wallenstein.game import WALLENSTEIN

GAMES: dict[str, AnyGame] = {game.slug: game for game in (REVOLUTION, WALLENSTEIN, SIGNORIA, RAUBRITTER)}

# A score pad only records results; it is a Game with very short rules.
PADS: dict[str, AnyGame] = {
    package.PAD.slug: package.PAD
    for package in (revolution_pad, wallenstein_pad, signoria_pad, raubritter_pad)
}

MODES: dict[str, dict[str, AnyGame]] = {"full": GAMES, "pad": PADS}

CALCULATORS: dict[str, Calculators] = {
    package.CALCULATORS.slug: package.CALCULATORS
    for package in (revolution, wallenstein, signoria, raubritter)
}

# A summary of each rule in a few sentences.
GUIDES: dict[str, Guides] = {
    REVOLUTION.slug: revolution_guide.GUIDE,
    WALLENSTEIN.slug: wallenstein_guide.GUIDE,
    SIGNORIA.slug: signoria_guide.GUIDE,
    RAUBRITTER.slug: raubritter_guide.GUIDE,
}
