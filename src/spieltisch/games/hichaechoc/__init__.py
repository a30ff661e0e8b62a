"""hic – haec – hoc: thirty forms of a Latin pronoun, two of case, number and gender must agree.

Here: the rules, how they are written down, who plays them without hands, and the page. Never here: a form.
"""
