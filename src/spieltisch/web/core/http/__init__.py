"""What every request passes and every answer is made of: headers, limits, forms, uploads, problems, cookies.

Never here: a table, a seat, a template. Of games it knows only how an action is read.
"""
