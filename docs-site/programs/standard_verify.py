from standardwebhooks.webhooks import Webhook

def read_event(headers: dict[str, str], raw_body: bytes, secret: str):
    return Webhook(secret).verify(raw_body, headers)
