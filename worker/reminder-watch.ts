import type { Logger } from '../adapters/logs/logger.ts';
import { remindPatients, type RemindPatients } from '../commands/appointments/remind-patients.ts';
import { watch } from './watch.ts';

export interface ReminderWatchOptions extends Pick<RemindPatients, 'database' | 'patientUrlOf'> {
  logger: Logger;
  clock: () => Date;
}

/** Sends the reminders that are due, until `signal`. docs/reminders.md */
export function watchReminders(options: ReminderWatchOptions, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  const steps = [() => remindNext(options)];
  return watch({ logger, onFailure: 'reminders.not_sent', steps }, signal);
}

async function remindNext({ database, patientUrlOf, logger, clock }: ReminderWatchOptions): Promise<boolean> {
  const found = await remindPatients({
    database,
    patientUrlOf,
    context: { actor: 'worker', requestId: null, now: clock() },
    onFailed({ id: appointmentId, tenantId }, error) {
      logger.error({ appointmentId, tenantId, err: error }, 'appointment.not_reminded');
    },
  });
  if (found && found.sent > 0) logger.info(found, 'appointments.reminded');
  return found !== null;
}
