"""JavaScript of others: out of what npm installed, exactly the files that pages load."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

PREFIX = "vendor"

# Folder below node_modules -> its files that are served, as vendor/<file>.
WANTED = {
    "htmx.org/dist": ["htmx.min.js"],
    "plotly.js-cartesian-dist-min": ["plotly-cartesian.min.js"],
}


class VendorFinder(BaseFinder):
    """Finds the files of WANTED and nothing else."""

    def __init__(self) -> None:
        self.storages = {folder: _storage(folder) for folder in WANTED}

    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        found = [
            storage.path(name)
            for name, storage in self._files()
            if path == f"{PREFIX}/{name}" and storage.exists(name)
        ]
        return found if find_all else (found[0] if found else [])

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
    storage.prefix = PREFIX  # type: ignore[attr-defined]  # collectstatic puts the files below it
    return storage
