"""All that a server keeps of people, of what they do and beside it, with every place where it lies: columns of the
tables, fields of what is written into them, files of the data folder, what browsers keep. A test compares these places
with those that there are.
"""

from msgspec import Struct

from spieltisch.decks.findings import Message, message


class Kept(Struct, frozen=True):
    """Something that is kept, in words; whose (None: nobody's), until when, in which places as programs name them."""

    what: Message
    whose: Message | None
    until: Message
    places: tuple[str, ...]


PLAYERS = message("who plays, pupils and teachers")
_WITH_TABLE = message(
    "{days} days after the table was last used, at most an hour later; at once when somebody deletes the table. Of a"
    " game that was not finished it stays, without names, until somebody ends or deletes the table"
)
_PUPILS = message("pupils in a class that a teacher leads here")
_LESSON = message(
    "{hours} hours after the lesson’s time is up, or after its last change, at most an hour later; at once when the"
    " teacher deletes the class"
)
_CLASS = message("until the teacher deletes the class; unused it goes with the tables, once taught after 400 days")
_BROWSER = message("90 days after it was last written; at once when the browser’s data are deleted")
_DEVICE = message("until somebody deletes the browser’s data; the server never gets it")

KEPT = (
    Kept(
        message("the name under which somebody plays, as they typed it: a made-up one will do"),
        PLAYERS,
        message(
            "{days} days after the table was last used, at most an hour later, also where a game has not been finished;"
            " at once when somebody deletes the table"
        ),
        (
            *(
                "plan.body",
                "Chair.name",
                "Chair.lender",
                "TableSetup.chairs",
                "TableSetup.guests",
                "Ask.name",
                "TableSetup.asks",
            ),
            *("SeatChange.name", "SeatChange.old", "SeatChange.by", "TableSetup.seat_log"),
            *("GameOver.winners", "TableSetup.evening"),
        ),
    ),
    Kept(
        message(
            "moves in a game, with the time of each: which seat laid, said, doubted or drew what, with which chance"
        ),
        PLAYERS,
        _WITH_TABLE,
        (
            *(
                "log.id",
                "log.seq",
                "log.entry",
                "Entry.seat",
                "Entry.by",
                "Entry.action",
                "Entry.undo",
                "Entry.outcomes",
            ),
            *("Entry.at", "plan.seed"),
        ),
    ),
    Kept(
        message(
            "how somebody sits at a table: seat, shape and colour, since when, whether away or gone, games won on that"
            " evening, and whether they asked for more time to answer"
        ),
        PLAYERS,
        _WITH_TABLE,
        (
            *(
                "Chair.kind",
                "Chair.patience",
                "Chair.away",
                "Chair.left",
                "Chair.offered",
                "Chair.holding",
                "Chair.wins",
            ),
            *("Chair.mark", "Chair.ready", "Chair.sat", "Ask.number", "Ask.seat", "Ask.at", "Ask.refused"),
            *("SeatChange.rev", "SeatChange.at", "SeatChange.seq", "SeatChange.seat", "SeatChange.deed"),
            *("Countdown.until", "Countdown.seat", "TableSetup.countdown", "TableSetup.anew"),
        ),
    ),
    Kept(
        message(
            "check sums of the keys with which a browser has its seat or its table, from which no key can be found"
        ),
        PLAYERS,
        _WITH_TABLE,
        ("Chair.key", "Chair.pupil", "Ask.key", "TableSetup.owner", "TableSetup.deputy", "Anew.agreed", "Anew.refused"),
    ),
    Kept(
        message(
            "the table itself: code, game, deck, options, level of bots, language, when it was opened and last used"
        ),
        None,
        _WITH_TABLE,
        (
            *(
                "plan.id",
                "plan.stage",
                "plan.rev",
                "plan.deck",
                "pace.id",
                "pace.touched",
                "pace.due_at",
                "pace.lease",
                "pace.holder",
                "pace.written",
                "Chair.level",
            ),
            *("TableSetup.id", "TableSetup.game", "TableSetup.top", "TableSetup.stage", "TableSetup.created"),
            *(
                "TableSetup.touched",
                "TableSetup.answer_seconds",
                "TableSetup.turn_seconds",
                "TableSetup.paused",
                "TableSetup.waits",
            ),
            *("TableSetup.header", "TableSetup.deal", "TableSetup.rematch", "TableSetup.before", "TableSetup.number"),
            *(
                "TableSetup.race",
                "TableSetup.racers",
                "TableSetup.winnable",
                "TableSetup.first",
                "TableSetup.hinted",
                "TableSetup.alike",
                "TableSetup.desk",
                "TableSetup.last_round",
                "TableSetup.places",
                "Anew.option",
                "Anew.value",
                "LastRound.lap",
                "LastRound.seat",
                "LastRound.seq",
                "TableSetup.lang",
                "TableSetup.rev",
            ),
            *("GameOver.id", "GameOver.game", "Header.game", "Header.version", "Header.seats", "Header.options"),
            *("Header.deck", "Header.seal"),
        ),
    ),
    Kept(
        message("with several servers: the code of a table that was deleted, so that every server hears of it"),
        None,
        message("two hours at most"),
        ("gone.id", "gone.written", "gone.at"),
    ),
    Kept(
        message("the cards with which a game is played"),
        None,
        message("{days} days after the last table that played with them was used"),
        ("deck.hash", "deck.used", "deck.body"),
    ),
    Kept(
        message(
            "in a class: the pseudonym that the program gives a pupil for one lesson, also at the tables of that lesson"
        ),
        _PUPILS,
        _LESSON,
        ("document.body", "Pupil.name", "Classroom.pupils", "Classroom.gone"),
    ),
    Kept(
        message(
            "in a class: the number on a pupil’s strip, the label that the teacher put there, whether they were taken"
            " out, and at which table they sit"
        ),
        _PUPILS,
        _LESSON,
        (
            "Pupil.number",
            "Pupil.label",
            "Pupil.removed",
            "Pupil.bot",
            "Classroom.tables",
            "Classroom.former",
            "ClassTable.id",
            "ClassTable.pupils",
        ),
    ),
    Kept(
        message("in a class: what a pupil answered to the tasks of a slip, until it is ended"),
        _PUPILS,
        _LESSON,
        ("Pupil.answers",),
    ),
    Kept(
        message(
            "in a class: which numbers sat together in the last eight distributions, and which strips were made anew"
        ),
        message("pupils by the numbers on their strips; whose strip that is, only the teacher’s own list says"),
        _CLASS,
        ("Classroom.before", "Classroom.editions"),
    ),
    Kept(
        message(
            "in a class: by card how often the whole class was right, was wrong, and let an error pass, in all lessons"
            " before; nothing by pupil or number"
        ),
        message("nobody: the class as a whole"),
        _CLASS,
        (
            *("Classroom.counts", "Classroom.counted", "Tally.deck", "Tally.card", "Tally.right", "Tally.wrong"),
            *("Tally.passed", "Classroom.slipped"),
        ),
    ),
    Kept(
        message(
            "the class itself: code, what the teacher calls it, what its lesson plays, which tasks its slip has,"
            " when it was made"
        ),
        None,
        _CLASS,
        (
            *("document.id", "document.rev", "document.due", "TableSetup.classroom", "Classroom.id", "Classroom.title"),
            *(
                "Classroom.lang",
                "Classroom.plan",
                "Classroom.strips",
                "Classroom.begun",
                "Classroom.cards",
                "Classroom.rung",
            ),
            *(
                "Classroom.created",
                "Classroom.forgets",
                "Classroom.rev",
                "Classroom.closed",
                "Classroom.look",
                "Classroom.goes",
                "Plan.game",
                "Plan.top",
                "Plan.turn_seconds",
            ),
            *("Plan.level", "Plan.size", "Plan.minutes", "Plan.until", "Plan.zone", "Plan.last", "Plan.same"),
            *("Classroom.slip", "Slip.kind", "Slip.tasks", "Task.kind", "Task.deck", "Task.card", "Task.shown"),
            *("Task.choices", "Task.right", "TableSetup.called"),
        ),
    ),
    Kept(
        message("decks that people have made: what they wrote on the cards and, if they want, who wrote them"),
        message("who makes decks, and whoever is told of on a card"),
        message(
            "when somebody with its key, or who runs the server, deletes the deck; one made in the browser also {days}"
            " days after it was last used, or 400 days if it was ever played"
        ),
        ("decks/*.csv", "decks/uses.json", "file.name", "file.version", "file.body"),
    ),
    Kept(
        message("what somebody wrote about a card that is wrong, up to 200 characters, and when; not who it was"),
        message("nobody by name; who writes may tell of themselves"),
        message("until whoever runs the server takes the report out: spieltisch deck reports --done"),
        (
            *("decks/reports.json", "Reports.number", "Reports.reports", "Report.id", "Report.deck", "Report.card"),
            *("Report.times", "Report.first", "Report.last", "Report.words"),
        ),
    ),
    Kept(
        message(
            "the server’s secret, how often keys were renewed, which process is at work, and on which database,"
            " when the last backup was made, and which version has served"
        ),
        None,
        message("until the server is given up"),
        ("secret", "lock", "server-*", "copy", "backed-up", "version", "decks/keys.json"),
    ),
    Kept(
        message("what a restore has put aside: tables and decks as they were before, with the names in them"),
        PLAYERS,
        message("until whoever runs the server deletes the folder"),
        ("before-restore-*/*", "restoring/*"),
    ),
    Kept(
        message("in the browser, as cookies of this server alone: keys of one’s own seats, and the name typed last"),
        PLAYERS,
        _BROWSER,
        ("cookie spieltisch-*", "cookie spieltisch_name"),
    ),
    Kept(
        message(
            "in the browser, as cookies: the class, number and key of a pupil, and the key with which a teacher leads a"
            " class"
        ),
        message("pupils and teachers"),
        _BROWSER,
        ("cookie spieltisch_pupil", "cookie spieltisch_class_*"),
    ),
    Kept(
        message("in the browser, as cookies: keys of decks and of the host’s page, language, names of grammar terms"),
        None,
        _BROWSER,
        ("cookie spieltisch_deck_*", "cookie spieltisch_host", "cookie spieltisch_lang", "cookie spieltisch_terms"),
    ),
    Kept(
        message("in the browser, as a cookie: which deck was made just now, so that its key is shown once"),
        None,
        message("until the page of the deck is shown, or the browser is closed"),
        ("cookie spieltisch_made",),
    ),
    Kept(
        message("in the browser, as a cookie: random characters that count the wrong codes it has sent"),
        PLAYERS,
        message("until the browser is closed"),
        ("cookie spieltisch_tries",),
    ),
    Kept(
        message("in the browser’s own storage: a table that is being mended, until a deck is made of it"),
        None,
        _DEVICE,
        ("storage mending",),
    ),
    Kept(
        message("in the browser’s own storage: settings, and how games of Adaman went on this device"),
        PLAYERS,
        _DEVICE,
        ("storage confirm", "storage quiet", "storage sound", "storage theme", "storage chosen", "storage games-*"),
    ),
)
