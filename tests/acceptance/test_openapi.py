from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.discord import openapi

SMALL: dict[str, Any] = {
    "paths": {
        "/channels/{channel_id}/messages": {
            "parameters": [
                {"name": "channel_id", "in": "path", "schema": {"$ref": "#/components/schemas/SnowflakeType"}}
            ],
            "get": {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}]},
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}},
                }
            },
        },
        "/channels/{channel_id}/messages/pins": {"get": {}},
        "/channels/{channel_id}/messages/{message_id}": {"delete": {}},
    },
    "components": {
        "schemas": {
            "SnowflakeType": {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"},
            "Message": {
                "type": "object",
                "required": ["content"],
                "properties": {
                    "content": {"type": "string", "maxLength": 10},
                    "reply_to": {"$ref": "#/components/schemas/SnowflakeType"},
                    "parts": {
                        "type": "array",
                        "items": {
                            "oneOf": [
                                {"type": "object", "properties": {"type": {"const": 1}, "label": {"type": "string"}}},
                                {"type": "object", "properties": {"type": {"const": 2}, "url": {"type": "string"}}},
                            ]
                        },
                    },
                },
            },
        }
    },
}


@dataclass
class Made:
    method: str
    path: str
    json: Any = None
    params: dict[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize(
    "request_made",
    [
        Made("GET", "/channels/1/messages", params={"limit": 5}),
        Made("GET", "/channels/1/messages", params={"limit": "5"}),
        Made("GET", "/channels/1/messages/pins"),
        Made("POST", "/channels/1/messages", {"content": "hello", "reply_to": 7}),
        Made("POST", "/channels/1/messages", {"content": "hello", "reply_to": "7"}),
        Made("POST", "/channels/1/messages", {"content": "", "parts": [{"type": 2, "url": "u"}]}),
    ],
)
def test_good_requests_pass(request_made: Made) -> None:
    """What the document allows has no problems; an id may be an integer, a query's number a text."""
    assert [] == openapi.Contract(SMALL).problems([request_made])


@pytest.mark.parametrize(
    ("request_made", "problem"),
    [
        (Made("GET", "/channels/1/posts"), "no such path"),
        (Made("PUT", "/channels/1/messages"), "no such method"),
        (Made("GET", "/channels/general/messages"), "channel_id in the path"),
        (Made("GET", "/channels/1/messages", params={"limit": 500}), "query parameter limit"),
        (Made("GET", "/channels/1/messages", params={"limits": 5}), "no query parameter limits"),
        (Made("GET", "/channels/1/messages", {"content": ""}), "takes no body"),
        (Made("POST", "/channels/1/messages"), "the body is missing"),
        (Made("POST", "/channels/1/messages", {}), "'content' is a required property"),
        (Made("POST", "/channels/1/messages", {"content": "hello hello"}), "body.content: 'hello hello' is too long"),
        (Made("POST", "/channels/1/messages", {"content": "", "reply_to": "a"}), "body.reply_to: "),
        (Made("POST", "/channels/1/messages", {"content": "", "replyto": 7}), "body.replyto: no such field"),
        (
            Made("POST", "/channels/1/messages", {"content": "", "parts": [{"type": 1, "text": "u"}]}),
            "body.parts[0].text: no such field",
        ),
        (Made("POST", "/channels/1/messages", {"content": "", "parts": [{"type": 3}]}), "body.parts[0]"),
    ],
)
def test_bad_requests_are_named(request_made: Made, problem: str) -> None:
    """Each way to go against the document gives a sentence with method, path and what is wrong."""
    problems = openapi.Contract(SMALL).problems([request_made])

    assert any(problem in sentence for sentence in problems)
    assert all(sentence.startswith(f"{request_made.method} {request_made.path}: ") for sentence in problems)


def test_the_same_request_again() -> None:
    """What was good is good again, on its own path alone; what was wrong is told each time."""
    contract = openapi.Contract(SMALL)
    good, wrong = ({"content": "c3-d4"}, {"content": "c3-d4, and much more"})
    for _ in range(2):
        assert [] == contract.problems([Made("POST", "/channels/1/messages", good)])
        assert 1 == len(contract.problems([Made("POST", "/channels/1/messages", wrong)]))
        assert contract.problems([Made("POST", "/channels/x/messages", good)])
        assert contract.problems([Made("DELETE", "/channels/1/messages/2", good)])


def test_the_document_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable wins over the place beside the repository, and a wrong name is said instead of skipped."""
    document = tmp_path / "api.json"
    monkeypatch.setenv(openapi.VARIABLE, str(document))
    with pytest.raises(FileNotFoundError, match=openapi.VARIABLE):
        openapi.find()

    document.write_text("{}")
    assert document == openapi.find()


@pytest.fixture
def discord_contract() -> openapi.Contract:
    contract = openapi.contract()
    if contract is None:
        pytest.skip("Discord's OpenAPI document is not here")
    return contract


TEXT = {"type": 10, "content": "Autumn"}
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://standings-1-1.png"}, "description": "1. ana"}]}
BUTTON = {"type": 2, "style": 1, "label": "Move", "custom_id": "g:1:3:move", "disabled": False}


SECTION = {"type": 9, "components": [TEXT], "accessory": BUTTON}
ROW = {"type": 1, "components": [BUTTON]}
CARDS = 1 << 15


def card(*parts: dict[str, Any]) -> dict[str, Any]:
    """Parts beside a colour."""
    return {"type": 17, "accent_color": 0xB07E55, "components": list(parts)}


def posted(*parts: dict[str, Any]) -> Made:
    """A card that is posted."""
    return Made("POST", "/channels/1465/messages", {"flags": CARDS, "components": [card(*parts)]})


@pytest.mark.parametrize(
    "request_made",
    [
        posted(SECTION, GALLERY, ROW),
        Made(
            "POST",
            "/channels/1465/messages",
            {
                "content": "Your move",
                "nonce": "a17",
                "enforce_nonce": True,
                "allowed_mentions": {"parse": [], "users": [14]},
                "attachments": [{"id": 0, "filename": "g1-p3.png", "description": "The board"}],
                "components": [{"type": 1, "components": [BUTTON]}],
            },
        ),
        Made("PATCH", "/channels/1465/messages/1466", {"components": []}),
        Made(
            "PATCH",
            "/channels/1465/messages/1466",
            {
                "content": None,
                "flags": CARDS,
                "components": [card(SECTION, GALLERY, {"type": 14, "divider": True, "spacing": 1}, ROW)],
                "attachments": [{"id": 0, "filename": "standings-1-1.png", "description": "1. ana"}],
            },
        ),
        Made("PATCH", "/webhooks/14/token/messages/@original", {"content": None, "flags": CARDS, "components": [TEXT]}),
        Made("POST", "/interactions/14/token/callback", {"type": 7, "data": {"flags": CARDS, "components": [ROW]}}),
        Made("POST", "/channels/1465/messages/1466/threads", {"name": "Ana and Ben", "auto_archive_duration": 10080}),
        Made("PATCH", "/webhooks/14/aW50ZXI6token/messages/@original", {"content": "done"}),
        Made("POST", "/interactions/14/aW50ZXI6token/callback", {"type": 5, "data": {"flags": 64}}),
        Made("POST", "/interactions/14/aW50ZXI6token/callback", {"type": 6}, {"with_response": 1}),
        Made("GET", "/users/@me"),
    ],
)
def test_discord_takes_these(discord_contract: openapi.Contract, request_made: Made) -> None:
    """Requests of the kinds that the bot makes are good by Discord's own document."""
    assert [] == discord_contract.problems([request_made])


@pytest.mark.parametrize(
    ("request_made", "problem"),
    [
        (Made("POST", "/channels/1465/messages", {"content": "x" * 4001}), "body.content"),
        (posted(TEXT | {"content": "x" * 4001}), "body.components"),
        (posted(TEXT | {"content": ""}), "body.components"),
        (posted(GALLERY | {"items": []}), "body.components"),
        (posted({"type": 12, "items": [{"media": {"url": "x"}, "description": "x" * 1025}]}), "body.components"),
        (posted({"type": 9, "components": [TEXT]}), "body.components"),
        (posted(ROW | {"components": [BUTTON] * 6}), "body.components"),
        (posted(card(TEXT)), "body.components"),
        (posted(TEXT | {"alt_text": "x"}), "no such field"),
        (Made("POST", "/channels/1465/messages", {"content": "", "alt_text": "The board"}), "no such field"),
        (Made("POST", "/channels/1465/messages", {"nonce": "n" * 26}), "body.nonce"),
        (
            Made(
                "POST",
                "/channels/1465/messages",
                {"components": [{"type": 1, "components": [BUTTON | {"custom_id": "x" * 101}]}]},
            ),
            "body.components",
        ),
        (
            Made("POST", "/channels/1465/messages", {"components": [{"type": 1, "components": [BUTTON] * 6}]}),
            "body.components",
        ),
        (Made("POST", "/channels/1465/messages/1466/threads", {"name": "x" * 101}), "body.name"),
        (Made("POST", "/interactions/14/token/callback", {"type": 77}), "body"),
        (
            Made("PUT", "/applications/1/commands", [{"name": "play", "type": 1, "description": "d" * 101}]),
            "body[0]",
        ),
    ],
)
def test_discord_refuses_these(discord_contract: openapi.Contract, request_made: Made, problem: str) -> None:
    """Slips that Discord would answer with 400, or ignore, are found in its document."""
    assert any(problem in sentence for sentence in discord_contract.problems([request_made]))


def test_discords_document_knows_what_the_bot_asks_for() -> None:
    """The document that all acceptance tests are held against; without it this test says what to set."""
    contract = openapi.contract()
    if contract is None:
        pytest.skip(openapi.LACKING)
    assert [] == contract.problems([Made("POST", "/channels/1/messages", {"content": "a move"})])


def test_without_the_document_it_is_said_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the variable nor the folder beside: no contract, and a reason that names the variable."""
    monkeypatch.delenv(openapi.VARIABLE, raising=False)
    monkeypatch.setattr(openapi, "BESIDE", tmp_path / "openapi.json")
    assert openapi.find() is None
    assert f"set {openapi.VARIABLE} to the path" in openapi.LACKING
