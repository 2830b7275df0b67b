"""A director who taps: the panel behind *Manage*, its menus, buttons and forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage


class Panel:
    """The private message in which a director taps. What is said and shown is that of the newest answer."""

    def __init__(self, who: MemberActor, first: InteractionResult) -> None:
        self.who = who
        self.result = first
        assert first.response is not None
        self.message: ResponseMessage = first.response

    @classmethod
    async def opened(cls, who: MemberActor, channel: ChannelHandle, **options: object) -> Panel:
        """The panel as `/tournament manage` opens it."""
        return cls(who, await who.slash(channel, "tournament manage", **options))

    @property
    def text(self) -> str:
        """What it says now."""
        return self.message.content

    @property
    def labels(self) -> list[str]:
        """Its buttons."""
        return [each["label"] for each in _components(self.message) if each["type"] == 2]

    @property
    def options(self) -> dict[str, str]:
        """What its menu lists: the value of each label."""
        menus = [each for each in _components(self.message) if each["type"] == 3]
        return {option["label"]: option["value"] for menu in menus for option in menu["options"]}

    async def press(self, label: str) -> Panel:
        """Press one of its buttons."""
        return self._after(await self.who.click(self.message.message, label=label))

    async def choose(self, *labels: str) -> Panel:
        """Choose from its menu what begins so."""
        values = [next(value for label, value in self.options.items() if label.startswith(each)) for each in labels]
        return self._after(await self.who.select(self.message.message, values))

    async def choose_values(self, *values: object) -> Panel:
        """Choose from its menu by what its options stand for."""
        return self._after(await self.who.select(self.message.message, list(map(str, values))))

    async def choose_people(self, *people: MemberActor) -> Panel:
        """Choose people from its menu of everybody."""
        return self._after(await self.who.select(self.message.message, people))

    async def send(self, **values: Any) -> Panel:
        """Send in the form that was opened, with these values in place of what stands in it."""
        modal = self.result.modal
        assert modal is not None
        stands = dict(_defaults(modal["components"]))
        lists = {name for name, value in stands.items() if isinstance(value, list)}
        given = {name: [value] if name in lists and isinstance(value, str) else value for name, value in values.items()}
        sent = {name: value for name, value in stands.items() if value} | given
        return self._after(await self.who.submit_modal(self.result, sent))

    def _after(self, result: InteractionResult) -> Panel:
        self.result = result
        if result.followups:
            self.message = result.followups[-1]
        elif result.response is not None:
            self.message = result.response
        return self


def _components(message: ResponseMessage) -> Iterator[dict[str, Any]]:
    for row in message.components:
        yield from row["components"]


def _defaults(components: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What stands in the boxes of a form, as Discord sends it back where nobody touches it."""
    for component in components:
        box = component.get("component", component)
        if box["type"] == 4:
            yield box["custom_id"], box.get("value", "")
        elif box["type"] == 3:
            yield box["custom_id"], [option["value"] for option in box["options"] if option.get("default")]
