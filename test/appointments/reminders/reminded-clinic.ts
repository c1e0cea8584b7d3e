import { remindPatients } from '../../../commands/appointments/remind-patients.ts';
import { updateTenant } from '../../../commands/clinic/update-tenant.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { asOperator, type TestClinic } from '../../support/clinic.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';

export interface SentReminder {
  appointment: { id: string; startsAt: string; status: string };
  hoursBefore: number;
  patientUrl: string | null;
}

export function setHours(database: Database, { tenantId }: TestClinic, hoursBefore: number[] | null) {
  const config = { reminders: hoursBefore && { hoursBefore } };
  return database.write((em) => updateTenant(em, { tenantId, config }, asOperator()));
}

/** What the workers do at a time. Returns the appointments whose reminders failed. */
export async function remindAt(database: Database, now: Date): Promise<string[]> {
  const failed: string[] = [];
  const remind = () =>
    remindPatients({
      database,
      context: { actor: 'worker', requestId: null, now },
      patientUrlOf: (id) => `https://dashboard.example/book/a/${id}`,
      onFailed: ({ id }) => failed.push(id),
    });
  for (let found: unknown = true; found;) found = await remind();
  return failed;
}

/** The reminders sent so far, in order. */
export async function sentReminders(database: Database, tenantId: string): Promise<SentReminder[]> {
  const events = await storedEvents(database, { tenantId, type: 'appointment.reminder_due' });
  return events.map(({ body }) => (JSON.parse(body ?? '') as { data: SentReminder }).data);
}
