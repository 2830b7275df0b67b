"""The tables. The list of turns is the truth; what ``games`` says of position, turn and result is a cache of it.

Times are UTC in milliseconds. Ids of people, channels, guilds and messages are Discord's. Changed by migrations alone
(data/migrations), which must end in what stands here; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from data.schema import games as games
from data.schema import study as study
from data.schema import tournaments as tournaments
from data.schema.base import gives_ids as gives_ids
from data.schema.base import metadata as metadata

REVISION: Final = "0014"
"""The newest migration, which is the schema here."""
