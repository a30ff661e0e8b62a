"""Every shipped game satisfies both contracts: its rules module `Game`, its classes the protocols around it."""

from spieltisch import defaults
from spieltisch.game import Game
from spieltisch.games.adaman import analysis as adaman_analysis
from spieltisch.games.adaman import bot as adaman_bot
from spieltisch.games.adaman import page as adaman_page
from spieltisch.games.adaman import record as adaman_record
from spieltisch.games.adaman import rules as adaman_rules
from spieltisch.games.annodomini import beliefs as annodomini_beliefs
from spieltisch.games.annodomini import bot as annodomini_bot
from spieltisch.games.annodomini import page as annodomini_page
from spieltisch.games.annodomini import record as annodomini_record
from spieltisch.games.annodomini import rules as annodomini_rules
from spieltisch.games.hichaechoc import beliefs as hichaechoc_beliefs
from spieltisch.games.hichaechoc import bot as hichaechoc_bot
from spieltisch.games.hichaechoc import page as hichaechoc_page
from spieltisch.games.hichaechoc import record as hichaechoc_record
from spieltisch.games.hichaechoc import rules as hichaechoc_rules
from spieltisch.games.trailblaze import beliefs as trailblaze_beliefs
from spieltisch.games.trailblaze import bot as trailblaze_bot
from spieltisch.games.trailblaze import page as trailblaze_page
from spieltisch.games.trailblaze import record as trailblaze_record
from spieltisch.games.trailblaze import rules as trailblaze_rules
from spieltisch.protocols import Analysis, Beliefs, Bot, Page, Record

adaman: Game = adaman_rules
annodomini: Game = annodomini_rules
hichaechoc: Game = hichaechoc_rules
trailblaze: Game = trailblaze_rules

records: list[Record] = [
    defaults.DefaultRecord(adaman_rules),
    adaman_record.Record(adaman_rules),
    annodomini_record.Record(annodomini_rules),
    hichaechoc_record.Record(hichaechoc_rules),
    trailblaze_record.Record(trailblaze_rules),
]
bots: list[Bot] = [
    defaults.DefaultBot(),
    adaman_bot.Bot(),
    annodomini_bot.Bot(),
    hichaechoc_bot.Bot(),
    trailblaze_bot.Bot(),
]
beliefs: list[Beliefs] = [
    defaults.DefaultBeliefs(),
    annodomini_beliefs.Beliefs(),
    hichaechoc_beliefs.Beliefs(),
    trailblaze_beliefs.Beliefs(),
]
pages: list[Page] = [
    defaults.DefaultPage(),
    adaman_page.Page(),
    annodomini_page.Page(),
    hichaechoc_page.Page(),
    trailblaze_page.Page(),
]
analyses: list[Analysis] = [defaults.DefaultAnalysis(), adaman_analysis.Analysis()]
