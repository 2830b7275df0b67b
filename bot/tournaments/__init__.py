"""Tournaments: pairing, standings, tie-breaks, brackets, and the list of events that a tournament is.

Everything here is pure: frozen values in, frozen values out; no clock, no lots but those drawn from a published seed.
"""
