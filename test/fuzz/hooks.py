"""What schemathesis cannot know: ids that exist, and what it must not do to the key that it asks with."""

import json
import os
import random

import schemathesis

# The key that is asked with, `paths`: what an operation's address begins with, and ids that exist there, `fields`: names of
# parameters and properties, and real values of theirs.
KNOWN = json.loads(os.environ["FUZZ_KNOWN"])
CHANCE = random.Random(KNOWN["seed"])


@schemathesis.hook
def filter_case(context, case):
    """A key that ends itself would end the run."""
    is_own_key = case.path_parameters and case.path_parameters.get("id") == KNOWN["ownKeyId"]
    return not (is_own_key and case.operation.path.startswith("/v1/api-keys/"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Two in three name what exists, so that they reach what lies behind the search for it."""
    if CHANCE.random() < 1 / 3:
        return
    for path, ids in KNOWN["paths"].items():
        if case.operation.path.startswith(path) and case.path_parameters and "id" in case.path_parameters:
            case.path_parameters["id"] = CHANCE.choice(ids)
    for place in (case.query, case.body):
        if isinstance(place, dict):
            for name in set(place) & set(KNOWN["fields"]):
                if isinstance(place[name], str):
                    place[name] = CHANCE.choice(KNOWN["fields"][name])
