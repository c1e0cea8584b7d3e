import type { Database } from '../../db/connection/open-database.ts';
import type { EntityManager, RowOf } from '../../db/connection/statements.ts';
import {
  eraseFromEvents,
  pageOfEvents,
  type EventOfPatient,
  type EventPosition,
} from '../../db/patients/events-of-patient.ts';
import { eventTypesFoundBy } from '../../domain/webhooks/events/patient-data.schema.ts';
import type { Patient } from '../../db/patients/appointments-of-patient.ts';
import type { RecalledPatient } from '../../db/patients/recalls-of-patient.ts';
import type { CommandContext } from '../command-context.ts';

/** The stored hashes of a phone, from the hash that an event or response shows. */
export type ShownHash = (shown: string) => readonly string[];

export interface Erasure {
  database: Pick<Database, 'em'>;
  context: CommandContext;
  /** The stored hashes for a shown hash, which may be older. */
  storedHashes?: ShownHash | undefined;
  /**
   * A pseudonym that replaces the patient's identity, so that the patient's rows can still be recognised as belonging
   * together.
   */
  pseudonym: string;
}

const PAGE = 500;

/**
 * The stored events of these calls, by call. The database does not link calls to events, so all such events of the
 * clinic are read, a page at a time.
 */
export async function findEventsOfCalls(
  em: EntityManager,
  { tenantId, callIds }: { tenantId: string; callIds: ReadonlySet<string> },
): Promise<Map<string, EventOfPatient[]>> {
  const found = new Map<string, EventOfPatient[]>();
  if (callIds.size === 0) return found;
  for (const type of eventTypesFoundBy('call')) {
    for await (const event of eventsOfType(em, { tenantId, type })) {
      const callId = callOf(event);
      if (callIds.has(callId)) found.set(callId, [...(found.get(callId) ?? []), event]);
    }
  }
  return found;
}

/** The events that identify a patient only by phone, a page at a time. */
export async function* eventsFoundByPhone(em: EntityManager, tenantId: string) {
  for (const type of eventTypesFoundBy('phone')) yield* eventsOfType(em, { tenantId, type });
}

/** All readable events of one type, a page at a time. */
async function* eventsOfType(em: EntityManager, wanted: RowOf<'webhook_event', 'tenantId' | 'type'>) {
  let after: EventPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof pageOfEvents>> = await pageOfEvents(em, wanted, {
      after,
      limit: PAGE,
    });
    yield* page.events;
    after = page.next;
  } while (after);
}

function callOf({ body }: EventOfPatient): string {
  return (JSON.parse(body) as { data: { call: { id: string } } }).data.call.id;
}

type RecalledBy = Omit<RecalledPatient, 'tenantId'>;

/**
 * Erases the patient's recall events. Their bodies contain no ID of the service, so all recall events of the clinic are
 * read. Returns how many were about the patient.
 */
export async function eraseRecallEvents(
  { database, pseudonym, storedHashes }: Erasure,
  patient: Patient,
  by: RecalledBy,
): Promise<number> {
  const em = database.em();
  const isOfPatient = isRecallOf(patient, by, storedHashes);
  let erased = 0;
  for await (const event of eventsFoundByPhone(em, patient.tenantId)) {
    if (!isOfPatient(event)) continue;
    await eraseFromEvents(em, [event], pseudonym);
    erased += 1;
  }
  return erased;
}

interface RecallBody {
  data: { patientPhoneHash: string; patientExternalId?: string | null; lastVisitAt: string };
}

/** Whether a `patient.recall_due` is about the patient. */
export function isRecallOf(
  patient: Patient,
  { own, visits }: RecalledBy,
  storedHashes: ShownHash = (shown) => [shown],
): (event: EventOfPatient) => boolean {
  const phones = new Set(own);
  const number = 'externalId' in patient ? patient.externalId : null;
  const seen = new Set(visits.map((visit) => `${visit.patientPhoneHash} ${visit.startsAt.toISOString()}`));
  return ({ body }) => {
    const { patientPhoneHash, patientExternalId = null, lastVisitAt } = (JSON.parse(body) as RecallBody).data;
    if (number !== null && patientExternalId === number) return true;
    return storedHashes(patientPhoneHash).some(
      (hash) => phones.has(hash) || seen.has(`${hash} ${lastVisitAt}`),
    );
  };
}
