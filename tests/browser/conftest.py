"""Fixtures of the browser tests: a real server, a real browser, and phones in it.

All of them are async and share one event loop for the session. The loop is stopped between tests, so that
other tests of the same process never run inside it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.browser.phones import PATIENCE, WATCH_SWAPS, Phone, open_phone
from tests.servers import Server, environment, manage, running_server
from tools.shots import chromium

NewPhone = Callable[..., Awaitable[Phone]]

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    missing = pytest.mark.skip(reason="Chromium is missing: install it, or set CHROMIUM to its path.")
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if chromium() is None:
                item.add_marker(missing)


@pytest.fixture(scope="session")
def static_files(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Run collectstatic once for all xdist workers; return the folder of hashed and compressed files."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "static"
    done = folder / "done"
    try:
        folder.mkdir()
    except FileExistsError:  # another worker collects them
        deadline = time.monotonic() + 120
        while not done.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
    else:
        env = environment(folder / "data", STATIC_MANIFEST="on", STATIC_ROOT=str(folder / "files"))
        manage(env, "collectstatic", "--no-input", "--verbosity=0")
        done.touch()
    return folder / "files"


@pytest.fixture(scope="session")
def server(static_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Server shared by all tests; each test opens its own table."""
    data = tmp_path_factory.mktemp("data")
    with running_server(data, STATIC_MANIFEST="on", STATIC_ROOT=str(static_files)) as running:
        yield running


@pytest.fixture
def own_server(static_files: Path, tmp_path: Path) -> Iterator[Server]:
    """Server of a single test, which may stop or kill it."""
    with running_server(tmp_path, STATIC_MANIFEST="on", STATIC_ROOT=str(static_files)) as running:
        yield running


@pytest.fixture
def site(server: Server) -> str:
    return server.url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def new_phone(browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[NewPhone]:
    """Factory of phones. Fails the test at its end if any phone recorded a fault."""
    phones: list[Phone] = []
    async with AsyncExitStack() as stack:

        async def make(name: str = "", *, at: str = "", **settings: Any) -> Phone:
            address = at or request.getfixturevalue("site")
            context = open_phone(browser, address, name=name, **settings)
            phones.append(await stack.enter_async_context(context))
            await phones[-1].context.add_init_script(WATCH_SWAPS)
            return phones[-1]

        yield make
    faults = [fault for phone in phones for fault in phone.faults]
    assert not faults, "\n".join(faults)
