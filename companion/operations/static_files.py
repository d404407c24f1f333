"""Storage of the collected static files."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModulesStorage(CompressedManifestStaticFilesStorage):
    """Compressed files with hashed names, also in the imports of JavaScript modules."""

    support_js_module_import_aggregation = True
