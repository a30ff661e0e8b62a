"""What is said over a chain of events: the same for everybody at any time, so it tells nothing of a date."""

PHRASES = (
    "Hello, all you witnesses of history!",
    "That cannot be right.",
    "I doubt it … but not yet.",
    "I was there myself!",
    "That was longer ago than you think.",
    "Surely that is quite recent.",
    "I have no idea, and that is the truth.",
    "Well bluffed!",
    "Who would have thought so?",
    "Give me a century or two.",
    "Lucky, that was all.",
    "A good game, one for the annals.",
)
