import type { Logger } from '../../adapters/logs/logger.ts';
import { runEvery } from '../../adapters/timing/run-every.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { insertPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { SAME_READ_MS, type ShownPatients } from '../../domain/patient-read.ts';
import { createHeldReads } from './held-reads.ts';
import { createSeenLately } from './seen-lately.ts';

/** Somebody was shown patients. */
export interface Reading extends ShownPatients {
  tenantId: string;
  actor: string;
  requestId: string;
}

export interface ReadRecorder {
  /** Costs the request next to nothing: it never waits and never fails. */
  add(reading: Reading): void;
}

export interface ReadRecorderOptions {
  database: Pick<Database, 'em'>;
  /** How many patients’ entries were lost for want of room. */
  onLost: (patients: number) => void;
  logger: Logger;
  now: () => Date;
}

const EVERY_MS = 1000;
/** Of one statement. */
const MOST_TOGETHER = 100;
/** While the database is away; what comes on top is not recorded, and recorded when it is shown again. */
const MOST_HELD = 100_000;

/**
 * Writes down, once a second, who was shown which patients since: what one was shown in that second goes into one entry. What
 * cannot be written waits for the next round; disposing writes down the rest.
 */
export function startReadRecorder(options: ReadRecorderOptions): ReadRecorder & AsyncDisposable {
  const { database, onLost, logger, now } = options;
  const seen = createSeenLately();
  const held = createHeldReads();

  async function save(): Promise<void> {
    for (let batch = held.take(MOST_TOGETHER); batch.length > 0; batch = held.take(MOST_TOGETHER)) {
      await insertPatientReads(database.em(), batch);
      held.drop(batch);
    }
  }

  const rounds = runEvery(EVERY_MS, save, 'reads.not_recorded', logger);
  return {
    add(reading) {
      const { tenantId, actor, kind, ids } = reading;
      if (held.count() + ids.length > MOST_HELD) return onLost(ids.length);
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
