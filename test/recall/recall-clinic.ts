import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { sql } from 'kysely';
import { createRecallActivities, type RecallProgress } from '../../activities/recall.activities.ts';
import { withSafeFailures } from '../../activities/safe-failures.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { expectDocumented } from '../docs/documented-event.ts';
import type { TestClinic } from '../support/clinic.ts';
import { testLogger } from '../support/test-logger.ts';
import { storedEvents } from '../support/stored-events.ts';

/** The hash under which the tests know a patient. */
export function patient(name: string | number): string {
  return createHash('sha256').update(`patient ${name}`).digest('hex');
}

interface Visit {
  /** Whose phone it is. */
  patient: string | number;
  at: string;
  status?: AppointmentStatus;
  name?: string;
  externalId?: string;
}

/** An appointment as it stands in the rows, at any time of the past. */
export async function aVisit(database: Database, clinic: TestClinic, visit: Visit): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO appointment (
      id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, patient_external_id,
      starts_at, ends_at, block_from, block_until, blocks, status, source, created_at
    )
    SELECT
      uuid_v7(), ${clinic.tenantId}, ${clinic.professionalIds[0]}, ${clinic.serviceTypeId}, ${visit.name ?? 'Maria Santos'},
      ${patient(visit.patient)}, ${visit.externalId ?? null}, begins, ends, begins, ends, false, ${visit.status ?? 'attended'}, 'manual',
      begins - interval '1 day'
    FROM (
      SELECT ${visit.at}::timestamptz AS begins, ${visit.at}::timestamptz + interval '30 minutes' AS ends
    ) slot
    RETURNING id
  `.execute(database.em().getKysely());
  return rows[0]?.id ?? '';
}

/** What an activity sees of Temporal; its failures are the test's to judge. */
export function anActivityEnvironment(): MockActivityEnvironment {
  return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
}

/** One run of the scan's activity, as at `at`. */
export function scanAt(
  database: Database,
  at: string | Date,
  options: { from?: string | null; patientsAPage?: number; environment?: MockActivityEnvironment } = {},
): Promise<RecallProgress> {
  const { from = null, patientsAPage = 200, environment = anActivityEnvironment() } = options;
  const clock = () => new Date(at);
  const { scanRecalls } = createRecallActivities({ database, logger: testLogger(), clock, patientsAPage });
  return environment.run(withSafeFailures({ scanRecalls }).scanRecalls, { from });
}

export interface Recall {
  patientPhoneHash: string;
  patientExternalId: string | null;
  lastVisitAt: string;
  daysSinceLastVisit: number;
}

/** What a clinic was told, in order; each event as its documentation says. */
export async function recallsOf(database: Database, { tenantId }: TestClinic): Promise<Recall[]> {
  const where = { tenantId, type: 'patient.recall_due' as const };
  const events = await storedEvents(database, where);
  return events.map(({ body: stored }) => {
    const body = stored ?? '';
    expectDocumented('patient.recall_due', body);
    return (JSON.parse(body) as { data: Recall }).data;
  });
}
