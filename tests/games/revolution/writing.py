"""Writes recorded games as TOML: the entries, and the expectations computed by the account book.

The game engine is not used here. After a change of the printed figures, or to record another game,

    python -m tests.games.revolution.writing tests/games/revolution/five.toml

rewrites a record from its entries. A test checks that every record was written this way, so that output
of the engine cannot end up in it.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.games.revolution.bookkeeping import Book, Line, Page, book_of
from tests.games.revolution.by_hand import FACTIONS, X, decimal

HOW = """\
C, H, N, B, R and X are the Catholics, Habsburgs, Nobility, Burghers, Reformers and the neutrals. Beside each
expected figure stands how it was worked out: by a second, plain account book (bookkeeping.py, by_hand.py) that
reads the entries and never asks the game. The entries are those of a seeded player, not of people at a table.
Supply and treasury are told by the sections that changed them. Conflict: who loses one, and how many are left
then. Battle: who removes whom. Influence: the column after each faction's coins. Entries with `refused` are
slips, and change nothing.
"""
HEAD = ("game", "about", "factions", "players", "options")
PARTS_OF_A_ROUND = {  # phase -> title of its chapter
    **dict.fromkeys(("setup", "taxes", "support", "maintenance", "recruiting"), "money and armies"),
    **dict.fromkeys(("sieges", "beggars", "army_movement", "military_influence"), "the campaign"),
    **dict.fromkeys(("new_units", "conflict", "neutrals", "overflow"), "new units and conflict"),
    **dict.fromkeys(("movement", "completing", "influence"), "movement, cities and points"),
    "draft": "the next play order",
}
FIRST_PART = "set-up and support"  # in round 0, which has no taxes or armies
RESOLVED = ("battle", "conflict", "neutrals", "siege", "influence", "allegiance")
TAKEN = {"tax": ("6.1", "6.1"), "units": ("5.2", "6.10")}  # sections in round 0 and later

Record = Mapping[str, Any]
Entry = Mapping[str, Any]


def written(record: Record) -> str:
    """Return the text of the file."""
    entries = [entry for chapter in record["chapter"] for entry in chapter["entries"]]
    book = book_of(record, [entry for entry in entries if "refused" not in entry])
    lines = [*_comment(record["about"]), "#", *_comment(HOW), ""]
    lines += [f"{name} = {_toml(record[name])}" for name in HEAD]
    for title, in_chapter, first in _chapters(book, entries):
        lines += ["", "[[chapter]]", f"title = {_toml(title)}", "entries = ["]
        lines += [f"    {_toml(entry)}," for entry in in_chapter]
        accepted = sum("refused" not in entry for entry in in_chapter)
        lines += ["]", *_expected(book.pages[first : first + accepted + 1])]
    return "\n".join([*lines, "", "[result]", *_result(book)]) + "\n"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, 105)]


def _chapters(book: Book, entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry], int]]:
    """Yield title, entries and first page of each chapter; rejected entries belong to the next one."""
    placed, read = [], 0
    for entry in entries:
        placed.append((_title(book.pages[read]), entry, read))
        read += "refused" not in entry
    for title, group in groupby(placed, key=lambda line: line[0]):
        lines = list(group)
        yield title, [entry for _, entry, _ in lines], lines[0][2]


def _title(page: Page) -> str:
    part = PARTS_OF_A_ROUND[page.phase]
    return f"Round {page.round}: {FIRST_PART if not page.round and part == 'money and armies' else part}"


def _expected(pages: Sequence[Page]) -> Iterator[str]:
    """Yield the expectations of a chapter: the state at its end, and the results computed in it."""
    end = pages[-1]
    computed = [line for page in pages[1:] for line in page.lines]
    yield from ("[chapter.expect]", f"round = {end.round}", f'phase = "{end.phase.replace("_", "-")}"')
    yield from _table("counts", list(_counts(pages)))
    for kind, rules in TAKEN.items():
        taken = [line for line in computed if line.name.startswith(f"{kind}:") and line.result]
        rule = rules[bool(pages[0].round)]
        yield from _table(
            f'from_supply."{rule}"', [(_name_suffix(line), line.result, line.sum) for line in taken]
        )
    resolved = [line for line in computed if line.name.partition(":")[0] in RESOLVED]
    yield from _table("resolved", [(line.name, line.result, line.sum) for line in resolved])
    scored = [line for line in computed if line.name.startswith("points:")]
    if scored:
        yield from _table("parts", [(_name_suffix(line), line.result, line.sum) for line in scored])
        facts = [(name, fact, "") for name, fact in end.facts.items() if name != "parts"]
        yield from _table("facts", facts)
    if pages[0].phase == "draft":
        yield from _table("facts", [("order", end.order, "")])


def _name_suffix(line: Line) -> str:
    return line.name.partition(":")[2]


def _counts(pages: Sequence[Page]) -> Iterator[tuple[str, int, str]]:
    """Yield the supplies and treasuries that changed, each with the sections that changed it."""
    changes = [change for page in pages[1:] for change in page.changes]
    for owner in (*FACTIONS, X):
        for place in ("supply", "treasury"):
            by_rule: dict[str, int] = {}
            for changed, where, rule, by in changes:
                if (changed, where) == (owner, place):
                    by_rule[rule] = by_rule.get(rule, 0) + by
            if by_rule:
                before, after = (page.pieces[owner, "counter", place] for page in (pages[0], pages[-1]))
                assert before + sum(by_rule.values()) == after
                terms = [f"{'-' if by < 0 else '+'} {abs(by)} ({rule})" for rule, by in by_rule.items()]
                yield f"{owner} counter {place}", after, " ".join([str(before), *terms])


def _table(name: str, lines: Sequence[tuple[str, Any, str]]) -> Iterator[str]:
    if lines:
        yield f"[chapter.expect.{name}]"
    for key, value, explanation in lines:
        yield f"{_key(key)} = {_toml(value)}" + (f"  # {explanation}" if explanation else "")


def _result(book: Book) -> Iterator[str]:
    """Yield the ranking; with two players the sums of their factions are compared."""
    total = {f: sum(parts.values(), Fraction(0)) for f, parts in book.parts.items()}
    sides = [sorted(pair, key=FACTIONS.index) for pair in book.pairs()] or [[f] for f in book.order]
    sums = {tuple(side): sum((total[f] for f in side), Fraction(0)) for side in sides}
    ranked = sorted(set(sums.values()), reverse=True)
    ranking = [[f for side, n in sums.items() if n == points for f in side] for points in ranked]
    for side, points in sorted(sums.items(), key=lambda item: -item[1]):
        terms = " + ".join(f"{f} {decimal(total[f])}" for f in side)
        yield f"# {terms}" + (f" = {decimal(points)}" if len(side) > 1 else "")
    yield f"ranking = {_toml(ranking)}"
    names = ", ".join(f.capitalize() for f in ranking[0])
    if sum(n == ranked[0] for n in sums.values()) > 1:
        yield f'reason = "Level with {ranked[0]} points: the victory is shared."'
    elif book.pairs():
        yield f'reason = "The sum of both factions decides: {names} together have {ranked[0]} points."'


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml(value: Any) -> str:
    match value:
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Fraction():
            return decimal(value)
        case int():
            return str(value)
        case _:
            return f"[{', '.join(_toml(item) for item in value)}]"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(written(tomllib.loads(path.read_text("utf-8"))), "utf-8")
