"""Time and preferences: `/me vacation`, `/me settings`, and `/server settings` for those who manage a server."""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import time
from typing import Any, cast

import discord
from discord import app_commands

from bot.chat.components import MOST_CHOICES, Press
from bot.chat.features import Feature
from bot.chat.games.choices import CLOCK_CHOICES
from bot.chat.permissions import missing_in, sentence
from bot.chat.responses import defer_if_slow, reply_privately, source_of
from bot.chat.services import Services, services_of
from bot.chat.settings import game_import
from bot.chat.settings.variant_commands import HANDLERS, VARIANT_GROUP
from bot.chat.wording.dates import days_and_hours, moment, moment_of
from bot.games.model.clock import CONTROLS
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.model.preferences import Notation, Preferences, ServerPreferences, Side, zones
from bot.games.use_cases.vacations import VACATION, Vacation
from bot.i18n import LANGUAGES, N_, _, clock, known, ngettext, speak
from bot.support.time_units import DAY

_REMINDERS = {
    "half": N_("Reminder when half your time is gone"),
    "most": N_("Reminder when most of your time is gone"),
    "last": N_("Reminder when two hours are left"),
    "digest": N_("Daily list, if more than five games are waiting"),
    "turn": N_("Ping when it is your turn"),
}


def _choices(titles: Mapping[str, str]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=title, value=value) for value, title in titles.items()]


_REMINDER_CHOICES = _choices(_REMINDERS | {"all": N_("All of them")})
_LANGUAGE_CHOICES = _choices({**LANGUAGES, "discord": N_("Same as Discord")})

VACATION_GROUP = app_commands.Group(
    name="vacation", description="Stop your clock in your correspondence games while you are away"
)


@VACATION_GROUP.command(
    name="start", description="Go on vacation: your clock stops in all correspondence games but a tournament's"
)
@app_commands.describe(
    until="When your clock runs again, such as 24 dec, sat 20:00 or in 5 days; you can end it earlier"
)
async def start_vacation(interaction: Press, until: app_commands.Range[str, 1, 60] | None = None) -> None:
    services, person = services_of(interaction), interaction.user.id
    wanted = None
    if until is not None:
        zone = (await services.games.preferences.load(person)).zone
        wanted = moment_of(until, services.games.now, zone, whole_days=True)
    work = services.games.vacations.start_vacation(person, source_of(interaction), wanted)
    vacation, consequences = await _vacation_changed(interaction, work)
    assert vacation.until is not None
    text = _("Enjoy your vacation. End it with `/me vacation stop`; it ends by itself on {day}, {from_now}.")
    day, from_now = moment(vacation.until, "f"), moment(vacation.until)
    await reply_privately(interaction, f"{text.format(day=day, from_now=from_now)} {consequences}")


@VACATION_GROUP.command(name="stop", description="Come back: your clock runs again")
async def stop_vacation(interaction: Press) -> None:
    work = services_of(interaction).games.vacations.stop_vacation(interaction.user.id, source_of(interaction))
    _vacation, consequences = await _vacation_changed(interaction, work)
    await reply_privately(interaction, f"{_('Welcome back.')} {consequences}")


async def _vacation_changed(
    interaction: Press, work: Coroutine[Any, Any, tuple[Vacation, Sequence[Game]]]
) -> tuple[Vacation, str]:
    """Do ``work``, which begins or ends a vacation. The vacation, and what follows from that."""
    vacation, games = await defer_if_slow(interaction, work)
    for game in games:
        services_of(interaction).games_changed.send(game)
    notice = _("You have no correspondence games with a clock.")
    if games:
        notice = ngettext("Your opponent has been told.", "Your opponents have been told.", len(games))
    return vacation, f"{notice}\n{_left(vacation)}"


@VACATION_GROUP.command(name="status", description="How much vacation you have left this year")
async def vacation_status(interaction: Press) -> None:
    vacation = await services_of(interaction).games.vacations.vacation(interaction.user.id)
    sentences = [_left(vacation)]
    if vacation.until is not None:
        sentences.insert(0, _("You are on vacation; it ends {moment}.").format(moment=moment(vacation.until)))
    await reply_privately(interaction, " ".join(sentences))


