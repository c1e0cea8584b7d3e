import { CLINIC_ROLE } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** What erasing a patient changes in tables that a clinic's requests otherwise only read or add to. */
const RIGHTS = [
  'UPDATE (comment) ON nps_response',
  'UPDATE (answers) ON triage_form',
  'UPDATE (transcript, tool_input, tool_output) ON call_event',
  'UPDATE (body) ON webhook_event',
  'UPDATE (response_excerpt) ON webhook_attempt',
  'UPDATE (patient_phone_hash) ON recall',
  'DELETE ON idempotency_record',
  'SELECT ON sealing_progress',
];

/** Lets the API erase a patient, and finds the events that say so when they expire. */
export class PatientsErasedByTheApiMigration extends NonBlockingMigration {
  override up(): void {
    for (const right of RIGHTS) this.addSql(`GRANT ${right} TO ${CLINIC_ROLE}`);
    this.buildIndex(
      'webhook_event_of_erased_patient',
      "ON webhook_event (created_at) WHERE type = 'patient.erased' AND body IS NOT NULL",
    );
  }
}
