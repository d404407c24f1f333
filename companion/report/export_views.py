"""Downloads of a table: standings, journal and result as CSV, the whole game as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from companion.access.table_access import find_rate_limited
from companion.errors import Refusal
from companion.models import Table
from companion.report.standalone import file_name
from companion.statistics.exports import journal_csv, result_csv, standings_csv
from companion.tables.documents import write_document
from companion.web.downloads import CSV, JSON, MARK, ready
from companion.web.messages import message_page
from companion.web.phone import address_of


def _download_view(
    write: Callable[[Table], str], ending: str, kind: str
) -> Callable[[HttpRequest, str], HttpResponse]:
    """Return a view that sends the output of ``write`` as a download; a refusal is shown as a page."""

    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            table = find_rate_limited(address_of(request), code)
            text = write(table)
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)
        response = ready(text, f"{file_name(table)}{ending}", kind)
        response["Cache-Control"] = "no-cache"
        return response

    return require_GET(view)


standings = _download_view(lambda table: MARK + standings_csv(table), "-standings.csv", CSV)
journal = _download_view(lambda table: MARK + journal_csv(table), "-journal.csv", CSV)
result = _download_view(lambda table: MARK + result_csv(table), "-result.csv", CSV)
game = _download_view(
    lambda table: json.dumps(write_document(table), indent=1, ensure_ascii=False), ".json", JSON
)
