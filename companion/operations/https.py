"""The server with HTTPS of its own, for a home network (``make run HTTPS=1``).

Two doors: the site itself over HTTPS, and a plain one beside it where phones that do not trust this laptop
yet fetch its authority (``/trust/``); whatever else they ask for there leads to the first door. When the
laptop gets another address during the evening, the certificate follows.
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
from companion.operations.hosts import Application, Receive, Scope, Send, names_of_this_machine
from companion.operations.serve import options
from run import own_addresses

LOOK_EVERY = 15.0  # seconds
OPEN_TO_ALL = ("/trust/", "/static/")


def names_now() -> list[str]:
    """What this machine is called, and every address it has."""
    return [*(name.strip("[]") for name in names_of_this_machine()), *own_addresses()]


def plain_door(application: Application, port: int) -> Application:
    """What is answered without HTTPS: how to trust this machine; all else is behind the other door."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(OPEN_TO_ALL):
            # The application takes it for safe, as nothing on these pages is secret.
            await application({**scope, "scheme": "https"}, receive, send)
            return
        asked = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        target = f"https://{host_of(scope)}:{port}{asked.decode('ascii', 'replace')}"
        headers = [(b"location", target.encode("ascii", "replace")), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 307, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return answer


def host_of(scope: Scope) -> str:
    """The name by which this machine was asked for, without the port; its address if it was not named."""
    named = dict(scope["headers"]).get(b"host", b"").decode("ascii", "replace")
    name = named if named.endswith("]") else named.rpartition(":")[0] or named
    is_plain = all(sign.isalnum() or sign in "-.:[]" for sign in name)
    return name if name and is_plain else str(scope["server"][0])


def keep_certificate(config: uvicorn.Config, folder: Path, stopped: threading.Event) -> None:
    """New connections get a certificate for the addresses of the moment."""
    while not stopped.wait(LOOK_EVERY):
        certificates.load(cast("ssl.SSLContext", config.ssl), folder, names_now())


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    application: Application = import_string("companion.asgi.application")  # sets Django up
    host, port = os.environ["HOST"], int(os.environ["PORT"])
    folder: Path = settings.CERTIFICATES
    certificate, key = certificates.certificate_for(folder, names_now())
    same = options()
    config = uvicorn.Config(
        application, host=host, port=port, ssl_certfile=str(certificate), ssl_keyfile=str(key), **same
    )
    config.load()
    plain_port = int(os.environ["PLAIN_PORT"])
    door = uvicorn.Server(uvicorn.Config(plain_door(application, port), host=host, port=plain_port, **same))
    stopped = threading.Event()
    threading.Thread(target=keep_certificate, args=(config, folder, stopped), daemon=True).start()
    beside = threading.Thread(target=door.run)
    beside.start()
    try:
        uvicorn.Server(config).run()
    finally:
        stopped.set()
        door.should_exit = True
        beside.join()


if __name__ == "__main__":
    main()
