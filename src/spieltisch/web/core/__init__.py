"""What all rooms of the web share. It knows none of them. From above:

`opening` opens a table · `inject`, `services`: what handlers are given, and what runs while the server runs · `view`: a
table for one viewer · `access`: keys, and who may do what · `http`: what every request passes. `templates` and `static`
have what all pages share.
"""
