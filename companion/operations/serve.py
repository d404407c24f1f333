"""Server process: `python -m companion.operations.serve --host 0.0.0.0 --port 8000`.

uvicorn is configured only here, so that tests and benchmarks run what is deployed. uvicorn itself reads the
number of processes from WEB_CONCURRENCY.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

import uvicorn
from django.conf import settings

from companion.operations.capacity import raise_descriptor_limit, trusted_networks
from companion.operations.protocol import BoundedProtocol

GRACE = 3  # seconds for requests to finish when the server stops


def options(grace: int = GRACE) -> dict[str, Any]:
    """Raise the limit on open files and return uvicorn's options."""
    raise_descriptor_limit()
    proxies = [str(network) for network in trusted_networks()]
    return {
        "http": BoundedProtocol,
        "ws": "none",
        "backlog": 64,  # at most the reserved descriptors: connections are accepted before they are refused
        # X-Forwarded-For and X-Forwarded-Proto are trusted only from these.
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies,
        "timeout_graceful_shutdown": grace,
        "access_log": False,  # URLs contain table codes
        "log_config": None,  # settings.LOGGING
        "log_level": "warning",
        "server_header": False,
    }


def require_proxy_for_https() -> None:
    """Exit if every request would be redirected to HTTPS in a loop."""
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        sys.exit("With HTTPS=on, TRUSTED_PROXIES must name the address of the proxy that speaks TLS.")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="companion.operations.serve")
    parser.add_argument("--application", default="companion.asgi:application")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--timeout-graceful-shutdown", type=int, default=GRACE)
    arguments = parser.parse_args(words)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    require_proxy_for_https()
    uvicorn.run(
        arguments.application,
        host=arguments.host,
        port=arguments.port,
        **options(arguments.timeout_graceful_shutdown),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
