"""What is said while the forms are sorted out: the same for everybody at any time, so it tells nothing of a hand."""

PHRASES = (
    "Salvete!",
    "That is daring.",
    "Are you sure?",
    "Nicely declined!",
    "Let me decline it once more.",
    "I believe every word of it.",
    "I have my doubts.",
    "O tempora, o mores!",
    "Festina lente.",
    "Errare humanum est.",
    "Optime!",
    "That was fun. Valete!",
)
