"""What people do at a table. Forms, sockets and programs all go through `COMMANDS`, by the names that forms post.

The commands know neither requests nor templates.
"""

from spieltisch.web.table import ending, feed, lobby, playing, seating
from spieltisch.web.table.command import Command

COMMANDS: dict[str, Command] = {
    "sit": seating.sit,
    "reserve": seating.reserve,
    "typing": seating.typing,
    "admit": seating.admit,
    "leave": seating.leave,
    "renew": seating.renew,
    "chairs": seating.set_chairs,
    "lift": seating.take_device,
    "feed": feed.give,
    "options": lobby.choose,
    "start": lobby.start,
    "move": playing.move,
    "undo": playing.undo,
    "hint": playing.hint,
    "pause": playing.pause,
    "resume": playing.resume,
    "say": playing.say,
    "report": playing.report,
    "rematch": ending.rematch,
    "anew": ending.anew,
    "ready": ending.ready,
    "hold": ending.hold,
    "retry": ending.retry,
    "close": ending.close,
    "delete": ending.delete,
}