@app_commands.command(description="Your language, reminders, quiet hours and boards; shows them if you change nothing")
@app_commands.describe(
    mute="Do not send me this",
    unmute="Send me this again",
    quiet_hours="When nothing may ping you, such as 22:00-07:30 in your time zone; `off` for never",
    time_zone="Your time zone, such as Europe/Madrid",
    board_side="From which side /board shows your games",
    notation="Whether /board shows the squares' numbers, where a game has them",
    language="The language I use with you",
    words="Also put into words what pictures show: positions, moves, tables",
)
@app_commands.choices(mute=_REMINDER_CHOICES, unmute=_REMINDER_CHOICES, language=_LANGUAGE_CHOICES)
@app_commands.choices(
    board_side=_choices({"own": N_("Your own side"), "first": N_("The first player's side")}),
    notation=_choices({"squares": N_("Names of squares, such as c3"), "numbers": N_("Numbers of squares")}),
)
async def settings(
    interaction: Press,
    mute: str | None = None,
    unmute: str | None = None,
    quiet_hours: app_commands.Range[str, 1, 40] | None = None,
    time_zone: app_commands.Range[str, 1, 60] | None = None,
    board_side: str | None = None,
    notation: str | None = None,
    language: str | None = None,
    words: bool | None = None,
) -> None:
    def change(preferences: Preferences) -> Preferences:
        if time_zone is not None:
            preferences = preferences.with_zone(time_zone)
        if quiet_hours is not None:
            preferences = preferences.with_quiet(quiet_hours)
        return replace(
            preferences,
            muted=(preferences.muted | _chosen(mute)) - _chosen(unmute),
            side=preferences.side if board_side is None else cast(Side, board_side),
            language=preferences.language if language is None else known(language),
            notation=preferences.notation if notation is None else cast(Notation, notation),
            words=preferences.words if words is None else words,
        )

    if known(language):
        # What is typed beside it may be in it already.
        speak(language)
    services, person = services_of(interaction), interaction.user.id
    asked = (mute, unmute, quiet_hours, time_zone, board_side, notation, language, words)
    if any(given is not None for given in asked):
        preferences = await services.games.preferences.change(person, change, source_of(interaction))
        await services.languages.answer(interaction)
        if quiet_hours is not None or time_zone is not None:
            await services.games.timeouts.quiet_hours_changed(person)
    else:
        preferences = await services.games.preferences.load(person)
    await reply_privately(interaction, preferences_text(preferences))


