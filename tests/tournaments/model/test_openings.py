"""How an opening is drawn by ballot, and how openings are kept."""

from __future__ import annotations

from hashlib import sha256

from bot.tournaments.model.events import Kind, TournamentSettings
from bot.tournaments.model.openings import Opening, drawn, fingerprint

THREE = ("9-13 22-18", "Single: 10-14 22-18", "W:Wc3:Bb8")


def test_a_draw_can_be_checked() -> None:
    """What is drawn follows from the secret and the round alone, as the announcement says; all are drawn sooner or
    later."""
    settings = TournamentSettings(Kind.SWISS, openings=THREE, secret="5eed", both="in turn")
    assert sha256(b"5eed").hexdigest() == fingerprint(settings)
    seen = set()
    for number in range(1, 30):
        opening = drawn(settings, str(number))
        assert opening is not None
        seed = sha256(f"5eed:{number}".encode()).hexdigest()[:16]
        assert (seed, int(seed, 16) % 3 + 1) == (opening.seed, opening.number)
        assert THREE[opening.number - 1] == str(opening)
        seen.add(opening.number)
    assert {1, 2, 3} == seen
    assert drawn(TournamentSettings(Kind.SWISS), "1") is None
    theme = drawn(TournamentSettings(Kind.SWISS, openings=THREE[:1]), "1")
    assert theme == Opening("9-13 22-18")


def test_settings_are_read_back() -> None:
    """Openings are kept with the settings; those of older tournaments have none."""
    settings = TournamentSettings(Kind.SWISS, openings=THREE, secret="5eed", both="at once")
    assert TournamentSettings.of(settings.to_json()) == settings
    older = {name: value for name, value in settings.to_json().items() if name not in ("openings", "secret", "both")}
    assert TournamentSettings.of(older) == TournamentSettings(Kind.SWISS)
