"""What is over: replays, reviews, stories, records, and scripted first games.

The only room of the web that may touch a State: what lay hidden is shown when a game is over.
"""
