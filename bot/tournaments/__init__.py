"""Tournaments: pairing, standings, tie-breaks, brackets, and the list of events that a tournament is.

Everything here is pure: frozen values in, frozen values out; no clock, no lots but those drawn from a published seed.

A Swiss goes ``record`` (who met whom) -> ``swiss`` (what the next round is paired from) -> ``dutch`` (the round; its
colours in ``colours``, the last resort in ``matching``) -> ``tiebreaks`` and ``standings``. Files come and go by
``trf`` and ``trf_writing``. Other kinds: ``round_robin``, ``elimination``, ``arena``, ``tables``, ``leagues``.

A whole tournament is ``events`` -> ``fold`` -> ``state``; ``refusals`` says what makes no sense, ``rounds`` what comes
next and how it stands, ``corrections`` what a correction changes, ``reasons`` why, ``prospects`` what may still come.
"""
