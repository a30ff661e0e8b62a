"""The records under tests/records show a rule each: what they say of themselves in their tags must come out."""

import json
from pathlib import Path

import pytest

from spieltisch import record

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*/*.json"))


def contains(whole, part, where="outcome"):
    """Asserts that `part` is in `whole`: objects by their keys, everything else as it is."""
    if isinstance(part, dict):
        assert isinstance(whole, dict), where
        for key, value in part.items():
            assert key in whole, f"{where}.{key} is missing"
            contains(whole[key], value, f"{where}.{key}")
    else:
        assert whole == part, f"{where} is {whole!r}, not {part!r}"


@pytest.mark.parametrize("path", RECORDS, ids=[f"{p.parent.name}/{p.stem}" for p in RECORDS])
def test_record(path):
    raw = record.parse(path.read_bytes())
    tags = raw["tags"]
    assert tags["sentence"], "a record says which sentence of the rules it shows"
    if "refused" in tags:
        with pytest.raises(record.InvalidRecord) as refusal:
            record.replay(raw)
        assert tags["refused"] in str(refusal.value)
    else:
        outcome = json.loads(json.dumps(record.outcome(record.replay(raw))))
        contains(outcome, json.loads(tags["outcome"]))
