"""What processes beside a test's site have loaded: see `forked`."""

import os

import spieltisch.decks.errata
import spieltisch.decks.library
import spieltisch.table.analysis
import spieltisch.web.core.optional
import spieltisch.web.decks.drafts  # noqa: F401 - as all of them
from spieltisch import games, makers

games.packages()
if os.environ.get(makers.CHOICE) != "plain":  # else nobody asks the engine, and a home of its own has nothing compiled
    from spieltisch.games.adaman.engine import coach, solver  # noqa: F401

    coach.coach()
