"""`python -m spieltisch`: the same as the command `spieltisch`."""

from spieltisch.cli import main

main()
