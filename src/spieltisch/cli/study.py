"""The commands `spieltisch study …`: what is found out about the games. A game brings its own in the module
`study.commands` of its package, as an `app`.
"""

from cyclopts import App

from spieltisch import games

app = App(name="study", help="Solve games and answer questions about them.")
for part in games.parts("study.commands"):
    app.command(part.app)
app.command("spieltisch.cli.answer:answer", name="answer", help="Answer a question about the games: let bots play.")
