"""hic – haec – hoc: thirty forms of a Latin pronoun; two of case, number and gender must agree.

Here: rules, records, bots and the page. Never here: a form.
"""
