# Two-way sync between your appointment book and the service: https://…/docs/two-way-sync
# Python 3.9 or newer, no dependencies. It is a part of a program: call `push`, `receive` and `catch_up` from yours.

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

API_URL, API_KEY = os.environ["API_URL"], os.environ["API_KEY"]

# Five tables of yours; they survive a restart.
book = {}  # appointments by id
wishes = []  # changes of yours that the service has not responded to yet
for_the_desk = []
to_acknowledge = {}  # versions that the book has, by appointment
mark = {"syncedUntil": "2000-01-01T00:00:00Z"}


def wish_for(visit):
    """Someone at the practice books."""
    numbered = {"source": "sync_external", "externalId": str(uuid.uuid4()), **visit}
    wishes.append({"key": str(uuid.uuid4()), "id": None, "version": None, "body": numbered})


def wish_to_change(id, body):
    """Someone at the practice changes an appointment as the book shows it."""
    version = book[id]["version"] if id in book else None
    wishes.append({"key": str(uuid.uuid4()), "id": id, "version": version, "body": body})


def take(appointment):
    """Stores an appointment from a response, an event or a list, unless the book has the same or a newer version."""
    id = appointment["id"]
    if id in book and book[id]["version"] >= appointment["version"]:
        return
    book[id] = appointment
    if appointment["source"] != "sync_external" or appointment["version"] > 1:
        to_acknowledge[id] = appointment["version"]
    is_numbered = appointment["externalId"] is not None or any(
        wish["id"] == id and "externalId" in wish["body"] for wish in wishes
    )
    # Someone else booked it: give it your ID, whatever happens to it later.
    if not is_numbered and appointment["status"] == "confirmed":
        body = {"externalId": str(uuid.uuid4())}
        wishes.append({"key": str(uuid.uuid4()), "id": id, "version": None, "body": body})


def import_visits(visits):
    """The first import: everything that the book had before. Run it again until it ends."""
    for at in range(0, len(visits), 500):
        is_done, answer = send("POST", "/v1/appointments/import", body={"items": visits[at : at + 500]})
        if not is_done:
            raise RuntimeError(answer["message"])
        for item in answer["items"]:
            if item["result"] == "refused":
                for_the_desk.append(f"{item['error']}: {item['externalId']}")


def push():
    """Sends the wishes, in order, then the acknowledgements."""
    while wishes:
        wish = wishes[0]
        path = f"/v1/appointments/{wish['id']}" if wish["id"] else "/v1/appointments"
        is_done, answer = send("PATCH" if wish["id"] else "POST", path, **wish)
        if is_done:
            follow(wish, answer)
        else:
            give_way(wish, answer)
        wishes.pop(0)
    for id, version in list(to_acknowledge.items()):
        acknowledgement = {"version": version, "state": "written"}
        is_done, answer = send("PUT", f"/v1/appointments/{id}/acknowledgement", body=acknowledgement)
        if not is_done:
            for_the_desk.append(f"{answer['error']}: {answer['message']}")
        if to_acknowledge[id] == version:
            del to_acknowledge[id]


def follow(wish, appointment):
    """Book and later wishes continue with the appointment's new version or replacement."""
    now = appointment.get("replacement") or appointment
    for later in wishes[1:]:
        if wish["id"] and later["id"] == wish["id"]:
            later.update(id=now["id"], version=later["version"] and now["version"])
    take(appointment)
    take(now)


def give_way(wish, refusal):
    """The service keeps its appointment: the book follows, and the desk decides again."""
    if refusal["error"] == "already_booked" and "appointment" in refusal:
        return follow(wish, refusal["appointment"])
    for_the_desk.append(f"{refusal['error']}: {refusal['message']}")
    if wish["id"]:
        is_done, current = send("GET", f"/v1/appointments/{wish['id']}")
        if is_done:
            take(current)


def receive(event):
    """Your receiver calls this for each event with a valid signature, before it returns 2xx."""
    for shown in ("appointment", "original", "replacement"):
        if shown in event["data"]:
            take(event["data"][shown])


def catch_up():
    """Stores what changed since the last time: at the start, after an outage, and every hour."""
    query = {"updatedSince": mark["syncedUntil"]}
    while True:
        _, page = send("GET", f"/v1/appointments?{urllib.parse.urlencode(query)}")
        for appointment in page["items"]:
            take(appointment)
        if not page["hasMore"]:
            mark["syncedUntil"] = page["syncedUntil"]
            return
        query["cursor"] = page["nextCursor"]


def send(method, path, key=None, id=None, version=None, body=None):
    """Sends a request until there is a final response."""
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    if version:
        headers["If-Match"] = f'"{version}"'
    data = json.dumps(body).encode() if body else None
    wait = 0.05
    while True:
        # Without a response it is unknown whether the request was carried out: the key makes a repeat safe.
        status, retry_after, answer = ask(urllib.request.Request(API_URL + path, data, headers, method=method))
        if status == 401:
            raise RuntimeError(answer["message"])
        if 0 < status < 500 and status != 429 and answer.get("error") != "idempotency_in_progress":
            return status < 400, answer
        time.sleep(max(wait, min(retry_after, 3600)))
        wait = min(2 * wait, 30)


def ask(request):
    """Returns status 0 when no response came, or only part of one."""
    try:
        try:
            response = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return response.status, float(response.headers.get("Retry-After", 0)), json.load(response)
    except (OSError, ValueError, http.client.HTTPException):
        return 0, 0, {}
