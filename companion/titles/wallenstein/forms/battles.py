"""Forms of battles (5.7) and revolts (5.8), with the odds of the throw."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.titles.base import Button
from companion.titles.entry_forms import EntryForm
from companion.titles.wallenstein.forms.provinces import armies_text
from companion.titles.wallenstein.forms.shared import FallenCubesForm, FormContext, PlainForm, form_context
from companion.titles.wallenstein.forms.widgets import SingleChoice
from companion.titles.wallenstein.names import name
from companion.titles.wallenstein.odds import chances, rates, sentence
from companion.titles.widgets import Choice, only_field
from games.core.prompts import Number, Prompt
from games.wallenstein.battle import Sides, role_message
from games.wallenstein.battles import clash_of
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import Prior
from games.wallenstein.state import State, unrest_in


class FormWithOdds(EntryForm):
    """A form with odds; ``prior`` returns the estimate of the tower and is called only when they are shown."""

    def __init__(self, prior: Callable[[], Prior]) -> None:
        self.prior = prior


class DefendForm(FormWithOdds, PlainForm):
    """The number of armies that defend a province."""

    action = "defend"
    numbers = ("armies",)

    def context(self, state: State, prompt: Prompt) -> FormContext:
        armies, prior = only_field(prompt, Number), self.prior()
        choices = tuple(
            Choice(
                str(n),
                armies_text(n),
                chances(state, prior, n),
                chosen=n == armies.high,
                held="" if n else _("Hold: nobody defends"),
            )
            for n in range(armies.high, armies.low - 1, -1)
        )
        return form_context(
            [SingleChoice("armies", "", choices)],
            Button(self.action, _("Defend"), needs_choice=True),
            lead=_battle_summary(state),
            note=_("Those that do not fight are lost with the province."),
            rates=rates(state, prior),
        )


class ThrowForm(FormWithOdds, FallenCubesForm):
    """The cubes that fell out in a battle or revolt."""

    action = "throw"

    def context(self, state: State, prompt: Prompt) -> FormContext:
        prior = self.prior()
        return form_context(
            [self.cubes(prompt, state.frames[-1].data["thrown"])],
            Button(self.action, _("That fell out")),
            lead=_battle_summary(state),
            odds=sentence(state, prior),
            rates=rates(state, prior),
        )


def _battle_summary(state: State) -> str:
    """Return the attack, and the side of the peasants, as sentences."""
    clash = clash_of(state)
    sides = Sides(clash.attacker, clash.defender)
    role = wording.render(WALLENSTEIN, role_message(clash.kind, unrest_in(state, clash.province), sides))
    if clash.kind == "revolt":
        return role
    attack = ngettext(
        "%(faction)s attacks with %(count)d army.", "%(faction)s attacks with %(count)d armies.", clash.armies
    )
    return f"{attack % {'faction': name('faction', clash.attacker), 'count': clash.armies}} {role}"
