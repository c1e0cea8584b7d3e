#!/usr/bin/env python3
"""Reads the queue of a pull endpoint and passes each event to a local URL, as a webhook would arrive there.

Python 3.11 or newer, no dependencies:

  API_URL=https://… API_KEY=svc_… python3 listen.py ENDPOINT_ID http://127.0.0.1:8080/hook

STATE_FILE (listen-ENDPOINT_ID.json) says how far it came. An event counts as passed when the local URL answers 2xx;
until then it is sent again, so that no later one overtakes it. An event can arrive twice: remember its id.
"""

import http.client
import json
import os
import re
import signal
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone

WAIT_SECONDS = 25
FIRST_PAUSE_SECONDS = 1
LONGEST_PAUSE_SECONDS = 60
USAGE = "Usage: API_URL=https://… API_KEY=svc_… python3 listen.py ENDPOINT_ID http://127.0.0.1:8080/hook"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Listener:
    def __init__(self, api_url, api_key, endpoint_id, target, state_file):
        self.queue = f"{api_url.rstrip('/')}/v1/webhook-endpoints/{endpoint_id}/queue"
        self.api_key = api_key
        self.target = target
        self.state_file = state_file
        self.state = self.read_state()
        self.stopping = threading.Event()
        self.failures = 0
        self.service = urllib.request.build_opener(NoRedirects)
        # A proxy leads out of the clinic, not to the local URL.
        self.local = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler({}))

    def run(self):
        while not self.stopping.is_set():
            page = self.read_queue()
            if page is None:
                continue
            for item in page["items"]:
                if item["deliveryId"] not in self.state["passed"]:
                    self.hand_over(item)
                if self.stopping.is_set():
                    return
            # The next request acknowledges the page.
            self.save_state({"cursor": page["cursor"], "passed": []})

    def read_queue(self):
        query = {"waitSeconds": WAIT_SECONDS}
        if self.state["cursor"]:
            query["cursor"] = self.state["cursor"]
        url = f"{self.queue}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.api_key}"})
        try:
            with self.service.open(request, timeout=WAIT_SECONDS + 10) as answer:
                page = json.load(answer)
                self.failures = 0
                return page
        except urllib.error.HTTPError as error:
            # Trying again would not help: a wrong key, endpoint or state file.
            if error.code < 500 and error.code not in (408, 429):
                log(f"the queue was refused: {error.code} {error.read().decode()}")
                sys.exit(1)
            asked = error.headers.get("Retry-After", "")
            self.rest(f"the queue answered {error.code}", int(asked) if asked.isdecimal() else 0)
        except (OSError, ValueError, http.client.HTTPException) as error:
            self.rest(f"the queue cannot be reached: {reason_of(error)}")
        return None

    def hand_over(self, item):
        headers = item["headers"]
        name = f"{headers['X-Service-Event-Id']} {headers['X-Service-Event-Type']}"
        while not self.stopping.is_set():
            began = time.monotonic()
            outcome = self.post(item["event"], headers)
            log(f"{name} {outcome} {round((time.monotonic() - began) * 1000)} ms")
            if re.fullmatch(r"2\d\d", outcome):
                self.failures = 0
                self.save_state({"passed": [*self.state["passed"], item["deliveryId"]]})
                return
            self.rest(f"{self.target} did not take it")

    def post(self, event, headers):
        request = urllib.request.Request(self.target, data=event.encode(), headers=headers, method="POST")
        try:
            with self.local.open(request, timeout=10) as answer:
                return str(answer.status)
        except urllib.error.HTTPError as error:
            return str(error.code)
        except (OSError, http.client.HTTPException) as error:
            return reason_of(error)

    def rest(self, why, least_seconds=0):
        """Waits longer after each failure; a signal ends it."""
        backoff = FIRST_PAUSE_SECONDS * 2 ** min(self.failures, 10)
        seconds = max(least_seconds, min(backoff, LONGEST_PAUSE_SECONDS))
        self.failures += 1
        log(f"{why}; trying again in {seconds} s")
        self.stopping.wait(seconds)

    def read_state(self):
        try:
            with open(self.state_file, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {"cursor": None, "passed": []}

    def save_state(self, changed):
        """In one step, so that a crash leaves the old file or the new one."""
        self.state.update(changed)
        new = f"{self.state_file}.new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        os.replace(new, self.state_file)


def reason_of(error):
    return type(getattr(error, "reason", error)).__name__


def log(line):
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    print(f"{now} {line}", flush=True)


def main():
    endpoint_id, target = (sys.argv[1:] + ["", ""])[:2]
    api_url, api_key = os.environ.get("API_URL", ""), os.environ.get("API_KEY", "")
    is_right = re.fullmatch(r"[\da-fA-F-]{36}", endpoint_id) and re.match(r"https?://", target)
    if not (api_url and api_key and is_right):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    state_file = os.environ.get("STATE_FILE", f"listen-{endpoint_id}.json")
    listener = Listener(api_url, api_key, endpoint_id, target, state_file)

    def stop(*_):
        # A waiting read would hold the program for 25 seconds; nothing is lost when it ends now.
        if listener.stopping.is_set():
            sys.exit(0)
        listener.stopping.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        listener.run()
    except KeyboardInterrupt:
        pass


main()
