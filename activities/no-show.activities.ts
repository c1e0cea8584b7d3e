import type { CommandContext } from '../commands/command-context.ts';
import {
  LATE_MS,
  markLateNoShows,
  type MarkedNoShow,
  markNoShow,
  type NoShowFinding,
} from '../commands/appointments/mark-no-show.ts';
import { noShowWorkflowId } from '../domain/temporal-names.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

export type { NoShowOutcome } from '../commands/appointments/mark-no-show.ts';

export type NoShowActivities = ReturnType<typeof createNoShowActivities>;

export function createNoShowActivities({
  database,
  logger,
  clock,
  onNoShow,
}: Pick<ActivityDependencies, 'database' | 'logger' | 'clock' | 'onNoShow'>) {
  const contextOf = (appointmentId: string): CommandContext => ({
    actor: `workflow:${noShowWorkflowId(appointmentId)}`,
    requestId: null,
    now: clock(),
  });
  const tell = ({ appointmentId, tenantId, lateMs }: MarkedNoShow) => {
    logger.info({ appointmentId, tenantId }, 'appointment.no_show');
    onNoShow({ lateMs });
  };
  return {
    async markNoShow(input: { appointmentId: string; clinicId: string }): Promise<NoShowFinding> {
      const { appointmentId, clinicId: tenantId } = input;
      const appointment = { tenantId, appointmentId };
      const finding = await database.write((em) => markNoShow(em, appointment, contextOf(appointmentId)));
      if ('notDueForMs' in finding || finding.lateMs === undefined) return finding;
      tell({ appointmentId, tenantId, lateMs: finding.lateMs });
      if (finding.lateMs > LATE_MS) {
        const others = await database.write((em) => markLateNoShows(em, contextOf));
        others.forEach(tell);
      }
      return { outcome: finding.outcome };
    },
  };
}
