import { replayPage, type ReplayProgress } from '../commands/webhooks/sending-again/replay-page.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import type { Database } from '../db/connection/open-database.ts';

export interface ReplayInQuestion {
  replayId: string;
  clinicId: string;
}

export type ReplayActivities = ReturnType<typeof createReplayActivities>;

export function createReplayActivities({
  database,
  logger,
  clock,
}: {
  database: Database;
  logger: Logger;
  clock: () => Date;
}) {
  return {
    /** Makes the next page of a replay's deliveries, or none while the last ones still wait for their first attempt. */
    async replayPage({ replayId, clinicId: tenantId }: ReplayInQuestion): Promise<ReplayProgress> {
      const progress = await database.write((em) => replayPage(em, { tenantId, replayId }, clock()));
      logger.info({ replayId, tenantId, ...progress }, 'replay.advanced');
      return progress;
    },
  };
}
