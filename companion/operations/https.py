"""Server with its own HTTPS, for a home network (`make run HTTPS=1`).

The site is served over HTTPS. A second, plain HTTP port serves the page `/trust/`, where phones install the
certificate authority, and redirects everything else to HTTPS. If the laptop's address changes, the
certificate is renewed.
"""

from __future__ import annotations

import os
import ssl
import threading
from pathlib import Path
from typing import cast

import uvicorn
from django.conf import settings
from django.utils.module_loading import import_string

from companion.operations import certificates
from companion.operations.hosts import Application, Receive, Scope, Send, local_hostnames
from companion.operations.serve import options
from run import own_addresses

RENEW_SECONDS = 15.0
PLAIN_PATHS = ("/trust/", "/static/")


def current_names() -> list[str]:
    """Return the names and all current addresses of this machine."""
    return [*(name.strip("[]") for name in local_hostnames()), *own_addresses()]


def plain_http_application(application: Application, port: int) -> Application:
    """Return an ASGI application for plain HTTP: it serves `/trust/` and redirects the rest to HTTPS."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(PLAIN_PATHS):
            # Pretend HTTPS, so that Django does not redirect; nothing on these pages is secret.
            await application({**scope, "scheme": "https"}, receive, send)
            return
        target_path = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        target = f"https://{host_of(scope)}:{port}{target_path.decode('ascii', 'replace')}"
        headers = [(b"location", target.encode("ascii", "replace")), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return answer


def host_of(scope: Scope) -> str:
    """Return the host of the Host header without its port; the server's address if it is not valid."""
    header = dict(scope["headers"]).get(b"host", b"").decode("ascii", "replace")
    name = header if header.endswith("]") else header.rpartition(":")[0] or header
    is_valid = all(character.isalnum() or character in "-.:[]" for character in name)
    return name if name and is_valid else str(scope["server"][0])


def renew_certificate(config: uvicorn.Config, folder: Path, stopped: threading.Event) -> None:
    """Renew the certificate for new connections whenever the machine's addresses change."""
    while not stopped.wait(RENEW_SECONDS):
        certificates.load(cast("ssl.SSLContext", config.ssl), folder, current_names())


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    application: Application = import_string("companion.asgi.application")  # also sets up Django
    host, port = os.environ["HOST"], int(os.environ["PORT"])
    folder: Path = settings.CERTIFICATES
    certificate, key = certificates.certificate_for(folder, current_names())
    shared = options()
    config = uvicorn.Config(
        application, host=host, port=port, ssl_certfile=str(certificate), ssl_keyfile=str(key), **shared
    )
    config.load()
    plain_port = int(os.environ["PLAIN_PORT"])
    plain_server = uvicorn.Server(
        uvicorn.Config(plain_http_application(application, port), host=host, port=plain_port, **shared)
    )
    stopped = threading.Event()
    threading.Thread(target=renew_certificate, args=(config, folder, stopped), daemon=True).start()
    plain_thread = threading.Thread(target=plain_server.run)
    plain_thread.start()
    try:
        uvicorn.Server(config).run()
    finally:
        stopped.set()
        plain_server.should_exit = True
        plain_thread.join()


if __name__ == "__main__":
    main()
