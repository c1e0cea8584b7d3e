import { isInClinicScope, wallAround } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Who holds a time comes with it: what a patient holds is hidden from other patients only. */
const TAKEN_TIME = `
CREATE OR REPLACE VIEW taken_time AS
SELECT id, tenant_id, professional_id, status, hold_expires_at, block_from, block_until, held_by
FROM calendar_entry
WHERE blocks AND ${isInClinicScope()};
`;

/** Where patients booked from, for the limits of docs/self-service.md. A row is removed after a day. */
const SELF_BOOKING = `
CREATE TABLE IF NOT EXISTS self_booking (
  appointment_id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  -- An IPv4 address, or the /56 network of an IPv6 one.
  address text NOT NULL,
  -- A random id that the browser keeps in a cookie.
  browser uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES calendar_entry (tenant_id, id)
);
CREATE INDEX IF NOT EXISTS self_booking_by_age ON self_booking (created_at);
${wallAround('self_booking', {
  rights: 'SELECT, INSERT',
  admission: { rights: 'SELECT (appointment_id, created_at), UPDATE (created_at), DELETE' },
})}
`;

/** What patients book by themselves is counted from here, without reading what they have cancelled. */
export class SelfBookingsMigration extends NonBlockingMigration {
  override up(): void {
    this.addSql(TAKEN_TIME);
    this.addSql(SELF_BOOKING);
    this.buildIndex(
      'appointment_self_booked',
      `ON calendar_entry (tenant_id, created_at)
        WHERE source = 'self_service' AND rescheduled_from_id IS NULL AND status <> 'cancelled'`,
    );
  }
}
