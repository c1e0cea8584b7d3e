import { callNumber } from '../../domain/encryption/sealed-places.ts';
import {
  eraseAppointments,
  eraseCalls,
  eraseClinic as eraseClinicRow,
  eraseRecalls,
  eraseUrls,
  lockCalls,
  type PageOfClinic,
} from '../../db/clinic/erase-clinic-rows.ts';
import { destroyClinicKey } from '../../db/clinic/clinic-keys.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { erasePeople } from '../../db/people/people.ts';
import { deleteStoredAnswers, pageOfStoredAnswers } from '../../db/patients/stored-answers.ts';
import { pruneRecordings, pruneTranscripts } from '../../db/retention/old-calls.ts';
import { lockOldEvents, pruneBodies } from '../../db/retention/old-events.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/skip-deliveries.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import type { RetentionPosition } from '../../domain/retention.ts';
import { auditActor, recordAudit, type CommandContext } from '../command-context.ts';
import { deleteEndpoint } from '../webhooks/change-endpoint-health.ts';
import { revokeApiKey } from './change-api-key.ts';

/** Rows per transaction. */
const PAGE = 200;

export interface ClinicErasure {
  database: Database;
  context: CommandContext;
  /** Called after each part with the number found. */
  onErased: (part: keyof ErasedClinic, found: number) => void;
}

/** The number of erased items by part. */
export type ErasedClinic = Record<(typeof PARTS)[number][0], number>;

/**
 * The order matters. After appointments and the clinic are erased, events that a timer records meanwhile contain no
 * names; they are erased with the last part.
 */
const PARTS = [
  ['keys', eraseKeys],
  ['people', ({ database }, tenantId) => database.em().transactional((em) => erasePeople(em, tenantId))],
  ['endpoints', eraseEndpoints],
  [
    'deliveries',
    ({ database }, tenantId) => inPages((page) => eraseUrls(database.em(), { tenantId, ...page })),
  ],
  [
    'appointments',
    ({ database }, tenantId) => inPages((page) => eraseAppointments(database.em(), { tenantId, ...page })),
  ],
  ['calls', (erasure, tenantId) => inPages((page) => pageOfCalls(erasure, tenantId, page))],
  ['callEvents', eraseCallEvents],
  ['recordings', eraseRecordings],
  ['recalls', ({ database }, tenantId) => untilNone(() => eraseRecalls(database.em(), tenantId, PAGE))],
  ['clinics', eraseItself],
  ['events', eraseEvents],
  ['keptAnswers', eraseKeptAnswers],
  // Last, so that an interrupted run can be repeated: after this, backups cannot be decrypted either.
  ['clinicKeys', ({ database }, tenantId) => destroyClinicKey(database.em(), tenantId)],
] as const satisfies [string, (erasure: ClinicErasure, tenantId: string) => Promise<number>][];

/**
 * Erases a clinic that has left: everything that identifies it, its people or its patients. Ids, times, statuses and
 * counts stay. Each page is its own transaction, so it can be interrupted and repeated. The deletion of recordings'
 * bytes is planned. docs/operations/clinic-data.md#erase
 */
export async function eraseClinic(erasure: ClinicErasure, tenantId: string): Promise<ErasedClinic> {
  const erased: Partial<ErasedClinic> = {};
  for (const [part, erase] of PARTS) {
    const found = await erase(erasure, tenantId);
    erased[part] = found;
    erasure.onErased(part, found);
  }
  const audited = { action: 'tenant.erased', tenantId, subjectId: tenantId, details: erased } as const;
  await recordAudit(erasure.database.em(), audited, erasure.context);
  return erased as ErasedClinic;
}

async function eraseKeys({ database, context }: ClinicErasure, tenantId: string): Promise<number> {
  const keys = await database.em().find(ApiKeyEntity, { tenantId });
  for (const { id: keyId } of keys)
    await database.write((em) => revokeApiKey(em, { tenantId, keyId }, context));
  return keys.length;
}

async function eraseEndpoints({ database, context }: ClinicErasure, tenantId: string): Promise<number> {
  const endpoints = await listEndpoints(database.em(), tenantId);
  for (const { id: endpointId } of endpoints) {
    await database.write((em) => deleteEndpoint(em, { tenantId, endpointId }, context));
  }
  await untilNone(() => database.write((em) => skipOpenDeliveries(em, { tenantId })));
  return endpoints.length;
}

type Page = Pick<PageOfClinic, 'after' | 'limit'>;

function pageOfCalls({ database }: ClinicErasure, tenantId: string, page: Page): Promise<string[]> {
  return database.em().transactional(async (em) => {
    const ids = await lockCalls(em, { tenantId, ...page });
    const cipher = await cipherOf(em, tenantId);
    const calls = ids.map((id) => ({
      id,
      from_sealed: cipher.encrypt('', callNumber({ tenantId, id }, 'from')),
      to_sealed: cipher.encrypt('', callNumber({ tenantId, id }, 'to')),
    }));
    await eraseCalls(em, tenantId, calls);
    return ids;
  });
}

const WHATEVER_AGE = { olderThanDays: null, limit: PAGE };

function eraseCallEvents({ database }: ClinicErasure, clinicId: string): Promise<number> {
  return untilNone(() => pruneTranscripts(database.em(), { clinicId, ...WHATEVER_AGE }));
}

function eraseRecordings({ database, context }: ClinicErasure, clinicId: string): Promise<number> {
  const actor = auditActor(context);
  return untilNone(() => pruneRecordings(database.em(), { clinicId, ...WHATEVER_AGE }, actor));
}

async function eraseItself({ database }: ClinicErasure, tenantId: string): Promise<number> {
  await database.em().transactional((em) => eraseClinicRow(em, tenantId));
  return 1;
}

async function eraseEvents({ database }: ClinicErasure, clinicId: string): Promise<number> {
  let erased = 0;
  let from: RetentionPosition = { clinicId };
  for (;;) {
    const held = await database.em().transactional((em) => pageOfEvents(em, from));
    erased += held.erased;
    if (!held.last) return erased;
    from = { clinicId, event: held.last };
  }
}

async function pageOfEvents(em: EntityManager, from: RetentionPosition) {
  const events = await lockOldEvents(em, 'withBody', from, WHATEVER_AGE);
  const ids = events.map(({ id }) => id);
  const erased = await pruneBodies(em, { clinicId: from.clinicId, ids, olderThanDays: null });
  return { erased, last: events.at(-1) };
}

async function eraseKeptAnswers({ database }: ClinicErasure, tenantId: string): Promise<number> {
  return untilNone(async () => {
    const page = await pageOfStoredAnswers(database.em(), tenantId, { after: null, limit: PAGE });
    const hashes = page.map(({ keyHash }) => keyHash);
    await deleteStoredAnswers(database.em(), tenantId, hashes);
    return hashes.length;
  });
}

async function inPages(erase: (page: Page) => Promise<string[]>): Promise<number> {
  let erased = 0;
  for (let after: string | null = null; ;) {
    const ids: string[] = await erase({ after, limit: PAGE });
    erased += ids.length;
    after = ids.at(-1) ?? null;
    if (ids.length < PAGE) return erased;
  }
}

async function untilNone(erase: () => Promise<number>): Promise<number> {
  for (let erased = 0; ;) {
    const found = await erase();
    erased += found;
    if (found < PAGE) return erased;
  }
}
