import os
from flask import Flask, request
from verify import is_genuine

app = Flask(__name__)

@app.post("/hook")
def hook():
    header = request.headers.get("X-Service-Signature")
    if not is_genuine(header, request.get_data(), os.environ["WEBHOOK_SECRET"]):
        return "", 401
    event = request.get_json()
    # Store the event, then answer.
    return "", 200
