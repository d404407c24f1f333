"""Take screenshots of all pages, or compare two folders of them."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from companion.registry import titles
from tests.servers import ROOT
from tools.django_setup import set_up_django
from tools.shots.browser import running_browser, take
from tools.shots.comparing import compare
from tools.shots.games import game_scene
from tools.shots.help_pictures import renew_help_pictures
from tools.shots.shot import Shot
from tools.shots.site import (
    boards_scene,
    calculators_scene,
    rules_scene,
    site_scene,
    statistics_scene,
)
from tools.shots.stage import Stage, running_stage
from tools.shots.taps import pads_scene, taps_scene

Scene = Callable[[Stage], Iterator[Shot]]


def scenes() -> dict[str, Scene]:
    """Return the scenes by the prefix of their picture names; statistics, which count the others, last."""
    return {
        "site": site_scene,
        "rules": rules_scene,
        "calculators": calculators_scene,
        "boards": boards_scene,
        "taps": taps_scene,
        "pads": pads_scene,
        **{game: partial(game_scene, game) for game in titles()},
        "statistics": statistics_scene,
    }


def all_shots(stage: Stage, wanted: Sequence[str] = ()) -> Iterator[Shot]:
    """Yield the shots of the wanted scenes (default: all) while playing their games."""
    for number, (name, scene) in enumerate(scenes().items()):
        if not wanted or name in wanted:
            stage.clock.set_to_scene(number)
            yield from scene(stage)


def take_all(folder: Path, wanted: Sequence[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with running_stage() as stage, running_browser() as browser:
        for shot in all_shots(stage, wanted):
            take(browser, stage, shot, folder)


def renew_help() -> None:
    with running_stage() as stage, running_browser() as browser:
        renew_help_pictures(browser, stage)


def report_differences(before: Path, after: Path, into: Path) -> int:
    """Print the differences; return the exit status."""
    differences = compare(before, after, into)
    for difference in differences:
        print(f"{difference.name}: {difference.message}")
    print(f"{len(differences)} differences" + (f", drawn in {into}" if differences else ""))
    return 1 if differences else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make shots", description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"one of {', '.join(scenes())}")
    parser.add_argument("--into", type=Path, help="where pictures are written: shots, or shots-differences")
    parser.add_argument(
        "--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"), help="folders of pictures"
    )
    parser.add_argument("--help-pictures", action="store_true", help="renew static/help/ and nothing else")
    options = parser.parse_args()
    if unknown := set(options.scenes) - set(scenes()):
        parser.error(f"there is no scene called {', '.join(sorted(unknown))}")
    return options


def main() -> int:
    set_up_django()
    options = arguments()
    if options.compare:
        before, after = options.compare
        return report_differences(before, after, options.into or ROOT / "shots-differences")
    if options.help_pictures:
        renew_help()
    else:
        take_all(options.into or ROOT / "shots", options.scenes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
