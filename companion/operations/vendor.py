"""Static files finder for the third-party JavaScript that npm installed."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

PREFIX = "vendor"

# Folders below node_modules, with the files that are served as vendor/<file>.
WANTED = {
    "htmx.org/dist": ["htmx.min.js"],
    "plotly.js-cartesian-dist-min": ["plotly-cartesian.min.js"],
}


class VendorFinder(BaseFinder):
    """Finder that serves exactly the files of WANTED."""

    def __init__(self) -> None:
        self.storages = {folder: _storage(folder) for folder in WANTED}

    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        paths = [
            storage.path(name)
            for name, storage in self._files()
            if path == f"{PREFIX}/{name}" and storage.exists(name)
        ]
        return paths if find_all else (paths[0] if paths else [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        patterns = [*(ignore_patterns or [])]
        for name, storage in self._files():
            if storage.exists(name) and not matches_patterns(name, patterns):
                yield name, storage

    def _files(self) -> Iterator[tuple[str, FileSystemStorage]]:
        for folder, names in WANTED.items():
            for name in names:
                yield name, self.storages[folder]


def _storage(folder: str) -> FileSystemStorage:
    storage = FileSystemStorage(location=settings.BASE_DIR / "node_modules" / folder)
    storage.prefix = PREFIX  # type: ignore[attr-defined]  # collectstatic's target folder
    return storage
