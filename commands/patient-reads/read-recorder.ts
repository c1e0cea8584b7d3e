import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../adapters/logs/logger.ts';
import { runEvery } from '../../adapters/timing/run-every.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { insertPatientReads, type PatientRead } from '../../db/patient-reads/patient-reads.ts';
import { SAME_READ_MS, type ShownPatients } from '../../domain/patient-read.ts';

/** A response or page that showed patients to a reader. */
export interface Reading extends ShownPatients {
  tenantId: string;
  actor: string;
  requestId: string;
}

export interface ReadRecorder {
  /** Never waits and never fails. */
  add(reading: Reading): void;
}

export interface ReadRecorderOptions {
  database: Pick<Database, 'em'>;
  /** Called with the number of patients whose entries were dropped. */
  onLost: (patients: number) => void;
  logger: Logger;
  now: () => Date;
}

const EVERY_MS = 1000;
/** Entries per statement. */
const MAX_TOGETHER = 100;
/**
 * How many patients wait in memory while the database is unavailable. Further views are not recorded until the patient
 * is shown again.
 */
const MAX_HELD = 100_000;

/**
 * Records once a second who was shown which patients, one entry per reader and second. What cannot be written waits for
 * the next round; disposing writes the rest.
 */
export function startReadRecorder(options: ReadRecorderOptions): ReadRecorder & AsyncDisposable {
  const { database, onLost, logger, now } = options;
  const seen = createRecentReads();
  const held = createHeldReads();

  async function save(): Promise<void> {
    for (let batch = held.take(MAX_TOGETHER); batch.length > 0; batch = held.take(MAX_TOGETHER)) {
      await insertPatientReads(database.em(), batch);
      held.drop(batch);
    }
  }

  const rounds = runEvery(EVERY_MS, save, 'reads.not_recorded', logger);
  return {
    add(reading) {
      const { tenantId, actor, kind, ids } = reading;
      if (held.count() + ids.length > MAX_HELD) return onLost(ids.length);
      const forMs = SAME_READ_MS[actor.startsWith('key:') ? 'program' : 'person'];
      const fresh = seen.unseen(`${tenantId} ${actor} ${kind}`, ids, { now: now(), forMs });
      if (fresh.length > 0) held.add(reading, fresh);
    },
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await save().catch((error: unknown) => {
        onLost(held.count());
        logger.warn({ err: error }, 'reads.not_recorded');
      });
    },
  };
}

/** The maximum number of IDs in an entry. */
const MAX_IDS = 1000;

/** A buffer of entries to be written. */
function createHeldReads() {
  const rows: PatientRead[] = [];
  /** Entries that can still grow, by reader and kind. */
  const open = new Map<string, PatientRead>();
  let held = 0;

  function rowFor({ tenantId, actor, kind }: Reading): PatientRead {
    const reader = `${tenantId} ${actor} ${kind}`;
    const known = open.get(reader);
    if (known && known.subjectIds.length < MAX_IDS) return known;
    const row: PatientRead = { id: uuidv7(), tenantId, actor, kind, subjectIds: [], requestIds: [] };
    rows.push(row);
    open.set(reader, row);
    return row;
  }

  return {
    /** The number of buffered patients. */
    count: () => held,
    /** Adds IDs to the open entry of this reader and kind, or opens one. @param ids the new IDs */
    add(reading: Reading, ids: readonly string[]) {
      const { requestIds, subjectIds } = rowFor(reading);
      subjectIds.push(...ids);
      if (requestIds.at(-1) !== reading.requestId) requestIds.push(reading.requestId);
      held += ids.length;
    },
    /** The first entries. They stay in the buffer until they are dropped. */
    take(atMost: number) {
      open.clear();
      return rows.slice(0, atMost);
    },
    drop(taken: readonly PatientRead[]) {
      rows.splice(0, taken.length);
      held -= taken.reduce((sum, { subjectIds }) => sum + subjectIds.length, 0);
    },
  };
}

interface Lately {
  now: Date;
  /** How long a view counts as recorded, from the reader's first view. */
  forMs: number;
}

/**
 * How many views are remembered for all readers together (ten megabytes). Above this, the memory is cleared and views
 * are recorded again.
 */
const MAX_REMEMBERED = 100_000;

/** Remembers what this process has recorded recently, so that it is not recorded for every view. */
export function createRecentReads() {
  const readers = new Map<string, { since: number; ids: Set<string> }>();
  let remembered = 0;

  function seenBy(reader: string, { now, forMs }: Lately): Set<string> {
    const known = readers.get(reader);
    if (known && now.getTime() - known.since < forMs) return known.ids;
    remembered -= known?.ids.size ?? 0;
    const ids = new Set<string>();
    readers.set(reader, { since: now.getTime(), ids });
    return ids;
  }

  return {
    /** The ids that the reader has not been shown recently; they count as shown from now on. */
    unseen(reader: string, ids: readonly string[], lately: Lately): string[] {
      if (ids.length === 0) return [];
      if (remembered + ids.length > MAX_REMEMBERED) {
        readers.clear();
        remembered = 0;
      }
      const seen = seenBy(reader, lately);
      const fresh = ids.filter((id) => !seen.has(id) && seen.add(id));
      remembered += fresh.length;
      return fresh;
    },
  };
}
