"""Movement A and B into a neighbouring province, peacefully or as an attack (5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import done, not_now
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Choice, Number, Prompt
from games.core.steps import Account, Act, Outcome, Step
from games.wallenstein.actions import March
from games.wallenstein.battles import Clash, begin, guarded
from games.wallenstein.board import in_play, refuse_unknown
from games.wallenstein.cards import ANGRY_PEASANTS, CHURCH_PEACE, WEARY_PEASANTS, action_name
from games.wallenstein.deeds import (
    NO_TARGET,
    ONE_ARMY_ONLY,
    Deed,
    Turned,
    bites,
    cancel,
    decide,
    judged,
    refuse_before,
)
from games.wallenstein.pieces import ARMY, BANK, CHURCH, PEASANTS, UNREST, place_of
from games.wallenstein.state import (
    State,
    armies_in,
    buildings_in,
    neighbours_of,
    owner_of,
    province_name,
)

RULE = "5.6"

# Peasant armies that defend an empty province, by default and by event (5.7).
DEFENDING = 1
DEFENDING_IN: dict[str, int] = {ANGRY_PEASANTS: 2, WEARY_PEASANTS: 0}


def card_of(state: State) -> Turned:
    """Return the card whose player has to decide."""
    data = state.frames[-1].data
    return Turned(data["faction"], data["action"], data["province"])


def move(account: Account[State], card: Turned) -> None:
    """Let the player choose a target and a number of armies, or cancel the action (5.6)."""
    state = account.state
    reason = why_not_move(state, card)
    verdict = judged(state, card, Deed(cancelled=reason), lambda _deed: _refuse_no_move(reason))
    if verdict.result.cancelled is not None:
        cancel(account, card, verdict, _cancel_message(state, card, reason))
        return
    decide(account, card, "move")


def _refuse_no_move(reason: str | None) -> None:
    """Raise `Illegal` if a ruling demands a move although none is possible."""
    if reason:
        raise Illegal(say("ruling-deed"), rule=RULE)


def why_not_move(state: State, card: Turned) -> str | None:
    """Return the reason why no move is possible, or None: one army must stay, a target must exist (5.6)."""
    if armies_in(state, card.province, card.faction) <= 1:
        return ONE_ARMY_ONLY
    return None if targets_of(state, card) else NO_TARGET


def _cancel_message(state: State, card: Turned, reason: str | None) -> Message:
    if reason == ONE_ARMY_ONLY:
        standing = armies_in(state, card.province, card.faction)
        return say("one-army-only", province=province_name(card.province), count=standing)
    return say("no-target-peace" if state.current == CHURCH_PEACE else "no-target")


def targets_of(state: State, card: Turned) -> list[str]:
    """Return the neighbours that can be entered; church peace excludes others' churches (5.6)."""
    return [p for p in neighbours_of(state, card.province) if not _protected(state, card.faction, p)]


def _protected(state: State, faction: str, province: str) -> bool:
    foreign = owner_of(state, province) != faction
    return state.current == CHURCH_PEACE and foreign and CHURCH in buildings_in(state, province)


