"""Screenshots of every page of all games.

`make shots` starts its own server, plays games through the API and opens each page as a person who would see
it. Two runs of the same version give the same pictures: see `stage` for the clock of the server and `browser`
for the content that is replaced or hidden.

    make shots                                    every page, into shots/
    make shots ARGS="signoria --into DIR"         the scenes with that name, into another folder
    make shots ARGS="--compare BEFORE AFTER"      list and draw the differences between two folders
    make shots ARGS="--help-pictures"             regenerate the pictures of the help page in static/help/
"""

from tools.shots.browser import chromium

__all__ = ["chromium"]
