"""App configurations."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class CompanionConfig(AppConfig):
    name = "companion"
    verbose_name = "Seneschal"
    default = True

    def ready(self) -> None:
        import_module("companion.operations.checks")  # registers the system checks


class NeededStaticFilesConfig(StaticFilesConfig):
    """Skip static files of packages that no page loads: hashing and compressing them takes 30 s."""

    ignore_patterns = [  # noqa: RUF012 - Django defines it as a class attribute
        *StaticFilesConfig.ignore_patterns,
        "django_htmx",  # htmx comes from npm
        "rest_framework",  # the browsable API is switched off
        "redoc",  # Swagger UI is used instead
    ]
