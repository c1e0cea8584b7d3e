import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createRecallActivities, type RecallProgress } from '../../activities/recall.activities.ts';
import { withSafeFailures } from '../../activities/each-activity.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { expectDocumented } from '../docs/documented-event.ts';
import type { TestClinic } from '../support/clinic.ts';
import { testLogger } from '../support/test-logger.ts';
import { storeAppointments } from '../support/stored/stored-appointments.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

/** The hash under which the tests know a patient. */
export function patient(name: string | number): string {
  return createHash('sha256').update(`patient ${name}`).digest('hex');
}

interface Visit {
  /** Whose phone it is. */
  patient: string | number;
  at: string;
  status?: AppointmentStatus;
  /** Null: erased. */
  name?: string | null;
  externalId?: string;
}

/** An appointment as it stands in the rows, at any time of the past. */
export async function aVisit(database: Database, clinic: TestClinic, visit: Visit): Promise<string> {
  const startsAt = new Date(visit.at);
  const stored = {
    serviceTypeId: clinic.serviceTypeId,
    patientName: visit.name === undefined ? 'Maria Santos' : visit.name,
    patientPhoneHash: patient(visit.patient),
    patientExternalId: visit.externalId ?? null,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 30 * 60_000),
    blocks: false,
    status: visit.status ?? 'attended',
    createdAt: new Date(startsAt.getTime() - 86_400_000),
  };
  const [id = ''] = await storeAppointments(database, clinic, [stored]);
  return id;
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
