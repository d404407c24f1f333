"""deploy/nginx.conf in a real nginx, in front of a real server."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from companion.api.bodies import LARGEST_DOCUMENT
from companion.operations import certificates
from companion.operations.serve import options
from tests.faults.clients import FIRST, Table, next_event
from tests.operations.conftest import wait_until_open
from tests.servers import ROOT, Server, free_port, running_server

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONF = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
MAIN_CONF = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
SOON = 6.0  # seconds; the next heartbeat of a stream comes after 15 s

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (nginx-light)")


@dataclass(frozen=True)
class Proxy:
    """nginx with our configuration, for one host name, on its own ports."""

    folder: Path
    plain: int
    port: int

    def connect(self, source: str = "127.0.0.1") -> http.client.HTTPSConnection:
        trusted = ssl.create_default_context(cafile=str(self.folder / certificates.AUTHORITY))
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=SOON, context=trusted, source_address=(source, 0)
        )

    def ask(
        self, method: str, path: str, body: Any = None, *, source: str = "127.0.0.1", **headers: str
    ) -> tuple[int, Mapping[str, str], bytes]:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        with contextlib.closing(self.connect(source)) as connection:
            connection.request(method, path, data, {"Content-Type": "application/json", **sent})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def json(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        status, _headers, content = self.ask(method, path, body, **headers)
        assert status in (200, 201), (status, content)
        return json.loads(content)

    @contextlib.contextmanager
    def stream(self, table: Table, **headers: str) -> Iterator[http.client.HTTPResponse]:
        with contextlib.closing(self.connect()) as connection:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("GET", f"{table.path}/events/", headers=sent)
            yield connection.getresponse()


def substituted(text: str, **values: str) -> str:
    """Replace names, ports and paths in the configuration; each of them must occur."""
    changes = {
        r"listen \[::\]:.*\n": "",
        r"seneschal\.example;": "localhost;",
        r"/var/log/nginx/": values["folder"] + "/",
        r"listen 80;": f"listen 127.0.0.1:{values['plain']};",
        r"listen 443 ": f"listen 127.0.0.1:{values['port']} ",
        r"server 127\.0\.0\.1:8000;": f"server 127.0.0.1:{values['upstream']};",
        r"ssl_certificate /.*;": f"ssl_certificate {values['folder']}/{certificates.CERTIFICATE};",
        r"ssl_certificate_key /.*;": f"ssl_certificate_key {values['folder']}/{certificates.KEY};",
    }
    for old, new in changes.items():
        text, count = re.subn(old, new, text)
        assert count, old
    return text


@contextlib.contextmanager
def nginx(folder: Path, server: Server, conf: str = CONF) -> Iterator[Proxy]:
    folder.mkdir()
    certificates.certificate_for(folder, ["localhost", "127.0.0.1"])
    proxy = Proxy(folder, free_port(), free_port())
    ports = {"plain": str(proxy.plain), "port": str(proxy.port), "upstream": str(server.port)}
    (folder / "site.conf").write_text(substituted(conf, folder=str(folder), **ports), encoding="utf-8")
    user = "user root;\n" if os.geteuid() == 0 else ""  # the test's folder is private
    (folder / "nginx.conf").write_text(user + MAIN_CONF.format(folder=folder), encoding="utf-8")
    assert NGINX
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    subprocess.run([*command, "-t", "-q"], check=True)
    process = subprocess.Popen([*command, "-e", str(folder / "error.log")])
    try:
        wait_until_open(proxy.port, SOON)
        yield proxy
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("data"), HTTPS="on", TRUSTED_PROXIES="127.0.0.1") as running:
        yield running


@pytest.fixture(scope="module")
def proxy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with nginx(tmp_path_factory.mktemp("nginx") / "here", server) as running:
        yield running


def opened(proxy: Proxy) -> Table:
    seats = [{"name": "Ada", "faction": "blue"}, {"name": "Béla", "faction": "red"}]
    opening = proxy.json("POST", "/api/tables/", {"game": "raubritter", "seats": seats})
    table = Table(opening["code"], opening["host_token"])
    proxy.json("POST", f"{table.path}/start/", {}, Authorization=f"Seat {table.token}")
    return table


def enter(proxy: Proxy, table: Table) -> int:
    prompt = FIRST.choice(proxy.json("GET", f"{table.path}/prompts/"))
    body = {"faction": prompt["faction"], "action": prompt["example"]}
    accepted = proxy.json("POST", f"{table.path}/actions/", body, Authorization=f"Seat {table.token}")
    return int(accepted["version"])


def test_pages_work_and_cookies_are_secure(proxy: Proxy) -> None:
    status, headers, page = proxy.ask("GET", "/")
    assert status == 200
    assert b"Seneschal" in page
    assert int(re.findall(r"max-age=(\d+)", headers["Strict-Transport-Security"])[0]) > 0
    assert "uvicorn" not in headers["Server"]
    style = re.search(rb'href="(/static/[^"]+\.css)"', page)
    assert style
    assert proxy.ask("GET", style[1].decode())[0] == 200

    cookie = next(value for value in headers.get_all("Set-Cookie") if "csrftoken" in value)  # type: ignore[attr-defined]
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    status, headers, _page = proxy.ask(
        "POST",
        "/look/",
        b"look=light&csrfmiddlewaretoken=" + token[1],
        Cookie=cookie.partition(";")[0],
        Origin=f"https://localhost:{proxy.port}",
        Content_Type="application/x-www-form-urlencoded",
    )
    assert status in (200, 204, 302), status
    cookies = [cookie, *headers.get_all("Set-Cookie")]  # type: ignore[attr-defined]
    assert len(cookies) > 1
    assert all("Secure" in value.split("; ") for value in cookies)


def test_http_redirects_to_https(proxy: Proxy) -> None:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=SOON)) as plain:
        plain.request("GET", "/t/BCDFGH/?a=b", headers={"Host": "localhost"})
        answer = plain.getresponse()
        assert (answer.status, answer.headers["Location"]) == (308, "https://localhost/t/BCDFGH/?a=b")


def test_events_are_not_buffered(proxy: Proxy) -> None:
    table = opened(proxy)
    with proxy.stream(table) as phone:
        assert phone.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert "event: changed" in next_event(phone)
        for _ in range(3):
            version = enter(proxy, table)
            assert f"id: {version}\n" in next_event(phone)


def test_stream_may_be_idle_longer_than_the_read_timeout(server: Server, tmp_path: Path) -> None:
    with nginx(
        tmp_path / "here", server, CONF.replace("proxy_read_timeout 60s;", "proxy_read_timeout 1s;")
    ) as proxy:
        table = opened(proxy)
        seen = str(proxy.json("GET", f"{table.path}/")["version"])
        with proxy.stream(table, Last_Event_ID=seen) as phone:
            time.sleep(2.5)
            assert f"id: {enter(proxy, table)}\n" in next_event(phone)


def test_configured_timeout_limits_an_idle_stream(server: Server, tmp_path: Path) -> None:
    """Proves that the read timeout of the configuration is the effective limit."""
    with nginx(
        tmp_path / "here", server, CONF.replace("proxy_read_timeout 1h;", "proxy_read_timeout 1s;")
    ) as proxy:
        table = opened(proxy)
        with proxy.stream(table) as phone:
            assert "event: changed" in next_event(phone)
            with contextlib.suppress(http.client.IncompleteRead):
                assert phone.read() == b""  # nginx closed it; otherwise reading would time out


def test_body_limit_equals_that_of_the_application(proxy: Proxy) -> None:
    assert f"client_max_body_size {LARGEST_DOCUMENT // 2**20}m;" in CONF
    largest = b'""'.ljust(LARGEST_DOCUMENT)

    status, _headers, content = proxy.ask("POST", "/api/tables/import/", largest)
    assert status == 400
    assert b"must be a JSON object" in content
    status, _headers, content = proxy.ask("POST", "/api/tables/", largest)
    assert status == 413
    assert json.loads(content)["code"] == "too-large"
    with contextlib.suppress(
        BrokenPipeError, ConnectionResetError
    ):  # the server need not read the whole body
        assert proxy.ask("POST", "/api/tables/import/", largest + b" ")[0] == 413
    assert proxy.ask("GET", "/")[0] == 200


def test_forged_forwarding_headers_are_ignored(proxy: Proxy, server: Server) -> None:
    """Rate limits count the phone's address, not nginx's or a forged one."""
    forged = {
        "X_Forwarded_For": "203.0.113.9",
        "X_Forwarded_Proto": "http",
        "X_Forwarded_Host": "evil.example",
        "Forwarded": "for=203.0.113.9;proto=http;host=evil.example",
        "X_Real_IP": "203.0.113.9",
    }

    status, headers, _content = proxy.ask("GET", "/api/tables/CCCCCC/", source="127.0.0.7", **forged)

    assert status == 404
    assert "Strict-Transport-Security" in headers
    program = "from companion.models import Bucket; print(*Bucket.objects.values_list('name', flat=True))"
    assert buckets(server, program) == {"code:127.0.0.7"}


def buckets(server: Server, program: str) -> set[str]:
    manage_py = [sys.executable, "manage.py", "shell", "--verbosity=0", "--command", program]
    result = subprocess.run(
        manage_py, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True
    )
    return {name for name in result.stdout.split() if name.startswith("code:")}


def test_keepalive_is_shorter_than_that_of_the_application() -> None:
    """Otherwise nginx may send a request on a connection that is just being closed, which is an error."""
    upstream = CONF.partition("upstream seneschal {")[2].partition("}")[0]
    (timeout,) = re.findall(r"^ +keepalive_timeout (\d+)s;$", upstream, re.MULTILINE)
    unit = (ROOT / "deploy" / "seneschal.service").read_text(encoding="utf-8")
    assert "--timeout-keep-alive" not in unit
    assert "timeout_keep_alive" not in options()
    assert int(timeout) < uvicorn.Config("companion.asgi:application").timeout_keep_alive


def test_other_host_name_is_rejected(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/", Host="evil.example")[0] == 400
