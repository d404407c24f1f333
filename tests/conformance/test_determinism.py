"""A journal folds to the same game in every process, independent of hash randomisation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from games.core.codec import to_json
from tests.conformance.walks import is_long, tables, walk

ROOT = Path(__file__).parents[2]


def fold_hash(journals: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "tests/conformance/fold.py")]
    process = subprocess.run(
        command, input=journals, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    return process.stdout


def test_journal_folds_identically_in_every_process() -> None:
    walks = [
        (slug, players, walk(slug, players, 1)) for slug, players in tables() if not is_long(slug, players)
    ]
    journals = json.dumps([(slug, to_json(w.setup), w.journal) for slug, _, w in walks])
    hashes = [fold_hash(journals, seed) for seed in ("0", "1", "random")]
    assert len(hashes[0]) == 64
    assert len(set(hashes)) == 1
