"""A player for any game, over HTTP: `python bot.py http://localhost:8000/t/CODE` sits down and plays at random."""

import json
import os
import random
import sys
import urllib.error
import urllib.request


def ask(url: str, token: str = "", body: dict | None = None) -> dict:
    """GET, or POST with a body; the JSON that comes back."""
    headers = {"Accept": "application/json", "Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
        return json.load(answer)


def play(table: str) -> dict:
    """Sit down, answer every question with one of the legal actions, and return the result."""
    token = ask(f"{table}/sit", body={"name": "Random"})["token"]
    seen = ask(table, token)
    while not seen["result"] and seen["stage"] != "closed":
        if seen["legal"]:
            answer = {"question": seen["question"], "action": random.choice(seen["legal"])}
            try:
                ask(f"{table}/move", token, answer)
            except urllib.error.HTTPError as refused:
                print(json.load(refused)["detail"])
        seen = ask(f"{table}?after={seen['seq']}&revision={seen['revision']}", token)
    return seen["result"]


if __name__ == "__main__":
    random.seed(os.environ.get("SPIELTISCH_SEED"))  # the arena tells one, so that it plays the same again
    print(play(sys.argv[1].rstrip("/").replace("/t/", "/api/tables/")))  # a page and what programs use
