"""The bot: rules, games, tournaments and the computer, and what speaks to Discord."""

import os

# Pydantic would look for plugins in every package that is installed, which was a tenth of the bot's start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
