"""discord.py's connections to Discord, where they are not as the bot needs them."""
