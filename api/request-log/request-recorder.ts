import type { Logger } from '../../adapters/logs/logger.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { insertRequests, type RequestToLog } from '../../db/requests/request-log.ts';
import { runEvery } from '../../adapters/timing/run-every.ts';

const EVERY_MS = 1000;
/** Of one statement. */
const MAX_TOGETHER = 1000;
/** While the database is slow; what comes on top is not recorded. */
const MAX_HELD = 10_000;
/** Of one key in one round: who hammers over its limit fills no table. */
const MAX_OVER_LIMIT = 10;

export interface RequestRecorder {
  /** Costs the request nothing: it never waits and never fails. */
  add(request: RequestToLog): void;
}

export interface RequestRecorderOptions {
  database: Pick<Database, 'em'>;
  /** How many requests were lost for lack of room, or because they could not be written. */
  onLost: (requests: number) => void;
  logger: Logger;
}

/** Writes down, once a second and with one statement, what was answered since; disposing writes down the rest. */
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
