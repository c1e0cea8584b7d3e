import json
import os
import uuid
from datetime import datetime
from io import BytesIO

from clinic_api import AuthenticatedClient
from clinic_api.api.appointments import book_appointment, get_appointment, list_appointments
from clinic_api.api.call_ingest import upload_call_recording
from clinic_api.models import (
    Appointment,
    AppointmentCreatedEvent,
    AppointmentSyncPage,
    BookAppointmentBody,
    Error,
    Recording,
)
from clinic_api.types import File
from clinic_api.verify import is_genuine

api = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])
starts_at = datetime.fromisoformat(os.environ["STARTS_AT"])


def given(answer, kind):
    """A refusal says what was wrong."""
    if isinstance(answer, Error):
        raise RuntimeError(f"{answer.error}: {answer.message}")
    assert isinstance(answer, kind), answer
    return answer


booked = given(
    book_appointment.sync(
        client=api,
        idempotency_key=str(uuid.uuid4()),
        body=BookAppointmentBody(
            professional_id=uuid.UUID(os.environ["PROFESSIONAL_ID"]),
            service_type_id=uuid.UUID(os.environ["SERVICE_ID"]),
            patient_name="Ana Martins",
            patient_phone="+351912345678",
            starts_at=starts_at,
        ),
    ),
    Appointment,
)

read = given(get_appointment.sync(booked.id, client=api), Appointment)

page = given(list_appointments.sync(client=api, from_=starts_at, limit=10), AppointmentSyncPage)

recording = given(
    upload_call_recording.sync(
        uuid.UUID(os.environ["CALL_ID"]),
        client=api,
        body=File(payload=BytesIO(bytes(1000))),
    ),
    Recording,
)

# As a receiver gets it: the header X-Service-Signature, and the body as it arrived.
raw_body = os.environ["RAW_BODY"].encode()
assert is_genuine(os.environ["SIGNATURE"], raw_body, os.environ["WEBHOOK_SECRET"])
event = json.loads(raw_body)
# The generator makes a class for each type of event and none for any: choose by its type.
told = event["type"]
if told == "appointment.created":
    told = str(AppointmentCreatedEvent.from_dict(event).data.appointment.id)

print(
    json.dumps(
        {
            "booked": str(booked.id),
            "status": read.status.value,
            "listed": [str(item.id) for item in page.items],
            "sizeBytes": recording.size_bytes,
            "told": told,
        }
    )
)
