"""Tournaments, leagues and team matches.

The floors, each importing only those before it: ``pairing`` and ``standings`` (mathematics on records), ``model`` (what
can happen in a tournament, and what it is after that), ``formats`` (what Swiss, round robin, elimination, arena and
tables make of it), then ``analysis`` and ``files``. So far everything is pure: frozen values in, frozen values out; no
store, no clock, no lots but those drawn from a published seed. Above them stand ``persistence`` (how a tournament is
loaded, and changed in a transaction), the ``use_cases``, which are transactions, and ``service``, by which everybody
else reaches them.

A tournament is its settings and the list of its events (``model.events``), folded into a state (``model.fold``).
"""
