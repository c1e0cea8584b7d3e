import { replayPage, type ReplayProgress } from '../commands/webhooks/sending-again/replay-page.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import type { Database } from '../db/connection/open-database.ts';

export interface ReplayInQuestion {
  replayId: string;
  clinicId: string;
}

export interface ReplayActivities {
  /** Makes the next page of a replay's deliveries, or none while the last ones still wait for their first attempt. */
  replayPage(input: ReplayInQuestion): Promise<ReplayProgress>;
}

export function createReplayActivities({
  database,
  logger,
  clock,
}: {
  database: Database;
  logger: Logger;
  clock: () => Date;
}): ReplayActivities {
  return {
    async replayPage({ replayId, clinicId: tenantId }) {
      const progress = await database.write((em) => replayPage(em, { tenantId, replayId }, clock()));
      logger.info({ replayId, tenantId, ...progress }, 'replay.advanced');
      return progress;
    },
  };
}
