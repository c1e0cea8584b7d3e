import { Migration } from '@mikro-orm/migrations';

/**
 * On an empty table PostgreSQL rates every index that could lead to a row as good as the whole key and takes the youngest. A
 * connection keeps that plan for its foreign keys, so that each booking would read all appointments of its clinic. The keys,
 * made anew, are the youngest.
 */
const APPOINTMENT_KEY = `
ALTER TABLE appointment
  DROP CONSTRAINT appointment_tenant_id_rescheduled_to_id_fkey,
  DROP CONSTRAINT appointment_tenant_id_rescheduled_from_id_fkey;
ALTER TABLE appointment_change DROP CONSTRAINT appointment_change_tenant_id_appointment_id_fkey;
ALTER TABLE webhook_event DROP CONSTRAINT webhook_event_tenant_id_appointment_id_fkey;
ALTER TABLE nps_response DROP CONSTRAINT nps_response_tenant_id_appointment_id_fkey;
ALTER TABLE triage_form DROP CONSTRAINT triage_form_tenant_id_appointment_id_fkey;

ALTER TABLE appointment
  DROP CONSTRAINT appointment_tenant_id_id_key,
  ADD CONSTRAINT appointment_key UNIQUE (tenant_id, id);

ALTER TABLE appointment
  ADD FOREIGN KEY (tenant_id, rescheduled_to_id) REFERENCES appointment (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
  ADD FOREIGN KEY (tenant_id, rescheduled_from_id) REFERENCES appointment (tenant_id, id);
ALTER TABLE appointment_change
  ADD FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id);
ALTER TABLE webhook_event
  ADD FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id);
ALTER TABLE nps_response
  ADD FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id);
ALTER TABLE triage_form
  ADD FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointment (tenant_id, id);
`;

const CALL_KEY = `
ALTER TABLE call_event DROP CONSTRAINT call_event_tenant_id_call_id_fkey;
ALTER TABLE call_recording DROP CONSTRAINT call_recording_tenant_id_call_id_fkey;

ALTER TABLE call
  DROP CONSTRAINT call_tenant_id_id_key,
  ADD CONSTRAINT call_key UNIQUE (tenant_id, id);

ALTER TABLE call_event
  ADD FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id);
ALTER TABLE call_recording
  ADD FOREIGN KEY (tenant_id, call_id) REFERENCES call (tenant_id, id);
`;

const EVENT_KEY = `
ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_tenant_id_event_id_fkey;
ALTER TABLE webhook_event
  DROP CONSTRAINT webhook_event_tenant_id_id_key,
  ADD CONSTRAINT webhook_event_key UNIQUE (tenant_id, id);
ALTER TABLE webhook_delivery
  ADD FOREIGN KEY (tenant_id, event_id) REFERENCES webhook_event (tenant_id, id);
`;

const DELIVERY_KEY = `
ALTER TABLE webhook_attempt DROP CONSTRAINT webhook_attempt_delivery_id_fkey;
ALTER TABLE webhook_delivery
  DROP CONSTRAINT webhook_delivery_resend_of_fkey,
  DROP CONSTRAINT webhook_delivery_pkey,
  ADD PRIMARY KEY (id);
ALTER TABLE webhook_delivery
  ADD FOREIGN KEY (resend_of) REFERENCES webhook_delivery (id);
ALTER TABLE webhook_attempt
  ADD FOREIGN KEY (delivery_id) REFERENCES webhook_delivery (id);
`;

export class KeysLastMigration extends Migration {
  override up(): void {
    for (const part of [APPOINTMENT_KEY, CALL_KEY, EVENT_KEY, DELIVERY_KEY]) this.addSql(part);
  }
}
