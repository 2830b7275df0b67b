"""Discord's own description of its API, held against the requests that the bot makes in the simulated Discord.

The document is not part of this project. It is looked for where the variable DISCORD_OPENAPI says, else in
`../shared/discord/openapi.json` beside the repository; without it the checks are left out.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

VARIABLE = "DISCORD_OPENAPI"
BESIDE = Path(__file__).resolve().parents[4] / "shared" / "discord" / "openapi.json"
LACKING = (
    f"no request is held against Discord's own document: set {VARIABLE} to the path of its openapi.json"
    " (github.com/discord/discord-api-spec, folder specs)"
)
"""What is said where tests are skipped for want of it."""
NAME = "urn:discord"
# discord.py sends these wherever it builds the body, also where the document does not list them; Discord takes them.
LIBRARY_SENDS = frozenset({"nsfw", "tts"})
BODIES = ("application/json", "multipart/form-data", "application/x-www-form-urlencoded")


class Request(Protocol):
    """A request as SimCord records it: `path` below the API's root, `json` the body (of a form: its payload_json)."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def json(self) -> Any | None: ...


def find() -> Path | None:
    """Where the document lies, or None. Raises FileNotFoundError when the variable names a file that is not there."""
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"{VARIABLE} names {named}, which is not there")
        return Path(named)
    return BESIDE if BESIDE.is_file() else None


@functools.cache
def contract() -> Contract | None:
    """The contract of the document that is present, read once, or None."""
    path = find()
    return None if path is None else Contract(json.loads(path.read_text(encoding="utf-8")))


