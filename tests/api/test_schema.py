"""The OpenAPI schema: valid, complete, and consistent with the responses."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from jsonschema import Draft202012Validator

from companion.api import urls
from tests.api.conftest import Api, AtTable


@pytest.fixture(scope="module")
def schema() -> Any:
    out = io.StringIO()
    call_command("spectacular", "--fail-on-warn", "--validate", "--format", "openapi-json", stdout=out)
    return yaml.safe_load(out.getvalue())


def test_schema_is_json_or_yaml_on_request(api: Api, schema: Any) -> None:
    answer = api.get("schema/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.json() == schema
    assert schema["openapi"].startswith("3.")
    answer = api.get("schema/", Accept="application/yaml")
    assert yaml.safe_load(answer.content) == schema
    assert api.get("schema/?lang=%00").status_code == 200


def test_every_url_is_described(schema: Any) -> None:
    paths = {"/api/" + re.sub(r"<str:(\w+)>", r"{\1}", str(pattern.pattern)) for pattern in urls.urlpatterns}
    assert paths - set(schema["paths"]) == {"/api/schema/", "/api/docs/"}
    assert set(schema["paths"]) <= paths


def test_views_that_need_a_token_declare_it(schema: Any) -> None:
    needed = {
        path.rstrip("/").rpartition("/")[2]
        for path, methods in schema["paths"].items()
        for operation in methods.values()
        if operation.get("security") == [{"seat": []}]
    }
    assert needed == {"start", "actions", "preview", "undo", "redo", "mend", "circle"}
    assert schema["components"]["securitySchemes"]["seat"]["name"] == "Authorization"


def strict_json_schema(part: Any) -> Any:
    """Convert OpenAPI 3.0 to JSON Schema, with nullable types and without undescribed fields."""
    if isinstance(part, list):
        return [strict_json_schema(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    converted = {key: strict_json_schema(inner) for key, inner in part.items() if key != "nullable"}
    if converted.get("type") == "object" and "properties" in converted:
        converted.setdefault("additionalProperties", False)
    return {"anyOf": [converted, {"type": "null"}]} if part.get("nullable") else converted


def check(schema: Any, path: str, method: str, answer: Any) -> None:
    described = schema["paths"][path][method]["responses"][str(answer.status_code)]
    wanted = strict_json_schema(
        {**described["content"]["application/json"]["schema"], "components": schema["components"]}
    )
    errors = [error.message for error in Draft202012Validator(wanted).iter_errors(answer.json())]
    assert errors == [], (path, method)


def test_responses_match_the_schema(table: AtTable, schema: Any) -> None:
    api, below = table.api, "/api/tables/{code}/"
    table.play(20)
    example = table.example()
    check(schema, "/api/games/", "get", api.get("games/"))
    for part in ("", "state/", "prompts/", "journal/", "standings/", "export/"):
        check(schema, f"{below}{part}", "get", table.get(part))
        check(schema, f"{below}{part}", "get", api.get(f"tables/AAAAAA/{part}"))
    check(schema, "/api/tables/", "post", api.post("tables/", {"game": "raubritter"}))
    check(schema, "/api/tables/", "post", api.post("tables/", {}))
    check(schema, "/api/tables/import/", "post", api.post("tables/import/", table.json("export/")))
    check(schema, f"{below}preview/", "post", table.post("preview", example))
    check(schema, f"{below}actions/", "post", table.post("actions", example))
    check(schema, f"{below}actions/", "post", table.post("actions", {}))
    for part in ("undo", "redo"):
        check(schema, f"{below}{part}/", "post", table.post(part))
        check(schema, f"{below}{part}/", "post", table.post(part, token=""))
        check(schema, f"{below}{part}/", "post", table.post(part, {"number": 99}))
    check(schema, f"{below}start/", "post", table.post("start"))
    check(schema, f"{below}seats/", "post", table.post("seats", {"name": "Dora", "faction": "green"}))


def test_schema_check_finds_missing_and_extra_fields(table: AtTable, schema: Any) -> None:
    wanted = strict_json_schema({"$ref": "#/components/schemas/Table", "components": schema["components"]})
    shown = table.json()
    assert not list(Draft202012Validator(wanted).iter_errors(shown))
    assert list(Draft202012Validator(wanted).iter_errors({**shown, "colour": "blue"}))
    del shown["version"]
    assert list(Draft202012Validator(wanted).iter_errors(shown))
