from importlib import import_module

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class CompanionConfig(AppConfig):
    name = "companion"
    verbose_name = "Seneschal"
    default = True

    def ready(self) -> None:
        import_module("companion.operations.checks")  # registers itself


class NeededStaticFilesConfig(StaticFilesConfig):
    """Leaves out what packages bring along and no page loads; hashing and compressing it took half a minute."""

    ignore_patterns = [  # noqa: RUF012 - Django's attribute
        *StaticFilesConfig.ignore_patterns,
        "django_htmx",  # htmx comes from npm
        "rest_framework",  # its browsable pages are switched off
        "redoc",  # Swagger UI shows the API
    ]
