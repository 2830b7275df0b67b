"""Places of Discord where the bot may only answer: a chat of people, a server without it. SimCord knows none of them,
so their interactions are made here, as Discord sends them (context, authorizing_integration_owners), and what the bot
answers is taken by SimCord's own routes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from simcord import interactions
from simcord.backend import serializers
from simcord.backend.models import Message
from simcord.builders import UserHandle
from simcord.components import component_mentions, walk_components
from simcord.enums import ChannelType, InteractionType
from simcord.env import Env
from simcord.results import InteractionResult

GUILD, BOT_DM, PRIVATE = 0, 1, 2
"""The contexts of interactions."""

MOST_FOLLOWUPS = 5
"""For one interaction, where nobody but people has installed the app."""

_SEND_MESSAGES = 1 << 11
_USE_EXTERNAL_APPS = 1 << 50
EPHEMERAL = 1 << 6
"""The flag of a message that one person sees."""

_BUTTON = 2
_MENUS = (3, 5, 6, 7, 8)


class Chat:
    """A place where the bot may only answer. ``installed``: who has installed it for themselves; ``guild_id``: the
    server, of a channel of one; ``external``: whether answers to people are shown to all there."""

    def __init__(
        self, env: Env, people: list[UserHandle], installed: list[UserHandle], guild_id: int | None, *, external: bool
    ) -> None:
        self.env, self.people, self.guild_id = env, people, guild_id
        self.installed = {person.id for person in installed}
        self.owners: dict[str, str] | None = None
        """Who has installed the app, as each interaction says; None as Discord says it where people have."""
        self._external = external
        self._channel = env.backend.create_channel(None, None, type=ChannelType.DM)
        self._channel.recipient_ids = [person.id for person in people]
        self.id = self._channel.id

    # What people do

    async def slash(self, person: UserHandle, name: str, **options: Any) -> InteractionResult:
        """A command."""
        return await self.finish(self.begin_slash(person, name, **options))

    def begin_slash(self, person: UserHandle, name: str, **options: Any) -> InteractionResult:
        """A command, which is on its way."""
        backend, parts = self.env.backend, name.split()
        root = backend.find_command(parts[0], None, type=1)
        assert root is not None
        context = GUILD if self.guild_id is not None else PRIVATE
        assert context in root["contexts"], f"/{name} is not offered here"
        assert 1 in root["integration_types"], f"/{name} is not offered to people"
        leaf, nesting = interactions.walk_to_subcommand(root, parts[1:])
        built, resolved = interactions.build_options(person, name, leaf, options, channel_id=self.id)
        data: dict[str, Any] = {"id": root["id"], "name": root["name"], "type": 1}
        data["options"] = interactions.nest_options(root, nesting, built)
        if resolved:
            if self.guild_id is not None:
                resolved["members"] = {user: self._member(user) for user in resolved.get("users", {})}
            data["resolved"] = resolved
        return self._send(person, InteractionType.APPLICATION_COMMAND, data)

    async def click(self, person: UserHandle, message: Message, label: str) -> InteractionResult:
        """A button by its label."""
        return await self.finish(self.begin_click(person, message, label))

    def begin_click(self, person: UserHandle, message: Message, label: str) -> InteractionResult:
        """A press of a button, which is on its way."""
        found = [each for each in components(message) if each["type"] == _BUTTON and each.get("label") == label]
        assert len(found) == 1, f"{label!r} is one of {labels(message)}"
        assert not found[0].get("disabled")
        data = {"custom_id": found[0]["custom_id"], "component_type": _BUTTON}
        return self._send(person, InteractionType.MESSAGE_COMPONENT, data, message)

    async def select(self, person: UserHandle, message: Message, value: str) -> InteractionResult:
        """A choice of a menu, the first that offers it."""
        menu = next(
            each
            for each in components(message)
            if each["type"] in _MENUS and value in [option["value"] for option in each.get("options", ())]
        )
        data = {"custom_id": menu["custom_id"], "component_type": menu["type"], "values": [value]}
        return await self.finish(self._send(person, InteractionType.MESSAGE_COMPONENT, data, message))

    async def submit(
        self, person: UserHandle, shown: InteractionResult, values: Mapping[str, str]
    ) -> InteractionResult:
        """A form that was shown, filled in."""
        assert shown.modal is not None
        record = shown._interaction
        source = None
        if record.source_message_id is not None:
            source = self.env.backend.get_message(self.id, record.source_message_id)
        boxes = [
            {"type": 18, "id": number, "component": {"type": 4, "id": 10 + number, "custom_id": name, "value": value}}
            for number, (name, value) in enumerate(values.items(), start=1)
        ]
        data = {"custom_id": shown.modal["custom_id"], "components": boxes}
        return await self.finish(self._send(person, InteractionType.MODAL_SUBMIT, data, source))

    async def finish(self, begun: InteractionResult) -> InteractionResult:
        """Wait until all that comes of it is done."""
        await self.env.settle()
        return begun

    # What is to be seen

    @property
    def messages(self) -> list[Message]:
        """What all here see, oldest first."""
        kept = self.env.backend.messages[self.id].values()
        return sorted((each for each in kept if not each.flags & EPHEMERAL), key=lambda each: each.id)

    @property
    def last(self) -> Message:
        """The newest message that all see."""
        return self.messages[-1]

    def private(self, answer: InteractionResult) -> Message:
        """What an interaction was answered with for one person alone."""
        message_id = answer._interaction.message_id
        assert message_id is not None
        message = self.env.backend.get_message(self.id, message_id)
        assert message.flags & EPHEMERAL
        return message

    def problems(self) -> list[str]:
        """What the bot has asked of Discord that it may not ask of this place: more than answers, and too many of
        them."""
        asked = [f"{each.method} {each.path}" for each in self.env.http_requests]
        at_channel = [each for each in asked if f"/channels/{self.id}" in each]
        if self.guild_id is not None:
            at_channel += [each for each in asked if f"/guilds/{self.guild_id}" in each]
        sent = Counter(each for each in asked if each.startswith("POST /webhooks/") and each.count("/") == 3)
        return at_channel + [each for each, count in sent.items() if count > MOST_FOLLOWUPS]

    # How Discord says it

    def _send(
        self, person: UserHandle, kind: int, data: dict[str, Any], message: Message | None = None
    ) -> InteractionResult:
        backend = self.env.backend
        record, payload = interactions.base_payload(
            backend, type=kind, channel_id=self.id, guild_id=None, user_id=person.id, data=data
        )
        by_people = {"1": str(person.id)} if person.id in self.installed else {}
        if message is not None:
            record.source_message_id = message.id
            payload["message"] = dict(serializers.message_payload(backend, message))
            # Of a press it is who has installed that counts, whoever presses.
            by_people = {"1": str(min(self.installed))}
        payload["authorizing_integration_owners"] = by_people if self.owners is None else self.owners
        if self.guild_id is None:
            others = [serializers.user_payload(backend.users[user.id]) for user in self.people if user is not person]
            payload |= {"context": PRIVATE, "app_permissions": str(0x8000 | 0x4000 | 0x20000)}
            payload["channel"] = {"id": str(self.id), "type": 3, "recipients": others, "name": None, "icon": None}
        else:
            user = payload.pop("user")
            payload |= {"context": GUILD, "guild_id": str(self.guild_id), "guild_locale": "en-US"}
            payload["guild"] = {"id": str(self.guild_id), "features": [], "locale": "en-US"}
            payload["member"] = {**self._member(str(person.id)), "user": user}
            payload["channel"] = {"id": str(self.id), "type": 0, "guild_id": str(self.guild_id), "name": "talk"}
            payload["channel"] |= {"position": 0, "permission_overwrites": [], "parent_id": None, "nsfw": False}
        backend.emit("INTERACTION_CREATE", payload)
        return InteractionResult(self.env, record)

    def _member(self, _person: str) -> dict[str, Any]:
        may = str(_SEND_MESSAGES | (_USE_EXTERNAL_APPS if self._external else 0))
        return {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0} | {
            "permissions": may
        }


def group(env: Env, people: list[UserHandle], installed: list[UserHandle]) -> Chat:
    """A chat of people."""
    return Chat(env, people, installed, None, external=True)


def foreign_server(env: Env, people: list[UserHandle], installed: list[UserHandle], *, external: bool = True) -> Chat:
    """A channel of a server without the bot."""
    return Chat(env, people, installed, 10**17, external=external)


def components(message: Message) -> list[dict[str, Any]]:
    """All buttons and menus under a message."""
    return [part for part in walk_components(message.components) if "custom_id" in part]


def words_of(message: Message) -> str:
    """What a message says: its content, or the words of a card."""
    return component_mentions(message.components) or message.content


def labels(message: Message) -> list[str]:
    """What stands on its buttons."""
    return [str(each.get("label")) for each in components(message) if each["type"] == _BUTTON]
