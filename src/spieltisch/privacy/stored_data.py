"""All personal data that a server stores, and where: database columns, fields in them, files, browser storage.

A test compares these places with those in the code.
"""

from msgspec import Struct

from spieltisch.decks.findings import Message, message


class Stored(Struct, frozen=True):
    """Data in words, with its owner (None: nobody) and its end. `places` are its names in the code."""

    what: Message
    whose: Message | None
    until: Message
    places: tuple[str, ...]


PLAYERS = message("players, pupils and teachers")
_WITH_TABLE = message(
    "{days} days after the last use of the table, at most an hour later; at once when somebody deletes it. An"
    " unfinished game stays, without names, until somebody ends or deletes the table"
)
_PUPILS = message("pupils of a class on this server")
_LESSON = message(
    "{hours} hours after the lesson’s end or its last change, at most an hour later; at once when the teacher"
    " deletes the class"
)
_CLASS = message("when the teacher deletes the class; an unused class goes with its tables, others after 400 days")
_BROWSER = message("90 days after it was last written; at once when somebody deletes the browser’s data")
_DEVICE = message("when somebody deletes the browser’s data; it never reaches the server")

STORED = (
    Stored(
        message("the name that a player typed; a made-up one will do"),
        PLAYERS,
        message(
            "{days} days after the last use of the table, at most an hour later, even if the game is unfinished;"
            " in a game with days for a turn not before that time is up; at once when somebody deletes the table"
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
    Stored(
        message(
            "each move of a game and its time: which seat laid, said, doubted or drew what, and what chance decided"
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
    Stored(
        message(
            "a person’s place at the table: seat, shape and colour, since when, whether away or gone, games won"
            " that evening, and whether they asked for more time"
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
    Stored(
        message(
            "if this server sends email and a player wants one when it is their turn: their address, and"
            " until when it can be confirmed"
        ),
        PLAYERS,
        message(
            "with the name at the table, at most an hour later; after a day unless its owner confirms it; at once when"
            " the player or the owner ends it"
        ),
        ("Mail.address", "Mail.until"),
    ),
    Stored(
        message(
            "if a player wants a web address to be told when it is their turn: that address and the secret that signs"
            " messages; with it or with email a checksum of their key, their language, and which turn was told"
        ),
        PLAYERS,
        message("with the name at the table, at most an hour later; at once when the player ends it"),
        (
            *(
                "Reminders.rev",
                "Reminders.looked",
                "Reminders.people",
                "Reminder.key",
                "Reminder.lang",
                "Reminder.to",
                "Reminder.told",
            ),
            *("Reminder.due", "Reminder.failed", "Hook.url", "Hook.secret"),
        ),
    ),
    Stored(
        message("while people look back at a finished game together: who leads, which moment, and what they try"),
        PLAYERS,
        message("with the table; at once when the person who leads ends it"),
        ("TableSetup.look", "LookBack.leads", "LookBack.step", "LookBack.seat", "LookBack.tried"),
    ),
    Stored(
        message("that a player has a feed that tells them when it is their turn, and a checksum of its key"),
        PLAYERS,
        message("with the table; at once when the player gives the address back"),
        ("Chair.feed", "Feed.salt", "Feed.hash"),
    ),
    Stored(
        message("checksums of the keys to seats and tables, from which no key can be recovered"),
        PLAYERS,
        _WITH_TABLE,
        ("Chair.key", "Chair.pupil", "Ask.key", "TableSetup.owner", "TableSetup.deputy", "Anew.agreed", "Anew.refused"),
    ),
    Stored(
        message("the table itself: code, game, deck, options, bot level, language, when it was opened and last used"),
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
            *(
                "TableSetup.header",
                "TableSetup.deal",
                "TableSetup.day",
                "TableSetup.rematch",
                "TableSetup.before",
                "TableSetup.number",
            ),
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
    Stored(
        message("with several servers: the code of a deleted table, so that every server learns of it"),
        None,
        message("two hours at most"),
        ("gone.id", "gone.written", "gone.at"),
    ),
    Stored(
        message("the cards of a game"),
        None,
        message("{days} days after the last use of a table that plays with them"),
        ("deck.hash", "deck.used", "deck.body"),
    ),
    Stored(
        message(
            "of games of the day: how many on this server played one, and with how many points, moves or mistakes;"
            " nothing per person"
        ),
        None,
        message("as long as the server"),
        ("Day.figures", "Day.rev"),
    ),
    Stored(
        message("in a class: the pseudonym that the program gives a pupil for one lesson, also at its tables"),
        _PUPILS,
        _LESSON,
        ("document.body", "Pupil.name", "Classroom.pupils", "Classroom.gone"),
    ),
    Stored(
        message("in a class: a pupil’s strip number, label and table, and whether the teacher removed them"),
        _PUPILS,
        _LESSON,
        (
            "Pupil.number",
            "Pupil.label",
            "Pupil.removed",
            "Pupil.bot",
            "Classroom.tables",
            "Classroom.former",
            "Classroom.sent_away",
            "ClassTable.id",
            "ClassTable.pupils",
        ),
    ),
    Stored(
        message("in a class: a pupil’s answers to the tasks of a slip, until it ends"),
        _PUPILS,
        _LESSON,
        ("Pupil.answers",),
    ),
    Stored(
        message("in a class: which numbers sat together the last eight times, and which strips were replaced"),
        message("pupils by strip number; only the teacher’s own list says whose strip it is"),
        _CLASS,
        ("Classroom.before", "Classroom.editions"),
    ),
    Stored(
        message(
            "in a class: per card, how often the whole class was right, was wrong and missed an error in earlier"
            " lessons; nothing per pupil or number"
        ),
        message("nobody: the class as a whole"),
        _CLASS,
        (
            *("Classroom.counts", "Classroom.counted", "Tally.deck", "Tally.card", "Tally.right", "Tally.wrong"),
            *("Tally.passed", "Classroom.slipped"),
        ),
    ),
    Stored(
        message("the class itself: code, name, what its lesson plays, the tasks of its slip, when it was made"),
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
            *("Task.choices", "Task.right", "Task.worth", "TableSetup.called"),
        ),
    ),
    Stored(
        message("decks that people made: the text on the cards and, if they wish, who wrote it"),
        message("people who make decks, and people whom a card mentions"),
        message(
            "when somebody with its key, or the host, deletes the deck; a deck made in the browser also {days}"
            " days after its last use, or 400 days if it was ever played"
        ),
        ("decks/*.csv", "decks/uses.json", "file.name", "file.version", "file.body"),
    ),
    Stored(
        message("a report of a wrong card, up to 200 characters, and its time; not who wrote it"),
        message("nobody by name, unless the text tells of its author"),
        message("when the host closes the report: spieltisch deck reports --done"),
        (
            *("decks/reports.json", "Reports.number", "Reports.reports", "Report.id", "Report.deck", "Report.card"),
            *("Report.times", "Report.first", "Report.last", "Report.words"),
        ),
    ),
    Stored(
        message(
            "the server’s secret, how often keys were renewed, the running process, its database, the last"
            " backup, and the newest version that ran"
        ),
        None,
        message("when the server is given up"),
        ("secret", "lock", "server-*", "copy", "backed-up", "version", "decks/keys.json"),
    ),
    Stored(
        message("what a restore put aside: earlier tables and decks, with the names in them"),
        PLAYERS,
        message("when the host deletes the folder"),
        ("before-restore-*/*", "restoring/*"),
    ),
    Stored(
        message(
            "in the browser, as cookies for this server only: the keys to a person’s own seats, and the last name they"
            " typed"
        ),
        PLAYERS,
        _BROWSER,
        ("cookie spieltisch-*", "cookie spieltisch_name"),
    ),
    Stored(
        message("in the browser, as cookies: a pupil’s class, number and key, and a teacher’s key to the class"),
        message("pupils and teachers"),
        _BROWSER,
        ("cookie spieltisch_pupil", "cookie spieltisch_class_*"),
    ),
    Stored(
        message(
            "in the browser, as cookies: keys to decks and to the host’s page, the language, the names of grammar terms"
        ),
        None,
        _BROWSER,
        ("cookie spieltisch_deck_*", "cookie spieltisch_host", "cookie spieltisch_lang", "cookie spieltisch_terms"),
    ),
    Stored(
        message("in the browser, as a cookie: which deck was just made, so that its key is shown once"),
        None,
        message("when the deck’s page is shown, or the browser is closed"),
        ("cookie spieltisch_made",),
    ),
    Stored(
        message("in the browser, as a cookie: random characters by which the server counts wrong codes"),
        PLAYERS,
        message("when the browser is closed"),
        ("cookie spieltisch_tries",),
    ),
    Stored(
        message("in the browser’s own storage: a sheet of cards being corrected, until it becomes a deck"),
        None,
        _DEVICE,
        ("storage mending",),
    ),
    Stored(
        message(
            "in the browser’s own storage: settings, and results of games played alone and of the day, on this device"
        ),
        PLAYERS,
        _DEVICE,
        (
            "storage confirm",
            "storage quiet",
            "storage sound",
            "storage theme",
            "storage chosen",
            "storage games-*",
            "storage puzzle-*",
        ),
    ),
    Stored(
        message("in the browser’s own storage: how sure somebody was that chains are right, and whether they were"),
        PLAYERS,
        message("when somebody deletes the browser’s data; the server draws a curve of it and stores nothing"),
        ("storage sure", "storage sure-said"),
    ),
    Stored(
        message("in the browser’s own storage: cards to practise, on which days they were tried, and how that went"),
        PLAYERS,
        message(
            "when somebody deletes the list or the browser’s data; the server is told one card at a time and keeps none"
        ),
        ("storage practice",),
    ),
)
