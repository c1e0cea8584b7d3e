import { replayPage, type ReplayProgress } from '../commands/webhooks/sending-again/replay-deliveries.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

export interface ReplayInQuestion {
  replayId: string;
  clinicId: string;
}

export type ReplayActivities = ReturnType<typeof createReplayActivities>;

export function createReplayActivities({
  database,
  logger,
  clock,
}: Pick<ActivityDependencies, 'database' | 'logger' | 'clock'>) {
  return {
    /** Creates the next page of a replay's deliveries, unless the previous ones still wait for their first attempt. */
    async replayPage({ replayId, clinicId: tenantId }: ReplayInQuestion): Promise<ReplayProgress> {
      const progress = await database.write((em) => replayPage(em, { tenantId, replayId }, clock()));
      logger.info({ replayId, tenantId, ...progress }, 'replay.advanced');
      return progress;
    },
  };
}
