"""Tests of bot.tournaments."""
