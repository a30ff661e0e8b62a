"""What every request passes and every answer is made of: headers, limits, forms, uploads, problems, cookies.

Never here: a table, a seat, a template. This wing knows the web and nothing of games but how an action is read.
"""
