"""Imports appointments: POST /v1/appointments/import, 500 in each request."""

import itertools, json, os, urllib.request

API, KEY = os.environ["API"], os.environ["API_KEY"]

def bring_in(items):
    request = urllib.request.Request(
        f"{API}/v1/appointments/import",
        data=json.dumps({"items": items}).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["items"]

def in_batches(visits, size=500):
    visits = iter(visits)
    while batch := list(itertools.islice(visits, size)):
        yield batch

def refused(visits):
    """Brings all in, and yields what was refused; visits may come from a file of any length."""
    for batch in in_batches(visits):
        for item in bring_in(batch):
            if item["result"] == "refused":
                yield item
