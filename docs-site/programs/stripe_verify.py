import json
import stripe

def read_event(header: str, raw_body: bytes, secret: str):
    stripe.WebhookSignature.verify_header(raw_body.decode(), header, secret, tolerance=300)
    return json.loads(raw_body)
