import { createDatabaseClock } from '../adapters/timing/database-clock.ts';
import { momentNow } from '../adapters/timing/moment.ts';
import { runEvery } from '../adapters/timing/run-every.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { readDatabaseTime } from '../db/connection/statements.ts';
import type { Database } from '../db/connection/open-database.ts';

const READ_EVERY_MS = 10_000;

export interface FollowedClock extends AsyncDisposable {
  now: () => Date;
}

/**
 * The database's clock as known to this process, read every ten seconds. Times that are stored or compared with stored
 * ones use it, because the clocks of several machines may differ.
 */
export async function followDatabaseClock(
  database: Pick<Database, 'admission'>,
  logger: Logger,
): Promise<FollowedClock> {
  const clock = createDatabaseClock();
  const read = async () => {
    const askedAt = momentNow();
    clock.told((await readDatabaseTime(database.admission())).getTime(), askedAt);
  };
  let isRead = false;
  const readClock = async () => {
    await read();
    isRead = true;
  };
  // A process that starts while the database is down must not fail: nothing is written until it is back.
  await readClock().catch((error: unknown) => logger.warn({ err: error }, 'database.clock_not_read'));
  const rounds = runEvery(READ_EVERY_MS, readClock, 'database.clock_not_read', logger);
  const now = () => (isRead ? clock.now() : new Date());
  return { now, [Symbol.asyncDispose]: () => rounds[Symbol.asyncDispose]() };
}
