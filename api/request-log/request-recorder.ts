import type { Logger } from '../../adapters/logs/logger.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { insertRequests, type RequestToLog } from '../../db/requests/request-log.ts';
import { runEvery } from '../../adapters/timing/run-every.ts';

const EVERY_MS = 1000;
/** Rows per statement. */
const MAX_TOGETHER = 1000;
/** How many requests wait in memory while the database is slow; further requests are not recorded. */
const MAX_HELD = 10_000;
/**
 * How many `rate_limited` requests are recorded for a key per round, so that a client over its limit cannot fill the
 * table.
 */
const MAX_OVER_LIMIT = 10;

export interface RequestRecorder {
  /** Never waits and never fails. */
  add(request: RequestToLog): void;
}

export interface RequestRecorderOptions {
  database: Pick<Database, 'em'>;
  /** Called with the number of requests that could not be recorded. */
  onLost: (requests: number) => void;
  logger: Logger;
}

/** Records finished requests once a second in one statement; disposing records the rest. */
export function startRequestRecorder(options: RequestRecorderOptions): RequestRecorder & AsyncDisposable {
  const { database, onLost, logger } = options;
  const held: RequestToLog[] = [];
  const overLimit = new Map<string, number>();

  async function save(): Promise<void> {
    overLimit.clear();
    while (held.length > 0) {
      const batch = held.splice(0, MAX_TOGETHER);
      try {
        await insertRequests(database.em(), batch);
      } catch (error) {
        onLost(batch.length);
        throw error;
      }
    }
  }

  function isOneTooMany({ keyId, error }: RequestToLog): boolean {
    if (error !== 'rate_limited') return false;
    const count = (overLimit.get(keyId) ?? 0) + 1;
    overLimit.set(keyId, count);
    return count > MAX_OVER_LIMIT;
  }

  const rounds = runEvery(EVERY_MS, save, 'requests.not_recorded', logger);
  return {
    add(request) {
      if (isOneTooMany(request)) return;
      if (held.length < MAX_HELD) held.push(request);
      else onLost(1);
    },
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await save().catch((error: unknown) => logger.warn({ err: error }, 'requests.not_recorded'));
    },
  };
}
