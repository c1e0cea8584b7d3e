import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300

def is_genuine(header: str | None, raw_body: bytes, secret: str) -> bool:
    """header: X-Service-Signature, or None; raw_body: the bytes, as they arrived."""
    parts = [part.partition("=") for part in (header or "").split(",")]
    t = next((value for name, _, value in parts if name == "t"), "")
    if not re.fullmatch(r"[0-9]{1,12}", t) or abs(time.time() - int(t)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    digests = [value for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(digest.encode(), expected.encode()) for digest in digests)
