"""What every request passes through: headers, limits, forms, uploads, problems, cookies.

It knows no table, no seat and no template. Of games it only knows how to read an action.
"""
