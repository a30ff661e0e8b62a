"""What people do at a table, each thing once, whether it comes by form, by socket or from a program.

`COMMANDS` names them as they are posted. Never here: a request or an answer of HTTP, a template.
"""

from spieltisch.web.commands import ending, keys, lobby, playing, reports, seating
from spieltisch.web.commands.command import Command

COMMANDS: dict[str, Command] = {
    "sit": seating.sit,
    "reserve": seating.reserve,
    "typing": seating.typing,
    "admit": seating.admit,
    "leave": seating.leave,
    "renew": keys.renew,
    "chairs": seating.set_chairs,
    "lift": seating.take_device,
    "options": lobby.choose,
    "start": lobby.start,
    "move": playing.move,
    "undo": playing.undo,
    "hint": playing.hint,
    "pause": playing.pause,
    "resume": playing.resume,
    "say": playing.say,
    "report": reports.report,
    "rematch": ending.rematch,
    "anew": ending.anew,
    "ready": ending.ready,
    "hold": ending.hold,
    "retry": ending.retry,
    "close": ending.close,
    "delete": ending.delete,
}
