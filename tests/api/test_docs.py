"""The API's documentation page: it obeys the Content Security Policy and loads nothing from other sites."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.api.conftest import Api, refused

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def test_docs_page_has_no_inline_code_or_external_urls(api: Api) -> None:
    answer = api.get("docs/")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "<style" not in text
    assert "style=" not in text
    assert "://" not in text
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_docs_page_rejects_post(api: Api) -> None:
    answer = api.post("docs/")
    refused(answer, 405, "bad-input")
    assert answer.headers["Allow"] == "GET, HEAD"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "HTTPS", "DEBUG")
    }
    environment = {**inherited, "DATA_DIR": str(tmp_path), "STATIC_MANIFEST": "off"}
    command = [sys.executable, "-m", "companion.operations.serve", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_docs_page_works_in_a_browser(server: str) -> None:
    requested: list[str] = []
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: requested.append(request.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server}/api/docs/")
        page.get_by_text("/api/tables/{code}/actions/").first.click()
        page.get_by_text("Enter an action. Repeating a request with the same key").wait_for()
        page.get_by_role("button", name="Authorize").first.click()
        page.get_by_role("heading", name="Available authorizations").wait_for()
        shown = page.locator(".opblock").count()
        paths = page.request.get(f"{server}/api/schema/").json()["paths"]
        browser.close()
    assert shown == sum(len(methods) for methods in paths.values())
    assert [address for address in requested if not address.startswith((server, "data:", "blob:"))] == []
    assert errors == []
