"""Django settings, read from environment variables. The defaults run a checkout as it is.

The supported variables are those named in the calls of `env` below.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from companion.operations import env, sqlite
from companion.operations.hosts import LocalHosts, local_hostnames

sqlite.use_newest()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.private_folder("DATA_DIR", BASE_DIR / "data")

DEBUG = env.boolean("DEBUG", default=False)
# True behind a TLS proxy or with the laptop's own certificate (companion/operations/https.py); False for
# plain HTTP in a home network.
HTTPS = env.boolean("HTTPS", default=False)
# True in the pytest process only: a server that a test starts as a subprocess runs with production settings.
TESTING = "pytest" in sys.modules

# --- Application ---

ROOT_URLCONF = "companion.urls"
ASGI_APPLICATION = "companion.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "companion.apps.NeededStaticFilesConfig",  # django.contrib.staticfiles
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "companion",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "companion.middleware.CompressPages",
    "companion.middleware.SortedPolicy",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "companion.middleware.RejectInvalidPort",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "companion.middleware.RenderRefusals",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "companion.web.phone.phone_context",
            ],
        },
    },
]

# The games: modules with a `TITLE` (docs/adding-a-game.md), in the order of the pages. A game with tables in
# the database must not be removed.
TITLES = [
    "companion.titles.revolution",
    "companion.titles.wallenstein",
    "companion.titles.signoria",
    "companion.titles.raubritter",
]

# --- Caches (companion/cache.py, companion/web/fragments.py) ---

CACHE_MEGABYTES = env.integer("CACHE_MEGABYTES", default=64)
# Render every cached fragment again and compare. For tests only: it makes the cache useless.
CACHE_VERIFY = env.boolean("CACHE_VERIFY", default=TESTING)

# --- Database ---


def _sqlite_options() -> dict[str, Any]:
    return {
        # Seconds. SQLite's locks are unfair: single waits of 4 s were measured under load. Also used in
        # companion/access/table_access.py.
        "timeout": 20,
        # Take the write lock at BEGIN, where the timeout applies; upgrading a read lock fails at once.
        "transaction_mode": "IMMEDIATE",
        # synchronous=NORMAL may lose the last commits in a power failure, but never corrupts the file.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=67108864;"
        ),
    }


# Detect silently dead PostgreSQL connections within 30 s; the defaults of the operating system take hours.
_KEEPALIVE = {
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}


def _postgres_options() -> dict[str, Any]:
    size = env.integer("DATABASE_POOL", default=8)
    # A request holds its thread while it waits for a connection, so it gets a 503 after 3 s. The pool stops
    # reconnecting after 5 s, because its retries become ever rarer; the next request starts them again.
    pool = {"min_size": 1, "max_size": size, "timeout": 3, "reconnect_timeout": 5}
    return {**_KEEPALIVE, **({"pool": pool} if size else {})}


def _database() -> dict[str, Any]:
    url = env.text("DATABASE_URL", f"sqlite:///{(DATA_DIR / 'seneschal.sqlite3').as_posix()}")
    database: dict[str, Any] = {**dj_database_url.parse(url)}
    # Keeps the pool from handing out connections that died in a restart of PostgreSQL.
    database["CONN_HEALTH_CHECKS"] = True
    if database["ENGINE"] == "django.db.backends.postgresql":
        database["ENGINE"] = "companion.operations.postgres"
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    # Request threads (companion/asgi.py) keep their SQLite connection; PostgreSQL connections go to the pool.
    database["CONN_MAX_AGE"] = None if is_sqlite else 0
    database["OPTIONS"] = {
        **(_sqlite_options() if is_sqlite else _postgres_options()),
        **database.get("OPTIONS", {}),
    }
    if is_sqlite and TESTING:
        # A file as in production: an in-memory SQLite database has other locking rules between threads.
        database["TEST"] = {"NAME": Path(tempfile.gettempdir()) / f"seneschal-test-{os.getpid()}.sqlite3"}
    return database


DATABASES = {"default": _database()}

# --- Security ---

CERTIFICATES = DATA_DIR / "https"  # the laptop's own certificates, if any
HTTPS_PORT = env.integer("PORT", default=8000)  # serves HTTPS with those certificates
LISTENS_ON = env.text("HOST", "")  # set by `make run`; empty for other ways of starting the server
SECRET_KEY = env.secret("SECRET_KEY", stored_in=DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS") or LocalHosts(local_hostnames())
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")

# No inline scripts, no inline styles, no eval.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],  # data: and blob: are for saving charts as images
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    },
}
PERMISSIONS_POLICY: dict[str, list[str]] = {
    "screen-wake-lock": ["self"],
    "fullscreen": ["self"],
    "camera": [],
    "display-capture": [],
    "geolocation": [],
    "microphone": [],
    "payment": [],
    "usb": [],
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

CSRF_FAILURE_VIEW = "companion.web.messages.stale"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "companion.operations.sessions"
SESSION_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60

# Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted (companion/operations/serve.py). All
# other clients get the scheme of their connection, so SECURE_PROXY_SSL_HEADER is not needed.
TRUSTED_PROXIES = env.names("TRUSTED_PROXIES")

if HTTPS:
    SECURE_SSL_REDIRECT = True
    # Monitoring calls the process directly, without the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
    SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", default=365 * 24 * 60 * 60)
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    # HSTS for subdomains and preloading is the decision of the domain's owner.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
else:
    # HSTS, the redirect and secure cookies need HTTPS.
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
HEADER_TIMEOUT = env.integer("HEADER_TIMEOUT", default=10)  # seconds for all headers of a request
BODY_TIMEOUT = env.integer("BODY_TIMEOUT", default=30)  # seconds without progress of a body

# --- Statistics ---

# Show server-wide statistics (without names) to everybody. Circles always see their own.
PUBLIC_STATISTICS = env.boolean("PUBLIC_STATISTICS", default=True)

# --- Languages ---

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("hu", _("Hungarian")), ("it", _("Italian"))]
LOCALE_PATHS = [BASE_DIR / "companion" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files ---

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles"))).resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "companion.operations.vendor.VendorFinder",
]
# Hashed file names need collectstatic, which is too slow for development and tests.
STATIC_MANIFEST = env.boolean("STATIC_MANIFEST", default=not (DEBUG or TESTING))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "companion.operations.static_files.HashedModulesStorage"
            if STATIC_MANIFEST
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        ),
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# Formats that are compressed already, and source maps, which only developer tools request.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["br", "gz", "png", "jpg", "webp", "woff", "woff2", "zip", "map"]
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = not STATIC_MANIFEST

# --- REST API (companion/api) ---

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "rest_framework.parsers.JSONParser"
    ],  # for the schema only; `companion.api.bodies` parses bodies
    "URL_FORMAT_OVERRIDE": None,
    # Tokens belong to a table, not to a user; the table's services check them.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "companion.api.errors.handler",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Seneschal",
    "DESCRIPTION": "Tables of physical board games: who sits there, what lies where, what is entered.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "companion.api.schema.add_event_stream",
    ],
}

# --- Logging ---

LOG_FORMAT = env.choice("LOG_FORMAT", default="text", choices=("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "companion.operations.log_formats.OneLine"},
        "json": {"()": "companion.operations.log_formats.JsonLine"},
    },
    "filters": {"once_per_minute": {"()": "companion.operations.log_throttle.OncePerMinute"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", **({} if DEBUG else {"formatter": LOG_FORMAT})},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        # Django's default handlers would print every line twice and send mail.
        "django": {"handlers": [], "propagate": True},
        # 4xx responses are not errors of the server.
        "django.request": {"level": "ERROR"},
        # Format uvicorn's errors like ours; the parent logger, with the access log off, is left alone.
        "uvicorn.error": {"handlers": ["stderr"], "filters": ["once_per_minute"], "propagate": False},
        # Warnings that any client can trigger.
        "companion.rejections": {"filters": ["once_per_minute"]},
    },
}
