"""What processes beside a test's site have loaded: see `forked`."""

import spieltisch.decks.errata
import spieltisch.decks.library
import spieltisch.table.analysis
import spieltisch.web.core.optional
import spieltisch.web.decks.drafts  # noqa: F401 - as all of them
from spieltisch import games
from spieltisch.games.adaman.engine import coach, solver  # noqa: F401

games.packages()
coach.coach()
