"""Of which game a PDN file's game is, and by which rules: what its tags say, and what its reader knows besides."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.pdn.pdn_grammar import RawGame, Token
from bot.engine.pdn.pdn_squares import game_type_of, named, of_game_type
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset, server_of
from bot.engine.variants import OptionValue, load, names


def rules_of(raw: RawGame, assumed: str, texts: Mapping[str, str]) -> Rules:
    """The rules of a game. ``assumed``: the id of the game where no tag says it; ``texts``: the rules of servers' own
    games, by their hash, and under "" of those whose hash is not among them. Raises TranscriptError."""
    where, name = _variant(raw, assumed)
    chosen = raw.tags.get("Options")
    options: dict[str, OptionValue] = {}
    for word in chosen.value.split() if chosen else ():
        option, equals, value = word.partition("=")
        if not equals:
            raise raw.wrong(chosen, f"an option is written name=value, not {word!r}")
        options[option] = value
    with raw.reporting(where):
        variant = load(_ruleset(raw, where, name, texts))
    if variant.family != "draughts":
        raise raw.wrong(where, f"{variant.name} is not written in PDN")
    with raw.reporting(chosen or where):
        rules = rules_for(variant.ruleset, options)
    tag = raw.tags.get("GameType")
    said = game_type_of(tag.value) if tag else None
    if said and said.size and said.size != (rules.board.width, rules.board.height):
        raise raw.wrong(tag, f"{name} is played on a board of {rules.board.width}x{rules.board.height}")
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
    if game_type and game_type.value:
        number = said.number if said else repr(game_type.value[:40])
        raise raw.wrong(game_type, f'the game type {number} is not played here; write [Variant "..."]')
    if called:
        with raw.reporting(variant):
            load(called)
    raise raw.wrong(None, 'no tag says which game this is; write [Variant "..."]')


def _ruleset(raw: RawGame, where: Token | None, name: str, texts: Mapping[str, str]) -> str | Ruleset:
    """What is shipped is known by its id, what a server has written by the hash of its text."""
    if server_of(name) is None:
        return name
    tag = raw.tags.get("Rules")
    text = texts.get(tag.value if tag else "", texts.get(""))
    if text is None:
        why = f"the rules of {name} are not kept here; give their file, or take the game along as JSON, which has them"
        raise raw.wrong(where, why)
    return Ruleset(name, text)