class Contract:
    """What an OpenAPI 3.1 document allows."""

    def __init__(self, document: dict[str, Any]) -> None:
        document = copy.deepcopy(document)
        schemas = document.get("components", {}).get("schemas", {})
        if "SnowflakeType" in schemas:
            # discord.py sends ids as integers, and Discord takes them; here they count as the strings they stand for.
            schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
        self._document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(NAME, resource)
        self._validators: dict[str, Draft202012Validator] = {}
        self._good: set[bytes] = set()

    def problems(self, requests: Iterable[Request]) -> list[str]:
        """A sentence for each request that Discord's document does not allow; none for good ones."""
        return [
            f"{request.method} {request.path}: {problem}"
            for request in requests
            for problem in self.problems_of(request)
        ]

    def problems_of(self, request: Request) -> Iterator[str]:
        path = request.path.partition("?")[0]
        template = self._template(path)
        if template is None:
            yield "no such path"
            return
        item = self._document["paths"][template]
        operation = item.get(request.method.lower())
        if operation is None:
            yield f"no such method on {template}"
            return
        parameters = {
            (parameter["in"], parameter["name"]): parameter
            for parameter in map(self._resolved, [*item.get("parameters", ()), *operation.get("parameters", ())])
        }
        yield from self._path_problems(template, path, parameters)
        yield from self._query_problems(request.params or {}, parameters)
        # Each bot that starts sends the same commands, which are thousands of texts.
        body = hashlib.sha256(f"{template} {request.method} {json.dumps(request.json)}".encode()).digest()
        if body in self._good:
            return
        wrong = list(self._body_problems(template, request.method.lower(), operation, request.json))
        if not wrong:
            self._good.add(body)
        yield from wrong

    def _template(self, path: str) -> str | None:
        """The document's path that fits, the one with the most literal segments first."""
        segments = path.strip("/").split("/")
        fitting: list[tuple[int, str]] = []
        for template in self._document["paths"]:
            pattern = template.strip("/").split("/")
            if len(pattern) == len(segments) and all(
                one == other or one.startswith("{") for one, other in zip(pattern, segments, strict=True)
            ):
                fitting.append((sum(not one.startswith("{") for one in pattern), template))
        return max(fitting)[1] if fitting else None

    def _path_problems(
        self, template: str, path: str, parameters: Mapping[tuple[str, str], dict[str, Any]]
    ) -> Iterator[str]:
        for one, value in zip(template.strip("/").split("/"), path.strip("/").split("/"), strict=True):
            if one.startswith("{"):
                name = one[1:-1]
                parameter = parameters.get(("path", name))
                if parameter is not None and not self._text_fits(value, parameter["schema"]):
                    yield f"{name} in the path is not what {template} takes: {value!r}"

    def _query_problems(
        self, params: Mapping[str, Any], parameters: Mapping[tuple[str, str], dict[str, Any]]
    ) -> Iterator[str]:
        for name, value in params.items():
            parameter = parameters.get(("query", name))
            if parameter is None:
                yield f"no query parameter {name}"
            elif not self._text_fits(value, parameter["schema"]):
                yield f"query parameter {name} does not take {value!r}"
        for (place, name), parameter in parameters.items():
            if place == "query" and parameter.get("required") and name not in params:
                yield f"query parameter {name} is missing"

    def _body_problems(self, template: str, method: str, operation: dict[str, Any], body: Any) -> Iterator[str]:
        asked = operation.get("requestBody")
        if asked is None:
            if body is not None:
                yield "takes no body"
            return
        if body is None:
            if asked.get("required"):
                yield "the body is missing"
            return
        kind = next(kind for kind in BODIES if kind in asked["content"])
        pointer = "/".join(
            part.replace("~", "~0").replace("/", "~1")
            for part in ("", "paths", template, method, "requestBody", "content", kind, "schema")
        )
        for error in self._validator(pointer).iter_errors(body):
            # Of an alternative's failures, the one that went deepest tells most.
            deepest = best_match([error]) or error
            yield f"body{deepest.json_path[1:]}: {deepest.message[:300]}"
        yield from self._unknown(body, [asked["content"][kind]["schema"]], "body")

    def _validator(self, pointer: str) -> Draft202012Validator:
        if pointer not in self._validators:
            self._validators[pointer] = Draft202012Validator({"$ref": f"{NAME}#{pointer}"}, registry=self._registry)
        return self._validators[pointer]

    def _text_fits(self, value: Any, schema: dict[str, Any]) -> bool:
        """Whether a value of a path or query fits, where everything travels as text."""
        readings: list[Any] = [value, str(value)]
        if str(value).lstrip("-").isdecimal():
            readings.append(int(value))
        if str(value).lower() in ("0", "1", "true", "false"):
            readings.append(str(value).lower() in ("1", "true"))
        readings += [[reading] for reading in readings]
        validator = Draft202012Validator(self._rooted(schema), registry=self._registry)
        return any(validator.is_valid(reading) for reading in readings)

    def _rooted(self, schema: Any) -> Any:
        """A schema from inside the document, with its references leading back into it."""
        if isinstance(schema, dict):
            return {key: NAME + value if key == "$ref" else self._rooted(value) for key, value in schema.items()}
        return [self._rooted(one) for one in schema] if isinstance(schema, list) else schema

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            found: Any = self._document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part.replace("~1", "/").replace("~0", "~")]
            schema = found
        return schema

    def _parts(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """A schema and all that it is put together from."""
        schema = self._resolved(schema)
        yield schema
        for key in ("allOf", "anyOf", "oneOf"):
            for one in schema.get(key, ()):
                yield from self._parts(one)

    def _unknown(self, value: Any, schemas: list[dict[str, Any]], at: str) -> Iterator[str]:
        """Fields that no part of the schema knows: Discord would ignore them, so they are a slip."""
        parts = [part for schema in schemas for part in self._parts(schema)]
        if isinstance(value, list):
            items = [part["items"] for part in parts if "items" in part]
            for number, one in enumerate(value):
                yield from self._unknown(one, items, f"{at}[{number}]")
        elif isinstance(value, dict):
            if any("additionalProperties" in part for part in parts) or not any("properties" in part for part in parts):
                return
            for key, one in value.items():
                known = [part["properties"][key] for part in parts if key in part.get("properties", {})]
                if known:
                    yield from self._unknown(one, known, f"{at}.{key}")
                elif key not in LIBRARY_SENDS:
                    yield f"{at}.{key}: no such field"
