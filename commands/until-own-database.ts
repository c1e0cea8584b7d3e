import type { Logger } from '../adapters/logs/logger.ts';
import { untilReached } from '../adapters/connections/until-reached.ts';
import { claimMode, refuseOtherMode } from '../db/deployment-mode.ts';
import { keepsSessions, TransactionPoolingError } from '../db/connection/pooling-mode.ts';
import type { ServiceMode } from '../domain/service-mode.ts';

/**
 * Waits for the database and checks that it has the same mode as this process, before anything is read or written. A
 * test service with real patients' data would send them messages. @throws OtherModeError, and TransactionPoolingError
 * if a pooler does not keep sessions
 */
export async function untilOwnDatabase(
  { database, mode }: { database: { url: string }; mode: ServiceMode },
  waiting: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  const { isPooled, stored } = await untilReached(
    'database',
    async () => ({
      isPooled: !(await keepsSessions(database.url)),
      stored: await claimMode(database.url, mode),
    }),
    waiting,
  );
  if (isPooled) throw new TransactionPoolingError();
  refuseOtherMode(stored, mode);
}
