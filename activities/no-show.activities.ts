import type { CommandContext } from '../commands/command-context.ts';
import { markNoShow, type NoShowFinding } from '../commands/appointments/mark-no-show.ts';
import type { Database } from '../db/connection/open-database.ts';
import { noShowWorkflowId } from '../domain/temporal-names.ts';

export type { NoShowOutcome } from '../commands/appointments/mark-no-show.ts';

export interface NoShowActivities {
  markNoShow(input: { appointmentId: string; clinicId: string }): Promise<NoShowFinding>;
}

export interface NoShowDependencies {
  database: Database;
  graceSeconds: number;
  clock: () => Date;
}

export function createNoShowActivities(dependencies: NoShowDependencies): NoShowActivities {
  const { database, graceSeconds, clock } = dependencies;
  return {
    markNoShow: ({ appointmentId, clinicId }) => {
      const context: CommandContext = {
        actor: `workflow:${noShowWorkflowId(appointmentId)}`,
        requestId: null,
        now: clock(),
      };
      return database.write((em) =>
        markNoShow(em, { tenantId: clinicId, appointmentId, graceSeconds }, context),
      );
    },
  };
}
