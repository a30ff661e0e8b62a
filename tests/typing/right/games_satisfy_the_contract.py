"""Every shipped game satisfies the contract: its rules module is a `Game` of its types, and its classes extend those
around it with the same types.
"""

from collections.abc import Sequence
from pathlib import Path

from spieltisch import package
from spieltisch.game import Game
from spieltisch.games.adaman import analysis as adaman_analysis
from spieltisch.games.adaman import beliefs as adaman_beliefs
from spieltisch.games.adaman import bot as adaman_bot
from spieltisch.games.adaman import page as adaman_page
from spieltisch.games.adaman import record as adaman_record
from spieltisch.games.adaman import rules as adaman_rules
from spieltisch.games.adaman import state as adaman
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.annodomini import beliefs as annodomini_beliefs
from spieltisch.games.annodomini import bot as annodomini_bot
from spieltisch.games.annodomini import page as annodomini_page
from spieltisch.games.annodomini import record as annodomini_record
from spieltisch.games.annodomini import rules as annodomini_rules
from spieltisch.games.annodomini import state as annodomini
from spieltisch.games.hichaechoc import beliefs as hichaechoc_beliefs
from spieltisch.games.hichaechoc import bot as hichaechoc_bot
from spieltisch.games.hichaechoc import page as hichaechoc_page
from spieltisch.games.hichaechoc import record as hichaechoc_record
from spieltisch.games.hichaechoc import rules as hichaechoc_rules
from spieltisch.games.hichaechoc import state as hichaechoc
from spieltisch.games.trailblaze import beliefs as trailblaze_beliefs
from spieltisch.games.trailblaze import bot as trailblaze_bot
from spieltisch.games.trailblaze import page as trailblaze_page
from spieltisch.games.trailblaze import record as trailblaze_record
from spieltisch.games.trailblaze import rules as trailblaze_rules
from spieltisch.games.trailblaze import state as trailblaze

# Options, deck, the three parts of a state, actions, and what `imagine` may learn.
Adaman = Game[
    adaman_rules.Options, adaman_rules.Deck, adaman.Public, adaman.Own, adaman.Hidden, adaman.Action, object,
]  # fmt: skip
AnnoDomini = Game[
    annodomini.Options, annodomini.Deck, annodomini.Public, annodomini.Own, annodomini.Hidden, annodomini.Action,
    annodomini_beliefs.Told,
]  # fmt: skip
HicHaecHoc = Game[
    hichaechoc.Options, hichaechoc_rules.Deck, hichaechoc.Public, hichaechoc.Own, hichaechoc.Hidden, hichaechoc.Action,
    Sequence[int | None],
]  # fmt: skip
Trailblaze = Game[
    trailblaze.Options, trailblaze_rules.Deck, trailblaze.Public, trailblaze.Own, trailblaze.Hidden, trailblaze.Action,
    Sequence[trailblaze.Belief | None],
]  # fmt: skip

adaman_game: Adaman = adaman_rules
annodomini_game: AnnoDomini = annodomini_rules
hichaechoc_game: HicHaecHoc = hichaechoc_rules
trailblaze_game: Trailblaze = trailblaze_rules

records = (
    adaman_record.Record(adaman_rules),
    annodomini_record.Record(annodomini_rules),
    hichaechoc_record.Record(hichaechoc_rules),
    trailblaze_record.Record(trailblaze_rules),
)
bots = (adaman_bot.Bot(), annodomini_bot.Bot(), hichaechoc_bot.Bot(), trailblaze_bot.Bot())
beliefs = (
    adaman_beliefs.Beliefs(), annodomini_beliefs.Beliefs(), hichaechoc_beliefs.Beliefs(), trailblaze_beliefs.Beliefs(),
)  # fmt: skip
pages = (adaman_page.Page(), annodomini_page.Page(), hichaechoc_page.Page(), trailblaze_page.Page())
analysis = adaman_analysis.Analysis()


def held(rules: Adaman) -> int:
    """A package keeps its game's types."""
    game = package.GamePackage(
        rules, Path(), adaman_record.Record(rules), package.Bot(), package.Beliefs(), package.Page(), package.Analysis()
    )
    state = game.rules.setup(1, adaman_rules.Options(), decktet(()))
    return state.public.pile
