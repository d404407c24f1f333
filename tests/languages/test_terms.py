"""Hungarian and Italian use the terms of the rulebooks' glossaries and local number formats."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.utils import translation

from companion.registry import titles
from companion.wording import name, number, render, round_name
from games.core.messages import say

# Kind, slug, Hungarian and Italian name; only Revolution has an Italian rulebook.
TERMS = {
    "revolution": [
        ("faction", "catholics", "Katolikusok", "Cattolici"),
        ("faction", "habsburgs", "Habsburgok", "Asburgo"),
        ("faction", "nobility", "Nemesség", "Nobiltà"),
        ("faction", "burghers", "Polgárság", "Borghesi"),
        ("faction", "reformers", "Hitújítók", "Riformisti"),
        ("faction", "water-beggars", "Tengeri koldusok", "Mendicanti di mare"),
        ("colour", "habsburgs", "Vörös", "Rosso"),
        ("marker", "habsburgs", "vörös", "rosso"),
        ("figure", "cities", "Nagyvárosok", "Città"),
        ("figure", "towns", "Városok", "Cittadine"),
        ("figure", "commercial", "Kereskedővárosok", "Città commerciali"),
        ("figure", "bishoprics", "Püspökségek", "Vescovati"),
        ("part", "countryside", "Vidék", "Campagna"),
        ("city", "amsterdam", "Amszterdam", "Amsterdam"),
        ("city", "brugge", "Brügge", "Brugge"),
        ("city", "brussels", "Brüsszel", "Bruxelles"),
        ("city", "luxembourg", "Luxemburg", "Luxembourg"),
        ("province", "flanders", "Flandria", "Flanders"),
        ("province", "holland", "Holland", "Holland"),
        ("province", "zeeland", "Zeeland", "Zeeland"),
        ("province", "generality", "Generalitás", "Generality"),
        ("river", "rhine", "Rajna", "Reno"),
        ("box", "huguenots", "Hugenották", "Ugonotti"),
        ("box", "spanish-treasury", "Spanyol kincstár", "Tesoro spagnolo"),
        ("box", "jesuits", "Jezsuiták", "Gesuiti"),
        ("box", "french-support", "Francia támogatás", "Supporto francese"),
        ("box", "support-from-the-emperor", "Császári támogatás", "Supporto dell’imperatore"),
        ("box", "london-merchants", "Londoni kereskedők", "Mercanti di Londra"),
        ("box", "calvinists", "Kálvinisták", "Calvinisti"),
        ("column", "strongly-catholic", "szilárdan katolikus", "molto cattolico"),
        ("university", "reformed", "reformált", "riformata"),
        ("phase", "maintenance", "Hadseregek fenntartása", "Mantenimento degli eserciti"),
        ("phase", "military-influence", "Katonai befolyás", "Influenza militare"),
        ("phase", "new-units", "Új egységek", "Nuove unità"),
        ("phase", "conflict", "Konfliktus", "Conflitto"),
        ("phase", "neutrals", "Semleges egységek", "Unità neutre"),
        ("phase", "overflow", "Túlcsordulás", "Eccedenza"),
        ("place", "treasury", "kincstár", "tesoro"),
        ("place", "supply", "készlet", "scorta"),
        ("place", "strip:holland", "Holland régió parancssávja", "Regione Holland (sezione)"),
    ],
    "wallenstein": [
        ("faction", "red", "Vörös", "Rosso"),
        ("colour", "red", "vörös", "rosso"),
        ("figure", "cities", "Városok", "Città"),
        ("building", "palace", "palota", "palazzo"),
        ("building", "church", "templom", "chiesa"),
        ("building", "trading_house", "kereskedőház", "emporio"),
        ("place", "tower", "torony", "torre"),
        ("place", "cup", "csésze", "vassoio"),
    ],
    "signoria": [
        ("faction", "red", "Piros", "Rosso"),
        ("die", "red", "piros", "rosso"),
        ("die", "turquoise", "türkizkék", "turchese"),
        ("piece", "red-3", "piros 3", "rosso 3"),
        ("group", "cities", "Városok", "Città"),
        ("city", "milan", "Milánó", "Milano"),
        ("city", "florence", "Firenze", "Firenze"),
        ("piece", "helper", "segítő", "aiutanti"),
        ("piece", "bride", "menyasszony", "spose"),
    ],
    "raubritter": [
        ("faction", "red", "Piros", "Rosso"),
        ("terrain", "lake", "tó", "lago"),
        ("terrain", "mountain", "hegység", "montagna"),
        ("terrain", "plain", "síkság", "pianura"),
        ("terrain", "forest", "erdő", "bosco"),
        ("piece", "knight", "lovag", "cavalieri"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "kind", "thing", "hu", "it"), [(slug, *term) for slug, terms in TERMS.items() for term in terms]
)
def test_names_match_the_rulebooks(slug: str, kind: str, thing: str, hu: str, it: str) -> None:
    with translation.override("hu"):
        assert name(titles()[slug].game, kind, thing) == hu
    with translation.override("it"):
        assert name(titles()[slug].game, kind, thing) == it


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "Round 2"), ("hu", "2. forduló"), ("it", "Turno 2")]
)
def test_round_of_revolution_is_named_as_in_the_rulebooks(language: str, expected: str) -> None:
    with translation.override(language):
        assert round_name(titles()["revolution"].game, 2) == expected
        assert name(titles()["revolution"].pad.game, "line", "2") == expected


@pytest.mark.parametrize(("language", "half"), [("en", "6.5"), ("hu", "6,5"), ("it", "6,5")])
def test_fractions_use_the_decimal_separator_of_the_language(language: str, half: str) -> None:
    with translation.override(language):
        assert number(Fraction(13, 2)) == half
        assert number(Fraction(6)) == "6"


@pytest.mark.parametrize(
    ("language", "points", "expected"),
    [
        ("en", Fraction(1), "Red: 1 point."),
        ("en", Fraction(1, 2), "Red: 0.5 points."),
        ("it", Fraction(1), "Red: 1 punto."),
        ("it", Fraction(3, 2), "Red: 1,5 punti."),
        ("hu", Fraction(3, 2), "Red: 1,5 pont."),
    ],
)
def test_plural_form_depends_on_the_number_of_points(language: str, points: Fraction, expected: str) -> None:
    with translation.override(language):
        assert render(titles()["revolution"].game, say("score", faction="Red", points=points)) == expected
