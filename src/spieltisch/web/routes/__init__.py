"""The pages and what is posted to them. A handler reads what comes in, asks the wings below, and answers.

Never here: a view of a running game, a rule of who may do what; and no handler knows another one's insides.
"""