@dataclass(frozen=True, slots=True)
class Moving:
    """The player enters a target and a number of armies. The frame holds the card."""

    name = "move"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        card = card_of(state)
        targets = tuple(targets_of(state, card))
        most = armies_in(state, card.province, card.faction) - 1
        return [
            Prompt(
                faction=card.faction,
                title=say(
                    "prompt-move", province=province_name(card.province), action=action_name(card.action)
                ),
                rule=RULE,
                example=March(faction=card.faction, target=targets[0], armies=most),
                fields=(Choice("target", targets), Number("armies", 1, most)),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        card = card_of(state)
        if not isinstance(action, March):
            raise not_now(action, rule=RULE)
        refuse_before(RULE, action, card.faction)
        _refuse_march(state, card, action)
        return march(state, card, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip the prompt if there is one possible move; cancel if a correction left none."""
        card = card_of(state)
        reason = why_not_move(state, card)
        if reason:
            account = Account(state)
            cancel(
                account,
                card,
                judged(state, card, Deed(cancelled=reason)),
                _cancel_message(state, card, reason),
            )
            account.set(frames=done(state))
            return account.outcome()
        targets = targets_of(state, card)
        only = len(targets) == 1 and armies_in(state, card.province, card.faction) == 2  # noqa: PLR2004 - one army moves, one stays
        return march(state, card, March(faction=card.faction, target=targets[0], armies=1)) if only else None


def refuse_target(state: State, rule: str, province: str, target: str) -> None:
    """Raise `BadInput` or `Illegal` unless `target` is in play and borders `province`."""
    refuse_unknown(state.setup, target)
    if target not in in_play(state.setup) or target not in neighbours_of(state, province):
        raise Illegal(
            say("no-border", province=province_name(province), target=province_name(target)), rule=rule
        )


def _refuse_march(state: State, card: Turned, action: March) -> None:
    refuse_target(state, RULE, card.province, action.target)
    if _protected(state, card.faction, action.target):
        raise Illegal(say("church-peace"), rule="2.4")
    most = armies_in(state, card.province, card.faction) - 1
    if not 1 <= action.armies <= most:
        raise Illegal(say("move-between", count=most), rule=RULE)


def march(state: State, card: Turned, action: March) -> Outcome[State]:
    """Move into an own province peacefully, into any other with a battle (5.6)."""
    account = Account(state)
    account.set(frames=done(state))
    owner = owner_of(state, action.target)
    if owner == card.faction:
        move_peacefully(account, RULE, card, action.target, action.armies)
    elif owner is not None:
        _attack(account, card, action, owner)
    elif state.current == WEARY_PEASANTS and state.setup.options["weary_conquest"]:
        account.add(_peasants_event_step(state, 0))
        _take_unopposed(account, card, action)
    else:
        _attack_empty(account, card, action)
    return account.outcome()


def move_peacefully(account: Account[State], rule: str, card: Turned, target: str, armies: int) -> None:
    """Move armies into an own province (5.5, 5.6)."""
    account.step(
        rule,
        say(
            "moves",
            faction=faction_name(card.faction),
            province=province_name(card.province),
            target=province_name(target),
            count=armies,
        ),
        moves=[Move(card.faction, ARMY, place_of(card.province), place_of(target), armies)],
    )


def _attack(account: Account[State], card: Turned, action: March, defender: str) -> None:
    """Begin a battle against a player; palace guards join if the current event says so (5.7)."""
    guards = int(guarded(account.state, action.target))
    if guards:
        account.add(bites(account.state, say("guards-thrown", count=guards)))
    clash = Clash(
        kind="player",
        province=action.target,
        attacker=card.faction,
        defender=defender,
        origin=card.province,
        armies=action.armies,
        rebels=guards,
    )
    account.follow(begin(account.state, clash))


def _attack_empty(account: Account[State], card: Turned, action: March) -> None:
    """Begin a battle for an empty province against one peasant army, or as many as the event says (5.7)."""
    state = account.state
    rebels = DEFENDING_IN.get(state.current or "", DEFENDING)
    if rebels != DEFENDING:
        account.add(_peasants_event_step(state, rebels))
    clash = Clash(
        kind="neutral",
        province=action.target,
        attacker=card.faction,
        origin=card.province,
        armies=action.armies,
        rebels=rebels,
    )
    account.follow(begin(state, clash))


def _peasants_event_step(state: State, rebels: int) -> Step:
    step = bites(state, say("peasants-thrown", count=rebels) if rebels else say("no-peasants-thrown"))
    options = ("weary_conquest",) if not rebels else ()
    return Step(step.rule, step.message, options=options)


def _take_unopposed(account: Account[State], card: Turned, action: March) -> None:
    """Conquer an empty province without a throw, a table's reading of weary peasants (A-20)."""
    target = province_name(action.target)
    account.step(
        "5.7",
        say("unopposed", faction=faction_name(card.faction), province=target, count=action.armies),
        moves=[
            Move(card.faction, ARMY, place_of(card.province), place_of(action.target), action.armies),
            Move(PEASANTS, UNREST, BANK, place_of(action.target)),
        ],
        acts=[Act(card.faction, say("take-card-of", province=target))],
        options=["weary_conquest"],
    )