@settings.autocomplete("time_zone")
async def _zones(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    typed = current.strip().replace(" ", "_").casefold()
    names = [name for name in zones() if typed in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in names[:MOST_CHOICES]]


@app_commands.command(name="settings", description="Where and how games are played on this server")
@app_commands.describe(
    add_channel="Allow games here; once a channel is on the list, games start only in listed channels",
    remove_channel="Take a channel off the list; with none left, all are open again",
    default_clock="The clock for games started without choosing one",
    max_challenges="How many open challenges one person may have here (0: the default)",
    language="The language of what is posted here",
    words="Also put into words here what pictures show",
)
@app_commands.choices(default_clock=CLOCK_CHOICES, language=_LANGUAGE_CHOICES)
async def server_settings(
    interaction: Press,
    add_channel: discord.TextChannel | None = None,
    remove_channel: discord.TextChannel | None = None,
    default_clock: str | None = None,
    max_challenges: app_commands.Range[int, 0, 100] | None = None,
    language: str | None = None,
    words: bool | None = None,
) -> None:
    notices: list[str] = []

    def change(server: ServerPreferences) -> ServerPreferences:
        notices[:] = _about_channels(server.channels, add_channel, remove_channel)
        added = () if add_channel is None else (add_channel.id,)
        channels = dict.fromkeys((*server.channels, *added))
        if remove_channel is not None:
            channels.pop(remove_channel.id, None)
        return replace(
            server,
            channels=tuple(channels),
            clock=server.clock if default_clock is None else default_clock,
            language=server.language if language is None else known(language),
            words=server.words if words is None else words,
            max_open_challenges=server.max_open_challenges if max_challenges is None else max_challenges or None,
        )

    servers, guild = services_of(interaction).games.servers, interaction.guild_id
    if guild is None or not interaction.permissions.manage_guild:
        raise Refused(_("Only people who can manage this server can change that."))
    asked = (add_channel, remove_channel, default_clock, max_challenges, language, words)
    if any(given is not None for given in asked):
        server = await servers.change(guild, change, source_of(interaction))
        if language is not None:
            # Whoever sets it sees what they have chosen, whatever they read themselves.
            speak(await services_of(interaction).languages.of_server(guild))
    else:
        server = await servers.load(guild)
    usual = services_of(interaction).settings.max_open_challenges
    if add_channel is not None and (lacking := missing_in(add_channel, opens_thread=True)):
        notices.append(sentence(add_channel.id, lacking, asker=interaction.permissions))
    await reply_privately(interaction, "\n".join([*notices, server_text(server, usual)]))


def _about_channels(
    listed: Collection[int], added: discord.TextChannel | None, removed: discord.TextChannel | None
) -> list[str]:
    """What is to be said of the channels that are taken off a list, so that nothing is opened or left open unseen."""
    if removed is None:
        return []
    if removed.id not in listed:
        text = _("{channel} was not on the list, so nothing has changed.")
        if not listed:
            text = _(
                "Games may be started in all channels: there is no list to take {channel} off. `add_channel:` starts "
                "one; then games start only in the channels on it."
            )
        return [text.format(channel=removed.mention)]
    if added is None and len(listed) == 1:
        text = _("{channel} was the last channel on the list: **games may now be started in all channels.**")
        return [text.format(channel=removed.mention)]
    return []


def _chosen(choice: str | None) -> frozenset[str]:
    if choice is None:
        return frozenset()
    return frozenset(_REMINDERS) if choice == "all" else frozenset((choice,))


def _left(vacation: Vacation) -> str:
    days, hours = days_and_hours(vacation.left)
    template = _("You have {days} and {hours} left of this year's {year} days.")
    return template.format(year=VACATION // DAY, days=days, hours=hours)


def preferences_text(preferences: Preferences) -> str:
    """A person's settings in words."""
    quiet = _("none")
    if preferences.quiet is not None:
        start, end = (clock(time(*divmod(minute, 60))) for minute in preferences.quiet)
        quiet = _("{start} to {end}").format(start=start, end=end)
    lines = [_("**Your settings**"), _language(preferences.language)]
    for key, title in _REMINDERS.items():
        template = _("{reminder}: muted") if key in preferences.muted else _("{reminder}: on")
        lines.append(template.format(reminder=_(title)))
    lines.append(_("Quiet hours: {hours} (time zone {zone})").format(hours=quiet, zone=preferences.zone))
    own, first = _("Private boards: seen from your own side"), _("Private boards: seen from the first player's side")
    lines.append(own if preferences.side == "own" else first)
    numbers, names = _("Squares in private answers: by number"), _("Squares in private answers: by name")
    lines.append(numbers if preferences.notation == "numbers" else names)
    lines.append(_written_out(preferences.words))
    return "\n- ".join(lines)


def _language(language: str | None) -> str:
    if language is None:
        return _("Language: same as Discord")
    return _("Language: {language}").format(language=LANGUAGES[language])


def _written_out(words: bool) -> str:
    return _("Pictures: also put into words") if words else _("Pictures: not put into words")


def server_text(server: ServerPreferences, usual: int) -> str:
    """A server's settings in words; ``usual``: how many open challenges a person may have where nothing is set."""
    where = ", ".join(f"<#{number}>" for number in server.channels) or _("all channels")
    control = CONTROLS.get(server.clock)
    clock = _("none") if control is None else f"`{control.id}`, {control.text}"
    lines = [
        _("**Settings of this server**"),
        _language(server.language),
        _("Channels: {channels}").format(channels=where),
        _("Default clock: {clock}").format(clock=clock),
        _("Open challenges per person: {count}").format(count=server.max_open_challenges or usual),
        _written_out(server.words),
    ]
    return "\n- ".join(lines)


def setup(_client: discord.Client, _services: Services) -> Feature:
    """The feature: commands, and the form in which a variant is written."""
    return Feature(
        of_me=(settings, VACATION_GROUP),
        of_server=(server_settings, VARIANT_GROUP, game_import.import_games),
        forms=(HANDLERS,),
    )
