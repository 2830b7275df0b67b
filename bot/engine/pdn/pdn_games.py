"""Of which game a PDN file's game is, and by which rules: what its tags say, and what its reader knows besides."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.errors import EngineError
from bot.engine.pdn.pdn_grammar import RawGame, Token
from bot.engine.pdn.pdn_squares import game_type_of, named, of_game_type
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset, server_of
from bot.engine.transcript import UnnamedGameError
from bot.engine.variants import OptionValue, load, names
from bot.i18n import _


def rules_of(raw: RawGame, assumed: str, texts: Mapping[str, str]) -> Rules:
    """The rules of a game. ``assumed``: the id of the game where no tag says it; ``texts``: the rules of servers' own
    games, by their hash, and under "" of those whose hash is not among them. Raises TranscriptError."""
    where, name = _variant(raw, assumed)
    chosen = raw.tags.get("Options")
    options: dict[str, OptionValue] = {}
    for word in chosen.value.split() if chosen else ():
        option, equals, value = word.partition("=")
        if not equals:
            template = _("an option is written name=value, not {word}")
            raise raw.wrong(chosen, template.format(word=repr(word)))
        options[option] = value
    with raw.reporting(where):
        variant = load(_ruleset(raw, where, name, texts))
    if variant.family != "draughts":
        raise raw.wrong(where, _("{game} is not written in PDN").format(game=variant.name))
    with raw.reporting(chosen or where):
        rules = rules_for(variant.ruleset, options)
    tag = raw.tags.get("GameType")
    said = game_type_of(tag.value) if tag else None
    if said and said.size and said.size != (rules.board.width, rules.board.height):
        template = _("{game} is played on a board of {size}")
        raise raw.wrong(tag, template.format(game=name, size=f"{rules.board.width}x{rules.board.height}"))
    return rules


def _variant(raw: RawGame, assumed: str) -> tuple[Token | None, str]:
    """The id of the game and the tag that says so: our own tag, else the game type, else the name by which another
    program calls it, else what whoever reads the file has said."""
    variant, game_type = raw.tags.get("Variant"), raw.tags.get("GameType")
    called = variant.value.strip() if variant else ""
    if called in names() or server_of(called) is not None:
        return variant, called
    said = game_type_of(game_type.value) if game_type else None
    fits = of_game_type(said) if said else []
    known = named(called)
    if len(fits) > 1 and (known in fits or assumed in fits):
        return game_type, known if known in fits else assumed
    if fits:
        return game_type, fits[0]
    if known:
        return variant, known
    if assumed:
        return game_type or variant, assumed
    where, why = None, _('no tag says which game this is; write [Variant "..."]')
    if game_type and game_type.value:
        template = _('the game type {number} is not played here; write [Variant "..."]')
        where, why = game_type, template.format(number=said.number if said else repr(game_type.value[:40]))
    elif called:
        try:
            load(called)
        except EngineError as error:
            where, why = variant, error.message
    raise UnnamedGameError(where.line if where else raw.line, why, where.column if where else 0)


def _ruleset(raw: RawGame, where: Token | None, name: str, texts: Mapping[str, str]) -> str | Ruleset:
    """What is shipped is known by its id, what a server has written by the hash of its text."""
    if server_of(name) is None:
        return name
    tag = raw.tags.get("Rules")
    text = texts.get(tag.value if tag else "", texts.get(""))
    if text is None:
        template = _(
            "the rules of {game} are not kept here; give their file, or take the game along as JSON, which has them"
        )
        raise raw.wrong(where, template.format(game=name))
    return Ruleset(name, text)
