"""Control of cities and provinces (rulebook 5.7 and 6.17)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.flow import Automatic
from games.core.messages import Message, Name, faction_name, say
from games.core.rulings import judge
from games.core.steps import Account, Act, Step
from games.revolution.board import Province
from games.revolution.checks import refuse_not_one_of
from games.revolution.factions import NEUTRAL, Counts
from games.revolution.rounds import advance, section
from games.revolution.state import State, atlas, counts_at, option, outside_cities

RULE = "6.17"


def majority(counters: Counts) -> str | None:
    """Return the faction with more counters than all others, neutrals included, together (5.7, 6.17).

    Neutrals hold nothing. In a province only countryside and towns count, never its cities (Q-03).
    """
    total = sum(counters.values())
    return next((f for f, count in counters.items() if f != NEUTRAL and 2 * count > total), None)


def step(counters: Counts, rule: str = RULE) -> Step:
    """Return the step that names the card's holder and the reason."""
    return Step(rule, _why(counters))


def _why(counters: Counts) -> Message:
    if not sum(counters.values()):
        return say("control-empty")
    most = max(counters, key=lambda f: counters[f])  # any one of tied factions: none has a majority
    numbers = {"count": counters[most], "others": sum(counters.values()) - counters[most]}
    if majority(counters):
        return say("control", faction=faction_name(most), **numbers)
    code = "control-neutral" if most == NEUTRAL and numbers["count"] > numbers["others"] else "control-nobody"
    return say(code, faction=faction_name(most), **numbers)


# The phase

SCOPE = "province_majority_scope"


def in_city(state: State, city: str) -> dict[str, int]:
    return counts_at(state, (f"city:{city}",))


def in_province(state: State, province: Province) -> dict[str, int]:
    """Return the counters in countryside and towns; by option cities, too, after round 0 (5.7, Q-03)."""
    if state.round and option(state, SCOPE) == "cities_excluded_round0_only":
        return counts_at(state, province.places)
    return outside_cities(state, province)


def allocate(account: Account[State]) -> None:
    """Give city and province cards to factions with a true majority (5.7, 6.17)."""
    state = account.state
    land = atlas(state)
    rule = section(state, "5.7", RULE)
    cities = {city: _card_step(state, Name("city", city), in_city(state, city)) for city in land.cities}
    provinces = {
        slug: _card_step(state, Name("province", slug), in_province(state, province))
        for slug, province in land.provinces.items()
    }
    account.step(rule, say("city-cards"), steps=[*cities.values()])
    account.step(
        rule, say("province-cards"), steps=[*provinces.values()], options=(SCOPE,) if state.round else ()
    )
    account.set(
        cities={city: step.result for city, step in cities.items()},
        provinces={slug: step.result for slug, step in provinces.items()},
    )
    _markers(account, state.cities)
    advance(account, before={slug: state.provinces[slug] for slug in land.bishoprics} if state.round else {})


def _card_step(state: State, card: Name, counters: Counts) -> Step:
    """Return the step that assigns a card to its holder (5.7, 6.17)."""
    rule = section(state, "5.7", RULE)
    verdict = judge(
        state,
        f"control:{card.kind}:{card.slug}",
        majority(counters),
        str | None,
        lambda ruled: refuse_not_one_of(ruled, (*state.order, None), rule),
    )
    now = verdict.result
    before = (state.cities if card.kind == "city" else state.provinces)[card.slug]
    message = say("card-of", card=card, faction=faction_name(now)) if now else say("card-nobody", card=card)
    acts: tuple[Act, ...] = ()
    if now != before:
        acts = (Act(now, say("card-take", card=card)) if now else Act(before, say("card-back", card=card)),)
    return Step(rule, message, acts=acts, steps=(step(counters, rule),)).settles(verdict)


def _markers(account: Account[State], before: Mapping[str, str | None]) -> None:
    """Place the allegiance markers in their first columns; later change only their colour (5.7, Q-48)."""
    state = account.state
    colours = {city: Name("marker", held_by or "nobody") for city, held_by in state.cities.items()}
    if not state.round:
        columns = atlas(state).allegiance
        acts = [
            Act(None, say("marker-put", city=Name("city", c), column=columns[c], colour=colours[c]))
            for c in columns
        ]
        account.step("5.7", say("markers-put"), acts=acts)
        account.set(allegiance=dict(columns))
        return
    swapped = [city for city, held_by in state.cities.items() if held_by != before[city]]
    if swapped:
        acts = [Act(None, say("marker-swap", city=Name("city", c), colour=colours[c])) for c in swapped]
        account.step(RULE, say("markers-swap", count=len(swapped)), acts=acts)


ALLOCATION: Automatic[State] = Automatic("allocation", RULE, allocate)
