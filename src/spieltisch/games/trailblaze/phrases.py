"""What is said over the firsts: the same for everybody at any time, so it tells nothing of a card."""

PHRASES = (
    "Hello, pioneers!",
    "High time!",
    "So late? Really?",
    "So early? I am impressed.",
    "I have never heard of her, sadly.",
    "She should be in every schoolbook.",
    "I would have guessed the same.",
    "That field was mine!",
    "Nicely patterned!",
    "One moment, I am thinking.",
    "Well done!",
    "Thanks, I have learnt something.",
)
