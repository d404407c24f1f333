"""Movement A and B: armies go into a neighbouring province, peacefully or not (digest 5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import done, not_now
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Choice, Number, Prompt
from games.core.steps import Account, Act, Outcome, Step
from games.wallenstein.actions import March
from games.wallenstein.battles import Clash, begin, guarded
from games.wallenstein.board import in_play
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

# 5.7: peasants that defend an empty province, by the event of the season.
DEFENDING = 1
DEFENDING_IN: dict[str, int] = {ANGRY_PEASANTS: 2, WEARY_PEASANTS: 0}


def card_of(state: State) -> Turned:
    """The card whose player has to decide something."""
    data = state.frames[-1].data
    return Turned(data["faction"], data["action"], data["province"])


def move(account: Account[State], card: Turned) -> None:
    """5.6: the player chooses one target and how many armies leave, if there is one."""
    state = account.state
    reason = why_not_move(state, card)
    verdict = judged(state, card, Deed(cancelled=reason), lambda _deed: _refuse_no_move(reason))
    if verdict.result.cancelled is not None:
        cancel(account, card, verdict, _why(state, card, reason))
        return
    decide(account, card, "move")


def _refuse_no_move(reason: str | None) -> None:
    """A ruling that armies move although none can."""
    if reason:
        raise Illegal(say("ruling-deed"), rule=RULE)


def why_not_move(state: State, card: Turned) -> str | None:
    """5.6: at least one army must stay, and there must be somewhere to go."""
    if armies_in(state, card.province, card.faction) <= 1:
        return ONE_ARMY_ONLY
    return None if targets_of(state, card) else NO_TARGET


def _why(state: State, card: Turned, reason: str | None) -> Message:
    if reason == ONE_ARMY_ONLY:
        standing = armies_in(state, card.province, card.faction)
        return say("one-army-only", province=province_name(card.province), count=standing)
    return say("no-target-peace" if state.current == CHURCH_PEACE else "no-target")


def targets_of(state: State, card: Turned) -> list[str]:
    """5.6: all neighbours, but under church peace none of others with a church."""
    return [p for p in neighbours_of(state, card.province) if not _protected(state, card.faction, p)]


def _protected(state: State, faction: str, province: str) -> bool:
    foreign = owner_of(state, province) != faction
    return state.current == CHURCH_PEACE and foreign and CHURCH in buildings_in(state, province)


@dataclass(frozen=True, slots=True)
class Moving:
    """One target and a number of armies. The frame knows whose card it is."""

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
        """Without a choice nobody is asked; after a correction there may be nowhere to go."""
        card = card_of(state)
        reason = why_not_move(state, card)
        if reason:
            account = Account(state)
            cancel(account, card, judged(state, card, Deed(cancelled=reason)), _why(state, card, reason))
            account.set(frames=done(state))
            return account.outcome()
        targets = targets_of(state, card)
        only = len(targets) == 1 and armies_in(state, card.province, card.faction) == 2  # noqa: PLR2004 - one goes, one stays
        return march(state, card, March(faction=card.faction, target=targets[0], armies=1)) if only else None


def refuse_target(state: State, rule: str, province: str, target: str) -> None:
    """Two provinces are neighbours when they share a border."""
    if target not in state.setup.figures["provinces"]:
        raise BadInput(say("unknown-province", name=target[:40]), rule="2.1")
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
    """5.6: into an own province peacefully, into any other with a battle."""
    account = Account(state)
    account.set(frames=done(state))
    owner = owner_of(state, action.target)
    if owner == card.faction:
        _walk(account, card, action)
    elif owner is not None:
        _attack(account, card, action, owner)
    elif state.current == WEARY_PEASANTS and state.setup.options["weary_conquest"]:
        account.add(_mood(state, 0))
        _take_unopposed(account, card, action)
    else:
        _attack_empty(account, card, action)
    return account.outcome()


def _walk(account: Account[State], card: Turned, action: March) -> None:
    account.step(
        RULE,
        say(
            "moves",
            faction=faction_name(card.faction),
            province=province_name(card.province),
            target=province_name(action.target),
            count=action.armies,
        ),
        moves=[Move(card.faction, ARMY, place_of(card.province), place_of(action.target), action.armies)],
    )


def _attack(account: Account[State], card: Turned, action: March, defender: str) -> None:
    """5.7: palace guards join the throw if the event of the season says so."""
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
    """5.7: an empty province is defended by one peasant army; angry or weary ones are more or fewer."""
    state = account.state
    rebels = DEFENDING_IN.get(state.current or "", DEFENDING)
    if rebels != DEFENDING:
        account.add(_mood(state, rebels))
    clash = Clash(
        kind="neutral",
        province=action.target,
        attacker=card.faction,
        origin=card.province,
        armies=action.armies,
        rebels=rebels,
    )
    account.follow(begin(state, clash))


def _mood(state: State, rebels: int) -> Step:
    step = bites(state, say("peasants-thrown", count=rebels) if rebels else say("no-peasants-thrown"))
    options = ("weary_conquest",) if not rebels else ()
    return Step(step.rule, step.message, options=options)


def _take_unopposed(account: Account[State], card: Turned, action: March) -> None:
    """A-20: at some tables nobody defends an empty province when the peasants are weary."""
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
